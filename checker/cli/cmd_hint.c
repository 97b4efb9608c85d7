/* SPDX-License-Identifier: MIT
 * warpbook hint N: one hint at a time. The hints of a lesson are the "## " sections of its
 * hints.md, from a nudge to almost the code.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_HINTS = 16, MAX_FILE = 256 * 1024 };

/* Cuts the text into sections in place; returns how many. */
static unsigned split(char *sections[MAX_HINTS], char *text)
{
    unsigned count = 0;
    for (char *line = text; line && count < MAX_HINTS;) {
        char *end = strchr(line, '\n');
        if (wb_starts_with(line, "## ")) {
            if (line > text) {
                line[-1] = '\0';
            }
            sections[count++] = line + 3;
        }
        line = end ? end + 1 : NULL;
    }
    return count;
}

static void show(struct cli *cli, const struct wb_book_lesson *lesson, char *section,
                 unsigned level, unsigned count)
{
    char *heading = strsep(&section, "\n"), *line;
    size_t blank = 0;
    wb_paint_text(&cli->paint, WB_STYLE_STRONG, heading);
    wb_paint_printf(&cli->paint, WB_STYLE_FAINT, "   (lesson %02d, %u of %u)", lesson->number,
                    level, count);
    wb_paint_line(&cli->paint);
    while ((line = strsep(&section, "\n"))) {
        if (!*line) {
            blank++;
            continue;
        }
        for (; blank; blank--) { /* none at the end */
            wb_paint_line(&cli->paint);
        }
        wb_paint_text(&cli->paint, WB_STYLE_PLAIN, line);
        wb_paint_line(&cli->paint);
    }
}

static int show_level(struct cli *cli, const struct wb_book_lesson *lesson, long wanted)
{
    struct wb_status status = {0};
    struct wb_bytes text;
    char *sections[MAX_HINTS];
    const char *path = wb_path_join(&cli->arena, lesson->folder, "hints.md");
    if (!wb_file_read(&text, &cli->arena, path, MAX_FILE, &status)) {
        return cli_fail(&status);
    }
    unsigned count = split(sections, (char *)text.data);
    unsigned seen = wb_bench_hints_shown(&cli->book, lesson);
    if (count == 0) {
        cli_complain("%s has no hints (sections that begin with \"## \").", cli_shown(cli, path));
        return CLI_BROKEN;
    }
    if (wanted > (long)count) {
        cli_complain("Lesson %d has %u hints, not %ld.", lesson->number, count, wanted);
        return CLI_USAGE;
    }
    unsigned level = wanted > 0 ? (unsigned)wanted : seen < count ? seen + 1 : count;
    show(cli, lesson, sections[level - 1], level, count);
    if (level == count) {
        cli_say(cli, "\nThat is the last hint. `" WB_PROGRAM " solution %d` shows a solution.",
                lesson->number);
    } else {
        cli_say(cli, "\n`" WB_PROGRAM " hint %d` again shows the next one.", lesson->number);
    }
    if (level > seen && !wb_bench_remember_hints(&cli->book, lesson, level, &status)) {
        cli_complain("It could not be saved that you saw this hint: %s", status.message);
    }
    return CLI_PASSED;
}

int cli_cmd_hint(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .arguments = "LESSON",
        .doc = "Shows the next hint of a lesson: first the idea, then the place, then almost the "
               "code.",
        .needs_lesson = true,
        .takes_lesson = true,
        .number = "level",
        .number_name = "L",
        .number_doc = "Show this hint, 1 being the first"};
    const struct wb_book_lesson *lesson;
    struct cli_arguments arguments;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    return code == CLI_PASSED ? show_level(cli, lesson, arguments.number) : code;
}
