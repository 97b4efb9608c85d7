/* SPDX-License-Identifier: MIT
 * Claims: which block uses which piece of global memory while blocks run on several host threads.
 * A piece is 16 bytes, so an aligned access lies in one. Many blocks may read a piece, or one block
 * may read and write it; anything else is a conflict, and the launch is undone and run again in
 * order (parallel.c). The claim comes before the access, so two threads never touch a piece of
 * which one writes: there are no data races, whatever the kernel does.
 */
#ifndef WB_SASS_CLAIMS_H
#define WB_SASS_CLAIMS_H

#include "memory.h"

#include <stdatomic.h>

enum { WB_PIECE = 16 };

/* Bytes of pieces as they were before their first write. */
struct wb_undo {
    struct wb_undo_piece *pieces;
    size_t count, capacity;
};

/* The state of a region's pieces, all unclaimed; NULL if there is no memory for it. */
atomic_uint_least32_t *wb_claims_create(uint64_t region_size);

/* Claims bytes [offset, offset + bytes) of a region for block `owner` (1 and up); false for a
 * conflict, or if there is no memory for the undo list. */
bool wb_claim(const struct wb_region_cache *region, struct wb_undo *undo, uint32_t owner,
              uint64_t offset, unsigned bytes, bool write);

/* Writes the old bytes back. */
void wb_undo_apply(const struct wb_undo *undo);
void wb_undo_finish(struct wb_undo *undo);

#endif
