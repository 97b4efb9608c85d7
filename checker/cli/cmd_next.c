/* SPDX-License-Identifier: MIT
 * warpbook next, and warpbook without a command: where am I, what next.
 */
#include "cli.h"

static void say_next(struct cli *cli, const struct wb_book_lesson *lesson)
{
    enum wb_bench_state state = cli_state(cli, lesson);
    wb_paint_printf(&cli->paint, WB_STYLE_STRONG, "Lesson %02d: %s", lesson->number, lesson->title);
    wb_paint_line(&cli->paint);
    cli_say(cli, "  read   %s/README.md", cli_shown(cli, lesson->folder));
    if (state == WB_BENCH_MISSING) {
        cli_say(cli, "  lay    " WB_PROGRAM " reset %d   (%s is missing)", lesson->number,
                cli_shown(cli, lesson->exercise));
    } else {
        cli_say(cli, "  edit   %s%s", cli_shown(cli, lesson->exercise),
                state == WB_BENCH_STARTED ? "   (started)" : "");
    }
    cli_say(cli, "  check  " WB_PROGRAM " check %d", lesson->number);
}

int cli_cmd_next(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {.doc = "Shows the next lesson to work on."};
    struct cli_arguments arguments;
    cli_parse(&arguments, &usage, argc, argv);
    int code = cli_open_book(cli);
    if (code != CLI_PASSED) {
        return code;
    }
    const struct wb_book_lesson *lesson = cli_next_lesson(cli);
    if (lesson) {
        say_next(cli, lesson);
    } else {
        cli_say(cli, "You have passed every lesson.");
    }
    return CLI_PASSED;
}

int cli_cmd_status(struct cli *cli, int argc, char **argv)
{
    size_t passed = 0;
    (void)argc;
    (void)argv;
    int code = cli_open_book(cli);
    if (code != CLI_PASSED) {
        return code;
    }
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        passed += cli_state(cli, &cli->book.lessons[i]) == WB_BENCH_PASSED;
    }
    cli_say(cli, "%zu of %zu lessons passed.\n", passed, cli->book.lesson_count);
    const struct wb_book_lesson *lesson = cli_next_lesson(cli);
    if (lesson) {
        say_next(cli, lesson);
    }
    cli_say(cli, "\n`" WB_PROGRAM " list` shows all lessons, `" WB_PROGRAM " help` all commands.");
    return CLI_PASSED;
}
