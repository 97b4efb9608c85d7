/* SPDX-License-Identifier: MIT
 * Lesson 14: Collatz lengths, with lanes that take new work as soon as they are idle. Everything
 * here is data: to change the lesson's sizes, targets or questions, change the tables. The kernel
 * is run in other orders of warps and lanes as well (`schedules`).
 */
#include <warpbook/grade.h>

/* Up to 100,000 the numbers stay below 2^32 on their way. */
static const struct wb_param params[] = {
    {WB_IN("in", WB_U32, 1, 100000)},
    {WB_OUT("out", WB_I32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const uint32_t *in = c->data[0];
    int *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        uint32_t x = in[i];
        for (out[i] = 0; x != 1; out[i]++) {
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        }
    }
}

/* A small grid, and not always the same one. */
static void launch(struct wb_device_case *launch, struct wb_size size)
{
    launch->grid = (struct wb_dim3){size.x % 2 == 0 ? 4 : 3, 1, 1};
    launch->block = (struct wb_dim3){128, 1, 1};
}

/* Nothing; fewer elements than warps, than threads; a prime; several rounds with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {2, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {50, 1, 1}, {383, 1, 1}, {512, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {10007, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "collatz",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .launch = launch,
        .oracle = oracle,
        .tolerance = "these are integers",
        .schedules = true,
    },
};

static const struct wb_question questions[] = {
    {"answer_lanes", WB_F32, 4.1, 0.01,
     "Question 1: add up the steps of all lanes, and divide by the steps that the warp makes."},
    {"answer_steps", WB_I32, 8, 0, "Question 2: write the numbers down and count the arrows."},
    {"answer_divergent", WB_I32, 31, 0,
     "Question 3: when the last lane leaves, all active lanes go the same way."},
    {"answer_element", WB_I32, 203, 0,
     "Question 4: the rank of lane 15 is the number of ones below its bit."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every length is right", WB_CORRECT, 0, 0, 40},
    {"lanes", "At least 22 of 32 lanes are at work", WB_MIN_LANES, 0, 22, 30},
    {"work", "At most 880,000 warp instructions", WB_MAX_EXECUTED, 0, 880000, 15,
     .advice = "Ask less often who is idle: let the lanes make several steps between two ballots."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "14-when-divergence-is-the-work",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
