/* SPDX-License-Identifier: MIT
 * One task: right results, wrong ones, faults, guard zones, changed inputs, and kernels that are
 * not what the lesson asks for.
 */
#include "test_grade_fake.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void grade(struct wb_result *out, void **state, void (*kernel)(struct wb_device_case *c))
{
    if (kernel) {
        fake.kernel = kernel;
    }
    fake_grade(out, *state, &scale_lesson);
}

static void right_kernel_passes(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.output = "hello\n";
    grade(&result, state, NULL);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_int_equal(result.reason, WB_REASON_NONE);
    assert_int_equal(result.finding_count, 0);
    assert_string_equal(result.criteria[0].message, "Right at all 9 sizes.");
    assert_true(result.criteria[0].points == 10);
    assert_string_equal(result.output, "hello\n");
    assert_int_equal(fake.jobs, 3); /* all sizes; counted; the reference counted */
}

/* ---- wrong values --------------------------------------------------------------------------- */

static void breaks_element_40(struct wb_device_case *c)
{
    fake_scale(c);
    if (fake_int_arg(c, 2) > 40) {
        fake_floats(c, 1)[40] += 0.25f;
    }
}

static void names_the_wrong_element(void **state)
{
    struct wb_result result;
    char expected[64];
    fake_reset();
    grade(&result, state, breaks_element_40);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_WRONG_ANSWER);
    assert_true(result.criteria[0].points == 0);
    assert_string_equal(result.criteria[0].message,
                        "Wrong at 4 of 9 sizes, first at n = 97: 1 of 97 elements of `out`.");
    assert_int_equal(result.finding_count, 1);
    assert_string_equal(result.findings[0].file, "my.cu");
    assert_contains(result.findings[0].message, "At n = 97, 1 of 97 elements of `out` is wrong:");
    assert_contains(result.findings[0].message, "; block 0, thread 40");

    struct wb_case right;
    wb_case_make(&right, *state, &scale_lesson, 0, (struct wb_size){97, 1, 1}, WB_DEFAULT_SEED);
    oracle_scale(&right);
    snprintf(expected, sizeof expected, "expected %.6g;", (double)((float *)right.data[1])[40]);
    assert_contains(result.findings[0].message, expected);
}

static void writes_nan(struct wb_device_case *c)
{
    fake_scale(c);
    for (int i = 1; i < fake_int_arg(c, 2); i += 2) {
        fake_floats(c, 1)[i] = NAN;
    }
}

static void nan_is_wrong(void **state)
{
    struct wb_result result;
    fake_reset();
    grade(&result, state, writes_nan);
    assert_int_equal(result.reason, WB_REASON_NAN);
    const char *message = find(&result, WB_REASON_NAN)->message;
    assert_contains(message, "out[1] is NaN, expected");
    assert_contains(message, "\n  out[7] is NaN, expected"); /* the first four are shown */
    assert_null(strstr(message, "out[9]"));
    assert_contains(message, "\n  and 11 more");
}

static void nan_oracle(struct wb_case *c)
{
    oracle_scale(c);
    for (size_t i = 1; i < c->count[1]; i += 2) {
        ((float *)c->data[1])[i] = NAN;
    }
}

static void nan_is_right_where_it_is_expected(void **state)
{
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    task.oracle = nan_oracle;
    fake_reset();
    fake.kernel = writes_nan;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    fake.kernel = fake_scale;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.reason, WB_REASON_WRONG_ANSWER);
    fake.kernel = NULL;
}

static void off_by_a_thousandth(struct wb_device_case *c)
{
    for (int i = 0; i < fake_int_arg(c, 2); i++) {
        fake_floats(c, 1)[i] = 2.002f * fake_floats(c, 0)[i];
    }
}

static void tolerance_decides(void **state)
{
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    fake_reset();
    fake.kernel = off_by_a_thousandth;
    task.relative = 0.0011;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    task.relative = 0.0009;
    task.tolerance = "one rounding";
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_contains(result.findings[0].message,
                    "Allowed difference: 0.0009 * |expected| (one rounding).");
    task.absolute = 0.0001;
    fake_grade(&result, *state, &lesson);
    assert_contains(result.findings[0].message, ": 0.0001 + 0.0009 * |expected| (one rounding).");
    task.relative = 0;
    task.tolerance = NULL;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_contains(result.findings[0].message, "\nAllowed difference: 0.0001.");
    task.absolute = 0.005;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
}

static void only_right_when_not_measured(struct wb_device_case *c)
{
    if (fake_int_arg(c, 2) != 1000) {
        fake_scale(c);
    }
}

static void measured_size_is_checked(void **state)
{
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    static const struct wb_size sizes[] = {{1, 1, 1}, {33, 1, 1}};
    struct wb_result result;
    task.sizes = sizes;
    task.size_count = 2;
    fake_reset();
    fake.kernel = only_right_when_not_measured;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.reason, WB_REASON_NOT_WRITTEN);
    assert_contains(result.criteria[0].message, "first at n = 1000");
}

static void two_oracle(struct wb_case *c)
{
    oracle_scale(c);
    for (size_t i = 0; i < c->count[3]; i++) {
        ((int *)c->data[3])[i] = (int)i;
    }
}

static int break_output; /* its index in the parameters, or 0 */

static void two_outputs(struct wb_device_case *c)
{
    fake_scale(c);
    for (int i = 0; i < fake_int_arg(c, 2); i++) {
        fake_ints(c, 2)[i] = break_output == 3 ? i + 1 : i;
        fake_floats(c, 1)[i] *= break_output == 1 ? 7 : 1;
    }
}

static void every_output_counts(void **state)
{
    static const struct wb_param params[] = {{WB_IN("in", WB_F32, 1, 2)},
                                             {WB_OUT("out", WB_F32)},
                                             {WB_N("n")},
                                             {WB_OUT("index", WB_I32)}};
    struct wb_task task = scale_lesson.tasks[0];
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    task.params = params;
    task.param_count = WB_ARRAY_LENGTH(params);
    task.oracle = two_oracle;
    fake_reset();
    fake.kernel = two_outputs;
    break_output = 0;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    break_output = 1;
    fake_grade(&result, *state, &lesson);
    assert_contains(result.criteria[0].message, "elements of `out`");
    break_output = 3;
    fake_grade(&result, *state, &lesson);
    assert_contains(result.criteria[0].message, "elements of `index`");
    assert_contains(result.findings[0].message, "the value of the next one");
}

/* ---- inputs and guard zones ----------------------------------------------------------------- */

static void changes_its_input(struct wb_device_case *c)
{
    fake_scale(c);
    if (fake_int_arg(c, 2) > 32) {
        fake_floats(c, 0)[32] = 99;
    }
}

static void inputs_must_stay(void **state)
{
    struct wb_result result;
    fake_reset();
    grade(&result, state, changes_its_input);
    assert_int_equal(result.reason, WB_REASON_INPUT_MODIFIED);
    const struct wb_finding *finding = find(&result, WB_REASON_INPUT_MODIFIED);
    assert_contains(finding->message, "At n = 33 the kernel changed its input `in`: in[32] was 1.");
    assert_contains(finding->message, " and is 99 now.");
    assert_int_equal(result.finding_count, 1);
}

static void changes_its_input_to_a_nan(struct wb_device_case *c)
{
    fake_scale(c);
    for (int i = 0; i < fake_int_arg(c, 2); i++) {
        fake_floats(c, 0)[i] = NAN;
    }
}

static void a_nan_in_an_input_is_seen(void **state)
{
    struct wb_result result;
    fake_reset();
    grade(&result, state, changes_its_input_to_a_nan);
    assert_int_equal(result.reason, WB_REASON_INPUT_MODIFIED);
    assert_contains(result.findings[0].message, "is NaN now");
}

static void guard_zones_are_read(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.guard_hit = 8;
    fake.guard_buffer = 1;
    grade(&result, state, NULL);
    assert_int_equal(result.reason, WB_REASON_OUT_OF_BOUNDS);
    assert_string_equal(find(&result, WB_REASON_OUT_OF_BOUNDS)->message,
                        "At n = 0 the kernel wrote outside of `out`: 4 bytes past its end. `out` "
                        "has 0 elements.");
    fake.guard_hit = -1;
    fake.guard_buffer = 0;
    grade(&result, state, NULL);
    assert_contains(result.findings[0].message, "outside of `in`: 4 bytes before its start.");
}

/* ---- faults --------------------------------------------------------------------------------- */

static void a_fault_ends_the_task(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 4;
    fake.fault = (struct wb_fault){.kind = WB_REASON_OUT_OF_BOUNDS,
                                   .file = "/tmp/build/attempt.cu",
                                   .line = 7,
                                   .message = "Thread 33 wrote past the end of `out`."};
    grade(&result, state, NULL);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_OUT_OF_BOUNDS);
    assert_string_equal(result.criteria[0].message,
                        "At n = 33 `scale` was stopped: the kernel touched memory outside of an "
                        "array (at or near line 7).");
    assert_int_equal(result.finding_count, 1);
    assert_string_equal(result.findings[0].file, "my.cu");
    assert_int_equal(result.findings[0].line, 7);
    assert_string_equal(result.findings[0].message,
                        "At n = 33, at or near this line: Thread 33 wrote past the end of `out`.");
    assert_string_equal(result.findings[0].advice,
                        wb_task_advice(&scale_lesson.tasks[0], WB_REASON_OUT_OF_BOUNDS));
    assert_contains(result.findings[0].advice, "the very index");
    assert_int_equal(fake.jobs, 2); /* the counted launch of the reference, not the attempt's */
    assert_false(result.measured[0].measured);
}

static void a_deadlock_lists_all_places(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 4;
    fake.fault = (struct wb_fault){.kind = WB_REASON_DEADLOCK,
                                   .file = "/tmp/build/attempt.cu",
                                   .line = 7,
                                   .message = "threads wait for each other",
                                   .waiting = {{.what = WB_WAITING_CLUSTER,
                                                .line = 7,
                                                .last_line = 7,
                                                .file = "/tmp/build/attempt.cu",
                                                .threads = 33,
                                                .warps = 2,
                                                .blocks = 1,
                                                .lanes = UINT32_MAX}},
                                   .waiting_count = 1};
    grade(&result, state, NULL);
    assert_string_equal(
        result.findings[0].message,
        "At n = 33, at or near this line: threads wait for each other.\n- 33 threads "
        "wait at attempt.cu:7 for the barrier of the cluster: block (0,0,0), warp "
        "0, all lanes, and 1 more warp");
}

static void every_kind_of_fault_is_a_reason(void **state)
{
    static const enum wb_reason kinds[] = {WB_REASON_TIMEOUT,    WB_REASON_CRASH,
                                           WB_REASON_MISALIGNED, WB_REASON_TRAP,
                                           WB_REASON_RACE,       WB_REASON_BARRIER_DIVERGENCE};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(kinds); i++) {
        struct wb_result result;
        fake_reset();
        fake.fault_at = 0;
        fake.fault = (struct wb_fault){.kind = kinds[i], .message = "It stopped."};
        grade(&result, state, NULL);
        assert_int_equal(result.criteria[0].verdict, WB_FAILED);
        assert_int_equal(result.criteria[0].reason, kinds[i]);
        assert_null(find(&result, kinds[i])->file);
    }
}

static void a_fault_comes_before_wrong_values(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 6;
    fake.fault = (struct wb_fault){.kind = WB_REASON_TIMEOUT, .message = "It never ends."};
    grade(&result, state, breaks_element_40);
    assert_int_equal(result.reason, WB_REASON_TIMEOUT);
    assert_int_equal(result.findings[0].kind, WB_REASON_TIMEOUT);
    assert_int_equal(result.findings[1].kind, WB_REASON_WRONG_ANSWER);
}

static void our_own_failures_are_errors(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 2;
    fake.fault = (struct wb_fault){.kind = WB_REASON_UNSUPPORTED, .message = "HMMA is unknown."};
    grade(&result, state, NULL);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_int_equal(result.reason, WB_REASON_UNSUPPORTED);
    assert_string_equal(result.message, "HMMA is unknown.");
    assert_int_equal(result.criteria[0].verdict, WB_SKIPPED);

    fake_reset();
    fake.broken = true;
    grade(&result, state, NULL);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_int_equal(result.reason, WB_REASON_CHECKER_ERROR);
    assert_string_equal(result.message, "The fake device is broken.");

    fake_reset();
    fake.forgets = true;
    grade(&result, state, NULL);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_contains(result.message, "only 1 of 9 launches");
}

/* The device's sentence stands alone; the advice is the whole declaration. */
static void a_kernel_that_cannot_be_launched(void **state)
{
    struct wb_result result;
    fake_reset();
    fake.fault_at = 0;
    fake.fault = (struct wb_fault){.kind = WB_REASON_LAUNCH_FAILED,
                                   .message = "The file has no kernel `scale`."};
    grade(&result, state, NULL);
    assert_int_equal(result.reason, WB_REASON_LAUNCH_FAILED);
    assert_string_equal(result.criteria[0].message, fake.fault.message);
    assert_string_equal(result.findings[0].file, "my.cu");
    assert_string_equal(result.findings[0].message, fake.fault.message);
    assert_string_equal(result.findings[0].advice,
                        "The lesson launches `extern \"C\" __global__ void scale(const float *in, "
                        "float *out, int n)` in blocks of 64 threads.");
    assert_int_equal(fake.jobs, 2); /* the reference is counted all the same */
}

/* ---- three dimensions, doubles, a value ------------------------------------------------------ */

static void box_oracle(struct wb_case *c)
{
    double *out = c->data[0];
    for (unsigned z = 0; z < c->size.z; z++) {
        for (unsigned y = 0; y < c->size.y; y++) {
            for (unsigned x = 0; x < c->size.x; x++) {
                *out++ = 0.1 * (x + y + z);
            }
        }
    }
}

static bool lose_a_layer;

static void box(struct wb_device_case *c)
{
    int w = fake_int_arg(c, 1), h = fake_int_arg(c, 2), d = fake_int_arg(c, 3);
    double step, *out = c->buffers[0].data;
    memcpy(&step, c->args[4].value, sizeof step);
    for (int i = 0; i < w * h * (lose_a_layer ? d - 1 : d); i++) {
        out[i] = step * (i % w + i / w % h + i / w / h);
    }
}

static void boxes_are_graded(void **state)
{
    static const struct wb_param params[] = {{WB_OUT("out", WB_F64)},
                                             {WB_WIDTH("width")},
                                             {WB_HEIGHT("height")},
                                             {WB_DEPTH("depth")},
                                             {WB_VALUE("step", WB_F64, 0.1)}};
    struct wb_task task = {.kernel = "box",
                           .params = params,
                           .param_count = 5,
                           .sizes = wb_sizes_3d,
                           .size_count = WB_SIZES_3D_COUNT,
                           .block = {8, 4, 2},
                           .oracle = box_oracle};
    struct wb_lesson lesson = lesson_of(&task, scale_lesson.criteria, 1);
    struct wb_result result;
    fake_reset();
    fake.kernel = box;
    lose_a_layer = false;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_false(result.measured[0].measured); /* the task names no size to measure */
    assert_int_equal(fake.jobs, 1);
    lose_a_layer = true;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.reason, WB_REASON_NOT_WRITTEN);
    assert_contains(result.findings[0].message, "width = 1, height = 1, depth = 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(right_kernel_passes),
        ARENA_TEST(names_the_wrong_element),
        ARENA_TEST(nan_is_wrong),
        ARENA_TEST(nan_is_right_where_it_is_expected),
        ARENA_TEST(tolerance_decides),
        ARENA_TEST(measured_size_is_checked),
        ARENA_TEST(every_output_counts),
        ARENA_TEST(inputs_must_stay),
        ARENA_TEST(a_nan_in_an_input_is_seen),
        ARENA_TEST(guard_zones_are_read),
        ARENA_TEST(a_fault_ends_the_task),
        ARENA_TEST(a_deadlock_lists_all_places),
        ARENA_TEST(every_kind_of_fault_is_a_reason),
        ARENA_TEST(a_fault_comes_before_wrong_values),
        ARENA_TEST(our_own_failures_are_errors),
        ARENA_TEST(a_kernel_that_cannot_be_launched),
        ARENA_TEST(boxes_are_graded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
