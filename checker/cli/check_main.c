/* SPDX-License-Identifier: MIT
 * main() of every check program: linked with a lesson's check.c, which defines wb_lesson.
 */
#include "check.h"

enum { KEY_TAP = 0x200, KEY_IF_STARTED, KEY_AUTHOR };

static const struct argp_option rows[] = {
    {"tap", KEY_TAP, NULL, 0,
     "Report in TAP, one test per criterion; the exit code is then 0 for a complete report", 4},
    {"if-started", KEY_IF_STARTED, NULL, 0, "Skip an exercise that is missing or unchanged", 4},
    {"author", KEY_AUTHOR, NULL, 0,
     "Check the lesson: its solution passes, its stub fails, each wrong attempt gets the verdict "
     "that its first line names",
     4},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct check_options *options = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case KEY_TAP:
        options->tap = true;
        return 0;
    case KEY_IF_STARTED:
        options->if_started = true;
        return 0;
    case KEY_AUTHOR:
        options->author = true;
        return 0;
    case ARGP_KEY_SUCCESS:
        if ((options->tap || options->author) && cli_check_to_stdout(&options->common)) {
            argp_error(state, "with --tap or --author no report can go to standard output");
        }
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "a check takes no arguments, only options; '%s' is one", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&cli_check_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = rows,
    .parser = parse,
    .children = children,
    .doc = "Checks the exercise of one lesson.\v"
           "Exit codes: 0 passed, 1 failed, 2 usage, 3 the tool chain or the device is missing or "
           "broken, 77 skipped or not started."};

static int broken(struct check *check, const struct wb_status *status)
{
    return check->options.tap ? check_tap_bail_out(check, status->message) : cli_fail(status);
}

static int skip(struct check *check)
{
    const char *why = wb_arena_printf(&check->arena, "%s is not started yet.",
                                      check_shown(check, check->lesson->exercise));
    if (check->options.tap) {
        return check_tap_skip(check, why);
    }
    cli_complain("%s", why);
    return CLI_SKIPPED;
}

static int run(struct check *check)
{
    struct wb_status status = {0};
    const char *attempt = check->options.common.attempt;
    bool started = true;
    if (attempt && !wb_file_exists(attempt)) {
        cli_complain("There is no file %s.", attempt);
        return CLI_USAGE;
    }
    if (!check_open(check, &status)) {
        return broken(check, &status);
    }
    if (!check_targets_are_free(check)) {
        return CLI_USAGE;
    }
    if (check->options.author) {
        return check_author(check);
    }
    if (check->options.if_started && !attempt && !check_is_started(&started, check, &status)) {
        return broken(check, &status);
    }
    if (!started) {
        return skip(check);
    }
    struct wb_result result;
    check_attempt(&result, check);
    return check->options.tap ? check_tap(check, &result) : check_report(check, &result);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    cli_console_start();
    argp_err_exit_status = CLI_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &check.options);
    wb_arena_init(&check.arena);
    int code = run(&check);
    wb_arena_finish(&check.arena);
    cli_obey_signals();
    return code;
}
