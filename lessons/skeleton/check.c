/* SPDX-License-Identifier: MIT
 * Lesson @NUMBER@: add 1 with all lanes. Everything here is data: to change the lesson's sizes,
 * targets or questions, change the tables.
 */
#include <warpbook/grade.h>

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -1000, 1000)},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        out[i] = in[i] + 1.0F;
    }
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},  {32, 1, 1},     {33, 1, 1},
    {64, 1, 1}, {257, 1, 1}, {997, 1, 1}, {100003, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "add_one",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .tolerance = "none: one addition, rounded once",
    },
};

static const struct wb_question questions[] = {
    {"answer_lanes", WB_I32, 16, 0, "Question 1: which lanes have an even number?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 50},
    {"lanes", "At least 28 of 32 lanes are at work", WB_MIN_LANES, 0, 28, 40},
    {"answers", "The question is answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "@NAME@",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
