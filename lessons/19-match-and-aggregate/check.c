/* SPDX-License-Identifier: MIT
 * Lesson 19: a histogram of skewed keys. Everything here is data, apart from the keys: to change
 * the lesson's sizes, targets or questions, change the tables.
 */
#include <warpbook/grade.h>

enum { BINS = 64 };

/* Key 7 for half of the elements, 14 for a quarter and so on: the trailing zeros of a draw. All
 * keys of the first 64 elements differ, so that a warp without two equal keys is there as well. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    int *in = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        uint64_t draw = wb_random_next(random);
        int zeros = 0;
        while (zeros < BINS - 1 && !(draw >> zeros & 1)) {
            zeros++;
        }
        in[i] = i < BINS ? (int)(i * 5 % BINS) : (zeros + 1) * 7 % BINS;
    }
}

static size_t bins(struct wb_size size)
{
    (void)size;
    return BINS;
}

static const struct wb_param params[] = {
    {.name = "in", .kind = WB_PARAM_IN, .type = WB_I32, .fill = fill},
    {WB_INOUT("bins", WB_I32, 0, 0), .count = bins},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const int *in = c->data[0];
    int *count = c->data[1];

    for (size_t i = 0; i < c->count[0]; i++) {
        count[in[i]]++;
    }
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},   {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {255, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {50021, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "histogram",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .tolerance = "none: the values are integers",
    },
};

static const struct wb_question questions[] = {
    {"answer_mask", WB_I32, 116, 0,
     "Question 1: lane k is worth 2 to the k. Add up the lanes that have the key of lane 2."},
    {"answer_leaders", WB_I32, 3, 0, "Question 2: how many different keys are there?"},
    {"answer_worst", WB_I32, 32, 0,
     "Question 3: how many lanes are the lowest with their key, if no two keys are equal?"},
    {"answer_blocks", WB_I32, 4096, 0,
     "Question 4: 64 blocks, and each adds all of its own 64 bins to those in global memory."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every bin is right", WB_CORRECT, 0, 0, 45},
    {"atomics", "At most 4000 atomic additions", WB_MAX_THREAD_EXECUTED, 0, 4000, 30,
     "Let the lanes with one key find each other by `__match_any_sync`, and the lowest of them add "
     "for all.",
     "ATOM ATOMG ATOMS RED REDG", "atomic operations"},
    {"lanes", "At least 16 of 32 lanes are at work", WB_MIN_LANES, 0, 16, 15},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "19-match-and-aggregate",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
