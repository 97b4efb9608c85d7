/* SPDX-License-Identifier: MIT
 * Lesson 02: one polynomial, evaluated by a kernel and by a host function with the same
 * parameters. size.x is the number of points, size.y that of coefficients.
 */
#include <warpbook/grade.h>

static size_t points(struct wb_size size)
{
    return size.x;
}

static size_t coefficients(struct wb_size size)
{
    return size.y;
}

static const struct wb_param params[] = {
    {WB_IN("x", WB_F32, -1, 1), .count = points},
    {WB_IN("c", WB_F32, -1, 1), .count = coefficients},
    {WB_OUT("y", WB_F32), .count = points},
    {WB_N("n")},
    {WB_HEIGHT("terms")},
};

/* In double, by powers: another way than the one the learner takes. */
static void oracle(struct wb_case *c)
{
    const float *x = c->data[0], *coefficient = c->data[1];
    float *y = c->data[2];

    for (size_t i = 0; i < c->count[2]; i++) {
        double sum = 0, power = 1;
        for (size_t k = 0; k < c->count[1]; k++) {
            sum += coefficient[k] * power;
            power *= x[i];
        }
        y[i] = (float)sum;
    }
}

/* The points make the grid; the coefficients do not. */
static void launch(struct wb_device_case *launch, struct wb_size size)
{
    launch->block = (struct wb_dim3){256, 1, 1};
    launch->grid = (struct wb_dim3){size.x / 256 + 1, 1, 1};
}

/* No point; one of each; around a warp and a block; a prime. */
static const struct wb_size sizes[] = {
    {0, 3, 1},  {1, 1, 1},   {5, 2, 1},   {31, 3, 1},   {32, 4, 1},
    {33, 8, 1}, {256, 5, 1}, {997, 1, 1}, {4099, 8, 1},
};

/* A product and a sum, each rounded, for up to 8 terms of at most 1: 2 * 8 * 2^-24 * 8. */
#define ABSOLUTE  0x1p-17
#define TOLERANCE "8 terms of at most 1, each product and sum rounded once"

static const struct wb_task tasks[] = {
    {
        .kernel = "evaluate",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .launch = launch,
        .oracle = oracle,
        .absolute = ABSOLUTE,
        .tolerance = TOLERANCE,
    },
    {
        .function = "evaluate_on_host",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .oracle = oracle,
        .absolute = ABSOLUTE,
        .tolerance = TOLERANCE,
    },
};

static const struct wb_question questions[] = {
    {"answer_instructions", WB_I32, 7, 0,
     "Question 1: the first coefficient needs no multiplication."},
    {"answer_legal_calls", WB_I32, 9, 0,
     "Question 2: a call needs a version of the function for the side that the caller runs on."},
    {"answer_two_roundings", WB_I32, 0, 0,
     "Question 3: write the exact product, then round it to a multiple of 2^-23. A tie goes to "
     "the even neighbour."},
    {"answer_one_rounding", WB_I32, 1, 0, "Question 4: now nothing is rounded before the sum."},
};

static const struct wb_criterion criteria[] = {
    {"kernel", "The kernel evaluates the polynomial", WB_CORRECT, 0, 0, 45},
    {"host", "The host function does so, too", WB_CORRECT, 1, 0, 35},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 20},
};

const struct wb_lesson wb_lesson = {
    .name = "02-function-qualifiers",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
