/* SPDX-License-Identifier: MIT
 * Lesson 23: three arrays in dynamic shared memory. The kernel is graded by itself, with as many
 * bytes as its three arrays need; the host side has to count them and to ask for them.
 */
#include <warpbook/grade.h>

enum { BYTES = 2 + 4 + 4, BLOCK = 128 }; /* of one element in the three arrays */

/* Each row's elements in an order of its own: numbers below the width. */
static void fill_order(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    int *order = data;

    for (size_t i = 0; i < count; i++) {
        order[i] = (int)(wb_random_next(random) % size.x);
    }
}

static const struct wb_param kernel_params[] = {
    {.name = "order", .kind = WB_PARAM_IN, .type = WB_I32, .fill = fill_order},
    {WB_IN("value", WB_F32, -1, 1)},
    {WB_IN("weight", WB_I32, 1, 99)},
    {WB_OUT("out", WB_F32)},
    {WB_WIDTH("width")},
};

static const struct wb_param host_params[] = {
    {.name = "order", .kind = WB_PARAM_IN, .type = WB_I32, .fill = fill_order},
    {WB_IN("value", WB_F32, -1, 1)},
    {WB_IN("weight", WB_I32, 1, 99)},
    {WB_OUT("out", WB_F32)},
    {WB_WIDTH("width")},
    {WB_HEIGHT("height")},
    {WB_STATUS("status")},
};

static const struct wb_param bytes_params[] = {{WB_N("width")}, {WB_RETURN("bytes", WB_I32)}};

static void oracle(struct wb_case *c)
{
    const int *order = c->data[0], *weight = c->data[2];
    const float *value = c->data[1];
    float *out = c->data[3];

    for (size_t y = 0; y < c->size.y; y++) {
        size_t row = y * c->size.x;
        for (size_t x = 0; x < c->size.x; x++) {
            size_t from = row + (size_t)order[row + c->size.x - 1 - x];
            out[row + x] = value[from] * (float)weight[from];
        }
    }
}

/* With the widest type first nothing is lost; else at most 4 bytes in front of it. */
static bool accept_bytes(struct wb_objection *out, const struct wb_case *got)
{
    long long bytes = *(const int *)got->data[1], least = (long long)BYTES * got->size.x;

    if (bytes < least || bytes > least + 4) {
        wb_str_printf(&out->why, "For width %u it is %lld, but the three arrays have %lld bytes.",
                      got->size.x, bytes, least);
        out->advice = "Add up the bytes of the three arrays; count elements times sizeof.";
        return false;
    }
    return true;
}

static void launch(struct wb_device_case *launch, struct wb_size size)
{
    launch->grid = (struct wb_dim3){size.y, 1, 1};
    launch->block = (struct wb_dim3){BLOCK, 1, 1};
    launch->dynamic_shared = (BYTES * size.x + 3) / 4 * 4;
}

/* Odd widths above all; one element; around a warp and a block; rows longer than a block. */
static const struct wb_size kernel_sizes[] = {
    {1, 1, 1},   {31, 3, 1},  {32, 2, 1},  {33, 5, 1},   {100, 7, 1},
    {127, 2, 1}, {129, 3, 1}, {997, 2, 1}, {1000, 3, 1},
};
static const struct wb_size host_sizes[] = {{1, 1, 1}, {33, 5, 1}, {100, 7, 1}, {997, 2, 1}};
static const struct wb_size bytes_sizes[] = {
    {1, 1, 1}, {2, 1, 1}, {31, 1, 1}, {32, 1, 1}, {33, 1, 1}, {1000, 1, 1}, {4915, 1, 1},
};

static const struct wb_failure failures[] = {
    {"cudaMalloc", 1}, {"cudaMalloc", 4}, {"cudaMemcpy", 2}, {"launch", 1}, {"cudaMemcpy", 4},
};

#define TOLERANCE "none: one product, rounded once"

static const struct wb_task tasks[] = {
    {
        .kernel = "gather_rows",
        .params = kernel_params,
        .param_count = WB_ARRAY_LENGTH(kernel_params),
        .sizes = kernel_sizes,
        .size_count = WB_ARRAY_LENGTH(kernel_sizes),
        .measured = {101, 9, 1},
        .launch = launch,
        .oracle = oracle,
        .tolerance = TOLERANCE,
    },
    {
        .function = "shared_bytes",
        .params = bytes_params,
        .param_count = WB_ARRAY_LENGTH(bytes_params),
        .sizes = bytes_sizes,
        .size_count = WB_ARRAY_LENGTH(bytes_sizes),
        .accept = accept_bytes,
    },
    {
        .function = "gather_on_device",
        .params = host_params,
        .param_count = WB_ARRAY_LENGTH(host_params),
        .sizes = host_sizes,
        .size_count = WB_ARRAY_LENGTH(host_sizes),
        .measured = {101, 9, 1},
        .oracle = oracle,
        .tolerance = TOLERANCE,
        .failures = failures,
        .failure_count = WB_ARRAY_LENGTH(failures),
    },
};

static const struct wb_question questions[] = {
    {"answer_float_offset", WB_I32, 66, 0,
     "Question 1: how many bytes do 33 numbers of type short take?"},
    {"answer_lost_bytes", WB_I32, 2, 0, "Question 2: the next multiple of 4, less the end."},
    {"answer_bytes", WB_I32, 330, 0, "Question 3: floats, ints and shorts, without a gap."},
    {"answer_widest", WB_I32, 4915, 0,
     "Question 4: 48 KiB are 49,152 bytes; how many does one element of a row need?"},
};

static const struct wb_criterion criteria[] = {
    {"kernel", "The kernel is right, for odd widths, too", WB_CORRECT, 0, 0, 35},
    {"memory", "No more shared memory than the rows need", WB_MAX_SHARED_BYTES, 0, 1012, 15,
     "Take the arrays from the `extern __shared__` array, instead of declaring more."},
    {"bytes", "The bytes of the three arrays are counted", WB_CORRECT, 1, 0, 10},
    {"host", "The launch asks for them", WB_CORRECT, 2, 0, 15},
    {"device", "The kernel does the work", WB_ON_DEVICE, 2, 0, 5},
    {"errors", "A failing CUDA call is returned", WB_ERRORS_RETURNED, 2, 0, 5},
    {"leak", "All device memory is freed", WB_NO_LEAK, 2, 0, 5},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "23-dynamic-shared",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
