/* SPDX-License-Identifier: MIT
 * A result tree as TAP, through cmocka: one test per criterion, made at run time. The report for
 * people goes to standard error: Meson drops what is not TAP from the stream, but shows standard
 * error with -v, and that of failed tests with --print-errorlogs.
 *
 * Meson takes any exit code but 0 of a TAP test for a broken test program, even when it only says
 * what the stream says; so the exit code is 0 whenever the stream is complete.
 */
#include "check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const char *check_plain(struct check *check, const char *text)
{
    struct wb_str out;
    struct wb_paint paint;
    bool ascii = cli_console_options(STDOUT_FILENO).ascii;
    wb_str_init(&out, &check->arena);
    wb_paint_init(&paint, &out, false, ascii, 0);
    wb_paint_text(&paint, WB_STYLE_PLAIN, text);
    return wb_str_get(&out);
}

/* A line of the protocol; the text is made one line of plain characters. */
static void tap_line(struct check *check, const char *before, const char *text)
{
    struct wb_str out;
    wb_str_init(&out, &check->arena);
    wb_str_printf(&out, "%s%s\n", before, check_plain(check, text));
    cli_console_write(STDOUT_FILENO, &out);
}

int check_tap_skip(struct check *check, const char *why)
{
    tap_line(check, "1..0 # SKIP ", why);
    return CLI_PASSED;
}

int check_tap_bail_out(struct check *check, const char *why)
{
    tap_line(check, "Bail out! ", why);
    return CLI_BROKEN;
}

/* ---- tests made at run time ---------------------------------------------------------------- */

/* What is skipped carries TAP's directive in its name and passes: cmocka's own skip() writes
 * "not ok N # SKIP", which Meson counts as a failure. */
static void tap_test(void **state)
{
    const struct check_tap_test *test = *state;
    if (test->verdict == WB_FAILED || test->verdict == WB_ERROR) {
        print_message("# %s\n", test->message);
        _fail(test->file, (int)test->line); /* the learner's line, not this one */
    }
}

int check_tap_run(struct check *check, const struct check_tap_test *tests, size_t count)
{
    struct CMUnitTest *list = wb_arena_alloc(&check->arena, (count + 1) * sizeof *list);
    struct check_tap_test *clean = wb_arena_alloc(&check->arena, (count + 1) * sizeof *clean);
    for (size_t i = 0; i < count; i++) {
        bool skipped = tests[i].verdict == WB_SKIPPED || tests[i].verdict == WB_NOT_STARTED;
        clean[i] = tests[i];
        clean[i].message = check_plain(check, tests[i].message ? tests[i].message : "");
        clean[i].file = check_plain(check, tests[i].file);
        list[i] = (struct CMUnitTest){
            .name = wb_arena_printf(&check->arena, skipped ? "%s # SKIP %s" : "%s",
                                    check_plain(check, tests[i].name), clean[i].message),
            .test_func = tap_test,
            .initial_state = &clean[i],
        };
    }
    setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
    _cmocka_run_group_tests(check->lesson->name, list, count, NULL, NULL);
    return CLI_PASSED;
}

/* ---- a result ------------------------------------------------------------------------------ */

static struct check_tap_test test_of(const struct wb_result *result, size_t i)
{
    const struct wb_criterion_result *criterion = &result->criteria[i];
    struct check_tap_test test = {criterion->title, criterion->verdict, criterion->message,
                                  result->attempt, 0};
    for (size_t k = 0; k < result->finding_count; k++) {
        const struct wb_finding *finding = &result->findings[k];
        if (finding->kind == criterion->reason && finding->file && finding->line) {
            test.file = finding->file;
            test.line = finding->line;
            break;
        }
    }
    return test;
}

int check_tap(struct check *check, const struct wb_result *result)
{
    struct wb_str text;
    bool written = check_write_files(check, result);
    struct wb_report_options options = cli_console_options(STDOUT_FILENO);
    options.colour = false;
    check_render(&text, check, result, options);
    cli_console_write(STDERR_FILENO, &text);
    if (result->verdict == WB_ERROR || !written) {
        return check_tap_bail_out(check, result->message ? result->message
                                                         : "A report could not be written.");
    }
    if (result->criterion_count == 0 || result->verdict == WB_NOT_STARTED) {
        return check_tap_skip(check, result->message ? result->message : "not started");
    }
    struct check_tap_test *tests =
        wb_arena_alloc(&check->arena, result->criterion_count * sizeof *tests);
    for (size_t i = 0; i < result->criterion_count; i++) {
        tests[i] = test_of(result, i);
    }
    return check_tap_run(check, tests, result->criterion_count);
}
