/* SPDX-License-Identifier: MIT
 * Lesson 24: a running median of 25 samples. Everything here is data: to change sizes, targets or
 * questions, change the tables.
 */
#include <warpbook/grade.h>

#include <stdlib.h>

enum { WINDOW = 25 };

static size_t samples(struct wb_size size)
{
    return size.x + WINDOW - 1;
}

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -1, 1), .count = samples},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        float v[WINDOW];
        for (size_t k = 0; k < WINDOW; k++) {
            v[k] = in[i + k];
        }
        qsort(v, WINDOW, sizeof v[0], by_value);
        out[i] = v[WINDOW / 2];
    }
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {97, 1, 1}, {255, 1, 1}, {997, 1, 1}, {10007, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "median",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .tolerance = "none: a median is one of the samples",
    },
};

static const struct wb_question questions[] = {
    {"answer_full", WB_I32, 32, 0,
     "Question 1: 65,536 registers and 2048 threads: how many for each?"},
    {"answer_threads", WB_I32, 512, 0, "Question 2: how often do 128 registers go into 65,536?"},
    {"answer_sectors", WB_I32, 32, 0,
     "Question 3: can two lanes that use different elements ever meet in one sector?"},
    {"answer_in_registers", WB_I32, 6, 0,
     "Question 4: in which of the four is every index a constant once all loops are unrolled?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every median is right", WB_CORRECT, 0, 0, 40},
    {"local", "Nothing goes to local memory", WB_MAX_LOCAL_SECTORS, 0, 0, 25,
     "Index the array with constants only: unroll the loops around this line with `#pragma "
     "unroll`, and let minimum and maximum decide what goes where. If every index is a constant, "
     "look for a bound on registers that is too tight."},
    {"registers", "At most 64 registers a thread", WB_MAX_REGISTERS, 0, 64, 10},
    {"instructions", "At most 1,200,000 warp instructions", WB_MAX_EXECUTED, 0, 1200000, 10},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "24-registers",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
