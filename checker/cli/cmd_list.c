/* SPDX-License-Identifier: MIT
 * warpbook list: every lesson with its state.
 */
#include "cli.h"

#include <string.h>

static const struct {
    const char *text;
    enum wb_mark mark;
    enum wb_style style;
} states[] = {
    [WB_BENCH_MISSING] = {"missing", WB_MARK_BAD, WB_STYLE_WARN},
    [WB_BENCH_NOT_STARTED] = {"not started", WB_MARK_NONE, WB_STYLE_FAINT},
    [WB_BENCH_STARTED] = {"started", WB_MARK_POINTER, WB_STYLE_NOTE},
    [WB_BENCH_PASSED] = {"passed", WB_MARK_GOOD, WB_STYLE_GOOD},
};

static unsigned widest_title(const struct cli *cli)
{
    unsigned widest = 0;
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        unsigned columns = wb_paint_columns(&cli->paint, cli->book.lessons[i].title);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

static void list_lesson(struct cli *cli, const struct wb_book_lesson *lesson,
                        enum wb_bench_state state, unsigned title_width)
{
    struct wb_paint *paint = &cli->paint;
    wb_paint_to(paint, 2);
    wb_paint_text(paint, states[state].style, wb_paint_mark(paint, states[state].mark));
    wb_paint_printf(paint, WB_STYLE_STRONG, " %02d ", lesson->number);
    wb_paint_text(paint, WB_STYLE_PLAIN, lesson->title);
    wb_paint_to(paint, 7 + title_width + 2);
    wb_paint_text(paint, states[state].style, states[state].text);
    wb_paint_to(paint, 7 + title_width + 2 + 13);
    wb_paint_text(paint, WB_STYLE_FAINT, cli_shown(cli, lesson->exercise));
    wb_paint_line(paint);
}

/* A line above the first lesson of each part; *part is the one before. */
static void list_part(struct cli *cli, const char **part, const char *next)
{
    if (!next || (*part && strcmp(*part, next) == 0)) {
        return;
    }
    if (*part) {
        wb_paint_line(&cli->paint);
    }
    *part = next;
    wb_paint_text(&cli->paint, WB_STYLE_STRONG, next);
    wb_paint_line(&cli->paint);
}

int cli_cmd_list(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {.doc = "Lists the lessons and how far you are."};
    struct cli_arguments arguments;
    size_t passed = 0;
    const char *part = NULL;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_open_book(cli);
    if (code != CLI_PASSED) {
        return code;
    }
    unsigned title_width = widest_title(cli);
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        enum wb_bench_state state = cli_state(cli, &cli->book.lessons[i]);
        list_part(cli, &part, cli->book.lessons[i].part);
        list_lesson(cli, &cli->book.lessons[i], state, title_width);
        passed += state == WB_BENCH_PASSED;
    }
    cli_say(cli, "\n%zu of %zu passed.", passed, cli->book.lesson_count);
    return CLI_PASSED;
}
