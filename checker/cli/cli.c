/* SPDX-License-Identifier: MIT
 * What the commands share: the book, lines on standard output, the state of a lesson.
 */
#include "cli.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cli_build_root(void)
{
    const char *build = getenv("WARPBOOK_BUILD");
    return build && *build ? build : WB_BUILD_ROOT;
}

int cli_open_book(struct cli *cli)
{
    struct wb_status status = {0};
    if (!wb_book_open(&cli->book, &cli->arena, WB_SOURCE_ROOT, cli_build_root(), &status)) {
        return cli_fail(&status);
    }
    if (cli->book.lesson_count == 0) {
        cli_complain("%s/lessons holds no lesson (a folder like 07-warp-aligned-branch with a "
                     "check.c in it). `git status` shows what is missing.",
                     cli->book.root);
        return CLI_BROKEN;
    }
    return CLI_PASSED;
}

int cli_find_lesson(const struct wb_book_lesson **out, struct cli *cli, const char *what)
{
    struct wb_status status = {0};
    int code = cli_open_book(cli);
    if (code != CLI_PASSED) {
        return code;
    }
    *out = wb_book_find(&cli->book, what, &status);
    if (!*out) {
        cli_fail(&status);
        return CLI_USAGE;
    }
    return CLI_PASSED;
}

const char *cli_shown(const struct cli *cli, const char *path)
{
    size_t length = cli->book.root ? strlen(cli->book.root) : 0;
    bool inside = length && strncmp(path, cli->book.root, length) == 0 && path[length] == '/';
    return inside ? path + length + 1 : path;
}

void cli_say(struct cli *cli, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    wb_paint_wrapped(&cli->paint, WB_STYLE_PLAIN, 0,
                     wb_arena_vprintf(&cli->arena, format, arguments));
    va_end(arguments);
    wb_paint_line(&cli->paint);
}

bool cli_flush(struct cli *cli)
{
    bool ok = cli->out.length == 0 || cli_console_write(STDOUT_FILENO, &cli->out);
    cli->out.length = 0;
    return ok;
}

enum wb_bench_state cli_state(struct cli *cli, const struct wb_book_lesson *lesson)
{
    enum wb_bench_state state;
    struct wb_status status = {0};
    if (!wb_bench_state(&state, &cli->book, lesson, &status)) {
        cli_complain("%s", status.message);
        return WB_BENCH_STARTED;
    }
    return state;
}

const struct wb_book_lesson *cli_next_lesson(struct cli *cli)
{
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        if (cli_state(cli, &cli->book.lessons[i]) != WB_BENCH_PASSED) {
            return &cli->book.lessons[i];
        }
    }
    return NULL;
}
