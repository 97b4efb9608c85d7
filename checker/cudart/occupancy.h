/* SPDX-License-Identifier: MIT
 * occupancy: how many blocks of a kernel an sm_90 multiprocessor holds at once, beside the rule for
 * warps and registers (wb_sim_blocks_per_sm) also what the program set: how shared memory is
 * divided from L1, and how much of it the kernel may be given. Arithmetic only. A test compares it
 * with the toolkit's cuda_occupancy.h.
 */
#ifndef WB_CUDART_OCCUPANCY_H
#define WB_CUDART_OCCUPANCY_H

#include <warpbook/sass.h>

struct wb_occupancy {
    const struct wb_kernel *kernel;
    size_t dynamic_limit; /* bytes of dynamic shared memory that the kernel may be given */
    int carveout;         /* percent of the largest shared memory that is wanted; -1: all */
};

/* Blocks of `threads` threads that fit into a multiprocessor; 0 if not even one does. */
unsigned wb_occupancy_blocks(const struct wb_occupancy *o, unsigned threads, size_t dynamic_shared);
/* Bytes of dynamic shared memory that each of `blocks` blocks on a multiprocessor can have; false
 * if so many blocks do not fit even without any. */
bool wb_occupancy_available(size_t *dynamic_shared, const struct wb_occupancy *o, unsigned blocks,
                            unsigned threads);
/* Threads of the largest block that fits by its registers and the kernel's bounds. */
unsigned wb_occupancy_max_threads(const struct wb_kernel *kernel);
/* Clusters of `cluster_size` blocks that the whole device holds. */
unsigned wb_occupancy_clusters(const struct wb_occupancy *o, unsigned threads,
                               size_t dynamic_shared, unsigned cluster_size);

#endif
