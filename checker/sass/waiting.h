/* SPDX-License-Identifier: MIT
 * Who is where in a launch that does not go on: the list in struct wb_fault.
 */
#ifndef WB_SASS_WAITING_H
#define WB_SASS_WAITING_H

#include "warp.h"

/* Fills the list with the threads of `cluster` and of those behind it in the list of residents if
 * `all`: those at a block barrier first, those that have ended last. */
void wb_waiting_collect(struct wb_fault *fault, const struct wb_run *run,
                        const struct wb_cluster *cluster, bool all);

/* "32 threads wait at faults.cu:52 for barrier 0 of their block" */
void wb_waiting_text(struct wb_str *out, const struct wb_waiting *place);

/* The instructions of the innermost loop around `pc`; false if it is in none. */
bool wb_loop_around(uint32_t *first, uint32_t *last, const struct wb_program *program, uint32_t pc);
/* The lines of instructions `first` to `last`, 0 if they are not known. */
void wb_loop_lines(unsigned *from, unsigned *to, const struct wb_kernel *kernel, uint32_t first,
                   uint32_t last);

/* The group stands at a block barrier, or at the WARPSYNC.ALL that ptxas puts in front of one. */
bool wb_waits_at_bar(const struct wb_run *run, const struct wb_group *group);

#endif
