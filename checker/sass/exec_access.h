/* SPDX-License-Identifier: MIT
 * What loads, stores and atomics share: the addresses of an instruction's lanes, and the spaces of
 * memory as rows of functions. To add a space: a row at the end.
 */
#ifndef WB_SASS_EXEC_ACCESS_H
#define WB_SASS_EXEC_ACCESS_H

#include "claims.h"
#include "map.h"

/* Addresses of the lanes, and how they lie. */
struct lanes {
    alignas(64) uint64_t at[WB_LANES];
    enum wb_pattern pattern;
};

struct space {
    bool wide; /* 64-bit addresses */
    /* The memory behind one lane's address; NULL after a fault. */
    uint8_t *(*memory)(const struct wb_access *access, unsigned lane, uint64_t address);
    /* The same for `bytes` side by side, NULL if they are not or if it is easier lane by lane. */
    uint8_t *(*span)(const struct wb_access *access, uint64_t address, unsigned bytes);
    void (*count)(const struct wb_access *access, const struct lanes *lanes, uint32_t on,
                  enum wb_shared_access kind);
};

/* ---- addresses ------------------------------------------------------------------------------- */

static inline void find_lanes(struct lanes *lanes, const struct wb_access *access, bool wide,
                              uint32_t on)
{
    const struct wb_insn *in = access->in;
    const wb_row *a = source(access->warp, in->a);
    if (wide) {
        uint64_t offset = (uint64_t)(int64_t)in->imm;
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            lanes->at[i] = pair(a[0][i], a[1][i]) + offset;
        }
    } else {
        uint32_t offset = (uint32_t)in->imm;
        offset += in->has_uniform ? (*source(access->warp, in->c))[0] : 0;
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            lanes->at[i] = a[0][i] + offset;
        }
    }
    lanes->pattern = wb_pattern_of(lanes->at, on, access->size);
}

/* ---- counting -------------------------------------------------------------------------------- */

static inline struct wb_traffic *traffic_of(const struct wb_access *access)
{
    return &access->warp->traffic[access->in - access->warp->cta->run->program->code];
}

static inline void count_global(const struct wb_access *access, const struct lanes *lanes,
                                uint32_t on, enum wb_shared_access kind)
{
    struct wb_traffic *t = traffic_of(access);
    unsigned size = access->size;
    (void)kind;
    if (lanes->pattern == WB_CONSECUTIVE) {
        unsigned before = (unsigned)lanes->at[0] % WB_SECTOR;
        t->global_sectors += (before + WB_LANES * size + WB_SECTOR - 1) / WB_SECTOR;
        t->global_ideal += size;
    } else if (lanes->pattern == WB_UNIFORM) {
        t->global_sectors++;
        t->global_ideal++;
    } else {
        wb_traffic_global(t, lanes->at, on, size);
    }
}

static inline void count_shared(const struct wb_access *access, const struct lanes *lanes,
                                uint32_t on, enum wb_shared_access kind)
{
    struct wb_traffic *t = traffic_of(access);
    bool plain = kind == WB_SHARED_LOAD || kind == WB_SHARED_STORE;
    uint32_t own = on;
    if (access->warp->cta->cluster->count > 1) {
        own = wb_memory_own_shared(access, lanes->at, on);
    }
    if (plain && own == on && lanes->pattern == WB_CONSECUTIVE) {
        unsigned words = access->size > 4 ? access->size / 4 : 1;
        t->shared_wavefronts += words;
        t->shared_ideal += words;
    } else if (plain && own == on && lanes->pattern == WB_UNIFORM && access->size <= 4) {
        t->shared_wavefronts++;
        t->shared_ideal++;
    } else {
        wb_traffic_shared(t, lanes->at, own, access->size, kind);
    }
}

static inline void count_local(const struct wb_access *access, const struct lanes *lanes,
                               uint32_t on, enum wb_shared_access kind)
{
    (void)kind;
    if (lanes->pattern == WB_UNIFORM) {
        traffic_of(access)->local_sectors += access->size > 4 ? access->size : 4;
    } else {
        wb_traffic_local(traffic_of(access), lanes->at, on, access->size);
    }
}

/* A generic access counts where each lane's address lies. */
static inline void count_generic(const struct wb_access *access, const struct lanes *lanes,
                                 uint32_t on, enum wb_shared_access kind)
{
    struct wb_windows in = wb_memory_windows(lanes->at, on);
    struct wb_traffic *t = traffic_of(access);
    if (in.global == WB_ALL_LANES) {
        count_global(access, lanes, on, kind);
        return;
    }
    uint32_t own = wb_memory_own_shared(access, lanes->at, in.shared);
    wb_traffic_global(t, lanes->at, in.global, access->size);
    wb_traffic_shared(t, lanes->at, own, access->size, kind);
    wb_traffic_local(t, lanes->at, in.local, access->size);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* What another block has a claim on is left to wb_memory_global. */
static inline uint8_t *global_span(const struct wb_access *access, uint64_t address, unsigned bytes)
{
    const struct wb_region_cache *cache = &access->warp->cache;
    const struct wb_run *run = access->warp->cta->run;
    if (address - cache->address >= cache->size) {
        wb_memory_find(access->warp, address);
    }
    uint64_t offset = address - cache->address;
    bool inside = offset < cache->size && bytes <= cache->size - offset;
    if (!inside || address % access->size != 0) {
        return NULL;
    }
    bool ours =
        !cache->claims || wb_claim(cache, run->undo, run->claimant, offset, bytes, access->write);
    return ours ? cache->host + offset : NULL;
}

static inline uint8_t *global_memory(const struct wb_access *access, unsigned lane,
                                     uint64_t address)
{
    uint8_t *place = global_span(access, address, access->size);
    return place ? place : wb_memory_global(access, lane, address);
}

static inline uint8_t *shared_span(const struct wb_access *access, uint64_t address, unsigned bytes)
{
    const struct wb_cta *cta = access->warp->cta;
    uint64_t offset = address - ((uint64_t)cta->rank << 24);
    bool inside = offset >= WB_SHARED_RESERVED && offset < cta->run->shared_size &&
                  bytes <= cta->run->shared_size - offset;
    return inside && address % access->size == 0 ? cta->shared + offset : NULL;
}

static inline uint8_t *shared_memory(const struct wb_access *access, unsigned lane,
                                     uint64_t address)
{
    uint8_t *place = shared_span(access, address, access->size);
    return place ? place : wb_memory_shared(access, lane, (uint32_t)address);
}

static inline uint8_t *local_memory(const struct wb_access *access, unsigned lane, uint64_t address)
{
    return wb_memory_local(access, lane, (uint32_t)address);
}

static inline uint8_t *no_span(const struct wb_access *access, uint64_t address, unsigned bytes)
{
    (void)access;
    (void)address;
    (void)bytes;
    return NULL;
}

/* Memory behind all 32 lanes at once if they are consecutive, else NULL. */
static inline uint8_t *find_span(const struct space *space, const struct wb_access *access,
                                 const struct lanes *lanes)
{
    return lanes->pattern == WB_CONSECUTIVE
               ? space->span(access, lanes->at[0], WB_LANES * access->size)
               : NULL;
}

static const struct space space_global = {true, global_memory, global_span, count_global};
static const struct space space_shared = {false, shared_memory, shared_span, count_shared};
static const struct space space_local = {false, local_memory, no_span, count_local};
static const struct space space_generic = {true, wb_memory_generic, no_span, count_generic};

#endif
