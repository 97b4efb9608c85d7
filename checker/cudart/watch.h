/* SPDX-License-Identifier: MIT
 * watch: a kernel that runs for long under `warpbook exec` is told of while it runs, and a signal
 * that would end the program (Ctrl-C) ends the kernel first, so that there is something to report.
 * WARPBOOK_WATCH is the CPU time in seconds after which it is told; without it nothing is done.
 * One launch at a time: needs the lock of enter.h, but for wb_watch_go_on.
 */
#ifndef WB_CUDART_WATCH_H
#define WB_CUDART_WATCH_H

#include "place.h"

#include <stdbool.h>
#include <stdint.h>

/* WARPBOOK_WATCH is set. Safe in a signal handler. */
bool wb_watch_wanted(void);
/* A launch of the kernel with this mangled name begins. */
void wb_watch_begin(const char *kernel, const struct wb_place *place);
/* As in struct wb_sim_launch; any thread. */
bool wb_watch_go_on(void *context, uint64_t steps);
/* It is over. Warp instructions so far if a signal ended it, which wb_watch_die then repeats; else
 * 0. */
uint64_t wb_watch_end(void);
void wb_watch_die(void);

#endif
