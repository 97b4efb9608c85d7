/* SPDX-License-Identifier: MIT
 * Kernels that are launched as a host function of the same file says: `plan` of struct wb_task.
 */
#include "host.h"

#include <string.h>

static int task_of(const struct wb_lesson *lesson, const char *function)
{
    for (unsigned t = 0; t < lesson->task_count; t++) {
        if (lesson->tasks[t].function && strcmp(lesson->tasks[t].function, function) == 0) {
            return (int)t;
        }
    }
    return -1;
}

/* Grid and block stand in the table in this order. */
static void take_plan(struct wb_device_case *launch, const struct wb_task *planner,
                      const struct wb_device_case *planned)
{
    struct wb_dim3 *const to[] = {&launch->grid, &launch->block};
    size_t taken = 0;
    for (unsigned p = 0; p < planner->param_count && taken < WB_ARRAY_LENGTH(to); p++) {
        if (planner->params[p].count == wb_count_dim3) {
            const unsigned *xyz = wb_case_buffer(planned, planner, p)->data;
            *to[taken++] = (struct wb_dim3){xyz[0], xyz[1], xyz[2]};
        }
    }
}

static bool no_plan(struct wb_grader *g, unsigned index, enum wb_reason reason)
{
    static const char text[] = "Not run: what `%s` plans for `%s` is not right yet.";
    struct wb_task_state *state = &g->tasks[index];
    const struct wb_task *task = &g->lesson->tasks[index];
    state->reason = reason;
    state->message = wb_arena_printf(g->arena, text, task->plan, task->kernel);
    state->stopped = state->not_run = true;
    return false;
}

bool wb_grader_plan(bool *failed, struct wb_grader *g, unsigned index,
                    struct wb_device_case *launches, const struct wb_size *sizes, size_t count,
                    struct wb_status *status)
{
    const int planning = task_of(g->lesson, g->lesson->tasks[index].plan);
    struct wb_task_state *state = planning < 0 ? NULL : &g->tasks[planning];
    *failed = false;
    if (!state || state->reason != WB_REASON_NONE) {
        return no_plan(g, index, state ? state->reason : WB_REASON_CHECKER_ERROR);
    }
    const struct wb_task *planner = &g->lesson->tasks[planning];
    const struct wb_task_state kept = *state; /* the calls that were graded stay */
    struct wb_device_case *planned = wb_arena_alloc(g->arena, count * sizeof *planned);
    struct wb_device_result result;
    for (size_t i = 0; i < count; i++) {
        struct wb_case given;
        wb_case_make(&given, g->arena, g->lesson, (unsigned)planning, sizes[i], g->options->seed);
        wb_case_launch(&planned[i], g->arena, planner, &given);
    }
    *failed = !wb_grader_call(&result, g, (unsigned)planning, planned, count, status);
    *state = kept;
    if (*failed) {
        return false;
    }
    if (result.fault.kind != WB_REASON_NONE) {
        return no_plan(g, index, result.fault.kind);
    }
    for (size_t i = 0; i < count; i++) {
        take_plan(&launches[i], planner, &planned[i]);
    }
    return true;
}
