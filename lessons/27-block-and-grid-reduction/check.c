/* SPDX-License-Identifier: MIT
 * Lesson 27: the sum of an array by all levels at once. One task per launch shape: the kernel is
 * the same. Everything here is data: to change shapes, sizes, targets or questions, change the
 * tables. Every launch has the guard: it finds a barrier that is missing or not for all, a partial
 * sum that nobody wrote, and a sum without an atomic, in whatever order warps and blocks come.
 */
#include <warpbook/grade.h>

/* Whole numbers from 1 to 9, as floats: a sum of them is exact in every order while it is below
 * 2 to the 24, and an element that is left out or taken twice always shows. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    float *in = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        in[i] = (float)(1 + wb_random_next(random) % 9);
    }
}

static size_t one(struct wb_size size)
{
    (void)size;
    return 1;
}

static const struct wb_param params[] = {
    {.name = "in", .kind = WB_PARAM_IN, .type = WB_F32, .fill = fill},
    {WB_INOUT("sum", WB_F32, 0, 0), .count = one},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *sum = c->data[1];
    double total = 0;

    for (size_t i = 0; i < c->size.x; i++) {
        total += in[i];
    }
    *sum = (float)total;
}

static void one_block(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid.x = 1;
}

static void seven_blocks(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid.x = 7;
}

static void two_hundred_blocks(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid.x = 200;
}

static void thirty_two_blocks(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid.x = 32;
}

/* Nothing; a part of a warp; around a block; around a grid; several times a grid, ragged. */
static const struct wb_size with_one[] = {
    {0, 1, 1}, {1, 1, 1}, {33, 1, 1}, {1023, 1, 1}, {1025, 1, 1}, {5003, 1, 1},
};
static const struct wb_size with_seven[] = {
    {0, 1, 1}, {31, 1, 1}, {97, 1, 1}, {671, 1, 1}, {673, 1, 1}, {9973, 1, 1},
};
static const struct wb_size with_two_hundred[] = {
    {0, 1, 1}, {50, 1, 1}, {6401, 1, 1}, {20011, 1, 1}};
static const struct wb_size with_thirty_two[] = {
    {1, 1, 1}, {257, 1, 1}, {8193, 1, 1}, {70001, 1, 1}};

/* What the tasks share. */
#define SUM(sizes_, launch_, threads_)                                                             \
    .kernel = "sum_all", .params = params, .param_count = WB_ARRAY_LENGTH(params),                 \
    .sizes = sizes_, .size_count = WB_ARRAY_LENGTH(sizes_), .launch = launch_,                     \
    .block = {threads_, 1, 1}, .oracle = oracle,                                                   \
    .tolerance = "none: the sums are whole numbers below 2 to the 24"

static const struct wb_task tasks[] = {
    {SUM(with_one, one_block, 1024)},
    {SUM(with_seven, seven_blocks, 96)},
    {SUM(with_two_hundred, two_hundred_blocks, 32)},
    {SUM(with_thirty_two, thirty_two_blocks, 256), .measured = {102400, 1, 1}},
};

enum { ONE, SEVEN, TWO_HUNDRED, THIRTY_TWO }; /* indices of the tasks */

static const struct wb_question questions[] = {
    {"answer_partials", WB_I32, 32, 0,
     "Question 1: one partial sum a warp. How many warps are 1024 threads?"},
    {"answer_atomics", WB_I32, 1056, 0, "Question 2: which of the numbers do not matter?"},
    {"answer_barriers", WB_I32, 1, 0,
     "Question 3: who reads what another warp has written, and how often does that happen?"},
    {"answer_order", WB_F32, 0, 0,
     "Question 4: a float has 24 bits. Which whole number is the first that it cannot hold?"},
};

#define ATOMICS "ATOM ATOMG RED REDG"

static const struct wb_criterion criteria[] = {
    {"one", "Right with one block of 1024 threads", WB_CORRECT, ONE, 0, 10},
    {"seven", "Right with 7 blocks of 96 threads", WB_CORRECT, SEVEN, 0, 10},
    {"two-hundred", "Right with 200 blocks of 32 threads", WB_CORRECT, TWO_HUNDRED, 0, 10},
    {"thirty-two", "Right with 32 blocks of 256 threads", WB_CORRECT, THIRTY_TWO, 0, 10},
    {"sectors", "Global memory: no sector is moved twice", WB_MAX_GLOBAL_RATIO, THIRTY_TWO, 1.05, 5,
     "In each step of the loop thread k + 1 should be at the element right after thread k's."},
    {"conflicts", "Shared memory: no bank is asked twice", WB_MAX_SHARED_RATIO, THIRTY_TWO, 1.05, 5,
     "Let the lanes of a warp touch neighbouring words of the shared array."},
    {"divergence", "No divergent branch", WB_MAX_DIVERGENT, THIRTY_TWO, 0, 10},
    {"lanes", "At least 26 of 32 lanes are at work", WB_MIN_LANES, THIRTY_TWO, 26, 10},
    {"atomics", "One atomic addition a block", WB_MAX_THREAD_EXECUTED, THIRTY_TWO, 32, 10,
     "First one sum for each warp, then one for each block; a single thread takes that to global "
     "memory.",
     ATOMICS, "atomic additions to global memory"},
    {"every-block", "Every block takes part", WB_MIN_EXECUTED, THIRTY_TWO, 32, 5,
     "Each block should work on its share of the elements, and add what it has.", ATOMICS,
     "atomic additions to global memory"},
    {"budget", "At most 40,000 warp instructions", WB_MAX_EXECUTED, THIRTY_TWO, 40000, 5,
     "Five shuffles for each warp, and five more for one warp of the block, are enough."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "27-block-and-grid-reduction",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
