/* SPDX-License-Identifier: MIT
 * Lesson 13: the peak of a block, found by all of its threads, also by those of the ragged end.
 * Everything here is data, apart from the values: to change the lesson's sizes, targets or
 * questions, change the tables. Every launch has the guard, which finds a missing barrier, a thread
 * that ends before one, and a lane that reads from one that is away, also where the values are
 * right; `schedules` shows by values what depends on the order.
 */
#include <warpbook/grade.h>

enum { BLOCK = 256 };

/* All negative, so that a stray 0 is no peak. Each block lies below the one before, so that a peak
 * left over in shared memory is noticed. The very last element is the peak of its block. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    int *in = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        int below = 1 + (int)(wb_random_next(random) % 1000);
        in[i] = -2000 * (int)(i / BLOCK) - (i + 1 == count ? 1 : 1 + below);
    }
}

static const struct wb_param params[] = {
    {.name = "in", .kind = WB_PARAM_IN, .type = WB_I32, .fill = fill},
    {WB_OUT("out", WB_I32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const int *in = c->data[0];
    int *out = c->data[1];

    for (size_t first = 0; first < c->count[1]; first += BLOCK) {
        size_t end = first + BLOCK < c->count[1] ? first + BLOCK : c->count[1];
        int peak = in[first];
        for (size_t i = first; i < end; i++) {
            peak = in[i] > peak ? in[i] : peak;
        }
        for (size_t i = first; i < end; i++) {
            out[i] = peak - in[i];
        }
    }
}

/* Nothing; around one warp and one block; primes; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},   {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},     {225, 1, 1},
    {256, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16001, 1, 1}, {100003, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "below_peak",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16001, 1, 1},
        .block = {BLOCK, 1, 1},
        .oracle = oracle,
        .tolerance = "none: the values are integers",
        .schedules = true,
    },
};

static const struct wb_question questions[] = {
    {"answer_idle_threads", WB_I32, 24, 0,
     "Question 1: how many blocks of 256 cover 1000 elements, and how many threads are that?"},
    {"answer_empty_warps", WB_I32, 3, 0,
     "Question 2: count the elements of the last block first, then the warps that they reach."},
    {"answer_guard_branches", WB_I32, 0, 0,
     "Question 3: look at what the guard becomes in the machine code, and at the table."},
    {"answer_neutral", WB_I32, 1, 0,
     "Question 4: which number changes no product that it is multiplied with?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right, whatever n is", WB_CORRECT, 0, 0, 50},
    {"divergence", "No branch splits a warp", WB_MAX_DIVERGENT, 0, 0, 20},
    {"budget", "At most 48,000 warp instructions", WB_MAX_EXECUTED, 0, 48000, 20,
     "Let the threads of a block share the comparisons instead of each making all of them."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "13-tails-and-early-exit",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
