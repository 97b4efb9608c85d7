/* SPDX-License-Identifier: MIT
 * warpbook diff N: what the learner changed, as `diff -u` says it.
 */
#include "cli.h"

#include <warpbook/proc.h>

#include <string.h>

enum { MAX_DIFF = 4 * 1024 * 1024 };

static enum wb_style style_of(const char *line)
{
    switch (line[0]) {
    case '+':
        return WB_STYLE_GOOD;
    case '-':
        return WB_STYLE_BAD;
    case '@':
        return WB_STYLE_NOTE;
    default:
        return WB_STYLE_PLAIN;
    }
}

static void paint_diff(struct cli *cli, char *text)
{
    char *line;
    while ((line = strsep(&text, "\n"))) {
        if (*line || text) {
            wb_paint_text(&cli->paint, style_of(line), line);
            wb_paint_line(&cli->paint);
        }
    }
}

static int run_diff(struct cli *cli, const struct wb_book_lesson *lesson)
{
    struct wb_status status = {0};
    struct wb_proc_result result;
    const char *argv[] = {"diff",
                          "-u",
                          "--label",
                          cli_shown(cli, lesson->stub),
                          "--label",
                          cli_shown(cli, lesson->exercise),
                          "--",
                          lesson->stub,
                          lesson->exercise,
                          NULL};
    struct wb_proc_spec spec = {.argv = argv, .limits = {.wall_s = 20, .output = MAX_DIFF}};
    if (!wb_proc_run(&result, &cli->arena, &spec, &status)) {
        return cli_fail(&status);
    }
    if (result.end != WB_PROC_EXITED || result.exit_code > 1) {
        cli_complain("`diff` (package diffutils) could not compare the files: %s",
                     *result.err ? result.err : "it could not be started.");
        return CLI_BROKEN;
    }
    if (result.exit_code == 0) {
        cli_say(cli, "%s is unchanged.", cli_shown(cli, lesson->exercise));
    }
    paint_diff(cli, result.out);
    return CLI_PASSED;
}

int cli_cmd_diff(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {.arguments = "LESSON",
                                           .doc = "Shows what you changed in an exercise.",
                                           .needs_lesson = true,
                                           .takes_lesson = true};
    const struct wb_book_lesson *lesson;
    struct cli_arguments arguments;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    if (code != CLI_PASSED) {
        return code;
    }
    enum wb_bench_state state;
    struct wb_status status = {0};
    if (!wb_bench_state(&state, &cli->book, lesson, &status)) {
        return cli_fail(&status);
    }
    if (state == WB_BENCH_MISSING) {
        cli_complain("%s is missing. `" WB_PROGRAM " reset %d` lays a fresh one.",
                     cli_shown(cli, lesson->exercise), lesson->number);
        return CLI_SKIPPED;
    }
    return run_diff(cli, lesson);
}
