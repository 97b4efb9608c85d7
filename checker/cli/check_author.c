/* SPDX-License-Identifier: MIT
 * Checks a lesson: the checker itself is checked. The solution must pass, the stub must fail (but
 * compile and run), and each wrong attempt must get what its first line says. In TAP each is a
 * test of its own; else one line each.
 */
#include "check.h"

#include <unistd.h>

struct author_case {
    struct check *check;
    const char *path;
    const char *name; /* "the solution passes" */
    /* True if the file got what it must get; else *why says what it got. */
    bool (*judge)(const char **why, const struct author_case *author_case,
                  const struct wb_result *result);
};

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

static bool judge_solution(const char **why, const struct author_case *author_case,
                           const struct wb_result *result)
{
    struct wb_arena *arena = &author_case->check->arena;
    *why = wb_arena_printf(arena, "The solution must pass, but it got %s", describe(arena, result));
    return result->verdict == WB_PASSED;
}

static bool judge_stub(const char **why, const struct author_case *author_case,
                       const struct wb_result *result)
{
    struct wb_arena *arena = &author_case->check->arena;
    bool runs =
        result->reason != WB_REASON_COMPILE_ERROR && result->reason != WB_REASON_LAUNCH_FAILED;
    *why = wb_arena_printf(arena, "The stub must compile, launch and fail, but it got %s",
                           describe(arena, result));
    return result->verdict == WB_FAILED && runs;
}

static bool judge_wrong(const char **why, const struct author_case *author_case,
                        const struct wb_result *result)
{
    struct wb_arena *arena = &author_case->check->arena;
    struct wb_expectation expected;
    struct wb_status status = {0};
    char *sentence = NULL;
    if (!wb_expectation_read(&expected, arena, author_case->path, &status)) {
        *why = wb_arena_strdup(arena, status.message);
        return false;
    }
    bool met = wb_expectation_met(&sentence, arena, &expected, result);
    *why = sentence;
    return met;
}

/* ---- the cases ---------------------------------------------------------------------------- */

struct author_list {
    struct author_case *cases;
    size_t count, capacity;
};

static void add_case(struct author_list *list, struct author_case author_case)
{
    list->cases = wb_arena_grow(&author_case.check->arena, list->cases, &list->capacity,
                                list->count, sizeof *list->cases);
    list->cases[list->count++] = author_case;
}

static bool list_cases(struct author_list *list, struct check *check, struct wb_status *status)
{
    char **names;
    size_t count;
    const struct wb_book_lesson *lesson = check->lesson;
    add_case(list,
             (struct author_case){check, lesson->solution, "the solution passes", judge_solution});
    add_case(list, (struct author_case){check, lesson->stub, "the stub fails", judge_stub});
    if (!wb_dir_list(&names, &count, &check->arena, lesson->wrong, status)) {
        return false;
    }
    size_t before = list->count;
    for (size_t i = 0; i < count; i++) {
        if (wb_ends_with(names[i], ".cu")) {
            add_case(list,
                     (struct author_case){
                         check, wb_path_join(&check->arena, lesson->wrong, names[i]),
                         wb_arena_printf(&check->arena, "wrong/%s gets its verdict", names[i]),
                         judge_wrong});
        }
    }
    if (list->count == before) {
        return WB_FAIL(status, NOT_FOUND,
                       "%s holds no wrong attempt. A checker that was never seen to fail is not "
                       "checked: add a .cu file whose first line says what it must get.",
                       check_shown(check, lesson->wrong));
    }
    return true;
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
static enum wb_verdict run_case(const char **why, const struct author_case *author_case,
                                bool comment)
{
    struct check *check = author_case->check;
    const char *shown = check_shown(check, author_case->path);
    struct wb_result result;
    if (!wb_file_exists(author_case->path)) {
        *why = wb_arena_printf(&check->arena, "%s is missing.", shown);
        return WB_FAILED;
    }
    check_grade(&result, check, author_case->path, shown);
    bool ok = author_case->judge(why, author_case, &result);
    if (comment && author_case->judge == judge_solution && result.verdict != WB_ERROR) {
        comment_numbers(check, &result);
    }
    return ok ? WB_PASSED : result.verdict == WB_SKIPPED ? WB_SKIPPED : WB_FAILED;
}

/* ---- the two ways to report ---------------------------------------------------------------- */

static int author_tap(const struct author_list *list, struct check *check)
{
    struct check_tap_test *tests = wb_arena_alloc(&check->arena, list->count * sizeof *tests);
    for (size_t i = 0; i < list->count; i++) {
        const struct author_case *author_case = &list->cases[i];
        tests[i] = (struct check_tap_test){
            .name = author_case->name, .file = check_shown(check, author_case->path), .line = 1};
        tests[i].verdict = run_case(&tests[i].message, author_case, true);
    }
    return check_tap_run(check, tests, list->count);
}

/* One line, and the reason if it is not well. */
static bool author_line(const struct author_case *author_case)
{
    struct wb_str text;
    struct wb_paint paint;
    const char *why = NULL;
    enum wb_verdict verdict = run_case(&why, author_case, false);
    bool ok = verdict == WB_PASSED;
    wb_str_init(&text, &author_case->check->arena);
    cli_console_paint(&paint, &text, STDOUT_FILENO);
    wb_paint_to(&paint, 2);
    wb_paint_text(&paint, ok ? WB_STYLE_GOOD : WB_STYLE_BAD,
                  wb_paint_mark(&paint, ok                      ? WB_MARK_GOOD
                                        : verdict == WB_SKIPPED ? WB_MARK_NONE
                                                                : WB_MARK_BAD));
    wb_paint_printf(&paint, WB_STYLE_PLAIN, " %s", author_case->name);
    wb_paint_line(&paint);
    if (!ok && why) {
        wb_paint_to(&paint, 6);
        wb_paint_wrapped(&paint, WB_STYLE_PLAIN, 6, why);
        wb_paint_line(&paint);
    }
    return cli_console_write(STDOUT_FILENO, &text) && verdict != WB_FAILED;
}

static int author_lines(const struct author_list *list)
{
    bool ok = true;
    for (size_t i = 0; i < list->count; i++) {
        ok = author_line(&list->cases[i]) && ok;
    }
    return ok ? CLI_PASSED : CLI_FAILED;
}

int check_author(struct check *check)
{
    struct author_list list = {0};
    struct wb_status status = {0};
    if (!check_prepare(check, &status) || !list_cases(&list, check, &status)) {
        return check->options.tap ? check_tap_bail_out(check, status.message) : cli_fail(&status);
    }
    return check->options.tap ? author_tap(&list, check) : author_lines(&list);
}
