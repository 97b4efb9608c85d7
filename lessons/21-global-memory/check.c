/* SPDX-License-Identifier: MIT
 * Lesson 21: the same step for particles in two layouts. Everything here is data: to change sizes,
 * targets or questions, change the tables.
 */
#include <warpbook/grade.h>

static size_t four(struct wb_size size)
{
    return (size_t)4 * size.x;
}

static size_t two(struct wb_size size)
{
    return (size_t)2 * size.x;
}

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -10, 10), .count = four},
    {WB_OUT("out", WB_F32), .count = two},
    {WB_NUMBER("dt", WB_F32, 0.01, 0.5)},
    {WB_N("n")},
};

static void drift_structures(struct wb_case *c)
{
    const float *in = c->data[0], *dt = c->data[2];
    float *out = c->data[1];

    for (size_t i = 0; i < c->size.x; i++) {
        out[2 * i] = (float)(in[4 * i] + (double)*dt * in[4 * i + 2]);
        out[2 * i + 1] = (float)(in[4 * i + 1] + (double)*dt * in[4 * i + 3]);
    }
}

static void drift_arrays(struct wb_case *c)
{
    const size_t n = c->size.x;
    const float *in = c->data[0], *dt = c->data[2];
    float *out = c->data[1];

    for (size_t i = 0; i < 2 * n; i++) {
        out[i] = (float)(in[i] + (double)*dt * in[2 * n + i]);
    }
}

/* One thread for four particles, in blocks of 256. */
static void four_a_thread(struct wb_device_case *launch, struct wb_size size)
{
    launch->grid.x = size.x ? (size.x + 1023) / 1024 : 1;
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {97, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {40009, 1, 1},
};

/* What the two tasks share. */
#define DRIFT                                                                                      \
    .params = params, .param_count = WB_ARRAY_LENGTH(params), .sizes = sizes,                      \
    .size_count = WB_ARRAY_LENGTH(sizes), .measured = {16384, 1, 1}, .block = {256, 1, 1},         \
    .absolute = 0x1p-19,                                                                           \
    .tolerance = "a product of at most 5 and a sum of at most 15, each "                           \
                 "rounded once"

static const struct wb_task tasks[] = {
    {DRIFT, .kernel = "drift_structures", .oracle = drift_structures},
    {DRIFT, .kernel = "drift_arrays", .oracle = drift_arrays, .launch = four_a_thread},
};

static const struct wb_question questions[] = {
    {"answer_neighbours", WB_I32, 4, 0, "Question 1: 32 floats side by side, how many bytes?"},
    {"answer_stride_of_4", WB_I32, 16, 0,
     "Question 2: the 32 floats lie 16 bytes apart. How many of them share a sector?"},
    {"answer_stride_of_64", WB_I32, 32, 0,
     "Question 3: can two of them share a sector? A sector has 32 bytes."},
    {"answer_used", WB_F32, 12.5, 0.01, "Question 4: 4 bytes of how many are used, in percent?"},
};

static const struct wb_criterion criteria[] = {
    {"structures", "Structures: every particle is right", WB_CORRECT, 0, 0, 20},
    {"structures-sectors", "Structures: no sector is moved twice", WB_MAX_GLOBAL_RATIO, 0, 1.05, 20,
     "Fetch all four floats of a particle by one access of 16 bytes, and store two by one of 8."},
    {"arrays", "Arrays: every particle is right", WB_CORRECT, 1, 0, 20},
    {"arrays-sectors", "Arrays: no sector is moved twice", WB_MAX_GLOBAL_RATIO, 1, 1.05, 20,
     "In each step of the loop thread k + 1 should be at the particle right after thread k's."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "21-global-memory",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
