/* SPDX-License-Identifier: MIT
 * Lesson 12: sums of rows that have different lengths, one warp a row. The lengths come from a
 * formula, so that the size of the array is known without its contents. To change sizes, targets or
 * questions, change the tables.
 */
#include <warpbook/grade.h>

/* 0 to 1542, in no order. */
static size_t row_length(size_t row)
{
    return (7 * row * row + 13 * row) % 1543;
}

static size_t starts(struct wb_size size)
{
    return (size_t)size.x + 1;
}

static size_t value_count(struct wb_size size)
{
    size_t count = 0;
    for (size_t row = 0; row < size.x; row++) {
        count += row_length(row);
    }
    return count;
}

static void fill_starts(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    int *start = data;
    (void)size;
    (void)random;
    start[0] = 0;
    for (size_t row = 0; row + 1 < count; row++) {
        start[row + 1] = start[row] + (int)row_length(row);
    }
}

static const struct wb_param params[] = {
    {WB_IN("start", WB_I32, 0, 0), .count = starts, .fill = fill_starts},
    {WB_IN("values", WB_F32, -1, 1), .count = value_count},
    {WB_OUT("sums", WB_F32)},
    {WB_N("rows")},
};

static void oracle(struct wb_case *c)
{
    const int *start = c->data[0];
    const float *values = c->data[1];
    float *sums = c->data[2];

    for (size_t row = 0; row < c->count[2]; row++) {
        double sum = 0;
        for (int i = start[row]; i < start[row + 1]; i++) {
            sum += values[i];
        }
        sums[row] = (float)sum;
    }
}

/* 512 warps, however many rows there are. */
static void launch(struct wb_device_case *launch, struct wb_size size)
{
    (void)size;
    launch->grid.x = 64;
}

/* Nothing; the first row, which is empty; a few; a prime; more rows than warps. */
static const struct wb_size sizes[] = {
    {0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {33, 1, 1}, {97, 1, 1}, {600, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "row_sums",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {1000, 1, 1},
        .block = {256, 1, 1},
        .launch = launch,
        .oracle = oracle,
        .remapped = true,
        .advice = "Take a row of few elements and follow each lane: what does it add up, and which "
                  "of the 32 lanes stores into `sums`?",
        .absolute = 0x1p-10,
        .tolerance = "1542 values below 1, added in any order",
    },
};

static const struct wb_question questions[] = {
    {"answer_longest", WB_I32, 192, 0, "Question 1: the warp goes on until its last lane is done."},
    {"answer_lanes", WB_F32, 16.5, 0.01,
     "Question 2: add up 1 to 32 for the steps that are worked, and divide by the steps taken."},
    {"answer_steps", WB_I32, 4, 0, "Question 3: 32 elements a step; how many steps for 100?"},
    {"answer_last", WB_I32, 4, 0, "Question 4: how many of the 100 are left for the last step?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every sum is right", WB_CORRECT, 0, 0, 40},
    {"lanes", "At least 24 of 32 lanes are at work", WB_MIN_LANES, 0, 24, 20,
     "Let the 32 lanes of a warp work on one row together."},
    {"branches", "At least 95 % of the branches keep the warp together", WB_MIN_BRANCH_EFFICIENCY,
     0, 95, 15,
     "Let all lanes go round the loop equally often, and guard the access inside instead."},
    {"budget", "At most 500,000 warp instructions", WB_MAX_EXECUTED, 0, 500000, 10,
     "Let one warp of the whole grid add up a row, and no other: number the warps in the grid."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "12-uniform-loops",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
