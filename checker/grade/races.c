/* SPDX-License-Identifier: MIT
 * A task whose values are right may be right by luck: two threads touch one place, and the order in
 * which the device happens to run them is the good one. So the launches of a task with `schedules`
 * are run again in other orders on the embedded device, and simply again on a GPU, where nobody
 * knows what the order was. What is wrong then is a race.
 */
#include "compare.h"
#include "grader.h"

#include <string.h>

/* One more run of all launches. */
struct trial {
    enum wb_schedule schedule;
    uint64_t seed;
    const char *again; /* completes "when it runs ..." for one in the same order */
    const char *advice;
};

#define SYNCTHREADS                                                                                \
    "Put `__syncthreads()` between the line that writes shared memory and the line that reads "    \
    "what another thread wrote, and one more before the place is used again."
#define SYNCWARP                                                                                   \
    "Put `__syncwarp()` between the line that writes and the line where another lane of the warp " \
    "reads: lanes need not run in step."

static const struct trial orders[] = {
    {WB_SCHEDULE_REVERSE, 0, NULL, SYNCTHREADS},
    {WB_SCHEDULE_LANES, 0, NULL, SYNCWARP},
    {WB_SCHEDULE_SPLIT, 0, NULL, SYNCWARP},
    {WB_SCHEDULE_RANDOM, 1, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 2, NULL, SYNCTHREADS},
    /* from here on only in a thorough check */
    {WB_SCHEDULE_RANDOM, 3, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 4, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 5, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 6, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 7, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 8, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 9, NULL, SYNCTHREADS},
    {WB_SCHEDULE_RANDOM, 10, NULL, SYNCTHREADS},
};
enum { FEW = 5 };

static const struct trial repeats[] = {
    {.again = "a second time", .advice = SYNCTHREADS},
    {.again = "a third time", .advice = SYNCTHREADS},
    {.again = "a fourth time", .advice = SYNCTHREADS},
};

/* Completes "when it runs ...". */
static const char *order_of(struct wb_arena *arena, const struct trial *trial)
{
    const char *words = wb_schedule_words[trial->schedule];
    if (trial->again) {
        return trial->again;
    }
    return trial->seed ? wb_arena_printf(arena, "with %s (seed %u)", words, (unsigned)trial->seed)
                       : wb_arena_printf(arena, "with %s", words);
}

/* ---- judging ------------------------------------------------------------------------------ */

static void check_case(struct wb_check *check, struct wb_again *again, size_t i,
                       struct wb_arena *scratch)
{
    struct wb_grader *g = again->grader;
    struct wb_ran ran = {.task = again->task, .launch = &again->launches[i]};
    uint64_t seed = g->options->seed;
    wb_case_make(&ran.given, scratch, g->lesson, again->index, again->sizes[i], seed);
    wb_case_make(&ran.right, scratch, g->lesson, again->index, again->sizes[i], seed);
    if (again->task->oracle) {
        again->task->oracle(&ran.right);
    }
    wb_check_case(check, g->arena, &ran);
}

/* Another order makes a kernel slow here, which is no fault of it. */
static bool tells_something(enum wb_reason fault)
{
    return fault != WB_REASON_NONE && fault != WB_REASON_TIMEOUT;
}

static bool is_ours(enum wb_reason fault)
{
    return fault == WB_REASON_UNSUPPORTED || fault == WB_REASON_CHECKER_ERROR;
}

static void report(struct wb_again *again, const struct trial *trial, size_t i, const char *what,
                   const char *file, unsigned line)
{
    struct wb_grader *g = again->grader;
    struct wb_task_state *state = &g->tasks[again->index];
    const char *name = wb_task_name(again->task), *order = order_of(g->arena, trial);
    wb_grader_find(g, WB_REASON_RACE, file, line, trial->advice,
                   "`%s` gives right values, but not when it runs %s.\n%s\nTwo threads touch the "
                   "same memory without a barrier or `__syncwarp()` between them; which of them "
                   "comes first is not promised.",
                   name, order, what);
    state->reason = WB_REASON_RACE;
    state->message =
        wb_arena_printf(g->arena, "Right at all sizes, but not when it runs %s: first at %s.",
                        order, wb_size_text(g->arena, again->task, again->sizes[i]));
}

/* True if the trial shows a race. */
static bool judge(struct wb_again *again, const struct trial *trial, const struct wb_fault *fault,
                  struct wb_arena *scratch)
{
    struct wb_grader *g = again->grader;
    size_t i = 0;
    for (; i < again->count && again->launches[i].done; i++) {
        struct wb_check check;
        check_case(&check, again, i, scratch);
        if (check.reason != WB_REASON_NONE) {
            report(again, trial, i, check.message, g->options->attempt, 0);
            return true;
        }
    }
    if (i == again->count || !tells_something(fault->kind)) {
        return false;
    }
    bool whole = wb_ends_with(fault->message, ".") || wb_ends_with(fault->message, "?");
    const char *what = wb_arena_printf(g->arena, "At %s it was stopped: %s%s",
                                       wb_size_text(g->arena, again->task, again->sizes[i]),
                                       fault->message, whole ? "" : ".");
    report(again, trial, i, what, fault->file ? fault->file : g->options->attempt, fault->line);
    return true;
}

bool wb_grader_races(struct wb_grader *g, unsigned index, struct wb_bytes cubin)
{
    bool on_gpu = g->options->info->kind == WB_DEVICE_GPU;
    const struct trial *trials = on_gpu ? repeats : orders;
    size_t count = on_gpu                 ? WB_ARRAY_LENGTH(repeats)
                   : g->options->thorough ? WB_ARRAY_LENGTH(orders)
                                          : FEW;
    struct wb_again again;
    wb_again_init(&again, g, index, cubin);
    bool ok = true, race = false;
    for (size_t i = 0; ok && !race && i < count; i++) {
        struct wb_device_result result = {0};
        struct wb_arena scratch;
        wb_arena_init(&scratch);
        again.schedule = trials[i].schedule;
        again.seed = trials[i].seed;
        struct wb_status status = {WB_OK};
        ok = wb_again_run(&result, &again, &scratch, &status) ||
             wb_grader_error(g, WB_REASON_CHECKER_ERROR, "%s", status.message);
        if (ok && is_ours(result.fault.kind)) {
            ok = wb_grader_error(g, result.fault.kind, "%s", result.fault.message);
        }
        race = ok && judge(&again, &trials[i], &result.fault, &scratch);
        wb_arena_finish(&scratch);
    }
    return ok;
}
