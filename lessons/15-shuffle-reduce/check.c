/* SPDX-License-Identifier: MIT
 * Lesson 15: the sum of each 32 neighbouring elements, by one warp, without shared memory and
 * without a barrier. To change sizes, targets or questions, change the tables. Every launch has the
 * guard: it finds lanes that only happen to be in step, and those that have left before a shuffle,
 * also where the sums are right; `schedules` shows by values what depends on the order.
 */
#include <warpbook/grade.h>

static size_t warps(struct wb_size size)
{
    return (size.x + 31) / 32;
}

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -1, 1)},
    {WB_OUT("sums", WB_F32), .count = warps},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *sums = c->data[1];

    for (size_t w = 0; w < c->count[1]; w++) {
        double sum = 0;
        for (size_t i = 32 * w; i < 32 * w + 32 && i < c->size.x; i++) {
            sum += in[i];
        }
        sums[w] = (float)sum;
    }
}

/* Nothing; a part of a warp, a whole one, one more; a part of the last warp of a block. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},  {2, 1, 1},   {17, 1, 1},  {31, 1, 1},   {32, 1, 1},   {33, 1, 1},
    {63, 1, 1}, {97, 1, 1}, {255, 1, 1}, {257, 1, 1}, {1000, 1, 1}, {4099, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "warp_sums",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .absolute = 0x1p-15,
        .tolerance = "31 sums of at most 32, each rounded once, in any order",
        .schedules = true,
    },
};

static const struct wb_question questions[] = {
    {"answer_steps", WB_I32, 5, 0, "Question 1: 16, 8, 4 ... how often can 32 be halved?"},
    {"answer_lane_3", WB_I32, 3, 0,
     "Question 2: in the second step lane 3 takes from lane 11. What had lane 11 taken before?"},
    {"answer_sum_lane_0", WB_I32, 496, 0, "Question 3: add up 0 to 31."},
    {"answer_sum_lane_31", WB_I32, 992, 0,
     "Question 4: lane 31 + 16 does not exist, so each step adds lane 31's own value to itself."},
};

#define SHARED "LDS STS LDSM STSM ATOMS"

static const struct wb_criterion criteria[] = {
    {"correct", "Every sum is right", WB_CORRECT, 0, 0, 40},
    {"no-shared", "No instruction uses shared memory", WB_MAX_EXECUTED, 0, 0, 15,
     "A lane can read another lane's register: __shfl_down_sync.", SHARED,
     "instructions on shared memory"},
    {"no-barrier", "No barrier of the block", WB_MAX_EXECUTED, 0, 0, 15,
     "The lanes of one warp need no __syncthreads: the shuffle brings them together.", "BAR",
     "barriers"},
    {"budget", "At most 22,000 warp instructions", WB_MAX_EXECUTED, 0, 22000, 10,
     "Five shuffles and five sums are enough for a warp."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "15-shuffle-reduce",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
