/* SPDX-License-Identifier: MIT
 * Lesson 25: a filter of 16 taps whose weights lie in constant memory. The kernel is graded by
 * itself, with the weights filled in by the checker; the host function has to fill them.
 */
#include <warpbook/grade.h>

enum { TAPS = 16 };

static size_t samples(struct wb_size size)
{
    return size.x + TAPS - 1;
}

static size_t taps(struct wb_size size)
{
    (void)size;
    return TAPS;
}

static const struct wb_param kernel_params[] = {
    {WB_IN("in", WB_F32, -1, 1), .count = samples},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
    {WB_SYMBOL("weights", WB_F32, -1, 1), .count = taps},
};

static const struct wb_param host_params[] = {
    {WB_IN("in", WB_F32, -1, 1), .count = samples}, {WB_OUT("out", WB_F32)}, {WB_N("n")},
    {WB_IN("taps", WB_F32, -1, 1), .count = taps},  {WB_STATUS("status")},
};

/* The weights are row 3 of both tables. */
static void oracle(struct wb_case *c)
{
    const float *in = c->data[0], *weights = c->data[3];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        double sum = 0;
        for (unsigned k = 0; k < TAPS; k++) {
            sum += (double)weights[k] * in[i + k];
        }
        out[i] = (float)sum;
    }
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size kernel_sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {97, 1, 1}, {255, 1, 1}, {997, 1, 1}, {65537, 1, 1},
};

static const struct wb_size host_sizes[] = {{0, 1, 1}, {1, 1, 1}, {257, 1, 1}, {65537, 1, 1}};

static const struct wb_failure failures[] = {
    {"cudaMalloc", 1}, {"cudaMalloc", 2}, {"cudaMemcpyToSymbol", 1},
    {"cudaMemcpy", 1}, {"launch", 1},
};

/* 16 products of at most 1, each product and sum rounded once: 2 * 16 * 2^-24 * 16. */
#define ABSOLUTE  0x1p-15
#define TOLERANCE "16 products of at most 1, each product and sum rounded once"

static const struct wb_task tasks[] = {
    {
        .kernel = "fir",
        .params = kernel_params,
        .param_count = WB_ARRAY_LENGTH(kernel_params),
        .sizes = kernel_sizes,
        .size_count = WB_ARRAY_LENGTH(kernel_sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .absolute = ABSOLUTE,
        .tolerance = TOLERANCE,
    },
    {
        .function = "filter_on_device",
        .params = host_params,
        .param_count = WB_ARRAY_LENGTH(host_params),
        .sizes = host_sizes,
        .size_count = WB_ARRAY_LENGTH(host_sizes),
        .measured = {1000, 1, 1},
        .oracle = oracle,
        .absolute = ABSOLUTE,
        .tolerance = TOLERANCE,
        .failures = failures,
        .failure_count = WB_ARRAY_LENGTH(failures),
    },
};

static const struct wb_question questions[] = {
    {"answer_floats", WB_I32, 16384, 0, "Question 1: 64 KiB, and how many bytes has a float?"},
    {"answer_reference_replays", WB_I32, 15, 0,
     "Question 2: how many different addresses does the warp name? The first costs nothing extra."},
    {"answer_groups_of_8", WB_I32, 3, 0,
     "Question 3: which values does i / 8 take for the 32 threads of a warp?"},
    {"answer_by_block", WB_I32, 0, 0,
     "Question 4: do two threads of one warp ever differ in blockIdx?"},
};

static const struct wb_criterion criteria[] = {
    {"kernel", "The kernel filters right", WB_CORRECT, 0, 0, 30},
    {"broadcast", "All lanes read the same constant", WB_MAX_CONSTANT_DIVERGENCE, 0, 0, 25},
    {"host", "The host function fills the weights and filters", WB_CORRECT, 1, 0, 15},
    {"device", "The kernel does the work", WB_ON_DEVICE, 1, 0, 5},
    {"errors", "A failing CUDA call is returned", WB_ERRORS_RETURNED, 1, 0, 5},
    {"leak", "All device memory is freed", WB_NO_LEAK, 1, 0, 5},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "25-constant-memory",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
