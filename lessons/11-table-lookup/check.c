/* SPDX-License-Identifier: MIT
 * Lesson 11: eight formulas by a switch, or by a table of coefficients. Everything here is data: to
 * change sizes, targets or questions, change the tables.
 */
#include <warpbook/grade.h>

enum { KINDS = 8, COEFFICIENTS = 5 };

static const struct wb_param params[] = {
    {WB_IN("kind", WB_I32, 0, KINDS - 1)},
    {WB_IN("in", WB_F32, -1.5, 1.5)},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    static const double coefficients[KINDS][COEFFICIENTS] = {
        {0, 1},         {32, 1.8},        {2, -3, 1},
        {-1, 3, -3, 1}, {1, 0, -2, 0, 1}, {1, 1, 0.5, 0.125, 0.03125},
        {0, -3, 0, 4},  {1, 0, -8, 0, 8},
    };
    const int *kind = c->data[0];
    const float *in = c->data[1];
    float *out = c->data[2];

    for (size_t i = 0; i < c->count[2]; i++) {
        double y = 0;
        for (int k = COEFFICIENTS - 1; k >= 0; k--) {
            y = y * in[i] + coefficients[kind[i]][k];
        }
        out[i] = (float)y;
    }
}

/* Nothing; around one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {65, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {70001, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "convert",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .absolute = 0x1p-14,
        .tolerance = "some ten operations with values of at most 64, each rounded once",
    },
};

static const struct wb_question questions[] = {
    {"answer_ways", WB_I32, 8, 0,
     "Question 1: into how many groups can a switch with 8 cases split?"},
    {"answer_issues", WB_I32, 48, 0,
     "Question 2: whoever is not in a case waits while the warp passes it. All 8 are passed."},
    {"answer_lanes", WB_F32, 4, 0.01, "Question 3: 32 lanes, spread evenly over 8 cases."},
    {"answer_bytes", WB_I32, 160, 0, "Question 4: rows times coefficients times 4."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"divergence", "No branch splits a warp", WB_MAX_DIVERGENT, 0, 0, 25,
     "Let all lanes do the same arithmetic, with coefficients that they look up."},
    {"lanes", "At least 30 of 32 lanes are at work", WB_MIN_LANES, 0, 30, 10},
    {"budget", "At most 20,000 warp instructions", WB_MAX_EXECUTED, 0, 20000, 10,
     "Write the table outside of the kernel, where it is filled once: an array in the kernel is "
     "filled by every thread."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "11-table-lookup",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
