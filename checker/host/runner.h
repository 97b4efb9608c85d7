/* SPDX-License-Identifier: MIT
 * runner: the parts of host-runner. runner.c is its main program, runner_call.c makes the call,
 * runner_signal.c tells of crashes.
 */
#ifndef WB_HOST_RUNNER_H
#define WB_HOST_RUNNER_H

#include "plan.h"

void runner_tell(const struct wb_runner_event *event);
/* From here on a crash is told before the process dies of it; `memory` is that of the plan. */
void runner_catch_signals(const uint8_t *memory);
/* Calls the function as the plan says; *value is what it returned. */
bool runner_call(uint64_t *value, const struct wb_plan *plan, uint8_t *memory, void *function);

#endif
