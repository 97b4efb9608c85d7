/* SPDX-License-Identifier: MIT
 * All blocks of a launch, in order or on several host threads.
 */
#ifndef WB_SASS_GRID_H
#define WB_SASS_GRID_H

#include "warp.h"

/* Runs the whole grid; false if there is not enough memory for a block. */
bool wb_grid_run(struct wb_run *run);

/* ---- for parallel.c -------------------------------------------------------------------------- */

/* Memory for one cluster, which is used for one after the other. */
bool wb_cluster_create(struct wb_cluster *cluster, struct wb_run *run);
void wb_cluster_destroy(struct wb_cluster *cluster);
/* Starts and runs cluster `number` alone; false if it waits for others (it spins). */
bool wb_grid_run_cluster(struct wb_run *run, struct wb_cluster *cluster, uint64_t number);

#endif
