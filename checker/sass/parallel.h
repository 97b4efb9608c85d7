/* SPDX-License-Identifier: MIT
 * Blocks on several host threads.
 */
#ifndef WB_SASS_PARALLEL_H
#define WB_SASS_PARALLEL_H

#include "warp.h"

/* Tries to run clusters `first` to `count` - 1, of about `steps` warp instructions each, on host
 * threads. False: nothing has happened, they are to be run in order. */
bool wb_parallel_run(struct wb_run *run, uint64_t first, uint64_t count, uint64_t steps);

#endif
