/* SPDX-License-Identifier: MIT
 * warpbook check [N]: becomes the lesson's check program. warpbook check --all: runs the check of
 * each started lesson and prints a line for it.
 */
#include "check_options.h"
#include "cli.h"

#include <string.h>

struct check_arguments {
    struct cli_check_options common;
    const char *lesson;
    bool all;
};

enum { KEY_ALL = 0x200 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct check_arguments *arguments = state->input;
    const struct cli_check_options *common = &arguments->common;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case KEY_ALL:
        arguments->all = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->lesson) {
            argp_error(state, "'%s' is one argument too many", argument);
        }
        arguments->lesson = argument;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (arguments->all && (arguments->lesson || common->attempt || common->json ||
                               common->html || common->junit)) {
            argp_error(state, "--all goes with --device and --seed only");
        }
        if (common->attempt && !arguments->lesson) {
            argp_error(state, "--attempt needs a lesson: which one shall check the file?");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"all", KEY_ALL, NULL, 0, "Check every exercise that was started, one line each", 0}, {0}};
static const struct argp_child children[] = {{&cli_check_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[LESSON]",
    .children = children,
    .doc =
        "Compiles an exercise, runs it and grades it. Without LESSON: the first one that has not "
        "passed yet.\v"
        "Exit codes: 0 passed, 1 failed, 2 usage, 3 the tool chain or the device is missing or "
        "broken, 77 skipped or not started."};

/* ---- --all --------------------------------------------------------------------------------- */

enum { OUTCOME = 44 }; /* the column behind the titles */

static void show_outcome(struct cli *cli, const struct wb_book_lesson *lesson,
                         const struct cli_outcome *outcome)
{
    struct wb_paint *paint = &cli->paint;
    bool passed = outcome->exit_code == CLI_PASSED;
    bool skipped = outcome->exit_code == CLI_SKIPPED;
    wb_paint_to(paint, 2);
    wb_paint_text(paint,
                  passed    ? WB_STYLE_GOOD
                  : skipped ? WB_STYLE_WARN
                            : WB_STYLE_BAD,
                  wb_paint_mark(paint, passed    ? WB_MARK_GOOD
                                       : skipped ? WB_MARK_NONE
                                                 : WB_MARK_BAD));
    wb_paint_printf(paint, WB_STYLE_STRONG, " %02d ", lesson->number);
    wb_paint_text(paint, WB_STYLE_PLAIN, lesson->title);
    wb_paint_to(paint, paint->column < OUTCOME ? OUTCOME : paint->column + 2);
    wb_paint_printf(paint, WB_STYLE_PLAIN, "%s, %.4g of %.4g points", outcome->verdict,
                    outcome->points, outcome->max_points);
    wb_paint_line(paint);
    if (!passed && outcome->message[0]) {
        wb_paint_to(paint, 7);
        wb_paint_wrapped(paint, WB_STYLE_FAINT, 7, outcome->message);
        wb_paint_line(paint);
    }
}

/* 3 is worse than 1, 1 than 77, 77 than 0. */
static int worse(int a, int b)
{
    static const int order[] = {CLI_PASSED, CLI_SKIPPED, CLI_FAILED, CLI_USAGE, CLI_BROKEN};
    for (size_t i = WB_ARRAY_LENGTH(order); i-- > 0;) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return CLI_BROKEN;
}

static int check_one(struct cli *cli, const struct wb_book_lesson *lesson,
                     const struct cli_check_options *common)
{
    const char *arguments[CLI_CHECK_OPTION_COUNT];
    size_t count = cli_check_arguments(arguments, 0, &cli->arena, common);
    struct cli_outcome outcome;
    struct wb_status status = {0};
    if (!cli_run_checker(&outcome, cli, lesson, arguments, count, &status)) {
        return cli_fail(&status);
    }
    show_outcome(cli, lesson, &outcome);
    cli_outcome_finish(&outcome);
    cli_flush(cli);
    return outcome.exit_code;
}

static int check_all(struct cli *cli, const struct cli_check_options *common)
{
    size_t started = 0, not_started = 0;
    int worst = cli_open_book(cli);
    if (worst != CLI_PASSED) {
        return worst;
    }
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        const struct wb_book_lesson *lesson = &cli->book.lessons[i];
        enum wb_bench_state state = cli_state(cli, lesson);
        if (state == WB_BENCH_MISSING || state == WB_BENCH_NOT_STARTED) {
            not_started++;
        } else {
            started++;
            worst = worse(worst, check_one(cli, lesson, common));
        }
    }
    if (started == 0) {
        cli_say(cli,
                "No exercise has been started yet. `" WB_PROGRAM " next` says where to begin.");
        return CLI_SKIPPED;
    }
    if (not_started) {
        cli_say(cli, "%zu not started.", not_started);
    }
    return worst;
}

/* ---- one lesson ---------------------------------------------------------------------------- */

static int choose(const struct wb_book_lesson **out, struct cli *cli, const char *what)
{
    if (what) {
        return cli_find_lesson(out, cli, what);
    }
    int code = cli_open_book(cli);
    if (code == CLI_PASSED) {
        *out = cli_next_lesson(cli);
        if (!*out) {
            cli_say(cli, "You have passed every lesson. `" WB_PROGRAM
                         " check --all` checks them again.");
        }
    }
    return code;
}

int cli_cmd_check(struct cli *cli, int argc, char **argv)
{
    struct check_arguments arguments = {0};
    const struct wb_book_lesson *lesson = NULL;
    const char *list[CLI_CHECK_OPTION_COUNT];
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (arguments.all) {
        return check_all(cli, &arguments.common);
    }
    int code = choose(&lesson, cli, arguments.lesson);
    if (code != CLI_PASSED || !lesson) {
        return code;
    }
    size_t count = cli_check_arguments(list, 0, &cli->arena, &arguments.common);
    return cli_exec_checker(cli, lesson, list, count);
}
