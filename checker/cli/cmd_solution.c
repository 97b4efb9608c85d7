/* SPDX-License-Identifier: MIT
 * warpbook solution N: shows a solution to who has tried.
 */
#include "cli.h"

enum { MAX_SOURCE = 1024 * 1024 };

int cli_cmd_solution(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {.arguments = "LESSON",
                                           .doc = "Shows a solution of a lesson.",
                                           .needs_lesson = true,
                                           .takes_lesson = true,
                                           .flag = "yes",
                                           .flag_doc = "Also if you have not started yet"};
    const struct wb_book_lesson *lesson;
    struct cli_arguments arguments;
    struct wb_status status = {0};
    struct wb_bytes text;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    if (code != CLI_PASSED) {
        return code;
    }
    enum wb_bench_state state = cli_state(cli, lesson);
    if (!arguments.flag && (state == WB_BENCH_MISSING || state == WB_BENCH_NOT_STARTED)) {
        cli_complain("You have not tried yet: %s is unchanged. `" WB_PROGRAM " hint %d` helps; "
                     "`" WB_PROGRAM " solution %d --yes` shows the solution all the same.",
                     cli_shown(cli, lesson->exercise), lesson->number, lesson->number);
        return CLI_SKIPPED;
    }
    if (!wb_file_read(&text, &cli->arena, lesson->solution, MAX_SOURCE, &status)) {
        return cli_fail(&status);
    }
    wb_str_add_bytes(&cli->out, text.data, text.size); /* as it is: it may be piped to a file */
    return CLI_PASSED;
}
