/* SPDX-License-Identifier: MIT
 * Lesson 06: a host function plans a launch, and the kernel is measured as it says. Any plan that
 * covers n is right; what it costs in idle lanes is counted.
 */
#include <warpbook/grade.h>

enum { TERMS = 64, MAX_THREADS = 1024, MAX_BLOCKS = 2147483647 };

/* ---- the plan: false, a sentence and a next step -------------------------------------------- */

static bool is_flat(struct wb_objection *out, const unsigned *grid, const unsigned *block)
{
    if (grid[1] != 1 || grid[2] != 1 || block[1] != 1 || block[2] != 1) {
        wb_str_printf(&out->why,
                      "The plan is a grid of %u x %u x %u blocks of %u x %u x %u threads, but the "
                      "kernel numbers its threads in x only: y and z must be 1.",
                      grid[0], grid[1], grid[2], block[0], block[1], block[2]);
        out->advice = "Write dim3(blocks) and dim3(threads): what is left out is 1.";
        return false;
    }
    return true;
}

static bool is_possible(struct wb_objection *out, unsigned grid, unsigned block)
{
    if (block < 1 || block > MAX_THREADS) {
        wb_str_printf(&out->why, "A block has %u threads; it must have 1 to %d.", block,
                      MAX_THREADS);
        out->advice = "*block is the threads of one block, *grid the number of blocks.";
        return false;
    }
    if (grid < 1 || grid > MAX_BLOCKS) {
        wb_str_printf(&out->why, "The grid has %u blocks; a launch needs 1 to %d.", grid,
                      MAX_BLOCKS);
        out->advice = grid < 1 ? "Mind n = 0: a launch of no block is an error."
                               : "n + threads - 1 does not fit in an int here: lesson 03 has a "
                                 "formula that does.";
        return false;
    }
    return true;
}

static bool covers(struct wb_objection *out, unsigned n, unsigned grid, unsigned block)
{
    uint64_t threads = (uint64_t)grid * block, blocks = ((uint64_t)n + block - 1) / block;

    if (threads < n) {
        wb_str_printf(&out->why,
                      "For n = %u, %u blocks of %u are %llu threads: the last %llu elements have "
                      "none.",
                      n, grid, block, (unsigned long long)threads,
                      (unsigned long long)(n - threads));
        out->advice = "Divide n by the threads of a block, and round up.";
        return false;
    }
    if (grid > blocks + 1) {
        wb_str_printf(&out->why, "For n = %u, %llu blocks of %u are enough; the plan has %u.", n,
                      (unsigned long long)blocks, block, grid);
        out->advice = "Divide n by the threads of a block, and round up once.";
        return false;
    }
    return true;
}

static bool accept_plan(struct wb_objection *out, const struct wb_case *got)
{
    const unsigned *grid = got->data[1], *block = got->data[2];

    return is_flat(out, grid, block) && is_possible(out, grid[0], block[0]) &&
           covers(out, got->size.x, grid[0], block[0]);
}

static const struct wb_param plan_params[] = {
    {WB_N("n")},
    {WB_OUT_DIM3("grid")},
    {WB_OUT_DIM3("block")},
};

static const struct wb_size plan_sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},   {32, 1, 1},      {33, 1, 1},
    {47, 1, 1}, {997, 1, 1}, {1000, 1, 1}, {1048577, 1, 1}, {2147483647, 1, 1},
};

/* ---- the kernel ----------------------------------------------------------------------------- */

static const struct wb_param series_params[] = {
    {WB_IN("in", WB_F32, -0.5, 0.5)},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        double sum = 1;
        for (int k = 0; k < TERMS; k++) {
            sum = sum * in[i] + 1;
        }
        out[i] = (float)sum;
    }
}

/* Nothing; around one warp; no whole blocks of 48 or of 64; a prime; many blocks. */
static const struct wb_size series_sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},   {32, 1, 1},     {33, 1, 1},
    {47, 1, 1}, {997, 1, 1}, {1000, 1, 1}, {100003, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .function = "plan_launch",
        .params = plan_params,
        .param_count = WB_ARRAY_LENGTH(plan_params),
        .sizes = plan_sizes,
        .size_count = WB_ARRAY_LENGTH(plan_sizes),
        .accept = accept_plan,
    },
    {
        .kernel = "series",
        .plan = "plan_launch",
        .params = series_params,
        .param_count = WB_ARRAY_LENGTH(series_params),
        .sizes = series_sizes,
        .size_count = WB_ARRAY_LENGTH(series_sizes),
        .measured = {15360, 1, 1},
        .block = {48, 1, 1}, /* as the reference plans it */
        .oracle = oracle,
        .absolute = 0x1p-21,
        .tolerance = "each step rounds a sum below 2, and halves the error before it; twice that",
    },
};

static const struct wb_question questions[] = {
    {"answer_warps_of_35", WB_I32, 2, 0,
     "Question 1: 32 threads fill one warp. Where do the other 3 go?"},
    {"answer_idle_of_40", WB_I32, 24, 0,
     "Question 2: how many lanes have the warps of such a block, and how many threads has it?"},
    {"answer_idle_percent_of_48", WB_F32, 25, 0.01,
     "Question 3: the idle lanes of its warps, as a share of all lanes of its warps, in percent."},
    {"answer_warps_for_1000", WB_I32, 42, 0,
     "Question 4: count the blocks first, rounding up; then the warps in each."},
};

static const struct wb_criterion criteria[] = {
    {"plan", "The plan covers every n", WB_CORRECT, 0, 0, 30},
    {"series", "The kernel is right, launched as planned", WB_CORRECT, 1, 0, 30},
    {"lanes", "At least 31 of 32 lanes are at work", WB_MIN_LANES, 1, 31, 30,
     "The kernel need not change. Lanes that no thread fills work nowhere: plan blocks that are "
     "whole warps."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "06-warps-and-blocks",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
