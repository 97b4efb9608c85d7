/* SPDX-License-Identifier: MIT
 * Lesson 26: rows divided by their sums, four blocks a row, which are to form a cluster. Everything
 * here is data: to change sizes, targets or questions, change the tables. The checker cannot ask
 * for clusters at launch: the kernel asks for them by `__cluster_dims__`. Both barriers of the
 * cluster are the guard's to ask for: without the last one the values are right.
 */
#include <warpbook/grade.h>

enum { BLOCKS = 4 };

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, 0.5, 1.5)},
    {WB_OUT("out", WB_F32)},
    {WB_WIDTH("width")},
};

static void oracle(struct wb_case *c)
{
    const size_t width = c->size.x;
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t row = 0; row < c->size.y; row++) {
        double sum = 0;
        for (size_t x = 0; x < width; x++) {
            sum += in[row * width + x];
        }
        for (size_t x = 0; x < width; x++) {
            out[row * width + x] = (float)(in[row * width + x] / sum);
        }
    }
}

static void four_blocks_a_row(struct wb_device_case *launch, struct wb_size size)
{
    launch->grid.x = BLOCKS;
    launch->grid.y = size.y;
}

/* One element; fewer than a warp, than a block, than four of them; primes; a width that is no
 * multiple of a sector, so that the rows begin anywhere. */
static const struct wb_size sizes[] = {
    {1, 1, 1},    {5, 3, 1},    {31, 2, 1},   {257, 1, 1},
    {1000, 7, 1}, {1025, 2, 1}, {3001, 5, 1}, {4096, 3, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "normalise",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {4096, 16, 1},
        .block = {256, 1, 1},
        .launch = four_blocks_a_row,
        .oracle = oracle,
        .relative = 1e-5,
        .tolerance = "4096 positive terms, added up in any order by some hundred threads",
    },
};

static const struct wb_question questions[] = {
    {"answer_clusters", WB_I32, 24, 0,
     "Question 1: how many blocks are there in all, and how many of them make a cluster?"},
    {"answer_sectors", WB_I32, 512, 0,
     "Question 2: how many bytes has the row, and how often is each of them read?"},
    {"answer_pull", WB_I32, 6, 0,
     "Question 3: when is a sum written, when is it read, and when does its memory end?"},
    {"answer_push", WB_I32, 3, 0,
     "Question 4: whose memory does a block touch before the second barrier, and whose behind it?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every quotient is right", WB_CORRECT, 0, 0, 40},
    {"sectors", "No row is read by all of its blocks", WB_MAX_GLOBAL_SECTORS, 0, 28000, 20,
     "Let each block add up only the elements that it divides, and ask its peers for their sums: "
     "`*cluster.map_shared_rank(&part, rank)`."},
    {"cluster", "Every warp meets its cluster", WB_MIN_EXECUTED, 0, 512, 10,
     "Ask for clusters with `__cluster_dims__(4, 1, 1)`, let all four blocks of a row work, and "
     "wait for each other in cluster.sync().",
     "UCGABAR_WAIT", "waits for the cluster"},
    {"stores", "Nothing but the quotients is stored to global memory", WB_MAX_EXECUTED, 0, 2048, 10,
     "Hand the sums over in shared memory: a peer reads them with map_shared_rank.",
     "STG ATOMG REDG", "stores to global memory"},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "26-distributed-shared-memory",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
    .compute_capability = 90,
};
