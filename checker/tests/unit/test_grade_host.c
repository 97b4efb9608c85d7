/* SPDX-License-Identifier: MIT
 * Grading host functions: the attempts of fixtures/host/attempts.c, in their real processes, under
 * a lesson like 01. No compiler is needed: the shared object is made with the tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "grader.h"
#include "host.h"

static const struct wb_device_info sim_info = {
    .kind = WB_DEVICE_SIM, .name = "embedded", .arch = "sm_90", .counters = "sim"};

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, 1, 2)},         {WB_OUT("out", WB_F32)}, {WB_N("n")},
    {WB_NUMBER("factor", WB_F32, 2, 4)}, {WB_STATUS("status")},
};

static const struct wb_param halves_params[] = {{WB_NUMBER("x", WB_F64, 1, 9)},
                                                {WB_RETURN("half", WB_F64)}};

static const struct wb_param plan_params[] = {
    {WB_WIDTH("w")}, {WB_HEIGHT("h")}, {WB_OUT_DIM3("grid")}, {WB_OUT_DIM3("block")}};

static const struct wb_size sizes[] = {{5, 1, 1}, {64, 1, 1}};
static const struct wb_failure failures[] = {{"cudaMalloc", 1}, {"cudaMemcpy", 2}};

static void scale(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        ((float *)c->data[1])[i] = ((float *)c->data[0])[i] * *(float *)c->data[3];
    }
}

static void copy(struct wb_case *c)
{
    memcpy(c->data[1], c->data[0], c->count[1] * sizeof(float));
}

static void halve(struct wb_case *c)
{
    *(double *)c->data[1] = *(double *)c->data[0] / 2;
}

static void third(struct wb_case *c)
{
    *(double *)c->data[1] = *(double *)c->data[0] / 3;
}

/* Block 32 x 1, and a grid that covers the width; the height is not looked at. */
static bool plan(struct wb_objection *out, const struct wb_case *got)
{
    const unsigned *grid = got->data[2], *block = got->data[3];
    if (grid[0] * block[0] < got->size.x) {
        wb_str_printf(&out->why, "%u blocks of %u threads do not cover the width.", grid[0],
                      block[0]);
        out->advice = grid[1] == 1 ? "Launch more blocks." : NULL;
        return false;
    }
    return true;
}

static const struct wb_criterion criteria[] = {
    {"correct", "right", WB_CORRECT, 0, 0, 4},
    {"device", "on the device", WB_ON_DEVICE, 0, 1, 3},
    {"leak", "freed", WB_NO_LEAK, 0, 0, 2},
    {"errors", "returned", WB_ERRORS_RETURNED, 0, 0, 1},
};

struct fixture {
    struct wb_arena arena;
    struct wb_bytes object;
    struct wb_result result;
    struct wb_task task;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct wb_status status = {0};
    wb_arena_init(&fixture.arena);
    *state = &fixture;
    return wb_file_read(&fixture.object, &fixture.arena, WB_ATTEMPTS, 1 << 24, &status) ? 0 : 1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    wb_arena_finish(&f->arena);
    return 0;
}

static struct wb_task host_task(const char *function, void (*oracle)(struct wb_case *))
{
    return (struct wb_task){.function = function,
                            .params = params,
                            .param_count = WB_ARRAY_LENGTH(params),
                            .sizes = sizes,
                            .size_count = WB_ARRAY_LENGTH(sizes),
                            .measured = {64, 1, 1},
                            .oracle = oracle,
                            .failures = failures,
                            .failure_count = WB_ARRAY_LENGTH(failures)};
}

/* Grades f->task with the first `count` criteria. */
static void grade(struct fixture *f, unsigned count)
{
    struct wb_lesson lesson = {.name = "99-host",
                               .tasks = &f->task,
                               .task_count = 1,
                               .criteria = criteria,
                               .criterion_count = count};
    struct wb_grade_options options = {.attempt = "/somewhere/attempts.c",
                                       .shown = "my.cu",
                                       .device = &wb_device_sim,
                                       .info = &sim_info,
                                       .programs = WB_PROGRAMS,
                                       .seed = WB_DEFAULT_SEED};
    struct wb_grader grader;
    struct wb_bytes nothing = {0};
    wb_grader_init(&grader, &f->result, &f->arena, &lesson, &options);
    grader.object = f->object;
    wb_grade_cubins(&grader, nothing, nothing);
    wb_host_close(grader.host);
    if (f->result.verdict == WB_ERROR) {
        fail_msg("%s", f->result.message);
    }
}

static void grade_scale(struct fixture *f, const char *function)
{
    f->task = host_task(function, scale);
    grade(f, WB_ARRAY_LENGTH(criteria));
}

static void assert_criterion(const struct fixture *f, unsigned i, enum wb_verdict verdict,
                             enum wb_reason reason, const char *part)
{
    const struct wb_criterion_result *criterion = &f->result.criteria[i];
    if (criterion->verdict != verdict || criterion->reason != reason ||
        !strstr(criterion->message, part)) {
        fail_msg("%s of %s: %s (%s): %s", criterion->id, f->task.function,
                 wb_verdict_name[criterion->verdict], wb_reason_code[criterion->reason],
                 criterion->message);
    }
}

/* ---- right or wrong ------------------------------------------------------------------------- */

static void test_wrong_ones(void **state)
{
    static const struct {
        const char *function;
        enum wb_reason reason;
        const char *part; /* of what the criterion says */
    } rows[] = {
        {"returns_seven", WB_REASON_WRONG_ANSWER, ""},
        {"writes_past_end", WB_REASON_OUT_OF_BOUNDS, ""},
        {"reads_past_end", WB_REASON_OUT_OF_BOUNDS, ""},
        {"modifies_input", WB_REASON_INPUT_MODIFIED, "the function changed its input"},
        {"uses_null", WB_REASON_CRASH, "it crashed or ended"},
        {"exits", WB_REASON_CRASH, "it crashed or ended"},
        {"exits_at_once", WB_REASON_CRASH, "it crashed or ended"},
        {"forges_return", WB_REASON_CRASH, ""},
        {"no_such_function", WB_REASON_LAUNCH_FAILED, "has no function"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        grade_scale(f, rows[i].function);
        assert_int_equal(f->result.verdict, WB_FAILED);
        assert_criterion(f, 0, WB_FAILED, rows[i].reason, rows[i].part);
        assert_criterion(f, 1, WB_SKIPPED, WB_REASON_NONE, "not right yet");
        assert_true(f->result.finding_count > 0);
    }
}

static void test_status_is_named(void **state)
{
    struct fixture *f = *state;
    grade_scale(f, "returns_seven");
    assert_non_null(strstr(f->result.findings[0].message, "`returns_seven` returned 7"));
    assert_non_null(strstr(f->result.findings[0].advice, "No CUDA call failed"));
    grade_scale(f, "asks_too_much");
    assert_non_null(strstr(f->result.findings[0].message,
                           " returned 2, which means that it failed. cudaMalloc at "));
    assert_non_null(
        strstr(f->result.findings[0].message, " returned 2 (cudaErrorMemoryAllocation)."));
    assert_non_null(strstr(f->result.findings[0].advice, "the call that failed"));
}

/* Which function a finding is about; and nothing is said of counters, which nobody asked for. */
static void test_findings_name_the_function(void **state)
{
    struct fixture *f = *state;
    grade_scale(f, "returns_seven");
    assert_string_equal(f->result.findings[0].task, "returns_seven");
    assert_null(f->result.measured[0].not_measured);
}

static void test_declaration_is_shown(void **state)
{
    struct fixture *f = *state;
    grade_scale(f, "no_such_function");
    assert_non_null(strstr(f->result.findings[0].advice,
                           "extern \"C\" int no_such_function(const float *in, float *out, int n, "
                           "float factor)"));
}

/* The right numbers, computed on the host: right, and no work of a kernel. */
static void test_no_kernel(void **state)
{
    struct fixture *f = *state;
    grade_scale(f, "scales");
    assert_criterion(f, 0, WB_PASSED, WB_REASON_NONE, "Right at all 2 sizes");
    assert_criterion(f, 1, WB_FAILED, WB_REASON_NO_LAUNCH, "when its kernels are not run");
    assert_criterion(f, 2, WB_FAILED, WB_REASON_NO_LAUNCH, "had nothing to free");
    assert_criterion(f, 3, WB_FAILED, WB_REASON_UNCHECKED_ERROR, "none of the calls");
    assert_float_equal(f->result.points, 0, 0); /* summed by wb_grade only */
}

static void test_errors_returned(void **state)
{
    struct fixture *f = *state;
    f->task = host_task("copies", copy);
    grade(f, WB_ARRAY_LENGTH(criteria));
    assert_criterion(f, 0, WB_PASSED, WB_REASON_NONE, "");
    assert_criterion(f, 2, WB_PASSED, WB_REASON_NONE, "also after failures");
    assert_criterion(f, 3, WB_PASSED, WB_REASON_NONE, "2 of 2 failures");
}

/* ---- results of other kinds ----------------------------------------------------------------- */

static void test_returned_value(void **state)
{
    struct fixture *f = *state;
    f->task = host_task("halves", halve);
    f->task.params = halves_params;
    f->task.param_count = WB_ARRAY_LENGTH(halves_params);
    grade(f, 1);
    assert_criterion(f, 0, WB_PASSED, WB_REASON_NONE, "");
    f->task.oracle = third;
    grade(f, 1);
    assert_criterion(f, 0, WB_FAILED, WB_REASON_WRONG_ANSWER, "Wrong at 2 of 2 sizes");
    assert_non_null(strstr(f->result.findings[0].message, "`halves` returned "));
}

static void grade_plan(struct fixture *f, const char *function)
{
    f->task = (struct wb_task){.function = function,
                               .params = plan_params,
                               .param_count = WB_ARRAY_LENGTH(plan_params),
                               .sizes = sizes,
                               .size_count = WB_ARRAY_LENGTH(sizes),
                               .accept = plan};
    grade(f, 1);
}

static void test_accepted(void **state)
{
    struct fixture *f = *state;
    grade_plan(f, "plans");
    assert_criterion(f, 0, WB_PASSED, WB_REASON_NONE, "");
    grade_plan(f, "plans_one_block");
    assert_criterion(f, 0, WB_FAILED, WB_REASON_WRONG_ANSWER, "first at w = 64, h = 1");
    assert_non_null(strstr(f->result.findings[0].message,
                           "At w = 64, h = 1: 1 blocks of 32 threads do not cover the width."));
    assert_string_equal(f->result.findings[0].advice, "Launch more blocks.");
    grade_plan(f, "plans_half");
    assert_criterion(f, 0, WB_FAILED, WB_REASON_NOT_WRITTEN, "");
    assert_non_null(strstr(f->result.findings[0].message, "never writes `grid->y`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_ones),
        cmocka_unit_test(test_status_is_named),
        cmocka_unit_test(test_findings_name_the_function),
        cmocka_unit_test(test_declaration_is_shown),
        cmocka_unit_test(test_no_kernel),
        cmocka_unit_test(test_errors_returned),
        cmocka_unit_test(test_returned_value),
        cmocka_unit_test(test_accepted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
