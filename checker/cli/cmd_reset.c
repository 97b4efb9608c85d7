/* SPDX-License-Identifier: MIT
 * warpbook reset N and warpbook lay: exercises onto the bench.
 */
#include "cli.h"

int cli_cmd_reset(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .arguments = "LESSON",
        .doc = "Puts an exercise back as it was. What you had is kept beside it, with a number.",
        .needs_lesson = true,
        .takes_lesson = true};
    const struct wb_book_lesson *lesson;
    struct cli_arguments arguments;
    struct wb_status status = {0};
    char *saved;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    if (code != CLI_PASSED) {
        return code;
    }
    if (!wb_bench_reset(&saved, &cli->arena, lesson, &status)) {
        return cli_fail(&status);
    }
    if (saved) {
        cli_say(cli, "Your file is kept as %s.", cli_shown(cli, saved));
    }
    cli_say(cli, "%s is as it was at the start.", cli_shown(cli, lesson->exercise));
    return CLI_PASSED;
}

int cli_cmd_lay(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .doc = "Lays the exercises that are missing. Nothing that is there is changed."};
    struct cli_arguments arguments;
    struct wb_status status = {0};
    size_t laid_count = 0;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_open_book(cli);
    for (size_t i = 0; code == CLI_PASSED && i < cli->book.lesson_count; i++) {
        bool laid;
        if (!wb_bench_lay(&laid, &cli->book.lessons[i], &status)) {
            return cli_fail(&status);
        }
        if (laid) {
            cli_say(cli, "laid %s", cli_shown(cli, cli->book.lessons[i].exercise));
            laid_count++;
        }
    }
    if (code == CLI_PASSED && laid_count == 0) {
        cli_say(cli, "All %zu exercises are there.", cli->book.lesson_count);
    }
    return code;
}
