/* SPDX-License-Identifier: MIT
 * Lesson 17: what 32 lanes think of 32 elements, by votes. Everything here is data: to change the
 * lesson's sizes, targets or questions, change the tables. The kernel is run in other orders of
 * warps and lanes as well (`schedules`).
 */
#include <warpbook/grade.h>

enum { LANES = 32 };

#define LIMIT 0.25

static size_t groups(struct wb_size size)
{
    return (size.x + LANES - 1) / LANES;
}

/* Groups in turn: all above the limit; none; some; some, one of them exactly at the limit. */
static void fill(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    static const double low[] = {0.26, -1, -1, -1}, high[] = {1, 0.24, 1, 1};
    float *in = data;

    (void)size;
    for (size_t i = 0; i < count; i++) {
        size_t kind = i / LANES % WB_ARRAY_LENGTH(low);
        in[i] = (float)wb_random_uniform(random, low[kind], high[kind]);
        if (kind == 3 && i % LANES == 5) {
            in[i] = (float)LIMIT;
        }
    }
}

static const struct wb_param params[] = {
    {.name = "in", .kind = WB_PARAM_IN, .type = WB_F32, .fill = fill},
    {WB_N("n")},
    {WB_VALUE("limit", WB_F32, LIMIT)},
    {WB_OUT("over", WB_I32), .count = groups},
    {WB_OUT("first", WB_I32), .count = groups},
    {WB_OUT("state", WB_I32), .count = groups},
};

static void oracle(struct wb_case *c)
{
    const float *in = c->data[0];
    int *over = c->data[3], *first = c->data[4], *state = c->data[5];

    for (size_t group = 0; group < c->count[3]; group++) {
        int present = 0;
        over[group] = 0;
        first[group] = -1;
        for (size_t i = group * LANES; i < c->count[0] && i < (group + 1) * LANES; i++) {
            if (in[i] > LIMIT && over[group]++ == 0) {
                first[group] = (int)(i % LANES);
            }
            present++;
        }
        state[group] = over[group] == 0 ? 0 : (over[group] == present ? 2 : 1);
    }
}

/* Nothing; around one group; ends in groups of every kind; a prime; many blocks, a ragged end. */
static const struct wb_size sizes[] = {
    {0, 1, 1},   {1, 1, 1},   {31, 1, 1},  {32, 1, 1},    {33, 1, 1},    {70, 1, 1},
    {129, 1, 1}, {256, 1, 1}, {997, 1, 1}, {16384, 1, 1}, {30011, 1, 1},
};

static const struct wb_task tasks[] = {
    {
        .kernel = "survey",
        .params = params,
        .param_count = WB_ARRAY_LENGTH(params),
        .sizes = sizes,
        .size_count = WB_ARRAY_LENGTH(sizes),
        .measured = {16384, 1, 1},
        .block = {256, 1, 1},
        .oracle = oracle,
        .tolerance = "these are integers",
        .schedules = true,
    },
};

static const struct wb_question questions[] = {
    {"answer_ballot", WB_I32, 25, 0, "Question 1: lane k is the bit worth 2^k."},
    {"answer_first", WB_I32, 6, 0,
     "Question 2: write 0xa40 in binary; the lowest bit is lane 0, and places count from 0."},
    {"answer_missing", WB_I32, 24, 0, "Question 3: how many elements has the last group?"},
    {"answer_rank", WB_I32, 1, 0, "Question 4: only the lanes with a smaller number count."},
};

static const struct wb_criterion criteria[] = {
    {"correct", "Every report is right", WB_CORRECT, 0, 0, 45},
    {"votes", "Each warp votes", WB_MIN_EXECUTED, 0, 512, 15, .opcodes = "VOTE VOTEU",
     .counted = "votes",
     .advice = "Ask all 32 lanes at once: __ballot_sync, __any_sync or __all_sync."},
    {"work", "At most 36,000 warp instructions", WB_MAX_EXECUTED, 0, 36000, 25,
     .advice = "Let each lane look at one element, and let one vote collect the answers."},
    {"answers", "The questions are answered", WB_ANSWERS, 0, 0, 15},
};

const struct wb_lesson wb_lesson = {
    .name = "17-vote",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .questions = questions,
    .question_count = WB_ARRAY_LENGTH(questions),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};
