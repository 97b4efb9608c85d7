/* SPDX-License-Identifier: MIT
 * Running the blocks of a cluster: turns of the warps, block and cluster barriers.
 */
#ifndef WB_SASS_BLOCK_H
#define WB_SASS_BLOCK_H

#include "warp.h"

/* Runs the cluster's blocks to their end, or until run->fault is set. */
void wb_cluster_run(struct wb_run *run, struct wb_cluster *cluster);

#endif
