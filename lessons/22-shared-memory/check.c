/* SPDX-License-Identifier: MIT
 * Lesson 22: a transpose through a tile in shared memory. Everything here is data: to change sizes,
 * targets or questions, change the tables. Every launch has the guard, which finds a barrier that
 * is missing or that not all reach, also where the values are right; the kernel is run in other
 * orders of blocks, warps and lanes as well (`schedules`).
 */
#include <warpbook/grade.h>

enum { TILE = 32 };

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -1000, 1000)},
    {WB_OUT("out", WB_F32), .transposed = true},
    {WB_WIDTH("width")},
    {WB_HEIGHT("height")},
};

static void oracle(struct wb_case *c)
{
    const size_t width = c->size.x, height = c->size.y;
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            out[x * height + y] = in[y * width + x];
        }
    }
}

/* One block for each tile, at least one. */
static void one_block_a_tile(struct wb_device_case *launch, struct wb_size size)
{
    launch->grid.x = size.x ? (size.x + TILE - 1) / TILE : 1;
    launch->grid.y = size.y ? (size.y + TILE - 1) / TILE : 1;
}

/* One element; a tile, and one more or less of it each way; thin ones; primes. But for two of them
 * none is square: a square hides a swap of width and height. */
static const struct wb_size sizes[] = {
    {1, 1, 1},   {32, 32, 1},  {31, 33, 1}, {33, 31, 1},  {5, 200, 1},
    {64, 40, 1}, {1000, 3, 1}, {1, 97, 1},  {97, 101, 1}, {521, 257, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "transpose",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {256, 96, 1},
        .block = {TILE, 8, 1},
        .launch = one_block_a_tile,
        .oracle = oracle,
        .tolerance = "none: the values are copied",
        .schedules = true,
    },
};

static const struct wb_question questions[] = {
    {"answer_row", WB_I32, 1, 0, "Question 1: in which banks do 32 neighbouring floats lie?"},
    {"answer_column", WB_I32, 32, 0,
     "Question 2: how many words is it from one row to the next, and how many banks are there?"},
    {"answer_even", WB_I32, 2, 0,
     "Question 3: write down the banks of lanes 0, 1, 15, 16 and 17. Who meets whom?"},
    {"answer_bytes", WB_I32, 4224, 0, "Question 4: rows times words of a row times 4."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"sectors", "Global memory: no sector is moved twice", WB_MAX_GLOBAL_RATIO, 0, 1.05, 20,
     "Read rows into a tile of shared memory, then write rows out of it: threadIdx.x should run "
     "along a row both times."},
    {"conflicts", "Shared memory: no bank is asked twice", WB_MAX_SHARED_RATIO, 0, 1.05, 20,
     "Let the elements of a column lie in different banks: what if a row of the tile were one word "
     "longer?"},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "22-shared-memory",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
