/* SPDX-License-Identifier: MIT
 * Lesson 28: the product of two matrices through tiles in shared memory. Everything here is data:
 * to change sizes, targets or questions, change the tables. Every launch has the guard: it finds
 * each of the two barriers that is missing, in whatever order the warps come.
 */
#include <warpbook/grade.h>

enum { TILE = 32 };

/* The size of a case: x columns and y rows of c, z terms of each sum. */
static size_t count_a(struct wb_size size)
{
    return (size_t)size.y * size.z;
}

static size_t count_b(struct wb_size size)
{
    return (size_t)size.z * size.x;
}

static size_t count_c(struct wb_size size)
{
    return (size_t)size.y * size.x;
}

/* Whole numbers from 1 to 9, as floats: below 2 to the 24 every sum of their products is exact, in
 * any order, and a term that is left out or taken twice always shows. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    float *matrix = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        matrix[i] = (float)(1 + wb_random_next(random) % 9);
    }
}

static const struct wb_param params[] = {
    {.name = "a", .kind = WB_PARAM_IN, .type = WB_F32, .fill = fill, .count = count_a},
    {.name = "b", .kind = WB_PARAM_IN, .type = WB_F32, .fill = fill, .count = count_b},
    {WB_OUT("c", WB_F32), .count = count_c},
    {WB_HEIGHT("rows")},
    {WB_DEPTH("inner")},
    {WB_WIDTH("columns")},
};

static void oracle(struct wb_case *c)
{
    const size_t columns = c->size.x, rows = c->size.y, inner = c->size.z;
    const float *a = c->data[0], *b = c->data[1];
    float *product = c->data[2];

    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            double sum = 0;
            for (size_t k = 0; k < inner; k++) {
                sum += (double)a[row * inner + k] * b[k * columns + column];
            }
            product[row * columns + column] = (float)sum;
        }
    }
}

/* One block for each tile of c, at least one. */
static void one_block_a_tile(struct wb_device_case *launch, struct wb_size size)
{
    launch->grid.x = size.x ? (size.x + TILE - 1) / TILE : 1;
    launch->grid.y = size.y ? (size.y + TILE - 1) / TILE : 1;
    launch->grid.z = 1;
}

/* One element; no term at all; one tile; one more or less of it in each direction; thin ones. */
static const struct wb_size sizes[] = {
    {1, 1, 1},   {5, 3, 0},   {32, 32, 32}, {33, 31, 32}, {31, 33, 33},
    {40, 7, 65}, {7, 40, 31}, {70, 1, 100}, {1, 70, 50},  {97, 65, 41},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "matmul",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {104, 88, 72},
        .block = {TILE, 8, 1},
        .launch = one_block_a_tile,
        .oracle = oracle,
        .tolerance = "none: the sums are whole numbers below 2 to the 24",
    },
};

static const struct wb_question questions[] = {
    {"answer_reads", WB_I32, 104, 0,
     "Question 1: element (row, k) of a is a factor of which elements of c?"},
    {"answer_blocks", WB_I32, 4, 0, "Question 2: which blocks make elements of that row of c?"},
    {"answer_bytes", WB_I32, 8192, 0, "Question 3: there are two tiles. A float has 4 bytes."},
    {"answer_loads", WB_I32, 64, 0,
     "Question 4: count b's and a's apart. One load of a brings four terms of one row."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 30},
    {"sectors", "At most 8,000 sectors of global memory", WB_MAX_GLOBAL_SECTORS, 0, 8000, 25,
     "A block should read each element of its part of a and b once, and put it into shared memory "
     "for all of its threads."},
    {"conflicts", "Shared memory: no bank is asked twice", WB_MAX_SHARED_RATIO, 0, 1.05, 5,
     "Let the lanes of a warp read one row of a tile, or all of them the same element."},
    {"loads", "At most 30,000 loads from shared memory", WB_MAX_EXECUTED, 0, 30000, 15,
     "An element of b in a register can serve all four sums of a thread. Rows of 32 words, not 33, "
     "let the compiler fetch four elements of a at once.",
     "LDS LDSM", "loads from shared memory"},
    {"divergence", "No divergent branch", WB_MAX_DIVERGENT, 0, 0, 10},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "28-tiled-matmul",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
