/* SPDX-License-Identifier: MIT
 * Clusters on several host threads.
 */
#ifndef WB_SASS_PARALLEL_H
#define WB_SASS_PARALLEL_H

#include "warp.h"

/* Runs clusters *next to `count` - 1, of about `steps` warp instructions each, 0: not known, on
 * host threads; *next becomes the first that has not begun, if there was a fault or a cluster
 * spins. That one is *spinning, else NULL; it comes from malloc and belongs to the caller. False:
 * nothing has happened, they are to be run in order. */
bool wb_parallel_run(struct wb_cluster **spinning, uint64_t *next, struct wb_run *run,
                     uint64_t count, uint64_t steps);

#endif
