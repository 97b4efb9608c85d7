/* SPDX-License-Identifier: MIT
 * warpbook lesson check [N]: for authors; runs check programs with --author.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child with our own standard output: an author watches it. */
static int run_one(struct cli *cli, const struct wb_book_lesson *lesson)
{
    static const char *const arguments[] = {"--author"};
    wb_paint_printf(&cli->paint, WB_STYLE_STRONG, "Lesson %02d: %s", lesson->number, lesson->title);
    wb_paint_line(&cli->paint);
    cli_flush(cli);
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        _exit(cli_exec_checker(cli, lesson, arguments, WB_ARRAY_LENGTH(arguments)));
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        cli_complain("The check program of lesson %s could not be run.", lesson->name);
        return CLI_BROKEN;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_BROKEN;
}

static int run_all(struct cli *cli)
{
    int worst = cli_open_book(cli);
    for (size_t i = 0; worst < CLI_BROKEN && i < cli->book.lesson_count; i++) {
        int code = run_one(cli, &cli->book.lessons[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

int cli_cmd_lesson(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .arguments = "[LESSON]",
        .doc = "Checks that a lesson checks: its solution passes, its stub fails, and each wrong "
               "attempt gets the verdict that its first line names. Without LESSON, all of them.",
        .takes_lesson = true};
    const struct wb_book_lesson *lesson;
    struct cli_arguments arguments;
    if (argc < 2 || strcmp(argv[1], "check") != 0) {
        if (argc > 1 && strcmp(argv[1], "--help") == 0) {
            argv[0] = "warpbook lesson check";
            cli_parse(&arguments, &usage, argc, argv);
        }
        cli_complain("Use `" WB_PROGRAM " lesson check [LESSON]`.");
        return CLI_USAGE;
    }
    argv[1] = "warpbook lesson check";
    cli_parse(&arguments, &usage, argc - 1, argv + 1);
    if (!arguments.lesson) {
        return run_all(cli);
    }
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    return code == CLI_PASSED ? run_one(cli, lesson) : code;
}
