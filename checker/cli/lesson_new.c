/* SPDX-License-Identifier: MIT
 * warpbook lesson new NAME: lays a lesson that works.
 */
#include "lesson.h"

int cli_lesson_new(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .arguments = "NAME",
        .doc =
            "Lays lessons/NAME and solutions/NAME: a small lesson that works, to be changed into "
            "yours. NAME is like 29-my-lesson.",
        .needs_lesson = true,
        .takes_lesson = true};
    struct cli_arguments arguments;
    struct wb_status status = {0};
    char **files;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_open_book(cli);
    if (code != CLI_PASSED) {
        return code;
    }
    const char *name = arguments.lesson;
    if (!wb_lesson_new(&files, &cli->arena, &cli->book, name, &status)) {
        cli_fail(&status);
        return status.code == WB_BAD_INPUT ? CLI_USAGE : CLI_BROKEN;
    }
    for (size_t i = 0; files[i]; i++) {
        cli_say(cli, "wrote %s", files[i]);
    }
    cli_say(cli,
            "\nIt is a lesson already, about something small. Next:\n"
            "  ninja -C %s\n"
            "  " WB_PROGRAM " lesson check %s\n"
            "then make it yours: docs/authors.md tells how.",
            cli_build_root(), name);
    return CLI_PASSED;
}
