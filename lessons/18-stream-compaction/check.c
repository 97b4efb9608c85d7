/* SPDX-License-Identifier: MIT
 * Lesson 18: a list without gaps. Many results are right, because warps come in any order, so
 * `accept` looks at the list: each rule is a function of its own. To change the lesson's sizes,
 * targets or questions, change the tables.
 */
#include <stdlib.h>

#include <warpbook/grade.h>

enum { THREADS = 256, ROUND = 32, PER_WARP = 128, PER_BLOCK = 1024, SPREAD = 8 };
enum { IN, KEPT, COUNT }; /* indices of the parameters */

/* The value tells where it came from: |in[i]| / 8 == i. Some warps keep all, some keep nothing. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    int *in = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        size_t warp = i / PER_WARP;
        uint64_t draw = wb_random_next(random);
        int magnitude = SPREAD * (int)i + 1 + (int)(draw % (SPREAD - 1));
        bool negative = warp % 5 != 1 && (warp % 7 == 3 || (draw >> 32) % 2 == 1);
        in[i] = negative ? -magnitude : magnitude;
    }
}

static size_t one(struct wb_size size)
{
    (void)size;
    return 1;
}

static const struct wb_param params[] = {
    {.name = "in", .kind = WB_PARAM_IN, .type = WB_I32, .fill = fill},
    {WB_INOUT("kept", WB_I32, 0, 0)},
    {WB_INOUT("count", WB_I32, 0, 0), .count = one},
    {WB_N("n")},
};

static void launch(struct wb_device_case *out, struct wb_size size)
{
    unsigned blocks = (size.x + PER_BLOCK - 1) / PER_BLOCK;

    out->grid = (struct wb_dim3){blocks ? blocks : 1, 1, 1};
    out->block = (struct wb_dim3){THREADS, 1, 1};
}

/* ---- what is right: false, a sentence and a next step --------------------------------------- */

static bool count_is_right(struct wb_objection *out, const struct wb_case *got)
{
    const int *in = got->data[IN], *count = got->data[COUNT];
    int right = 0;

    for (unsigned i = 0; i < got->size.x; i++) {
        right += in[i] >= 0;
    }
    if (*count != right) {
        wb_str_printf(&out->why, "count[0] is %d, but %d of the %u elements stay.", *count, right,
                      got->size.x);
        out->advice = "Add up what all warps keep, each element once; a thread without an element "
                      "keeps nothing.";
    }
    return *count == right;
}

/* Every slot below the count holds an element that stays, no two the same; the slots behind are as
 * before. There are as many slots as elements, so none is missing. slot_of[i]: where in[i] is. */
static bool slots_are_right(struct wb_objection *out, const struct wb_case *got, int *slot_of)
{
    const int *in = got->data[IN], *kept = got->data[KEPT], *count = got->data[COUNT];
    const int n = (int)got->size.x;

    for (int s = 0; s < n; s++) {
        const char *wrong = NULL;
        int i = kept[s] / SPREAD;
        if (s >= *count) {
            wrong = kept[s] == 0 ? NULL : "but the list ends before it";
        } else if (kept[s] <= 0 || i >= n || in[i] != kept[s]) {
            wrong = kept[s] == 0 ? "as before the launch: nobody wrote it"
                                 : "which is no element of `in` that stays";
        } else if (slot_of[i] >= 0) {
            wrong = "which stands in the list twice";
        } else {
            slot_of[i] = s;
        }
        if (wrong) {
            wb_str_printf(&out->why, "kept[%d] is %d, %s.", s, kept[s], wrong);
            out->advice = "Work out the slots of one warp by hand: the first that it drew, plus "
                          "the elements that stay before this one, in earlier rounds and in lower "
                          "lanes.";
            return false;
        }
    }
    return true;
}

/* The 32 elements of a warp's round stand side by side, in their order. */
static bool order_is_kept(struct wb_objection *out, const struct wb_case *got, const int *slot_of)
{
    int before = -1;

    for (int i = 0; i < (int)got->size.x; i++) {
        if (slot_of[i] < 0) {
            continue;
        }
        if (before >= 0 && before / ROUND == i / ROUND && slot_of[i] != slot_of[before] + 1) {
            wb_str_printf(
                &out->why,
                "in[%d] and in[%d] belong to one round of a warp, and nothing between them "
                "stays, but they stand in kept[%d] and kept[%d].",
                before, i, slot_of[before], slot_of[i]);
            out->advice = "Number the elements of a round from lane 0 up: an element's rank is the "
                          "number of lower lanes whose elements stay.";
            return false;
        }
        before = i;
    }
    return true;
}

static bool accept(struct wb_objection *out, const struct wb_case *got)
{
    int *slot_of = malloc((got->size.x + 1) * sizeof *slot_of);

    if (!slot_of) {
        wb_str_printf(&out->why, "There is no memory left to look at the result.");
        return false;
    }
    for (unsigned i = 0; i < got->size.x; i++) {
        slot_of[i] = -1;
    }
    bool right = count_is_right(out, got) && slots_are_right(out, got, slot_of) &&
                 order_is_kept(out, got, slot_of);
    free(slot_of);
    return right;
}

/* ---- the lesson ----------------------------------------------------------------------------- */

/* Nothing; around one round, one warp and one block; a prime; many blocks with a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},   {1, 1, 1},   {31, 1, 1},   {33, 1, 1},    {127, 1, 1},   {128, 1, 1},
    {129, 1, 1}, {997, 1, 1}, {1025, 1, 1}, {16384, 1, 1}, {50021, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "keep",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .launch = launch,
        .accept = accept,
    },
};

static const struct wb_question questions[] = {
    {"answer_rank", WB_I32, 3, 0,
     "Question 1: write the mask in binary, and count the ones to the right of bit 7."},
    {"answer_lower_lanes", WB_I32, 31, 0,
     "Question 2: set the bits of lanes 0 to 4 and read the number."},
    {"answer_additions", WB_I32, 784, 0,
     "Question 3: how many elements does a block take, how many blocks are that, and how many "
     "warps are in them?"},
    {"answer_whole_order", WB_I32, 0, 0,
     "Question 4: who decides which warp's addition comes first?"},
};

static const struct wb_criterion criteria[] = {
    {"correct", "The list is right, and each round keeps its order", WB_CORRECT, 0, 0, 45},
    {"atomics", "At most one atomic addition for each warp", WB_MAX_THREAD_EXECUTED, 0, 128, 30,
     "Count the elements of all four rounds first; then one lane adds for the whole warp.",
     "ATOM ATOMG ATOMS RED REDG", "atomic operations"},
    {"lanes", "At least 16 of 32 lanes are at work", WB_MIN_LANES, 0, 16, 15},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 10},
};

const struct wb_lesson wb_lesson = {
    .name = "18-stream-compaction",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
