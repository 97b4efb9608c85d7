/* SPDX-License-Identifier: MIT
 * Lesson 04: a transpose and a numbered box, both by index only. Everything here is data: to change
 * the lesson's sizes, points or questions, change the tables.
 */
#include <warpbook/grade.h>

/* ---- transpose: width x height floats -> height x width ---------------------------------- */

static const struct wb_param transpose_params[] = {
    {WB_IN("in", WB_F32, -1000, 1000)},
    {WB_OUT("out", WB_F32), .transposed = true},
    {WB_WIDTH("width")},
    {WB_HEIGHT("height")},
};

static void transpose_oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];
    size_t width = c->size.x, height = c->size.y;

    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            out[x * height + y] = in[y * width + x];
        }
    }
}

/* No shape but 1 x 1 is square: a square one hides a swap of width and height. */
static const struct wb_size transpose_sizes[] = {
    {1, 1, 1},  {31, 33, 1},  {33, 31, 1},  {5, 200, 1},
    {64, 8, 1}, {1000, 3, 1}, {97, 101, 1}, {1021, 517, 1},
};

/* ---- flatten: every cell of a box gets a tag --------------------------------------------- */

static const struct wb_param flatten_params[] = {
    {WB_OUT("out", WB_I32)},
    {WB_WIDTH("width")},
    {WB_HEIGHT("height")},
    {WB_DEPTH("depth")},
};

static void flatten_oracle(struct wb_case *c)
{
    int *out = c->data[0];

    for (unsigned z = 0; z < c->size.z; z++) {
        for (unsigned y = 0; y < c->size.y; y++) {
            for (unsigned x = 0; x < c->size.x; x++) {
                *out++ = (int)(x + 1000 * y + 1000000 * z);
            }
        }
    }
}

static const struct wb_size flatten_sizes[] = {
    {1, 1, 1},   {7, 5, 3},   {33, 2, 17},  {3, 65, 2},
    {16, 12, 4}, {1, 1, 100}, {31, 37, 29}, {97, 61, 43},
};

/* ---- the lesson -------------------------------------------------------------------------- */

static const struct wb_task tasks[] = {
    {
        .kernel = "transpose",
        .params = transpose_params,
        .param_count = WB_ARRAY_LENGTH(transpose_params),
        .sizes = transpose_sizes,
        .size_count = WB_ARRAY_LENGTH(transpose_sizes),
        .measured = {96, 64, 1},
        .block = {32, 8, 1},
        .oracle = transpose_oracle,
        .tolerance = "none: the values are copied",
    },
    {
        .kernel = "flatten",
        .params = flatten_params,
        .param_count = WB_ARRAY_LENGTH(flatten_params),
        .sizes = flatten_sizes,
        .size_count = WB_ARRAY_LENGTH(flatten_sizes),
        .measured = {32, 16, 12},
        .block = {8, 4, 4},
        .oracle = flatten_oracle,
        .advice =
            "The value says who wrote the cell: x + 1000 y + 1000000 z. Does this (x, y, z) lie "
            "in the box, and which guard should have kept it out?",
        .tolerance = "none: the values are integers",
    },
};

static const struct wb_question questions[] = {
    {"answer_thread_number", WB_I32, 51, 0,
     "Question 1: x runs fastest. One step in y skips a row of the block, one step in z a layer."},
    {"answer_warp", WB_I32, 1, 0, "Question 2: threads 0 to 31 of a block are its warp 0."},
    {"answer_idle_threads", WB_I32, 257, 0,
     "Question 3: count the blocks in x and in y first, rounding up; then the threads in them."},
    {"answer_out_index", WB_I32, 22, 0,
     "Question 4: where does the element stand in out, and how many columns has out?"},
};

static const struct wb_criterion criteria[] = {
    {"transpose", "transpose is right for every shape", WB_CORRECT, 0, 0, 35},
    {"transpose-budget", "transpose: at most 7,000 warp instructions", WB_MAX_EXECUTED, 0, 7000, 5,
     "Let each thread move the one element at its own place in the grid, without a division."},
    {"flatten", "flatten is right for every box", WB_CORRECT, 1, 0, 35},
    {"flatten-budget", "flatten: at most 9,000 warp instructions", WB_MAX_EXECUTED, 1, 9000, 5,
     "Let each thread write the one cell at its own place in the grid, without a division."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "04-indexing",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
