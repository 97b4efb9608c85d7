/* SPDX-License-Identifier: MIT
 * Running the launches of a task once more, on inputs made anew: in another order, or on another
 * device.
 */
#include "grader.h"
#include "host.h"

enum { TIME_LIMIT = 60 }; /* seconds, of all launches */

void wb_again_init(struct wb_again *again, struct wb_grader *g, unsigned index,
                   struct wb_bytes cubin)
{
    *again = (struct wb_again){
        .grader = g, .index = index, .task = &g->lesson->tasks[index], .cubin = cubin};
    again->device = g->options->device;
    again->time_limit = TIME_LIMIT;
    again->sizes = wb_task_sizes(&again->count, g->arena, again->task);
}

bool wb_again_run(struct wb_device_result *result, struct wb_again *again, struct wb_arena *scratch,
                  struct wb_status *status)
{
    struct wb_grader *g = again->grader;
    again->launches = wb_arena_alloc(scratch, again->count * sizeof *again->launches);
    for (size_t i = 0; i < again->count; i++) {
        struct wb_case given;
        wb_case_make(&given, scratch, g->lesson, again->index, again->sizes[i], g->options->seed);
        wb_case_launch(&again->launches[i], scratch, again->task, &given);
    }
    bool failed = false;
    bool planned = !again->task->plan || wb_grader_plan(&failed, g, again->index, again->launches,
                                                        again->sizes, again->count, status);
    struct wb_device_job job = {
        .cubin = again->cubin.data,
        .cubin_size = again->cubin.size,
        .kernel = again->task->kernel,
        .cases = again->launches,
        .case_count = again->count,
        .time_limit = again->time_limit,
        .schedule = again->schedule,
        .schedule_seed = again->seed,
        .guard = again->guard,
        .toolkit_root = g->options->toolchain ? g->options->toolchain->root : NULL,
    };
    return planned && again->device->run(result, g->arena, &job, status);
}
