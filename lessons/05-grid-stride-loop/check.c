/* SPDX-License-Identifier: MIT
 * Lesson 05: saxpy that is right for any grid. One task per grid: the kernel is the same, so are
 * the sizes. To change grids, sizes or points, change the tables.
 */
#include <warpbook/grade.h>

static const struct wb_param params[] = {
    {WB_NUMBER("a", WB_F32, 1.5, 9.5)},
    {WB_IN("x", WB_F32, -10, 10)},
    {WB_INOUT("y", WB_F32, -10, 10)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *a = c->data[0], *x = c->data[1];
    float *y = c->data[2];

    for (size_t i = 0; i < c->count[2]; i++) {
        y[i] = (float)((double)*a * x[i] + y[i]);
    }
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

static void thousand_blocks(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid.x = 1000;
}

/* Nothing; fewer than a block; a block and one more; 7 blocks and one more; more than a grid. */
static const struct wb_size sizes[] = {
    {0, 1, 1}, {1, 1, 1}, {33, 1, 1}, {257, 1, 1}, {1793, 1, 1}, {10007, 1, 1},
};
static const struct wb_size many[] = {{0, 1, 1}, {1, 1, 1}, {257, 1, 1}, {300007, 1, 1}};

/* What the three tasks share. a * x is at most 95, and so is what rounding it costs. */
#define SAXPY                                                                                      \
    .kernel = "saxpy", .params = params, .param_count = WB_ARRAY_LENGTH(params),                   \
    .block = {256, 1, 1}, .oracle = oracle, .absolute = 0x1p-16,                                   \
    .tolerance = "a product and a sum below 128, each rounded once"

static const struct wb_task tasks[] = {
    {SAXPY, .sizes = sizes, .size_count = WB_ARRAY_LENGTH(sizes), .launch = one_block},
    {SAXPY, .sizes = sizes, .size_count = WB_ARRAY_LENGTH(sizes), .launch = seven_blocks,
     .measured = {100003, 1, 1}},
    {SAXPY, .sizes = many, .size_count = WB_ARRAY_LENGTH(many), .launch = thousand_blocks},
};

static const struct wb_question questions[] = {
    {"answer_stride", WB_I32, 1792, 0, "Question 1: how many threads does the whole grid have?"},
    {"answer_elements_of_0", WB_I32, 6, 0,
     "Question 2: thread 0 takes 0, 1792, 3584 ... How many of these lie below 10,000?"},
    {"answer_elements_of_last", WB_I32, 5, 0,
     "Question 3: begin at the last thread's own number, and go on in steps of the stride."},
    {"answer_idle", WB_I32, 254976, 0,
     "Question 4: the grid has 256,000 threads. How many find an element below n?"},
};

static const struct wb_criterion criteria[] = {
    {"one", "Right with a single block", WB_CORRECT, 0, 0, 25},
    {"seven", "Right with 7 blocks", WB_CORRECT, 1, 0, 20},
    {"thousand", "Right with 1000 blocks", WB_CORRECT, 2, 0, 20},
    {"neighbours", "Neighbouring threads update neighbouring elements", WB_MAX_GLOBAL_RATIO, 1,
     1.05, 15,
     "In each step of the loop thread k + 1 should be at the element right after thread k's."},
    {"lanes", "At least 28 of 32 lanes are at work", WB_MIN_LANES, 1, 28, 10},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "05-grid-stride-loop",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
