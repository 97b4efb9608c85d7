/* SPDX-License-Identifier: MIT
 * What the guard of the embedded device found in an attempt: races, values that nobody wrote,
 * barriers that not all reach. The values may be right all the same. A GPU has no guard: if it runs
 * the embedded device's machine code, the launches are run again there, so that the verdict does
 * not depend on the machine.
 */
#include "compare.h"
#include "grader.h"

#include <string.h>

enum {
    MOST = 4,           /* findings that are told of a task */
    GUARD_SECONDS = 20, /* of all launches, when the embedded device looks on for a GPU */
};

/* The first of several at one line is enough. */
static bool is_told(const struct wb_device_result *result, size_t i)
{
    const struct wb_guard_findings *all = &result->findings;
    if (all->items[i].kind == result->fault.kind && all->items[i].line == result->fault.line) {
        return true;
    }
    for (size_t k = 0; k < i; k++) {
        if (all->items[k].kind == all->items[i].kind && all->items[k].line == all->items[i].line) {
            return true;
        }
    }
    return false;
}

/* Read before it was written, because nothing says which comes first: the race is what to mend. */
static bool is_of_a_race(const struct wb_guard_findings *all, size_t i)
{
    const struct wb_guard_finding *f = &all->items[i];
    for (size_t k = 0; f->kind == WB_REASON_UNINITIALISED_READ && k < all->count; k++) {
        const struct wb_guard_finding *race = &all->items[k];
        if (race->kind == WB_REASON_RACE &&
            (race->line == f->line || race->other_line == f->line)) {
            return true;
        }
    }
    return false;
}

static void tell(struct wb_grader *g, unsigned index, const struct wb_guard_finding *f,
                 struct wb_size size)
{
    const struct wb_task *task = &g->lesson->tasks[index];
    struct wb_task_state *state = &g->tasks[index];
    const char *where = wb_size_text(g->arena, task, size);
    const char *times = f->count > 1 ? wb_arena_printf(g->arena, " (%s times in this launch)",
                                                       wb_count_text(g->arena, f->count))
                                     : "";
    const char *advice = wb_race_advice[f->race];
    wb_grader_find(g, f->kind, f->file ? f->file : g->options->attempt, f->line,
                   advice ? advice : wb_task_advice(task, f->kind), "At %s: %s%s.", where,
                   f->message, times);
    if (state->reason == WB_REASON_NONE) {
        state->reason = f->kind;
        state->message = wb_arena_printf(g->arena, "At %s: %s (line %u).", where,
                                         wb_task_reason(task, f->kind), f->line);
    }
}

/* Who writes an input also has a race with its readers: the first is what is wrong. */
void wb_grader_guard(struct wb_grader *g, unsigned index, const struct wb_device_result *result,
                     const struct wb_size *sizes)
{
    const struct wb_guard_findings *all = &result->findings;
    unsigned told = 0;
    for (int input = 1; input >= 0; input--) {
        for (size_t i = 0; i < all->count && told < MOST; i++) {
            bool now = (all->items[i].kind == WB_REASON_INPUT_MODIFIED) == input;
            if (now && !is_told(result, i) && !is_of_a_race(all, i)) {
                tell(g, index, &all->items[i], sizes[result->found_in]);
                told++;
            }
        }
    }
}

/* What stopped the embedded device, unless that is its own limit. */
static void tell_fault(const struct wb_again *again, const struct wb_fault *fault)
{
    size_t size = 0;
    while (size < again->count && again->launches[size].done) {
        size++;
    }
    bool own = fault->kind == WB_REASON_TIMEOUT || fault->kind == WB_REASON_UNSUPPORTED ||
               fault->kind == WB_REASON_CHECKER_ERROR || fault->kind == WB_REASON_LAUNCH_FAILED;
    if (fault->kind != WB_REASON_NONE && !own && size < again->count) {
        struct wb_guard_finding finding = {
            .kind = fault->kind, .file = fault->file, .line = fault->line};
        memcpy(finding.message, fault->message, sizeof finding.message);
        tell(again->grader, again->index, &finding, again->sizes[size]);
    }
}

void wb_grader_guard_gpu(struct wb_grader *g, unsigned index, struct wb_bytes cubin)
{
    const struct wb_device_info *info = g->options->info;
    struct wb_device_result result = {0};
    struct wb_status status = {WB_OK};
    struct wb_again again;
    struct wb_arena scratch;
    if (info->kind != WB_DEVICE_GPU || info->major != 9 || info->minor != 0) {
        return;
    }
    wb_arena_init(&scratch);
    wb_again_init(&again, g, index, cubin);
    again.device = &wb_device_sim;
    again.guard = true;
    again.time_limit = GUARD_SECONDS;
    if (wb_again_run(&result, &again, &scratch, &status)) { /* else the GPU judges alone */
        tell_fault(&again, &result.fault);
        wb_grader_guard(g, index, &result, again.sizes);
    }
    wb_arena_finish(&scratch);
}
