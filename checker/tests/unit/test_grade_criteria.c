/* SPDX-License-Identifier: MIT
 * Criteria on counters: limits, messages, what cannot be measured, and the lines that are named.
 */
#include "test_grade_fake.h"

#include <string.h>

/* Counters of a launch as one row: uniform, divergent, inst, predicated-on thread instructions. */
static struct wb_counts counts(uint64_t uniform, uint64_t divergent, uint64_t inst, uint64_t on)
{
    return (struct wb_counts){.v = {[WB_METRIC_BRANCH_UNIFORM] = uniform,
                                    [WB_METRIC_BRANCH_DIVERGENT] = divergent,
                                    [WB_METRIC_INST] = inst,
                                    [WB_METRIC_THREAD_INST_PRED_ON] = on}};
}

static const uint32_t all_present =
    1u << WB_METRIC_BRANCH_UNIFORM | 1u << WB_METRIC_BRANCH_DIVERGENT | 1u << WB_METRIC_INST |
    1u << WB_METRIC_THREAD_INST | 1u << WB_METRIC_THREAD_INST_PRED_ON;

static void measure_as(struct wb_counts attempt, struct wb_counts reference)
{
    fake_reset();
    fake.attempt = (struct wb_counters){.present = all_present, .total = attempt};
    fake.reference = (struct wb_counters){.present = all_present, .total = reference};
}

/* ---- limits and messages -------------------------------------------------------------------- */

static const struct {
    enum wb_criterion_kind kind;
    double limit;
    uint64_t uniform, divergent, inst, on; /* of the attempt */
    enum wb_reason reason;                 /* NONE: it passes */
    const char *message;
} rows[] = {
    {WB_MAX_DIVERGENT, 0, 768, 0, 1, 32, WB_REASON_NONE,
     "divergent branches: reference 512, target 0, yours 0"},
    {WB_MAX_DIVERGENT, 0, 767, 1, 1, 32, WB_REASON_DIVERGENT_BRANCHES,
     "divergent branches: reference 512, target 0, yours 1"},
    {WB_MAX_DIVERGENT, 5, 0, 5, 1, 32, WB_REASON_NONE,
     "divergent branches: reference 512, target at most 5, yours 5"},
    {WB_MIN_BRANCH_EFFICIENCY, 100, 7, 1, 1, 32, WB_REASON_LOW_BRANCH_EFFICIENCY,
     "branch efficiency: reference 50.00 %, target 100 %, yours 87.50 %"},
    {WB_MIN_BRANCH_EFFICIENCY, 95, 96, 4, 1, 32, WB_REASON_NONE,
     "branch efficiency: reference 50.00 %, target at least 95 %, yours 96.00 %"},
    {WB_MIN_BRANCH_EFFICIENCY, 100, 99999, 1, 1, 32, WB_REASON_LOW_BRANCH_EFFICIENCY,
     "branch efficiency: reference 50.00 %, target 100 %, yours 99.999 %"},
    {WB_MIN_BRANCH_EFFICIENCY, 100, 0, 0, 1, 32, WB_REASON_NONE,
     "branch efficiency: reference 50.00 %, target 100 %, yours no branch executed"},
    {WB_MAX_BRANCHES, 0, 0, 0, 1, 32, WB_REASON_NONE,
     "branches executed: reference 1,024, target 0, yours 0"},
    {WB_MAX_BRANCHES, 0, 3, 0, 1, 32, WB_REASON_OVER_BUDGET,
     "branches executed: reference 1,024, target 0, yours 3"},
    {WB_MAX_BRANCHES, 0, 3, 1, 1, 32, WB_REASON_DIVERGENT_BRANCHES,
     "branches executed: reference 1,024, target 0, yours 4"},
    {WB_MIN_LANES, 30, 0, 0, 1000, 30600, WB_REASON_NONE,
     "busy lanes: reference 19.5, target at least 30, yours 30.6 of 32"},
    {WB_MIN_LANES, 30, 0, 0, 1000, 30000, WB_REASON_NONE,
     "busy lanes: reference 19.5, target at least 30, yours 30.0 of 32"},
    {WB_MIN_LANES, 30, 0, 0, 1000, 29980, WB_REASON_LOW_LANE_EFFICIENCY,
     "busy lanes: reference 19.5, target at least 30, yours 29.98 of 32"},
    {WB_MIN_LANES, 30, 0, 0, 1000, 15600, WB_REASON_LOW_LANE_EFFICIENCY,
     "busy lanes: reference 19.5, target at least 30, yours 15.6 of 32"},
};

static void limits_decide(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        struct wb_criterion criterion = {"it", "It", rows[i].kind, 0, rows[i].limit, 30};
        struct wb_lesson lesson = lesson_of(scale_lesson.tasks, &criterion, 1);
        struct wb_result result;
        measure_as(counts(rows[i].uniform, rows[i].divergent, rows[i].inst, rows[i].on),
                   counts(512, 512, 1000, 19500));
        fake_grade(&result, *state, &lesson);
        bool passes = rows[i].reason == WB_REASON_NONE;
        assert_string_equal(result.criteria[0].message, rows[i].message);
        assert_int_equal(result.criteria[0].verdict, passes ? WB_PASSED : WB_FAILED);
        assert_int_equal(result.criteria[0].reason, rows[i].reason);
        assert_true(result.criteria[0].points == (passes ? 30 : 0));
        assert_int_equal(result.verdict, result.criteria[0].verdict);
        assert_int_equal(result.measured[0].registers, 16);
        assert_int_equal(result.measured[0].grid.x, 16); /* 1000 elements in blocks of 64 */
    }
}

static void reference_may_be_unknown(void **state)
{
    const struct wb_criterion criterion = {"lanes", "Lanes", WB_MIN_LANES, 0, 30, 30};
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, &criterion, 1);
    struct wb_result result;
    measure_as(counts(0, 0, 10, 310), counts(0, 0, 10, 100));
    fake.reference.present = 0;
    fake_grade(&result, *state, &lesson);
    assert_string_equal(result.criteria[0].message,
                        "busy lanes: target at least 30, yours 31.0 of 32");
    assert_false(result.reference[0].measured);
    assert_non_null(result.reference[0].not_measured);
}

/* ---- what is not measured ------------------------------------------------------------------- */

static const struct wb_criterion three[] = {
    {"correct", "Right", WB_CORRECT, 0, 0, 50},
    {"divergence", "Together", WB_MAX_DIVERGENT, 0, 0, 30},
    {"lanes", "Busy", WB_MIN_LANES, 0, 30, 20},
};

static void unmeasured_points_leave(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    fake_reset();
    fake.not_measured = "CUPTI is not installed.";
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_int_equal(result.criteria[1].verdict, WB_SKIPPED);
    assert_string_equal(result.criteria[1].message, "Not measured: CUPTI is not installed.");
    assert_true(result.criteria[1].max_points == 0);
    assert_true(result.criteria[0].points == 50);
    assert_string_equal(result.measured[0].not_measured, "CUPTI is not installed.");
}

static void absent_counters_are_not_zero(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    measure_as(counts(1, 0, 10, 320), counts(1, 1, 10, 100));
    fake.attempt.present = 1u << WB_METRIC_INST | 1u << WB_METRIC_THREAD_INST_PRED_ON;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.criteria[1].verdict, WB_SKIPPED);
    assert_contains(result.criteria[1].message, "Not measured: ");
    assert_int_equal(result.criteria[2].verdict, WB_PASSED);
}

static void nothing_graded_is_no_pass(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, &three[1], 2);
    struct wb_result result;
    fake_reset();
    fake.not_measured = "No.";
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_SKIPPED);
    assert_non_null(result.message);
}

static void wrong(struct wb_device_case *c)
{
    fake_scale(c);
    fake_floats(c, 1)[0] = 0;
}

static void wrong_kernels_are_not_graded_on_efficiency(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    measure_as(counts(1, 0, 10, 320), counts(1, 1, 10, 100));
    fake.kernel = wrong;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_WRONG_ANSWER);
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(result.criteria[i].verdict, WB_SKIPPED);
        assert_true(result.criteria[i].points == 0 && result.criteria[i].max_points > 0);
        assert_string_equal(result.criteria[i].message, "Not graded: the result is not right yet.");
    }
    assert_true(result.measured[0].measured); /* the counters are shown all the same */
    assert_int_equal(result.measured[0].counters.total.v[WB_METRIC_INST], 10);

    lesson.criteria = &three[1]; /* and even if no criterion asks whether it is right */
    lesson.criterion_count = 2;
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_WRONG_ANSWER);
}

static void a_fault_while_counting_fails(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    measure_as(counts(1, 0, 10, 320), counts(1, 1, 10, 100));
    fake.fault_when_measured = true;
    fake.fault = (struct wb_fault){.kind = WB_REASON_TIMEOUT, .message = "It did not end."};
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.criteria[0].verdict, WB_PASSED);
    assert_int_equal(result.criteria[1].verdict, WB_FAILED);
    assert_int_equal(result.criteria[1].reason, WB_REASON_TIMEOUT);
    assert_int_equal(result.finding_count, 1);
    fake.fault.kind = WB_REASON_UNSUPPORTED; /* not the learner's doing */
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.criteria[1].verdict, WB_SKIPPED);
    assert_int_equal(result.verdict, WB_PASSED);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static const char own[] = "/elsewhere/attempt.cu", header[] = "/usr/include/math.hpp";

static void lines_are_named(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    struct wb_pc_counts pcs[] = {
        {0x00, 0, NULL, counts(0, 0, 4, 128)},      {0x10, 14, own, counts(100, 28, 128, 2048)},
        {0x20, 14, own, counts(0, 100, 128, 4096)}, {0x30, 9, header, counts(3, 1, 128, 32)},
        {0x40, 20, own, counts(7, 0, 128, 3000)},   {0x50, 21, own, counts(0, 0, 128, 4090)},
        {0x60, 22, own, counts(0, 0, 128, 4096)},
    };
    measure_as(counts(110, 129, 644, 17362), counts(1, 1, 10, 100));
    fake.attempt.pcs = pcs;
    fake.attempt.pc_count = WB_ARRAY_LENGTH(pcs);
    fake_grade(&result, *state, &lesson);

    static const struct {
        enum wb_reason kind;
        unsigned line;
        const char *message;
    } expected[] = {
        {WB_REASON_DIVERGENT_BRANCHES, 14,
         "128 of 228 branch decisions at or near this line split the warp."},
        {WB_REASON_DIVERGENT_BRANCHES, 14,
         "1 of 4 branch decisions in a library function that is used near this line split the "
         "warp."},
        {WB_REASON_LOW_LANE_EFFICIENCY, 14,
         "On average only 0.2 of 32 lanes worked in a library function"},
        {WB_REASON_LOW_LANE_EFFICIENCY, 14,
         "On average only 24.0 of 32 lanes worked at or near this line; lanes sat idle 2,048 "
         "times."},
        {WB_REASON_LOW_LANE_EFFICIENCY, 20, "On average only 23.4 of 32 lanes"},
    };
    assert_int_equal(result.finding_count, WB_ARRAY_LENGTH(expected));
    for (size_t i = 0; i < WB_ARRAY_LENGTH(expected); i++) {
        assert_int_equal(result.findings[i].kind, expected[i].kind);
        assert_int_equal(result.findings[i].line, expected[i].line);
        assert_string_equal(result.findings[i].file, "my.cu");
        assert_contains(result.findings[i].message, expected[i].message);
    }
    assert_string_equal(result.measured[0].counters.pcs[1].file, "my.cu");
    assert_string_equal(result.measured[0].counters.pcs[3].file, header);
    assert_null(result.measured[0].counters.pcs[0].file);
}

static void only_lost_points_name_lines(void **state)
{
    const struct wb_task tasks[] = {scale_lesson.tasks[0], scale_lesson.tasks[0]};
    struct wb_criterion two[] = {{"a", "A", WB_MAX_DIVERGENT, 0, 1000, 1},
                                 {"b", "B", WB_MAX_DIVERGENT, 1, 1000, 1}};
    struct wb_lesson lesson = lesson_of(tasks, two, 2);
    struct wb_result result;
    struct wb_pc_counts pcs[20];
    lesson.task_count = 2;
    for (unsigned i = 0; i < WB_ARRAY_LENGTH(pcs); i++) {
        pcs[i] = (struct wb_pc_counts){16 * i, i + 1, own, counts(0, i + 1, 1, 32)};
    }
    measure_as(counts(0, 210, 20, 640), counts(1, 1, 10, 100));
    fake.attempt.pcs = pcs;
    fake.attempt.pc_count = WB_ARRAY_LENGTH(pcs);
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_int_equal(result.finding_count, 0);
    two[1].limit = 0; /* one of the two tasks loses: its worst eight lines */
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.finding_count, 8);
    assert_int_equal(result.findings[0].line, 20);
    assert_int_equal(result.findings[7].line, 13);
}

static void a_few_idle_lanes_name_no_line(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    struct wb_pc_counts pcs[] = {{0x00, 8, own, counts(0, 0, 100, 3100)},
                                 {0x10, 9, own, counts(0, 0, 100, 2200)},
                                 {0x20, 0, NULL, counts(0, 0, 100, 3199)}};
    measure_as(counts(0, 0, 300, 8499), counts(1, 1, 10, 100));
    fake.attempt.pcs = pcs;
    fake.attempt.pc_count = WB_ARRAY_LENGTH(pcs);
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].line, 9);
}

/* The grid of the measured size has 32 warps: a bounds guard is one EXIT in each. */
static void a_guard_is_not_to_blame(void **state)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, three, 3);
    struct wb_result result;
    struct wb_pc_counts pcs[] = {{0x00, 8, own, counts(0, 0, 32, 1024)},
                                 {0x10, 9, own, counts(0, 0, 32, 24)}, /* the guard */
                                 {0x20, 10, own, counts(0, 0, 32, 512)}};
    measure_as(counts(0, 0, 96, 1560), counts(1, 1, 10, 100));
    fake.attempt.pcs = pcs;
    fake.attempt.pc_count = WB_ARRAY_LENGTH(pcs);
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].line, 10);

    pcs[1].counts = counts(0, 0, 32, 32); /* one lane in each warp is work */
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.finding_count, 2);
    pcs[1].counts = counts(0, 0, 33, 24); /* it is executed more than once */
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.finding_count, 2);

    pcs[1].counts = counts(0, 0, 32, 24);
    pcs[2].counts = counts(0, 0, 32, 1024); /* nothing but the guard lost lanes */
    measure_as(counts(0, 0, 96, 2072), counts(1, 1, 10, 100));
    fake.attempt.pcs = pcs;
    fake.attempt.pc_count = WB_ARRAY_LENGTH(pcs);
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].line, 9);
}

static void advice_fits_the_criterion(void **state)
{
    static const struct {
        enum wb_criterion_kind kind;
        const char *own; /* the lesson's */
        uint64_t uniform, divergent;
        const char *advice;
    } cases[] = {
        {WB_MAX_DIVERGENT, NULL, 50, 50, "the same for all 32 threads"},
        {WB_MAX_DIVERGENT, NULL, 256, 1, "Only few warps split"},
        {WB_MIN_BRANCH_EFFICIENCY, NULL, 256, 1, "Only few warps split"},
        {WB_MAX_BRANCHES, NULL, 50, 50, "a division, a loop"},
        {WB_MAX_BRANCHES, NULL, 256, 1, "a division, a loop"},
        {WB_MAX_BRANCHES, NULL, 256, 0, "a division, a loop"},
        {WB_MAX_BRANCHES, "Multiply.", 50, 50, "Multiply."},
        {WB_MAX_DIVERGENT, "Sort.", 256, 1, "Sort."},
        {WB_MIN_LANES, NULL, 0, 0, "the same work"},
        {WB_MIN_LANES, "Fill.", 0, 0, "Fill."},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        bool least = cases[i].kind == WB_MIN_LANES || cases[i].kind == WB_MIN_BRANCH_EFFICIENCY;
        const struct wb_criterion criterion = {"it", "It",        cases[i].kind, 0, least ? 100 : 0,
                                               30,   cases[i].own};
        struct wb_lesson lesson = lesson_of(scale_lesson.tasks, &criterion, 1);
        struct wb_result result;
        struct wb_counts line = counts(cases[i].uniform, cases[i].divergent, 128, 1024);
        struct wb_pc_counts pc = {0x10, 14, own, line};
        measure_as(line, line);
        fake.attempt.pcs = &pc;
        fake.attempt.pc_count = 1;
        fake_grade(&result, *state, &lesson);
        assert_int_equal(result.finding_count, 1);
        assert_contains(result.findings[0].advice, cases[i].advice);
    }
}

static void uniform_branches_are_named_where_none_is_allowed(void **state)
{
    const struct wb_criterion criterion = {"branches", "None", WB_MAX_BRANCHES, 0, 0, 30};
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, &criterion, 1);
    struct wb_result result;
    struct wb_pc_counts pcs[] = {{0x10, 14, own, counts(100, 0, 128, 4096)},
                                 {0x20, 15, own, counts(0, 0, 128, 4096)}};
    measure_as(counts(100, 0, 256, 8192), counts(1, 1, 10, 100));
    fake.attempt.pcs = pcs;
    fake.attempt.pc_count = WB_ARRAY_LENGTH(pcs);
    fake_grade(&result, *state, &lesson);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].kind, WB_REASON_OVER_BUDGET);
    assert_string_equal(
        result.findings[0].message,
        "100 branch decisions were made at or near this line; they split no warp, but the lesson "
        "allows none.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(limits_decide),
        ARENA_TEST(reference_may_be_unknown),
        ARENA_TEST(unmeasured_points_leave),
        ARENA_TEST(absent_counters_are_not_zero),
        ARENA_TEST(nothing_graded_is_no_pass),
        ARENA_TEST(wrong_kernels_are_not_graded_on_efficiency),
        ARENA_TEST(a_fault_while_counting_fails),
        ARENA_TEST(lines_are_named),
        ARENA_TEST(only_lost_points_name_lines),
        ARENA_TEST(a_few_idle_lanes_name_no_line),
        ARENA_TEST(a_guard_is_not_to_blame),
        ARENA_TEST(advice_fits_the_criterion),
        ARENA_TEST(uniform_branches_are_named_where_none_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
