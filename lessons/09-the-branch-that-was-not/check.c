/* SPDX-License-Identifier: MIT
 * Lesson 09: two short sides that the compiler puts under predicates. No branch is there to be
 * counted: busy lanes and executed instructions tell. To change sizes, targets or questions, change
 * the tables.
 */
#include <math.h>

#include <warpbook/grade.h>

static const struct wb_param params[] = {
    {WB_IN("in", WB_F32, -1, 1)},
    {WB_OUT("out", WB_F32)},
    {WB_N("n")},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    float *out = c->data[1];

    for (size_t i = 0; i < c->count[1]; i++) {
        double x = in[i], y = x;
        if (i % 2 == 0) {
            for (int step = 0; step < 4; step++) {
                y = y * y - 0.75;
            }
        } else {
            for (int step = 1; step <= 4; step++) {
                y = y * x + ldexp(1, -step);
            }
        }
        out[i] = (float)y;
    }
}

/* Nothing; around one warp, two warps and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},  {1, 1, 1},  {2, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},
    {64, 1, 1}, {65, 1, 1}, {257, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {100003, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "orbit",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .remapped = true,
        .absolute = 0x1p-20,
        .tolerance = "4 steps with values of at most 2, each rounded once or twice",
    },
};

static const struct wb_question questions[] = {
    {"answer_a", WB_I32, 0, 0,
     "Question 1: which instructions of A can change where a warp goes on?"},
    {"answer_b", WB_I32, 0, 0, "Question 1: is @P0 EXIT a branch?"},
    {"answer_c", WB_I32, 1, 0, "Question 1: how does C get from the end of the loop to its begin?"},
    {"answer_d", WB_I32, 1, 0, "Question 1: a function is too long for predicates. What is left?"},
    {"answer_lanes", WB_F32, 20, 0.01,
     "Question 2: 24 instructions. Add up the lanes at work in each, and divide."},
    {"answer_off", WB_I32, 4, 0,
     "Question 3: does an instruction that no lane wants disappear, if it has a predicate?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"lanes", "At least 29 of 32 lanes are at work", WB_MIN_LANES, 0, 29, 25,
     "Both sides are under predicates here: give every thread an even and an odd element."},
    {"budget", "At most 12,500 warp instructions", WB_MAX_EXECUTED, 0, 12500, 15,
     "Every warp passes the instructions of both sides, and of both guards: give it elements for "
     "both sides, and let a thread without an element return at once."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "09-the-branch-that-was-not",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
