/* SPDX-License-Identifier: MIT
 * Lesson 16: a scan, an all-reduce and a broadcast in rows of 8, by shuffles. Everything here is
 * data: to change the lesson's sizes, targets or questions, change the tables. The kernels are run
 * in other orders of warps and lanes as well (`schedules`).
 */
#include <warpbook/grade.h>

enum { GROUP = 32, ROW = 8, WARPS = 512 };

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, 0.25, 1)},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void running_sum(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];
    double sum = 0;

    for (size_t i = 0; i < c->count[1]; i++) {
        sum = (i % GROUP == 0 ? 0 : sum) + in[i];
        out[i] = (float)sum;
    }
}

static void others(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        size_t first = i - i % GROUP;
        double sum = 0;
        for (size_t j = first; j < c->count[0] && j < first + GROUP; j++) {
            sum += j == i ? 0 : in[j];
        }
        out[i] = (float)sum;
    }
}

static void relative(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        out[i] = in[i] - in[i - i % ROW];
    }
}

/* Nothing; around one row, one group and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},  {7, 1, 1},   {9, 1, 1},   {31, 1, 1},    {32, 1, 1},
    {33, 1, 1}, {50, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {30011, 1, 1},
};

#define TASK(kernel_)                                                                              \
    .kernel = #kernel_, .oracle = kernel_, .params = params,                                       \
    .param_count = WB_ARRAY_LENGTH(params), .sizes = sizes, .size_count = WB_ARRAY_LENGTH(sizes),  \
    .measured = {GROUP * WARPS, 1, 1}, .block = {256, 1, 1}, .schedules = true

static const struct wb_task tasks[] = {
    {TASK(running_sum), .absolute = 0x1p-14,
     .tolerance = "at most 31 additions below 32, each rounded once, in any order"},
    {TASK(others), .absolute = 0x1p-14,
     .tolerance = "at most 32 additions below 32, each rounded once, in any order"},
    {TASK(relative), .tolerance = "one subtraction"},
};

static const struct wb_question questions[] = {
    {"answer_up", WB_I32, 2, 0, "Question 1: which lane would lane 2 take from? Is there one?"},
    {"answer_xor", WB_I32, 12, 0, "Question 2: write 9 and 5 in binary, one below the other."},
    {"answer_row", WB_I32, 19, 0, "Question 3: rows of 8 begin at the lanes 0, 8, 16 and 24."},
    {"answer_steps", WB_I32, 3, 0, "Question 4: the distance doubles until it spans the row."},
};

#define LOADS                                                                                      \
    .opcodes = "LD LDG LDL LDS", .counted = "loads",                                               \
    .advice = "Load each element once, into a register, and take the others from the other lanes."
#define SHUFFLES                                                                                   \
    .opcodes = "SHFL", .counted = "shuffles", .advice = "Let the distance double with each shuffle."

static const struct wb_criterion criteria[] = {
    {"scan", "Every running sum is right", WB_CORRECT, 0, 0, 15},
    {"others", "Every sum of the others is right", WB_CORRECT, 1, 0, 15},
    {"relative", "Every difference in its row is right", WB_CORRECT, 2, 0, 15},
    {"scan-loads", "running_sum: one load a warp", WB_MAX_EXECUTED, 0, WARPS, 8, LOADS},
    {"others-loads", "others: one load a warp", WB_MAX_EXECUTED, 1, WARPS, 8, LOADS},
    {"relative-loads", "relative: one load a warp", WB_MAX_EXECUTED, 2, WARPS, 8, LOADS},
    {"scan-steps", "running_sum: at most 6 shuffles a warp", WB_MAX_EXECUTED, 0, 6 * WARPS, 8,
     SHUFFLES},
    {"others-steps", "others: at most 6 shuffles a warp", WB_MAX_EXECUTED, 1, 6 * WARPS, 8,
     SHUFFLES},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "16-shuffle-family",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
