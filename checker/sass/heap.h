/* SPDX-License-Identifier: MIT
 * The heap of malloc, free, new and delete in kernels. It lives as long as the device; what one
 * launch allocates the next may use and free.
 */
#ifndef WB_SASS_HEAP_H
#define WB_SASS_HEAP_H

#include "warp.h"

#define WB_HEAP_FIRST UINT64_C(0x400000000000) /* address */

/* A piece of the heap that is free. */
struct wb_heap_piece {
    uint64_t at, size; /* bytes; from the start of the heap */
};

struct wb_heap {
    uint64_t size;              /* bytes, 0: the default */
    uint8_t *host;              /* NULL before the first malloc */
    struct wb_heap_piece *free; /* by `at`; no two touch */
    size_t count, capacity;
};

void wb_heap_finish(struct wb_heap *heap);

/* Address of `size` bytes, a multiple of 16, known to messages as memory from malloc; 0 if there is
 * no room, and for 0 bytes. */
uint64_t wb_heap_allocate(struct wb_sim *sim, uint64_t size, bool guarded);

/* Gives the memory at an address back; NULL, or why that is not possible. */
const char *wb_heap_release(struct wb_run *run, uint64_t address);

#endif
