/* SPDX-License-Identifier: MIT
 * What an H200 holds at once.
 */
#ifndef WB_SASS_OCCUPANCY_H
#define WB_SASS_OCCUPANCY_H

#include <warpbook/sass.h>

enum { WB_SM_COUNT = 132 };

/* Blocks that the whole device holds at once. */
uint64_t wb_resident_blocks(const struct wb_kernel *kernel, unsigned threads,
                            unsigned dynamic_shared);

#endif
