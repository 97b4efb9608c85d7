/* SPDX-License-Identifier: MIT
 * pool: memory pools and stream-ordered allocation. A pool counts what was taken from it; the
 * memory itself is the heap's (heap.h). Needs the lock.
 */
#ifndef WB_CUDART_POOL_H
#define WB_CUDART_POOL_H

#include "heap.h"

/* An allocation is about to be freed, by cudaFree or cudaFreeAsync: its pool counts it. Does
 * nothing if it is of no pool. */
void wb_pool_freed(const struct wb_allocation *allocation);
/* cudaDeviceReset: only the default pool is left, empty. */
void wb_pools_reset(void);

#endif
