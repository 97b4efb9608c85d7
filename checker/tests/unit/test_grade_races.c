/* SPDX-License-Identifier: MIT
 * Tasks that are run again in other orders: what is a race, what is not, and what is said of one.
 */
#include "test_grade_fake.h"

#include <string.h>

enum { ORDERS = 5, REPEATS = 3 };

static void grade(struct wb_result *out, void **state, void (*kernel)(struct wb_device_case *c))
{
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    task.schedules = true;
    fake.kernel = kernel;
    fake_grade(out, *state, &lesson);
}

static void right_in_all_orders(void **state)
{
    struct wb_result result;
    fake_reset();
    grade(&result, state, fake_scale);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_string_equal(result.criteria[0].message, "Right at all 9 sizes.");
    assert_int_equal(fake.jobs, 3 + ORDERS); /* all sizes; orders; counted; the reference counted */
    fake_reset();
    fake_grade(&result, *state, &scale_lesson); /* a task that does not ask for them */
    assert_int_equal(fake.jobs, 3);
}

static void needs_lanes_in_step(struct wb_device_case *c)
{
    fake_scale(c);
    if (fake_int_arg(c, 2) > 40 && fake.schedule == WB_SCHEDULE_LANES) {
        fake_floats(c, 1)[40] = 7;
    }
}

static void wrong_in_one_order(void **state)
{
    struct wb_result result;
    fake_reset();
    grade(&result, state, needs_lanes_in_step);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_RACE);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(fake.jobs, 3 + 2); /* the first order that is wrong is enough */
    assert_contains(result.criteria[0].message, "but not when it runs with the lanes of a warp one "
                                                "after the other, the last lane first: first at n");
    const struct wb_finding *race = find(&result, WB_REASON_RACE);
    assert_string_equal(race->file, "my.cu");
    assert_contains(race->message,
                    "`scale` gives right values, but not when it runs with the lanes");
    assert_contains(race->message, "\n  out[40] is 7, expected ");
    assert_contains(race->message, "; block 0, thread 40");
    assert_contains(race->message, "without a barrier or `__syncwarp()` between them");
    assert_contains(race->advice, "Put `__syncwarp()` between");
}

static void needs_the_first_warp_first(struct wb_device_case *c)
{
    fake_scale(c);
    if (fake.schedule == WB_SCHEDULE_REVERSE && fake_int_arg(c, 2)) {
        fake_floats(c, 1)[0] = 0;
    }
}

static void depends_on_the_seed(struct wb_device_case *c)
{
    fake_scale(c);
    if (fake.schedule == WB_SCHEDULE_RANDOM && fake.schedule_seed == 2 && fake_int_arg(c, 2)) {
        fake_floats(c, 1)[0] = 0;
    }
}

static void says_which_order(void **state)
{
    struct wb_result result;
    fake_reset();
    grade(&result, state, needs_the_first_warp_first);
    const struct wb_finding *race = find(&result, WB_REASON_RACE);
    assert_contains(race->message, "with the last block and the last warp first.\nAt n = 1, ");
    assert_contains(race->advice, "Put `__syncthreads()` between");
    fake_reset();
    grade(&result, state, depends_on_the_seed);
    assert_contains(find(&result, WB_REASON_RACE)->message, "in a random order (seed 2).");
}

static void wrong_anyway_is_no_race(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 3;
    fake.fault = (struct wb_fault){.kind = WB_REASON_OUT_OF_BOUNDS, .line = 4, .message = "No."};
    grade(&result, state, fake_scale);
    assert_int_equal(result.reason, WB_REASON_OUT_OF_BOUNDS);
    assert_int_equal(result.finding_count, 1);
}

static void stopped_in_one_order(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 3;
    fake.fault_job = 2;
    fake.fault = (struct wb_fault){.kind = WB_REASON_DEADLOCK,
                                   .line = 4,
                                   .file = "/somewhere/attempt.cu",
                                   .message = "Stuck."};
    grade(&result, state, fake_scale);
    assert_int_equal(result.reason, WB_REASON_RACE);
    assert_int_equal(result.findings[0].line, 4);
    assert_string_equal(result.findings[0].file, "my.cu");
    assert_contains(result.findings[0].message, " it was stopped: Stuck.\nTwo threads");

    fake_reset(); /* slow is not wrong */
    fake.fault_at = 3;
    fake.fault_job = 2;
    fake.fault = (struct wb_fault){.kind = WB_REASON_TIMEOUT, .message = "Late."};
    grade(&result, state, fake_scale);
    assert_int_equal(result.verdict, WB_PASSED);
}

static int launches_until_wrong;

static void wrong_now_and_then(struct wb_device_case *c)
{
    fake_scale(c);
    if (fake_int_arg(c, 2) == 97 && launches_until_wrong-- == 0) {
        fake_floats(c, 1)[96] = 0;
    }
}

static void a_gpu_repeats(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.on_gpu = true;
    launches_until_wrong = -1;
    grade(&result, state, wrong_now_and_then);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_int_equal(fake.jobs, 3 + REPEATS);
    fake_reset();
    fake.on_gpu = true;
    launches_until_wrong = 2;
    grade(&result, state, wrong_now_and_then);
    assert_int_equal(result.reason, WB_REASON_RACE);
    assert_contains(find(&result, WB_REASON_RACE)->message, "not when it runs a third time.\n");
}

static void our_own_failure_is_an_error(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 0;
    fake.fault_job = 2;
    fake.fault = (struct wb_fault){.kind = WB_REASON_CHECKER_ERROR, .message = "Broken."};
    grade(&result, state, fake_scale);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_contains(result.message, "Broken.");
}

/* ---- the embedded device ----------------------------------------------------------------------
 */

static const struct wb_param params[] = {
    {WB_IN("in", WB_U32, 1, 1000)}, {WB_OUT("out", WB_U32)}, {WB_N("n")}};
static const struct wb_size sizes[] = {{256, 1, 1}};

static void first_of_warp(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        ((unsigned *)c->data[1])[i] = ((unsigned *)c->data[0])[i / 32 * 32];
    }
}

static void seven_times(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        ((unsigned *)c->data[1])[i] = 7 * ((unsigned *)c->data[0])[i / 32 * 32];
    }
}

static enum wb_reason grade_real(struct wb_result *result, struct wb_arena *arena,
                                 const char *kernel, void (*oracle)(struct wb_case *c),
                                 bool schedules)
{
    const struct wb_task task = {
        .kernel = kernel,
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .block = {256, 1, 1},
        .oracle = oracle,
        .schedules = schedules,
    };
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_device_info info;
    struct wb_status status = {WB_OK};
    struct wb_grader grader;
    assert_true(wb_device_sim.probe(&info, NULL, &status));
    struct wb_grade_options options = {
        .attempt = "schedule.cu", .device = &wb_device_sim, .info = &info, .seed = 1};
    struct wb_bytes cubin = read_fixture(arena, "sass/schedule.cubin");
    wb_grader_init(&grader, result, arena, &lesson, &options);
    wb_grade_cubins(&grader, cubin, cubin);
    return result->reason;
}

static void real_kernels(void **state)
{
    struct wb_result r;
    /* the guard sees it in one order, too; what nobody had written yet follows from the race */
    assert_int_equal(grade_real(&r, *state, "race_leader", first_of_warp, false), WB_REASON_RACE);
    assert_int_equal(r.finding_count, 1);
    assert_contains(r.findings[0].advice, "Put `__syncwarp()` between the two lines");
    assert_int_equal(grade_real(&r, *state, "race_leader", first_of_warp, true), WB_REASON_RACE);
    assert_int_equal(grade_real(&r, *state, "right_leader", seven_times, true), WB_REASON_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(right_in_all_orders),
        ARENA_TEST(wrong_in_one_order),
        ARENA_TEST(says_which_order),
        ARENA_TEST(wrong_anyway_is_no_race),
        ARENA_TEST(stopped_in_one_order),
        ARENA_TEST(a_gpu_repeats),
        ARENA_TEST(our_own_failure_is_an_error),
        ARENA_TEST(real_kernels),
    };
    return cmocka_run_group_tests_name("grade-races", tests, NULL, NULL);
}
