/* SPDX-License-Identifier: MIT
 * Claiming pieces of memory. The state of a piece is 0, the owner with a bit for writing, or
 * READ_BY_MANY. No order of memory is asked for: a piece that one thread writes is not touched by
 * another one until the threads have ended.
 */
#include "claims.h"

#include <stdlib.h>
#include <string.h>

#define READ_BY_MANY UINT32_MAX

static uint32_t read_by(uint32_t owner)
{
    return owner << 1;
}

static uint32_t written_by(uint32_t owner)
{
    return owner << 1 | 1;
}

struct wb_undo_piece {
    uint8_t *host;
    uint8_t size; /* less than WB_PIECE at the end of a region */
    uint8_t bytes[WB_PIECE];
};

atomic_uint_least32_t *wb_claims_create(uint64_t region_size)
{
    return calloc(region_size / WB_PIECE + 1, sizeof(atomic_uint_least32_t));
}

static bool save(struct wb_undo *undo, uint8_t *host, uint64_t size)
{
    if (undo->count == undo->capacity) {
        size_t capacity = undo->capacity ? undo->capacity * 2 : 256;
        struct wb_undo_piece *grown = realloc(undo->pieces, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        undo->pieces = grown;
        undo->capacity = capacity;
    }
    struct wb_undo_piece *piece = &undo->pieces[undo->count++];
    piece->host = host;
    piece->size = (uint8_t)(size < WB_PIECE ? size : WB_PIECE);
    memcpy(piece->bytes, host, piece->size);
    return true;
}

/* What the state becomes; 0 for a conflict. */
static uint32_t next_state(uint32_t state, uint32_t owner, bool write)
{
    if (state == written_by(owner)) {
        return state;
    }
    if (write) {
        return state == 0 || state == read_by(owner) ? written_by(owner) : 0;
    }
    if (state == 0 || state == read_by(owner)) {
        return read_by(owner);
    }
    return state == READ_BY_MANY || !(state & 1) ? READ_BY_MANY : 0;
}

bool wb_claim(const struct wb_region_cache *region, struct wb_undo *undo, uint32_t owner,
              uint64_t offset, unsigned bytes, bool write)
{
    for (uint64_t p = offset / WB_PIECE; p <= (offset + bytes - 1) / WB_PIECE; p++) {
        uint32_t state = atomic_load_explicit(&region->claims[p], memory_order_relaxed), next;
        do {
            next = next_state(state, owner, write);
            if (next == 0) {
                return false;
            }
        } while (next != state && !atomic_compare_exchange_weak_explicit(&region->claims[p], &state,
                                                                         next, memory_order_relaxed,
                                                                         memory_order_relaxed));
        bool first_write = write && state != next;
        if (first_write && !save(undo, region->host + p * WB_PIECE, region->size - p * WB_PIECE)) {
            return false;
        }
    }
    return true;
}

void wb_undo_apply(const struct wb_undo *undo)
{
    for (size_t i = 0; i < undo->count; i++) {
        memcpy(undo->pieces[i].host, undo->pieces[i].bytes, undo->pieces[i].size);
    }
}

void wb_undo_finish(struct wb_undo *undo)
{
    free(undo->pieces);
    *undo = (struct wb_undo){0};
}
