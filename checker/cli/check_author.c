/* SPDX-License-Identifier: MIT
 * Checks a lesson: the checker itself is checked. Its files are complete, the solution passes, the
 * stub fails (but compiles and runs), the reference is right, each wrong attempt gets what its
 * first line says, and the limits of check.c separate them. In TAP each is a test of its own; else
 * one line each, as soon as it is known.
 */
#include "check.h"

#include <unistd.h>

struct author {
    struct check *check;
    struct check_tap_test *tests; /* what was looked at */
    size_t count, capacity;
    bool *failed; /* by criterion: some file failed it */
    bool ok;
};

/* True if the file got what it must get; else *why says what it got. */
typedef bool (*author_judge)(const char **why, struct author *author, const char *path,
                             const struct wb_result *result);

/* ---- what each file must get -------------------------------------------------------------- */

/* "failed, divergence: 512 branch decisions ..." */
static const char *describe(struct wb_arena *arena, const struct wb_result *result)
{
    const char *verdict = wb_verdict_name[result->verdict];
    if (result->message) {
        return wb_arena_printf(arena, "%s: %s", verdict, result->message);
    }
    for (size_t i = 0; i < result->criterion_count; i++) {
        const struct wb_criterion_result *criterion = &result->criteria[i];
        if (criterion->verdict != WB_PASSED) {
            return wb_arena_printf(arena, "%s; %s is %s (%s): %s", verdict, criterion->id,
                                   wb_verdict_name[criterion->verdict],
                                   wb_reason_code[criterion->reason],
                                   criterion->message ? criterion->message : "");
        }
    }
    return verdict;
}

static const char *first_warning(const struct wb_result *result)
{
    return result->diagnostic_count ? result->diagnostics[0].message : NULL;
}

static bool judge_solution(const char **why, struct author *author, const char *path,
                           const struct wb_result *result)
{
    struct wb_arena *arena = &author->check->arena;
    (void)path;
    *why = wb_arena_printf(arena, "The solution must pass, but it got %s", describe(arena, result));
    return result->verdict == WB_PASSED;
}

static bool judge_stub(const char **why, struct author *author, const char *path,
                       const struct wb_result *result)
{
    struct wb_arena *arena = &author->check->arena;
    bool runs =
        result->reason != WB_REASON_COMPILE_ERROR && result->reason != WB_REASON_LAUNCH_FAILED;
    const char *warning = first_warning(result);
    (void)path;
    *why = runs && warning
               ? wb_arena_printf(
                     arena, "The stub must compile without a warning, but nvcc says: %s", warning)
               : wb_arena_printf(arena, "The stub must compile, launch and fail, but it got %s",
                                 describe(arena, result));
    return result->verdict == WB_FAILED && runs && !warning;
}

static bool judge_wrong(const char **why, struct author *author, const char *path,
                        const struct wb_result *result)
{
    struct wb_arena *arena = &author->check->arena;
    struct wb_expectation expected;
    struct wb_status status = {0};
    char *sentence = NULL;
    if (!wb_expectation_read(&expected, arena, path, &status)) {
        *why = wb_arena_strdup(arena, status.message);
        return false;
    }
    bool met = wb_expectation_met(&sentence, arena, &expected, result);
    *why = sentence;
    return met;
}

/* Right, unless its first line says what else it gets, as a wrong attempt's does. */
static bool judge_reference(const char **why, struct author *author, const char *path,
                            const struct wb_result *result)
{
    struct wb_arena *arena = &author->check->arena;
    struct wb_expectation expected;
    struct wb_status ignored = {0};
    if (wb_expectation_read(&expected, arena, path, &ignored)) {
        return judge_wrong(why, author, path, result);
    }
    *why = wb_arena_printf(arena,
                           "The reference must be right, but it got %s (if the lesson is about "
                           "that, say so in its first line: // expect: failed CRITERION REASON)",
                           describe(arena, result));
    for (size_t i = 0; i < result->criterion_count; i++) {
        if (wb_lesson.criteria[i].kind == WB_CORRECT && result->criteria[i].verdict != WB_PASSED) {
            return false;
        }
    }
    return result->criterion_count > 0 && result->verdict != WB_ERROR;
}

/* ---- reporting ---------------------------------------------------------------------------- */

/* One line, and the reason if it is not well. */
static bool show(struct author *author, const struct check_tap_test *test)
{
    struct wb_str text;
    struct wb_paint paint;
    bool ok = test->verdict == WB_PASSED;
    wb_str_init(&text, &author->check->arena);
    cli_console_paint(&paint, &text, STDOUT_FILENO);
    wb_paint_to(&paint, 2);
    wb_paint_text(&paint, ok ? WB_STYLE_GOOD : WB_STYLE_BAD,
                  wb_paint_mark(&paint, ok                            ? WB_MARK_GOOD
                                        : test->verdict == WB_SKIPPED ? WB_MARK_NONE
                                                                      : WB_MARK_BAD));
    wb_paint_printf(&paint, WB_STYLE_PLAIN, " %s", test->name);
    wb_paint_line(&paint);
    if (!ok && test->message) {
        wb_paint_to(&paint, 6);
        wb_paint_wrapped(&paint, WB_STYLE_PLAIN, 6, test->message);
        wb_paint_line(&paint);
    }
    return cli_console_write(STDOUT_FILENO, &text);
}

static void report(struct author *author, struct check_tap_test test)
{
    author->tests = wb_arena_grow(&author->check->arena, author->tests, &author->capacity,
                                  author->count, sizeof *author->tests);
    author->tests[author->count++] = test;
    author->ok &= test.verdict != WB_FAILED;
    if (!author->check->options.tap) {
        author->ok &= show(author, &test);
    }
}

static void report_complaints(struct author *author, const char *name,
                              const struct wb_complaints *complaints)
{
    bool ok = complaints->count == 0;
    report(author,
           (struct check_tap_test){
               .name = name,
               .verdict = ok ? WB_PASSED : WB_FAILED,
               .message = wb_complaints_text(complaints, author->check->options.tap ? "; " : "\n"),
               .file = ok ? "check.c" : complaints->items[0].file,
               .line = ok ? 0 : complaints->items[0].line});
}

/* ---- what is looked at -------------------------------------------------------------------- */

static void look_at_files(struct author *author)
{
    struct check *check = author->check;
    for (size_t i = 0; wb_audits[i].name; i++) {
        struct wb_complaints complaints = {.arena = &check->arena};
        wb_audits[i].run(&complaints, &check->book, check->lesson);
        report_complaints(author, wb_audits[i].name, &complaints);
    }
}

static void look_at_numbers(struct author *author)
{
    struct wb_complaints points = {.arena = &author->check->arena}, sizes = points;
    check_audit_points(&points, author->check);
    report_complaints(author, "the points add up", &points);
    check_audit_sizes(&sizes, author->check);
    report_complaints(author, "the sizes hide no mistake", &sizes);
}

/* "explog, reference: 50.00 %, 512 divergent branches, 19.5 lanes" */
static void add_numbers(struct wb_str *out, const char *who,
                        const struct wb_measurement *measurement)
{
    double efficiency, lanes;
    const struct wb_counts *total = &measurement->counters.total;
    wb_str_printf(out, "%s, %s: ", measurement->kernel, who);
    if (!measurement->measured) {
        const char *why = measurement->not_measured;
        wb_str_printf(out, "%s\n", why ? why : "not measured");
        return;
    }
    if (wb_branch_efficiency(&efficiency, total)) {
        wb_str_printf(out, "%.2f %%, ", efficiency);
    }
    wb_str_printf(out, "%llu divergent branches, %.1f lanes\n",
                  (unsigned long long)total->v[WB_METRIC_BRANCH_DIVERGENT],
                  wb_lanes(&lanes, total) ? lanes : 0.0);
}

/* The counters of reference and solution, as comments for the author. */
static void comment_numbers(struct check *check, const struct wb_result *result)
{
    struct wb_str text;
    wb_str_init(&text, &check->arena);
    for (size_t i = 0; result->measured && i < result->task_count; i++) {
        if (result->reference) {
            add_numbers(&text, "reference", &result->reference[i]);
        }
        add_numbers(&text, "solution", &result->measured[i]);
    }
    cli_console_write(STDERR_FILENO, &text);
}

/* Skipped if the device lacks what the file needs. */
static void run_file(struct wb_result *out, struct author *author, const char *name,
                     const char *path, author_judge judge)
{
    struct check *check = author->check;
    struct check_tap_test test = {
        .name = name, .file = check_shown(check, path), .line = 1, .verdict = WB_FAILED};
    *out = (struct wb_result){0};
    if (!wb_file_exists(path)) {
        test.message = wb_arena_printf(&check->arena, "%s is missing.", test.file);
        report(author, test);
        return;
    }
    check_grade(out, check, path, test.file);
    for (size_t i = 0; i < out->criterion_count; i++) {
        author->failed[i] |= out->criteria[i].verdict == WB_FAILED;
    }
    if (judge(&test.message, author, path, out)) {
        test.verdict = WB_PASSED;
    } else if (out->verdict == WB_SKIPPED) {
        test.verdict = WB_SKIPPED;
    }
    report(author, test);
}

static void run_wrong(struct author *author)
{
    struct check *check = author->check;
    struct wb_status ignored = {0};
    struct wb_result result;
    char **names;
    size_t count;
    if (!wb_dir_list(&names, &count, &check->arena, check->lesson->wrong, &ignored)) {
        return; /* look_at_files says so */
    }
    for (size_t i = 0; i < count; i++) {
        if (wb_ends_with(names[i], ".cu")) {
            run_file(&result, author,
                     wb_arena_printf(&check->arena, "wrong/%s gets its verdict", names[i]),
                     wb_path_join(&check->arena, check->lesson->wrong, names[i]), judge_wrong);
        }
    }
}

static void run_files(struct author *author)
{
    struct check *check = author->check;
    struct wb_result reference, solution, stub;
    struct wb_complaints complaints = {.arena = &check->arena};
    run_file(&reference, author, "the reference is right", check->lesson->reference,
             judge_reference);
    run_file(&solution, author, "the solution passes", check->lesson->solution, judge_solution);
    run_file(&stub, author, "the stub fails", check->lesson->stub, judge_stub);
    run_wrong(author);
    if (check->options.tap && solution.verdict != WB_ERROR) {
        comment_numbers(check, &solution);
    }
    if (reference.verdict != WB_SKIPPED && solution.criteria && solution.verdict == WB_PASSED) {
        check_audit_limits(&complaints, check, &reference, &solution, author->failed);
        report_complaints(author, "the limits separate", &complaints);
    }
}

int check_author(struct check *check)
{
    struct author author = {.check = check, .ok = true};
    struct wb_status status = {0};
    if (!check_prepare(check, &status)) {
        return check->options.tap ? check_tap_bail_out(check, status.message) : cli_fail(&status);
    }
    author.failed =
        wb_arena_alloc(&check->arena, (wb_lesson.criterion_count + 1) * sizeof *author.failed);
    look_at_files(&author);
    look_at_numbers(&author);
    run_files(&author);
    if (check->options.tap) {
        return check_tap_run(check, author.tests, author.count);
    }
    return author.ok ? CLI_PASSED : CLI_FAILED;
}
