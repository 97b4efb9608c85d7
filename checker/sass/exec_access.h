/* SPDX-License-Identifier: MIT
 * What loads, stores and atomics share: the addresses of an instruction's lanes, and the spaces of
 * memory as rows of functions. To add a space: a row at the end.
 */
#ifndef WB_SASS_EXEC_ACCESS_H
#define WB_SASS_EXEC_ACCESS_H

#include "claims.h"
#include "guard.h"
#include "map.h"

alignas(64) static const uint32_t wb_zeros[WB_LANES];

/* Addresses of the lanes, and how they lie. */
struct lanes {
    alignas(64) uint64_t at[WB_LANES];
    enum wb_pattern pattern;
};

/* Memory side by side that lanes may use: that of lane i at address x is
 * host + i * stride + (x - first). */
struct window {
    uint8_t *host;
    uint64_t first, size, stride;
    const struct wb_region_cache *region; /* of which words have to be claimed, or NULL */
};

struct space {
    enum wb_guard_space guard;
    bool wide; /* 64-bit addresses */
    /* The memory behind one lane's address; NULL after a fault. */
    uint8_t *(*memory)(const struct wb_access *access, unsigned lane, uint64_t address);
    /* The window around an address, with size 0 if there is none. */
    struct window (*window)(const struct wb_access *access, uint64_t address);
    void (*count)(const struct wb_access *access, const struct lanes *lanes, uint32_t on,
                  enum wb_shared_access kind);
};

/* ---- addresses ------------------------------------------------------------------------------- */

/* How 32 addresses lie, from their low and high words. */
static inline enum wb_pattern pattern_of_rows(const uint32_t *low, const uint32_t *high,
                                              unsigned size)
{
    uint32_t moved = 0, apart = 0, first = low[0];
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t far = high[i] ^ high[0];
        moved |= (low[i] ^ first) | far;
        apart |= (low[i] ^ (first + (uint32_t)i * size)) | far;
    }
    bool carries = first > UINT32_MAX - WB_LANES * size;
    return !moved ? WB_UNIFORM : !apart && !carries ? WB_CONSECUTIVE : WB_SCATTERED;
}

static inline void find_lanes(struct lanes *lanes, const struct wb_access *access, bool wide,
                              uint32_t on)
{
    const struct wb_insn *in = access->in;
    const wb_row *a = source(access->warp, in->a);
    const uint32_t *high = wide && !in->narrow_a ? a[1] : wb_zeros;
    uint64_t offset = (uint64_t)(int64_t)in->imm, mask = wide ? UINT64_MAX : UINT32_MAX;
    if (in->has_uniform) {
        const wb_row *c = source(access->warp, in->c);
        offset += wide ? pair(c[0][0], c[1][0]) : c[0][0];
    }
    lanes->pattern = on == WB_ALL_LANES ? pattern_of_rows(a[0], high, access->size) : WB_SCATTERED;
    uint64_t first = (pair(a[0][0], high[0]) + offset) & mask;
    if (lanes->pattern == WB_SCATTERED || (!wide && first > UINT32_MAX - WB_LANES * access->size)) {
        lanes->pattern = lanes->pattern == WB_UNIFORM ? WB_UNIFORM : WB_SCATTERED;
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            lanes->at[i] = (pair(a[0][i], high[i]) + offset) & mask;
        }
        return;
    }
    uint64_t step = lanes->pattern == WB_CONSECUTIVE ? access->size : 0;
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        lanes->at[i] = first + (uint64_t)i * step;
    }
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

/* Does every bank hold at most one of the words? */
static inline bool fits_wavefront(const uint64_t *at, uint32_t on)
{
    uint32_t word_of_bank[32];
    bool fits = true;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        uint32_t word = (uint32_t)at[wb_lowest_lane(rest)] / 4;
        word_of_bank[word % 32] = word;
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        uint32_t word = (uint32_t)at[wb_lowest_lane(rest)] / 4;
        fits = fits && word_of_bank[word % 32] == word;
    }
    return fits;
}

/* Wavefronts of a plain access that has no more of them than it must have; 0: it may have. */
static inline unsigned ideal_wavefronts(const struct wb_access *access, const struct lanes *lanes,
                                        uint32_t on, bool load)
{
    unsigned words = access->size > 4 ? access->size / 4 : 1;
    switch (lanes->pattern) {
    case WB_CONSECUTIVE:
        return words;
    case WB_UNIFORM: /* wide loads take two lanes in one */
        return load && words > 1 ? words / 2 : words;
    default:
        return words == 1 && on && fits_wavefront(lanes->at, on) ? 1 : 0;
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
    unsigned ideal =
        plain && own == on ? ideal_wavefronts(access, lanes, on, kind == WB_SHARED_LOAD) : 0;
    if (ideal) {
        t->shared_wavefronts += ideal;
        t->shared_ideal += ideal;
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

/* The region of the address. */
static inline struct window global_window(const struct wb_access *access, uint64_t address)
{
    const struct wb_region_cache *cache = wb_warp_cache(access->warp, address);
    if (address - cache->address >= cache->size) {
        wb_memory_find(access->warp, address);
    }
    return (struct window){
        .host = cache->host,
        .first = cache->address,
        .size = address - cache->address < cache->size ? cache->size : 0,
        .region = access->warp->cta->run->claimant ? cache : NULL,
    };
}

/* The block's own shared memory. */
static inline struct window shared_window(const struct wb_access *access, uint64_t address)
{
    const struct wb_cta *cta = access->warp->cta;
    (void)address;
    return (struct window){
        .host = cta->shared + WB_SHARED_RESERVED,
        .first = ((uint64_t)cta->rank << 24) + WB_SHARED_RESERVED,
        .size = cta->run->shared_size - WB_SHARED_RESERVED,
    };
}

/* The local memory of the warp's threads. */
static inline struct window local_window(const struct wb_access *access, uint64_t address)
{
    const struct wb_warp *w = access->warp;
    uint64_t size = w->cta->run->local_size;
    (void)address;
    return (struct window){
        .host = w->cta->local ? w->cta->local + w->index * WB_LANES * size : NULL,
        .size = w->cta->local ? size : 0,
        .stride = size,
    };
}

/* The window that a generic address points into. */
static inline struct window generic_window(const struct wb_access *access, uint64_t address)
{
    uint64_t which = address & WB_WINDOW_MASK;
    if (which != WB_SHARED_WINDOW && which != WB_LOCAL_WINDOW) {
        return global_window(access, address);
    }
    struct window window =
        which == WB_SHARED_WINDOW ? shared_window(access, address) : local_window(access, address);
    window.first += which;
    return window;
}

static inline uint8_t *place_in(const struct window *window, unsigned lane, uint64_t address)
{
    return window->host + lane * window->stride + (address - window->first);
}

/* Are all lanes of `on` aligned and inside? */
static inline bool holds_lanes(const struct window *window, const struct wb_access *access,
                               const struct lanes *lanes, uint32_t on)
{
    uint64_t last = window->size - access->size, outside = 0, low = lanes->at[0];
    if (window->size < access->size) {
        return false;
    }
    if (lanes->pattern != WB_SCATTERED) {
        uint64_t begin = low - window->first, end = lanes->at[WB_LANES - 1] - window->first;
        return begin <= last && end <= last && !(low & (access->size - 1));
    }
    low = 0;
    if (on == WB_ALL_LANES) {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            uint64_t offset = lanes->at[i] - window->first;
            outside |= offset | (last - offset); /* the top bit, as sizes are below 2^63 */
            low |= lanes->at[i];
        }
    } else {
        for (uint32_t rest = on; rest; rest &= rest - 1) {
            uint64_t offset = lanes->at[wb_lowest_lane(rest)] - window->first;
            outside |= offset | (last - offset);
            low |= lanes->at[wb_lowest_lane(rest)];
        }
    }
    return !(outside >> 63) && !(low & (access->size - 1));
}

static inline bool claim_lanes(const struct window *window, const struct wb_access *access,
                               const struct lanes *lanes, uint32_t on)
{
    const struct wb_region_cache *cache = window->region;
    struct wb_claimant *claimant = access->warp->cta->run->claimant;
    unsigned size = access->size, bytes = size;
    if (lanes->pattern == WB_CONSECUTIVE) {
        bytes = WB_LANES * size;
        on = 1;
    }
    on = lanes->pattern == WB_UNIFORM ? 1 : on;
    bool ours = true;
    for (uint32_t rest = on; rest && ours; rest &= rest - 1) {
        uint64_t offset = lanes->at[wb_lowest_lane(rest)] - cache->address;
        ours = wb_claim(claimant, cache, offset, bytes, access->write);
    }
    return ours;
}

/* One window for all lanes of `on` (at least one); false if they have to be looked at one by one:
 * they lie in several, or one of them is at fault. */
static inline bool find_window(struct window *window, const struct space *space,
                               const struct wb_access *access, const struct lanes *lanes,
                               uint32_t on)
{
    *window = space->window(access, lanes->at[wb_lowest_lane(on)]);
    return holds_lanes(window, access, lanes, on) &&
           (!window->region || claim_lanes(window, access, lanes, on));
}

static inline uint8_t *global_memory(const struct wb_access *access, unsigned lane,
                                     uint64_t address)
{
    return wb_memory_global(access, lane, address);
}

static inline uint8_t *shared_memory(const struct wb_access *access, unsigned lane,
                                     uint64_t address)
{
    return wb_memory_shared(access, lane, (uint32_t)address);
}

static inline uint8_t *local_memory(const struct wb_access *access, unsigned lane, uint64_t address)
{
    return wb_memory_local(access, lane, (uint32_t)address);
}

static const struct space space_global = {WB_GUARD_GLOBAL, true, global_memory, global_window,
                                          count_global};
static const struct space space_shared = {WB_GUARD_SHARED, false, shared_memory, shared_window,
                                          count_shared};
static const struct space space_local = {WB_GUARD_LOCAL, false, local_memory, local_window,
                                         count_local};
static const struct space space_generic = {WB_GUARD_GENERIC, true, wb_memory_generic,
                                           generic_window, count_generic};

#endif
