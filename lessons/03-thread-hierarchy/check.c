/* SPDX-License-Identifier: MIT
 * Lesson 03: grids and blocks for one, two and three dimensions. The functions are called on the
 * host; many plans are right, so `accept` judges a plan by what the hardware asks of it. Each rule
 * is a function of its own: to add one, write it and call it in plan_is_ok.
 */
#include <limits.h>

#include <warpbook/grade.h>

enum { MAX_THREADS = 1024, WARP = 32 };

static const char axis_name[3] = {'x', 'y', 'z'};
static const unsigned max_block[3] = {1024, 1024, 64};
static const unsigned max_grid[3] = {2147483647, 65535, 65535};

/* ---- the rules: false, a sentence and a next step ------------------------------------------- */

static bool block_is_ok(struct wb_objection *out, const unsigned *block)
{
    for (unsigned d = 0; d < 3; d++) {
        if (block[d] < 1 || block[d] > max_block[d]) {
            wb_str_printf(&out->why, "block.%c is %u, but it must be at least 1 and at most %u.",
                          axis_name[d], block[d], max_block[d]);
            out->advice = "Choose each of the block's three numbers within its own limit.";
            return false;
        }
    }
    unsigned threads = block[0] * block[1] * block[2];
    if (threads > MAX_THREADS) {
        wb_str_printf(&out->why, "A block of %u x %u x %u has %u threads, but at most %d fit.",
                      block[0], block[1], block[2], threads, MAX_THREADS);
        out->advice = "Make one of the block's three numbers smaller.";
        return false;
    }
    if (threads % WARP != 0) {
        wb_str_printf(&out->why,
                      "A block of %u x %u x %u has %u thread%s. That is not a multiple of %d, so "
                      "lanes of its last warp stay idle.",
                      block[0], block[1], block[2], threads, threads == 1 ? "" : "s", WARP);
        out->advice = "Choose a block whose threads fill whole warps.";
        return false;
    }
    return true;
}

static bool grid_is_ok(struct wb_objection *out, const unsigned *grid)
{
    for (unsigned d = 0; d < 3; d++) {
        if (grid[d] < 1 || grid[d] > max_grid[d]) {
            wb_str_printf(&out->why, "grid.%c is %u, but it must be at least 1 and at most %u.",
                          axis_name[d], grid[d], max_grid[d]);
            out->advice = grid[d] < 1 ? "Round the division up: a rest needs a block, too."
                          : grid[d] > INT_MAX
                              ? "The sum in (length + b - 1) / b does not fit in an int here: the "
                                "chapter has a formula that does."
                              : "Let a block take more elements in this dimension: then fewer "
                                "blocks do.";
            return false;
        }
    }
    return true;
}

static bool covers(struct wb_objection *out, unsigned d, unsigned length, unsigned grid,
                   unsigned block)
{
    uint64_t threads = (uint64_t)grid * block, needed = length;
    if (threads < needed) {
        wb_str_printf(&out->why,
                      "In %c, %u blocks of %u are %llu threads, but there are %u elements: the "
                      "last %llu have no thread.",
                      axis_name[d], grid, block, (unsigned long long)threads, length,
                      (unsigned long long)(needed - threads));
        out->advice = "Divide the length by the block's in the same dimension, and round up.";
        return false;
    }
    uint64_t blocks = (needed + block - 1) / block;
    if (grid > blocks + 1) {
        wb_str_printf(&out->why,
                      "In %c, %llu blocks of %u cover %u elements, and the plan has %u: that is "
                      "more than one too many.",
                      axis_name[d], (unsigned long long)blocks, block, length, grid);
        out->advice = "Divide by the block's length in the same dimension, and round up once.";
        return false;
    }
    return true;
}

static bool plan_is_ok(struct wb_objection *out, struct wb_size size, const unsigned *grid,
                       const unsigned *block)
{
    const unsigned length[3] = {size.x, size.y, size.z};
    bool ok = block_is_ok(out, block) && grid_is_ok(out, grid);
    for (unsigned d = 0; d < 3 && ok; d++) {
        ok = covers(out, d, length[d], grid[d], block[d]);
    }
    return ok;
}

/* ---- the three functions -------------------------------------------------------------------- */

static const struct wb_param params_1d[] = {
    {WB_N("n")},
    {WB_OUT_DIM3("grid")},
    {WB_OUT_DIM3("block")},
};

static const struct wb_param params_2d[] = {
    {WB_WIDTH("width")},
    {WB_HEIGHT("height")},
    {WB_OUT_DIM3("grid")},
    {WB_OUT_DIM3("block")},
};

static const struct wb_param params_3d[] = {
    {WB_WIDTH("width")},   {WB_HEIGHT("height")},  {WB_DEPTH("depth")},
    {WB_OUT_DIM3("grid")}, {WB_OUT_DIM3("block")},
};

static bool accept_1d(struct wb_objection *out, const struct wb_case *got)
{
    return plan_is_ok(out, got->size, got->data[1], got->data[2]);
}

static bool accept_2d(struct wb_objection *out, const struct wb_case *got)
{
    return plan_is_ok(out, got->size, got->data[2], got->data[3]);
}

static bool accept_3d(struct wb_objection *out, const struct wb_case *got)
{
    return plan_is_ok(out, got->size, got->data[3], got->data[4]);
}

/* One; around a warp and a block; a prime; the largest int. */
static const struct wb_size sizes_1d[] = {
    {1, 1, 1},    {31, 1, 1},   {32, 1, 1},      {33, 1, 1},         {1024, 1, 1},
    {1025, 1, 1}, {9973, 1, 1}, {1 << 20, 1, 1}, {2147483647, 1, 1},
};

/* One; narrow and flat; an image; more rows than 65,535 blocks of 32 have. */
static const struct wb_size sizes_2d[] = {
    {1, 1, 1},       {1, 33, 1},      {33, 1, 1},      {127, 63, 1},      {1920, 1080, 1},
    {1, 3000000, 1}, {3000000, 1, 1}, {7, 3000000, 1}, {65537, 65537, 1},
};

/* The same in three dimensions; 65,536 layers are one more than blocks in z. */
static const struct wb_size sizes_3d[] = {
    {1, 1, 1},       {5, 6, 7},       {1, 1, 33},    {33, 31, 65},
    {1, 3000000, 1}, {3000000, 1, 1}, {3, 2, 65536}, {2, 3000000, 100},
};

static const struct wb_task tasks[] = {
    {
        .function = "plan_1d",
        .params = params_1d,
        .param_count = WB_ARRAY_LENGTH(params_1d),
        .sizes = sizes_1d,
        .size_count = WB_ARRAY_LENGTH(sizes_1d),
        .accept = accept_1d,
    },
    {
        .function = "plan_2d",
        .params = params_2d,
        .param_count = WB_ARRAY_LENGTH(params_2d),
        .sizes = sizes_2d,
        .size_count = WB_ARRAY_LENGTH(sizes_2d),
        .accept = accept_2d,
    },
    {
        .function = "plan_3d",
        .params = params_3d,
        .param_count = WB_ARRAY_LENGTH(params_3d),
        .sizes = sizes_3d,
        .size_count = WB_ARRAY_LENGTH(sizes_3d),
        .accept = accept_3d,
    },
};

static const struct wb_question questions[] = {
    {"answer_blocks", WB_I32, 2772, 0,
     "Question 1: round up in each dimension first, then multiply."},
    {"answer_idle_threads", WB_I32, 9632, 0,
     "Question 2: all threads of the grid, less one for each pixel."},
    {"answer_block_height", WB_I32, 46, 0,
     "Question 3: how many rows must one block take, if there are at most 65,535 blocks in y?"},
    {"answer_resident_threads", WB_I32, 1024, 0,
     "Question 4: which limit is reached first, that of threads or that of blocks?"},
};

static const struct wb_criterion criteria[] = {
    {"plan-1d", "plan_1d fits every length", WB_CORRECT, 0, 0, 25},
    {"plan-2d", "plan_2d fits every shape", WB_CORRECT, 1, 0, 30},
    {"plan-3d", "plan_3d fits every shape", WB_CORRECT, 2, 0, 30},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "03-thread-hierarchy",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
