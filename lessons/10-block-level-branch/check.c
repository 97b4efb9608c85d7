/* SPDX-License-Identifier: MIT
 * Lesson 10: a 5 x 5 mean, with care at the edges of the picture only. Blocks choose the way, so
 * that no warp splits. Everything here is data: to change sizes, targets or questions, change the
 * tables.
 */
#include <warpbook/grade.h>

enum { RADIUS = 2 };

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -100, 100)},
    {WB_OUT("out", WB_F32)},
    {WB_WIDTH("w")},
    {WB_HEIGHT("h")},
};

/* The mean of those of the 5 x 5 values around (x, y) that exist. */
static float mean(const float *in, int w, int h, int x, int y)
{
    double sum = 0;
    int count = 0;

    for (int v = y - RADIUS; v <= y + RADIUS; v++) {
        for (int u = x - RADIUS; u <= x + RADIUS; u++) {
            if (u >= 0 && u < w && v >= 0 && v < h) {
                sum += in[v * w + u];
                count++;
            }
        }
    }
    return (float)(sum / count);
}

static void oracle(struct wb_case *c)
{
    int w = (int)c->size.x, h = (int)c->size.y;
    float *out = c->data[1];

    for (int i = 0; i < w * h; i++) {
        out[i] = mean(c->data[0], w, h, i % w, i / w);
    }
}

/* Nothing; narrower than 5; around a warp and a block. A block of 32 x 8 can be interior from 66 x
 * 18 on; at 97 x 25 the last ones have one column and one row, so that the blocks before them touch
 * the edge, too. Long and flat, narrow and high; a prime. */
static const struct wb_size sizes[] = {
    {0, 0, 1},   {1, 1, 1},   {2, 3, 1},   {31, 7, 1},  {33, 9, 1}, {66, 18, 1},
    {97, 25, 1}, {98, 26, 1}, {130, 1, 1}, {1, 130, 1}, {3, 97, 1}, {101, 67, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "smooth",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {500, 250, 1},
        .block = {32, 8, 1},
        .oracle = oracle,
        .advice =
            "Find the block of the first wrong element. Does it take the quick way, and do all "
            "elements exist that it reads, two to each side?",
        .absolute = 0x1p-12,
        .tolerance = "a sum of up to 25 values of at most 100, each rounded once, in any order",
    },
};

static const struct wb_question questions[] = {
    {"answer_interior", WB_I32, 10, 0,
     "Question 1: count the columns of blocks first: left >= 2 and left + 32 + 2 <= 100. Then the "
     "rows of blocks, in the same way."},
    {"answer_split_by_thread", WB_I32, 92, 0,
     "Question 2: a warp is 32 neighbours in one row. Which columns of blocks have threads of both "
     "kinds in one row, and in how many rows?"},
    {"answer_split_by_block", WB_I32, 0, 0,
     "Question 3: do two threads of one block ever disagree about blockIdx, w or h?"},
    {"answer_average", WB_F32, 150.5, 0.01, "Question 4: the mean of 87 and 214."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"divergence", "No branch splits a warp", WB_MAX_DIVERGENT, 0, 0, 15,
     "Make the condition of blockIdx, blockDim, w and h: all threads of a block agree on these."},
    {"budget", "At most 500,000 warp instructions", WB_MAX_EXECUTED, 0, 500000, 25,
     "Most blocks lie so deep in the picture that no neighbour can be missing. Give them a way "
     "without questions."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "10-block-level-branch",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
