/* SPDX-License-Identifier: MIT
 * Lesson 07: expf on even and logf on odd elements, without splitting a warp. Everything here is
 * data: to change the lesson's sizes, targets or questions, change the tables.
 */
#include <math.h>

#include <warpbook/grade.h>

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, 0.1, 2)},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        out[i] = (float)(i % 2 == 0 ? exp(in[i]) : log(in[i]));
    }
}

/* Nothing; around one warp, two warps and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},  {31, 1, 1},  {32, 1, 1},  {33, 1, 1},    {62, 1, 1},
    {64, 1, 1}, {65, 1, 1}, {256, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {100003, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "explog",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .remapped = true,
        .relative = 0x2.8p-23,
        .tolerance = "expf and logf: 2 ulp, and half an ulp for rounding what is expected",
    },
};

static const struct wb_question questions[] = {
    {"answer_idle_lanes", WB_I32, 16, 0,
     "Question 1: how many of 32 neighbouring elements are odd, and what do their lanes do?"},
    {"answer_runs_of_16", WB_I32, 512, 0,
     "Question 2: draw one warp and mark its lanes 0 to 15 and 16 to 31."},
    {"answer_runs_of_64", WB_I32, 0, 0,
     "Question 3: where do the runs begin and end, and where do the warps?"},
    {"answer_efficiency", WB_F32, 87.5, 0.01,
     "Question 4: the share of the uniform branches in all branches, in percent."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"divergence", "No branch splits a warp", WB_MAX_DIVERGENT, 0, 0, 30},
    {"lanes", "At least 28 of 32 lanes are at work", WB_MIN_LANES, 0, 28, 10},
    {"work", "expf is computed for the even elements only", WB_MAX_THREAD_EXECUTED, 0, 10000, 10,
     "Choose the element so that its whole warp wants one function, instead of computing both.",
     "MUFU", "exponentials"}, /* logf needs no MUFU */
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "07-warp-aligned-branch",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
