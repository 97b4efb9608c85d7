/* SPDX-License-Identifier: MIT
 * Lesson 20: lanes that hand values over in shared memory, and meet at __syncwarp(). Everything
 * here is data: to change sizes, targets or questions, change the tables. Both kernels are run in
 * other orders of blocks, warps and lanes as well (`schedules`); the guard finds the races that no
 * order shows.
 */
#include <warpbook/grade.h>

enum {
    ROW = 32,         /* elements of a running sum */
    RUN = 16,         /* elements that are ranked among each other: as many as lanes produce */
    ROUNDS = 8,       /* runs of a warp */
    WARPS = 4,        /* of a block of `ranks` */
    MEASURED = 16384, /* elements */
};

static const struct wb_param params[] = {
    {WB_IN("in", WB_I32, -1000, 1000)},
    {WB_OUT("out", WB_I32)},
    {WB_N("n")},
};

static void warp_scan(struct wb_case *c)
{
    const int *in = c->data[0];
    int *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        out[i] = in[i] + (i % ROW ? out[i - 1] : 0);
    }
}

static void ranks(struct wb_case *c)
{
    const int *in = c->data[0];
    int *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        size_t first = i - i % RUN;
        out[i] = 0;
        for (size_t k = first; k < first + RUN && k < c->count[0]; k++) {
            out[i] += in[k] < in[i];
        }
    }
}

/* Each warp has ROUNDS runs. */
static void cover_runs(struct wb_device_case *launch, struct wb_size size)
{
    unsigned elements = WARPS * ROUNDS * RUN;
    launch->grid.x = size.x ? (size.x + elements - 1) / elements : 1;
}

/* Nothing; around one run, one row, the runs of a warp and those of a block; primes. */
static const struct wb_size sizes[] = {
    {0, 1, 1},   {1, 1, 1},   {15, 1, 1},  {16, 1, 1},  {17, 1, 1},  {33, 1, 1},
    {100, 1, 1}, {129, 1, 1}, {257, 1, 1}, {513, 1, 1}, {997, 1, 1}, {4099, 1, 1},
};

#define TASK(kernel_)                                                                              \
    .kernel = #kernel_, .oracle = kernel_, .params = params,                                       \
    .param_count = WB_ARRAY_LENGTH(params), .sizes = sizes, .size_count = WB_ARRAY_LENGTH(sizes),  \
    .measured = {MEASURED, 1, 1}, .tolerance = "none: the values are integers", .schedules = true

static const struct wb_task tasks[] = {
    {TASK(warp_scan), .block = {256, 1, 1}},
    {TASK(ranks), .block = {32 * WARPS, 1, 1}, .launch = cover_runs},
};

static const struct wb_question questions[] = {
    {"answer_alone", WB_I32, 6, 0,
     "Question 1: lane 31 adds what lanes 30, 29, 27, 23 and 15 have. What do they have by then?"},
    {"answer_tree", WB_I32, 1, 0,
     "Question 2: does any lane, within one round, write a place that another one reads?"},
    {"answer_sets", WB_I32, 1, 0,
     "Question 3: a set is written again two rounds later. How many barriers lie between?"},
    {"answer_locks", WB_I32, 5, 0,
     "Question 4: ask of each: what does the owner of the lock wait for before it gives it back?"},
    {"answer_mask", WB_I32, 65535, 0, "Question 5: lane k is worth 2 to the k."},
};

#define OTHER_MEANS                                                                                \
    .opcodes = "BAR SHFL VOTE VOTEU MATCH REDUX",                                                  \
    .counted = "barriers of the block, shuffles, votes and the like",                              \
    .advice = "Here lanes hand over in shared memory, and __syncwarp() says when."

static const struct wb_criterion criteria[] = {
    {"scan", "Every running sum is right, in every order", WB_CORRECT, 0, 0, 25},
    {"ranks", "Every rank is right, in every order", WB_CORRECT, 1, 0, 25},
    {"scan-means", "warp_scan: __syncwarp() and nothing larger", WB_MAX_EXECUTED, 0, 0, 10,
     OTHER_MEANS},
    {"ranks-means", "ranks: __syncwarp() and nothing larger", WB_MAX_EXECUTED, 1, 0, 10,
     OTHER_MEANS},
    {"scan-budget", "warp_scan: at most 40,000 warp instructions", WB_MAX_EXECUTED, 0, 40000, 5,
     "Keep the five rounds in which the distance doubles."},
    {"ranks-loads", "ranks: one load from global memory a round", WB_MAX_EXECUTED, 1,
     MEASURED / RUN, 10, "Lanes 0 to 15 load each element once; the others find it in `slots`.",
     "LD LDG", "loads from global memory"},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "20-independent-threads",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
