/* SPDX-License-Identifier: MIT
 * Lesson 01: a host function that allocates, copies, launches, copies back and frees. Everything
 * here is data: to change sizes, failures or points, change the tables.
 */
#include <warpbook/grade.h>

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -100, 100)},        {WB_OUT("out", WB_F32)}, {WB_N("n")},
    {WB_NUMBER("factor", WB_F32, 1.5, 9.5)}, {WB_STATUS("status")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0], *factor = c->data[3];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        out[i] = in[i] * *factor;
    }
}

/* Nothing; one element; a ragged last block; many blocks. */
static const struct wb_size sizes[] = {{0, 1, 1}, {1, 1, 1}, {1000, 1, 1}, {1 << 20, 1, 1}};

static const struct wb_failure failures[] = {
    {"cudaMalloc", 1}, {"cudaMalloc", 2}, {"cudaMemcpy", 1}, {"launch", 1}, {"cudaMemcpy", 2},
};

static const struct wb_task tasks[] = {
    {
        .function = "scale_on_device",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {1000, 1, 1},
        .oracle = oracle,
        .failures = failures,
        .failure_count = WB_ARRAY_LENGTH(failures),
    },
};

static const struct wb_question questions[] = {
    {"answer_blocks", WB_I32, 4, 0,
     "Question 1: 3 blocks have 768 threads. Is that enough for 1,000 elements?"},
    {"answer_idle_threads", WB_I32, 24, 0,
     "Question 2: all threads of all blocks, less one for each element."},
    {"answer_launch_error", WB_I32, 2, 0,
     "Question 3: this kernel is never started. Which call answers for the launch?"},
    {"answer_kernel_error", WB_I32, 3, 0,
     "Question 4: this kernel is started, and the launch returns at once. Which call waits?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"device", "A kernel does the work, one thread an element", WB_ON_DEVICE, 0, 1, 15},
    {"leak", "All device memory is freed", WB_NO_LEAK, 0, 0, 15},
    {"errors", "Every failure is returned", WB_ERRORS_RETURNED, 0, 0, 20},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "01-first-kernel",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
