/* SPDX-License-Identifier: MIT
 * Does a warp only repeat itself? A warp that is in a loop, and whose registers are the same after
 * a turn of it, waits for memory to be changed by somebody else: it spins.
 */
#ifndef WB_SASS_SPIN_H
#define WB_SASS_SPIN_H

#include "warp.h"

/* Runs at most `budget` instructions of a ready warp, one by one, until it is seen to spin
 * (warp->spins) or until a loop would have shown; returns how many. */
uint64_t wb_spin_look(struct wb_warp *warp, uint64_t budget);

/* Frees what wb_spin_look keeps with a cluster. */
void wb_spin_forget(struct wb_cluster *cluster);

#endif
