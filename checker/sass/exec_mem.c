/* SPDX-License-Identifier: MIT
 * Handlers: loads, stores, constants, asynchronous copies. Every access to a space of exec_access.h
 * is one of two loops, which also count its traffic.
 */
#include "guard_quick.h"

enum { SIZE_U8, SIZE_S8, SIZE_U16, SIZE_S16, SIZE_32, SIZE_64, SIZE_128, SIZE_COUNT };

static const uint8_t size_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

/* Value of a lane, extended to whole words. */
WB_INLINE void load_words(wb_row *d, unsigned lane, const uint8_t *from, unsigned size)
{
    uint16_t half;
    uint32_t words[4] = {0};
    switch (size) {
    case SIZE_32:
        memcpy(&d[0][lane], from, 4);
        break;
    case SIZE_U8:
        d[0][lane] = *from;
        break;
    case SIZE_S8:
        d[0][lane] = (uint32_t)(int8_t)*from;
        break;
    case SIZE_U16:
    case SIZE_S16:
        memcpy(&half, from, sizeof half);
        d[0][lane] = size == SIZE_S16 ? (uint32_t)(int16_t)half : half;
        break;
    default:
        memcpy(words, from, size_bytes[size]);
        for (unsigned k = 0; k < size_bytes[size] / 4u; k++) {
            d[k][lane] = words[k];
        }
    }
}

/* The same word to every lane. */
WB_INLINE void load_uniform(wb_row *d, const uint8_t *from, unsigned size, unsigned rows)
{
    load_words(d, 0, from, size);
    for (unsigned r = 0; r < rows; r++) {
        uint32_t word = d[r][0];
        for (unsigned i = 0; i < WB_LANES; i++) {
            d[r][i] = word;
        }
    }
}

WB_INLINE void load_window(wb_row *d, const struct window *window, const struct lanes *lanes,
                           uint32_t on, unsigned size, unsigned rows)
{
    bool near = window->stride == 0;
    if (near && lanes->pattern == WB_CONSECUTIVE && size == SIZE_32) {
        memcpy(d, place_in(window, 0, lanes->at[0]), sizeof *d);
    } else if (near && lanes->pattern == WB_UNIFORM) {
        load_uniform(d, place_in(window, 0, lanes->at[0]), size, rows);
    } else if (on == WB_ALL_LANES) {
        for (unsigned i = 0; i < WB_LANES; i++) {
            load_words(d, i, place_in(window, i, lanes->at[i]), size);
        }
    } else {
        for (uint32_t rest = on; rest; rest &= rest - 1) {
            unsigned lane = wb_lowest_lane(rest);
            load_words(d, lane, place_in(window, lane, lanes->at[lane]), size);
        }
    }
}

static const uint8_t nothing[16]; /* what a lane gets whose access was a fault */

/* One of the two loops below for each size, so that it is a constant in them. */
WB_INLINE bool load_sized(wb_row *d, const struct wb_access *access, const struct space *space,
                          const struct lanes *lanes, uint32_t on, unsigned size)
{
    struct window window;
    if (find_window(&window, space, access, lanes, on)) {
        load_window(d, &window, lanes, on, size, size_bytes[size] > 4 ? size_bytes[size] / 4 : 1);
        return true;
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        const uint8_t *from = space->memory(access, lane, lanes->at[lane]);
        if (!from && !access->warp->guard) {
            return false;
        }
        load_words(d, lane, from ? from : nothing, size);
    }
    return true;
}

WB_INLINE void load(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                    const struct space *space)
{
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size]};
    struct lanes lanes;
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
    }
    if (in->size >= SIZE_COUNT || !on) {
        return;
    }
    find_lanes(&lanes, &access, space->wide, on);
    space->count(&access, &lanes, on, WB_SHARED_LOAD);
    uint32_t undefined[4];
    bool marked = w->guard && !wb_quick(&access, space, &lanes, on) &&
                  wb_guard_load(undefined, &access, lanes.at, on, space->guard);
    wb_row *d = result(w, in, on);
    bool loaded = in->size == SIZE_32    ? load_sized(d, &access, space, &lanes, on, SIZE_32)
                  : in->size == SIZE_128 ? load_sized(d, &access, space, &lanes, on, SIZE_128)
                                         : load_sized(d, &access, space, &lanes, on, in->size);
    if (loaded) {
        commit(w, in, on, access.size > 4 ? access.size / 4 : 1);
    }
    if (marked) {
        wb_guard_mark(&access, lanes.at, on, undefined, space->guard);
    }
}

/* Little-endian: the low bytes come first. */
WB_INLINE void store_words(uint8_t *to, const wb_row *b, unsigned lane, unsigned bytes)
{
    uint32_t words[4];
    for (unsigned r = 0; 4 * r < bytes; r++) {
        words[r] = b[r][lane];
    }
    memcpy(to, words, bytes);
}

WB_INLINE void store_sized(const wb_row *b, const struct wb_access *access,
                           const struct space *space, const struct lanes *lanes, uint32_t on,
                           unsigned bytes)
{
    struct window window;
    bool one = find_window(&window, space, access, lanes, on);
    if (one && window.stride == 0 && lanes->pattern == WB_CONSECUTIVE && bytes == 4) {
        memcpy(place_in(&window, 0, lanes->at[0]), b, sizeof *b);
        return;
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *to = one ? place_in(&window, lane, lanes->at[lane])
                          : space->memory(access, lane, lanes->at[lane]);
        if (!to && access->warp->guard) {
            continue; /* the others are looked at, too */
        }
        if (!to) {
            return;
        }
        store_words(to, b, lane, bytes);
    }
}

WB_INLINE void store(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                     const struct space *space)
{
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size], .write = true};
    struct lanes lanes;
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
    }
    if (in->size >= SIZE_COUNT || !on) {
        return;
    }
    find_lanes(&lanes, &access, space->wide, on);
    space->count(&access, &lanes, on, WB_SHARED_STORE);
    const wb_row *b = source(w, in->b);
    uint32_t stored[4] = {0}, any = 0;
    for (unsigned r = 0; w->guard && w->undefined->live && 4 * r < access.size; r++) {
        stored[r] = wb_undefined_lanes(w, (struct wb_operand){in->b.row + r, in->b.space}, 1) & on;
        any |= stored[r];
    }
    if (w->guard && (any || !wb_quick(&access, space, &lanes, on))) {
        wb_guard_store(&access, lanes.at, on, space->guard, b, stored);
    }
    if (access.size == 4) {
        store_sized(b, &access, space, &lanes, on, 4);
    } else {
        store_sized(b, &access, space, &lanes, on, access.size);
    }
}

/* Load from global memory. */
void WB_EXEC(ldg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, &space_global);
}

/* Load from a generic address: global, shared or local. */
void WB_EXEC(ld)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, &space_generic);
}

/* Load from shared memory. */
void WB_EXEC(lds)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, &space_shared);
}

/* Load from the thread's local memory. */
void WB_EXEC(ldl)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, &space_local);
}

/* Stores to the same four. */
void WB_EXEC(stg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, &space_global);
}

void WB_EXEC(st)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, &space_generic);
}

void WB_EXEC(sts)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, &space_shared);
}

void WB_EXEC(stl)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, &space_local);
}

static bool all_equal(const uint32_t *row)
{
    uint32_t differ = 0;
    for (unsigned i = 0; i < WB_LANES; i++) {
        differ |= row[i] ^ row[0];
    }
    return differ == 0;
}

static void count_constant(const struct wb_access *access, const uint32_t *index, uint32_t on)
{
    uint64_t at[WB_LANES];
    for (unsigned i = 0; i < WB_LANES; i++) {
        at[i] = index[i];
    }
    wb_traffic_constant(traffic_of(access), at, on);
}

/* d = constant bank [a + offset]. Nearly always all lanes read one place. */
void WB_EXEC(ldc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size]};
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    const uint32_t *a = *source(w, in->a);
    bool one_place = all_equal(a);
    if (!one_place) {
        count_constant(&access, a, on);
    }
    unsigned rows = access.size > 4 ? access.size / 4 : 1;
    wb_row *d = w->scratch;
    for (uint32_t rest = on; rest; rest = one_place ? 0 : rest & (rest - 1)) {
        unsigned lane = wb_lowest_lane(rest);
        uint32_t offset = a[lane] + (uint32_t)in->imm;
        const uint8_t *from = wb_memory_constant(&access, lane, in->sub, offset);
        if (!from) {
            return;
        }
        load_words(d, one_place ? 0 : lane, from, in->size);
    }
    for (unsigned r = 0; r < rows; r++) {
        for (unsigned i = 1; one_place && i < WB_LANES; i++) {
            d[r][i] = d[r][0];
        }
        blend_row(w->reg[in->d + r], d[r], on);
    }
}

/* Pd = the generic address lies in that window: 0 global, 1 local, 2 shared memory of the
 * block, 3 of any block of the cluster. */
void WB_EXEC(qspc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = 1};
    struct lanes lanes;
    find_lanes(&lanes, &access, true, WB_ALL_LANES);
    struct wb_windows windows = wb_memory_windows(lanes.at, WB_ALL_LANES);
    uint32_t inside = in->type == 0   ? windows.global
                      : in->type == 1 ? windows.local
                      : in->type == 3 ? windows.shared
                                      : wb_memory_own_shared(&access, lanes.at, windows.shared);
    set_pred(w, in->pd, inside, on);
}

/* Copy from global to shared memory, done at once. A false Ps writes zeros instead; .ZFILL: the low
 * bits of the global address say how many bytes at the end are zeros. */
void WB_EXEC(ldgsts)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { BYPASS, CACHED };
    struct wb_access from = {.warp = w, .in = in, .size = size_bytes[in->size]};
    struct wb_access to = {.warp = w, .in = in, .size = from.size, .write = true};
    struct lanes source_lanes, lanes;
    if (in->size < SIZE_32 || in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    uint32_t reads = on & pred(w, in->ps);
    unsigned zeros[WB_LANES];
    find_lanes(&source_lanes, &from, true, reads);
    for (unsigned i = 0; i < WB_LANES; i++) {
        zeros[i] = in->flag ? (unsigned)source_lanes.at[i] & (from.size - 1) : 0;
        source_lanes.at[i] -= zeros[i];
        lanes.at[i] = w->reg[in->d][i] + (uint32_t)in->imm2;
    }
    wb_traffic_copy(traffic_of(&to), lanes.at, on, source_lanes.at, reads, to.size,
                    in->sub == BYPASS);
    if (w->guard) {
        uint32_t undefined[4];
        wb_guard_load(undefined, &from, source_lanes.at, reads, WB_GUARD_GLOBAL);
        wb_guard_store(&to, lanes.at, on, WB_GUARD_SHARED, NULL, undefined);
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t bytes[16] = {0};
        if (reads >> lane & 1) {
            const uint8_t *there = global_memory(&from, lane, source_lanes.at[lane]);
            if (!there) {
                return;
            }
            memcpy(bytes, there, from.size - zeros[lane]);
        }
        uint8_t *place = shared_memory(&to, lane, lanes.at[lane]);
        if (!place) {
            return;
        }
        memcpy(place, bytes, to.size);
    }
}
