/* SPDX-License-Identifier: MIT
 * freed: what was freed lately and where, so that a later use of it can be told. Needs the lock.
 */
#ifndef WB_CUDART_FREED_H
#define WB_CUDART_FREED_H

#include "heap.h"
#include "place.h"

struct wb_freed {
    uint64_t address;
    size_t size;                  /* bytes */
    const char *name;             /* of the allocation */
    const struct wb_place *place; /* of the call that freed it; NULL if places are not wanted */
};

/* The call in flight frees it. */
void wb_freed_add(const struct wb_allocation *allocation);
/* The last that held the address, NULL if there was none; call it for what is not there now. */
const struct wb_freed *wb_freed_find(uint64_t address);
/* " at main.cu:12", or "" where that is not known. */
const char *wb_freed_where(char *text, size_t size, const struct wb_freed *freed);

#endif
