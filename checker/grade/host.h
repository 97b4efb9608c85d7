/* SPDX-License-Identifier: MIT
 * host: tasks that are host functions. host_call.c calls the function at every size, as
 * correctness.c would launch a kernel; host_trials.c calls it once more for each failure, and with
 * launches dropped, and decides the criteria that are about that.
 */
#ifndef WARPBOOK_GRADE_HOST_H
#define WARPBOOK_GRADE_HOST_H

#include "cases.h"
#include "grader.h"

#include <warpbook/host.h>

/* Calls the function on all cases. Looks like a job of a device: *out has what stopped the first
 * case that is not done. What each call asked of the CUDA runtime is kept in g->tasks[index].calls.
 * False if we failed, with a status. */
bool wb_grader_call(struct wb_device_result *out, struct wb_grader *g, unsigned index,
                    struct wb_device_case *cases, size_t count, struct wb_status *status);

/* Lets the task's `plan` set grid and block of launches at these sizes. False: there is none, and
 * the task's state says so; or (*failed) we failed, with a status. */
bool wb_grader_plan(bool *failed, struct wb_grader *g, unsigned index,
                    struct wb_device_case *launches, const struct wb_size *sizes, size_t count,
                    struct wb_status *status);

/* The call of a task, to be changed by trials. */
struct wb_host_call wb_task_call(const struct wb_task *task, struct wb_device_case *arguments);
/* The first finding of the run log that says what stopped the call; NULL: there is none. Leaks and
 * unchecked errors are criteria of their own, and a wrong kind of a copy is seen by what it does.
 */
const struct wb_run_finding *wb_call_finding(const struct wb_host_result *result);
/* "my.cu:12", without folders; what the log says where it knows no file. */
const char *wb_call_place_text(struct wb_arena *arena, const struct wb_run_place *place);
/* The first call that failed, as a sentence, or "": " cudaMalloc at my.cu:12 returned 2
 * (cudaErrorMemoryAllocation)." */
const char *wb_call_failure(struct wb_arena *arena, const struct wb_host_result *result);
/* The status row's place in the table, or -1. */
int wb_task_status(const struct wb_task *task);

/* Trials for the criteria that the lesson has; the task is right. False: verdict ERROR. */
bool wb_grader_trials(struct wb_grader *g, unsigned index);

#endif
