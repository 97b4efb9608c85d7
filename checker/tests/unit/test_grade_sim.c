/* SPDX-License-Identifier: MIT
 * Real kernels on the embedded device: a stored cubin without the compiler, and the same source
 * through nvcc where there is one.
 */
#include "cases.h"
#include "cubin_fixture.h"
#include "grader.h"

#include <string.h>

/* ---- the lesson: the four kernels of fixtures/grade/kernels.cu ------------------------------ */

static const struct wb_param scale_params[] = {
    {WB_IN("in", WB_F32, -5, 5)}, {WB_OUT("out", WB_F32)}, {WB_N("n")}};
static const struct wb_param bump_params[] = {{WB_INOUT("data", WB_I32, -9, 9)}, {WB_N("n")}};
static const struct wb_param image_params[] = {{WB_IN("in", WB_F32, 1, 2)},
                                               {WB_OUT("out", WB_F32)},
                                               {WB_WIDTH("width")},
                                               {WB_HEIGHT("height")}};
static const struct wb_param box_params[] = {{WB_OUT("out", WB_F64)},
                                             {WB_WIDTH("width")},
                                             {WB_HEIGHT("height")},
                                             {WB_DEPTH("depth")},
                                             {WB_VALUE("step", WB_F64, 0.1)}};

static void scale_oracle(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        ((float *)c->data[1])[i] = 2 * ((float *)c->data[0])[i];
    }
}

static void bump_oracle(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[0]; i++) {
        ((int *)c->data[0])[i]++;
    }
}

static void image_oracle(struct wb_case *c)
{
    memcpy(c->data[1], c->data[0], c->count[0] * sizeof(float));
}

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

static const struct wb_task tasks[] = {
    {"scale",
     scale_params,
     3,
     wb_sizes_1d,
     WB_SIZES_1D_COUNT,
     {4096, 1, 1},
     {128, 1, 1},
     NULL,
     scale_oracle,
     0,
     0,
     NULL},
    {"bump",
     bump_params,
     2,
     wb_sizes_1d,
     WB_SIZES_1D_COUNT,
     {100, 1, 1},
     {48, 1, 1},
     NULL,
     bump_oracle,
     0,
     0,
     NULL},
    {"image",
     image_params,
     4,
     wb_sizes_2d,
     WB_SIZES_2D_COUNT,
     {64, 64, 1},
     {16, 8, 1},
     NULL,
     image_oracle,
     0,
     0,
     NULL},
    {"box",
     box_params,
     5,
     wb_sizes_3d,
     WB_SIZES_3D_COUNT,
     {17, 13, 11},
     {8, 4, 4},
     NULL,
     box_oracle,
     0,
     0,
     NULL},
};
static const struct wb_question questions[] = {{"answer_int", WB_I32, 5, 0, "Count."},
                                               {"answer_float", WB_F32, 0.5, 0, "Divide."}};
static const struct wb_criterion criteria[] = {
    {"scale", "Scale", WB_CORRECT, 0, 0, 1},        {"bump", "Bump", WB_CORRECT, 1, 0, 1},
    {"image", "Image", WB_CORRECT, 2, 0, 1},        {"box", "Box", WB_CORRECT, 3, 0, 1},
    {"branches", "None", WB_MAX_BRANCHES, 0, 0, 1}, {"lanes", "Full", WB_MIN_LANES, 0, 30, 1},
    {"ragged", "Ragged", WB_MIN_LANES, 1, 30, 1},   {"answers", "Answers", WB_ANSWERS, 0, 0, 2},
};
static const struct wb_lesson lesson = {.name = "99-real",
                                        .tasks = tasks,
                                        .task_count = WB_ARRAY_LENGTH(tasks),
                                        .questions = questions,
                                        .question_count = WB_ARRAY_LENGTH(questions),
                                        .criteria = criteria,
                                        .criterion_count = WB_ARRAY_LENGTH(criteria)};

/* Everything is right but the lanes of a launch with blocks of 48. */
static void check(const struct wb_result *result)
{
    if (result->verdict == WB_ERROR) {
        fail_msg("%s", result->message);
    }
    for (size_t i = 0; i < result->criterion_count; i++) {
        const struct wb_criterion_result *criterion = &result->criteria[i];
        bool ragged = strcmp(criterion->id, "ragged") == 0;
        if (criterion->verdict != (ragged ? WB_FAILED : WB_PASSED)) {
            fail_msg("%s is %s: %s", criterion->id, wb_verdict_name[criterion->verdict],
                     criterion->message);
        }
    }
    assert_int_equal(result->verdict, WB_FAILED);
    assert_int_equal(result->reason, WB_REASON_LOW_LANE_EFFICIENCY);
    assert_true(result->finding_count > 0);
    assert_int_equal(result->findings[0].kind, WB_REASON_LOW_LANE_EFFICIENCY);
}

/* ---- a stored cubin ------------------------------------------------------------------------- */

static void grade_cubin(struct wb_result *out, struct wb_arena *arena, uint64_t seed)
{
    struct wb_device_info info;
    struct wb_status status = {WB_OK};
    assert_true(wb_device_sim.probe(&info, NULL, &status));
    struct wb_grade_options options = {
        .attempt = "kernels.cu", .device = &wb_device_sim, .info = &info, .seed = seed};
    struct wb_bytes cubin = read_fixture(arena, "grade/kernels.cubin");
    struct wb_grader grader;
    wb_grader_init(&grader, out, arena, &lesson, &options);
    wb_grade_cubins(&grader, cubin, cubin);
}

static void grades_a_stored_cubin(void **state)
{
    struct wb_result result;
    grade_cubin(&result, *state, WB_DEFAULT_SEED);
    check(&result);
    assert_string_equal(result.measured[1].counters.pcs[0].file, "kernels.cu");
    assert_true(result.findings[0].line > 0);
}

static void counts_the_same_every_time(void **state)
{
    struct wb_result one, two;
    grade_cubin(&one, *state, 1);
    grade_cubin(&two, *state, 2);
    for (size_t t = 0; t < lesson.task_count; t++) {
        const struct wb_counters *a = &one.measured[t].counters, *b = &two.measured[t].counters;
        const struct wb_counters *reference = &one.reference[t].counters;
        assert_true(a->total.v[WB_METRIC_INST] > 0);
        assert_memory_equal(&a->total, &b->total, sizeof a->total);
        assert_memory_equal(&a->total, &reference->total, sizeof a->total);
        assert_int_equal(a->pc_count, b->pc_count);
    }
    assert_int_equal(one.finding_count, two.finding_count);
    for (size_t i = 0; i < one.finding_count; i++) {
        assert_string_equal(one.findings[i].message, two.findings[i].message);
    }
}

/* ---- through nvcc --------------------------------------------------------------------------- */

static void grades_a_source_file(void **state)
{
    struct wb_toolchain toolchain;
    struct wb_device_info info;
    struct wb_status status = {WB_OK};
    struct wb_result result;
    if (!wb_toolchain_find(&toolchain, *state, NULL, WB_FIXTURES, &status)) {
        print_message("# not run, since there is no nvcc: %s\n", status.message);
        return; /* cmocka's skip() prints "not ok" */
    }
    assert_true(wb_device_sim.probe(&info, NULL, &status));
    struct wb_grade_options options = {.attempt = WB_FIXTURES "/grade/kernels.cu",
                                       .shown = "mine.cu",
                                       .reference = WB_FIXTURES "/grade/kernels.cu",
                                       .device = &wb_device_sim,
                                       .info = &info,
                                       .toolchain = &toolchain,
                                       .seed = WB_DEFAULT_SEED};
    wb_grade(&result, *state, &lesson, &options);
    check(&result);
    assert_true(result.points == 8 && result.max_points == 9);
    assert_string_equal(result.findings[0].file, "mine.cu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(grades_a_stored_cubin),
        ARENA_TEST(counts_the_same_every_time),
        ARENA_TEST(grades_a_source_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
