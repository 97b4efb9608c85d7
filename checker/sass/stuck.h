/* SPDX-License-Identifier: MIT
 * Launches that do not go on: what is said about them, and where everybody is.
 */
#ifndef WB_SASS_STUCK_H
#define WB_SASS_STUCK_H

#include "warp.h"

/* No warp of the cluster can run: its threads wait for each other. */
void wb_stuck_raise(struct wb_run *run, const struct wb_cluster *cluster);
/* All warps of all resident clusters only repeat themselves (spin.h), and will for ever; so many
 * blocks wait for their room. Nothing is raised for a loop that is no lock and no grid barrier if
 * the step limit will end it, as a loop that is too long. */
void wb_stuck_raise_spin(struct wb_run *run, uint64_t not_begun);
/* The step limit is reached. `before` holds the counters as they were a slice ago. */
void wb_stuck_raise_timeout(struct wb_run *run, struct wb_warp *warp,
                            const struct wb_tally *before);

#endif
