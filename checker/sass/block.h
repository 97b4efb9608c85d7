/* SPDX-License-Identifier: MIT
 * Running the blocks of a cluster: turns of the warps, block and cluster barriers.
 */
#ifndef WB_SASS_BLOCK_H
#define WB_SASS_BLOCK_H

#include "warp.h"

enum wb_cluster_end {
    WB_CLUSTER_ENDED, /* all threads have ended, or run->fault is set */
    WB_CLUSTER_SPINS, /* it only polls memory: other blocks should run */
};

/* Runs the cluster's blocks to their end, until run->fault is set, or until they spin. */
enum wb_cluster_end wb_cluster_run(struct wb_run *run, struct wb_cluster *cluster);

/* Has any thread of the cluster not ended? */
bool wb_cluster_is_alive(const struct wb_cluster *cluster);
/* At so many looks in a row the cluster's warps have spun in exactly the same way. */
unsigned wb_cluster_steady(const struct wb_cluster *cluster);

#endif
