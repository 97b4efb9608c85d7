/* SPDX-License-Identifier: MIT
 * Lesson 01 of the small workbook that the tests of the command line use: out[i] = in[i].
 */
#include <warpbook/grade.h>

#include <string.h>

static const struct wb_param params[] = {
    {WB_IN("in", WB_I32, 0, 1000)}, {WB_OUT("out", WB_I32)}, {WB_N("n")}};

static void oracle(struct wb_case *c)
{
    memcpy(c->data[1], c->data[0], c->count[1] * sizeof(int32_t));
}

static const struct wb_size sizes[] = {{1, 1, 1}, {33, 1, 1}, {1000, 1, 1}};

static const struct wb_task tasks[] = {{.kernel = "copy",
                                        .params = params,
                                        .param_count = WB_ARRAY_LENGTH(params),
                                        .sizes = sizes,
                                        .size_count = WB_ARRAY_LENGTH(sizes),
                                        .measured = {1024, 1, 1},
                                        .block = {128, 1, 1},
                                        .oracle = oracle}};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is copied", WB_CORRECT, 0, 0, 6},
    {"lanes", "At least 30 of 32 lanes are at work", WB_MIN_LANES, 0, 30, 4}};

const struct wb_lesson wb_lesson = {.name = "01-copy",
                                    .tasks = tasks,
                                    .task_count = WB_ARRAY_LENGTH(tasks),
                                    .criteria = criteria,
                                    .criterion_count = WB_ARRAY_LENGTH(criteria)};
