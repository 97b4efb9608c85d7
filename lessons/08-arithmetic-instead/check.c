/* SPDX-License-Identifier: MIT
 * Lesson 08: a third of the even elements, three times the odd ones, without a branch. Everything
 * here is data: to change the lesson's sizes, targets or questions, change the tables.
 */
#include <warpbook/grade.h>

/* The first element is 0: its division takes the slow path, and the chapter says so. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    float *in = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        in[i] = i == 0 ? 0 : (float)wb_random_uniform(random, -1000, 1000);
    }
}

static const struct wb_param params[] = {
    {.name = "in", .kind = WB_PARAM_IN, .type = WB_F32, .fill = fill},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        out[i] = i % 2 == 0 ? in[i] / 3.0F : in[i] * 3.0F;
    }
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},   {1, 1, 1},   {2, 1, 1},   {31, 1, 1},    {32, 1, 1},     {33, 1, 1},
    {255, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {100003, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "triple_or_third",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .relative = 0x1p-22,
        .tolerance = "2 ulp: x * (1/3) rounds twice, x / 3 once",
    },
};

static const struct wb_question questions[] = {
    {"answer_extra_splits", WB_I32, 1, 0,
     "Question 1: compare the number of divergent branches with the number of warps."},
    {"answer_step", WB_F32, 3 - 1.0 / 3, 0.01,
     "Question 2: put odd = 1 into the formula; the factor must become 3. Give 2 decimals, or an "
     "expression with points: 1.0 / 7.0, for 1 / 7 is 0."},
    {"answer_issues", WB_I32, 15, 0,
     "Question 3: a split warp runs both sides, one after the other."},
    {"answer_guard_lanes", WB_F32, 32 * 22 / 23.0, 0.05,
     "Question 4: one of 23 instructions has no lane at work, the others have all 32. Give 2 "
     "decimals, or an expression with points: 1.0 / 7.0, for 1 / 7 is 0."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"branches", "No branch is executed", WB_MAX_BRANCHES, 0, 0, 30,
     "An `if`, a `?:` and a division can each become a branch: let one product serve all threads."},
    {"lanes", "At least 28 of 32 lanes are at work", WB_MIN_LANES, 0, 28, 10},
    {"budget", "At most 16,000 warp instructions", WB_MAX_EXECUTED, 0, 16000, 10,
     "One multiply-add picks the factor and one product applies it: a function such as powf is a "
     "small program, and so is all arithmetic with doubles."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "08-arithmetic-instead",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
