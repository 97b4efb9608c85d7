/* SPDX-License-Identifier: MIT
 * Handlers: loads, stores, constants, asynchronous copies. A space is a function from (lane,
 * address) to host memory; every handler here is one of two loops over it.
 */
#include "exec.h"

enum { SIZE_U8, SIZE_S8, SIZE_U16, SIZE_S16, SIZE_32, SIZE_64, SIZE_128, SIZE_COUNT };

static const uint8_t size_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

/* Address of one lane and the memory behind it. */
typedef uint8_t *lane_memory(const struct wb_access *access, unsigned lane);

static uint64_t address_64(const struct wb_access *access, unsigned lane)
{
    const wb_row *a = source(access->warp, access->in->a);
    return pair(a[0][lane], a[1][lane]) + (uint64_t)(int64_t)access->in->imm;
}

static uint32_t address_32(const struct wb_access *access, unsigned lane)
{
    const struct wb_insn *in = access->in;
    uint32_t base = (*source(access->warp, in->a))[lane];
    uint32_t uniform = in->has_uniform ? (*source(access->warp, in->c))[lane] : 0;
    return base + uniform + (uint32_t)in->imm;
}

static uint8_t *global(const struct wb_access *access, unsigned lane)
{
    return wb_memory_global(access, lane, address_64(access, lane));
}

static uint8_t *generic(const struct wb_access *access, unsigned lane)
{
    return wb_memory_generic(access, lane, address_64(access, lane));
}

static uint8_t *shared(const struct wb_access *access, unsigned lane)
{
    return wb_memory_shared(access, lane, address_32(access, lane));
}

static uint8_t *local(const struct wb_access *access, unsigned lane)
{
    return wb_memory_local(access, lane, address_32(access, lane));
}

/* Value of a lane, extended to whole words. */
static void load_words(wb_row *d, unsigned lane, const uint8_t *from, unsigned size)
{
    uint16_t half;
    uint32_t words[4] = {0};
    switch (size) {
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

static void load(struct wb_warp *w, const struct wb_insn *in, uint32_t on, lane_memory *memory)
{
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size]};
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    wb_row *d = w->scratch;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        const uint8_t *from = memory(&access, lane);
        if (!from) {
            return;
        }
        load_words(d, lane, from, in->size);
    }
    unsigned rows = access.size > 4 ? access.size / 4 : 1;
    for (unsigned r = 0; r < rows; r++) {
        blend_row(w->reg[in->d + r], d[r], on);
    }
}

static void store(struct wb_warp *w, const struct wb_insn *in, uint32_t on, lane_memory *memory)
{
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size], .write = true};
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    const wb_row *b = source(w, in->b);
    unsigned rows = access.size > 4 ? access.size / 4 : 1;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *to = memory(&access, lane);
        if (!to) {
            return;
        }
        uint32_t words[4];
        for (unsigned r = 0; r < rows; r++) {
            words[r] = b[r][lane];
        }
        memcpy(to, words, access.size); /* little-endian: the low bytes come first */
    }
}

/* Load from global memory. */
void WB_EXEC(ldg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, global);
}

/* Load from a generic address: global, shared or local. */
void WB_EXEC(ld)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, generic);
}

/* Load from shared memory. */
void WB_EXEC(lds)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, shared);
}

/* Load from the thread's local memory. */
void WB_EXEC(ldl)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    load(w, in, on, local);
}

/* Stores to the same four. */
void WB_EXEC(stg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, global);
}

void WB_EXEC(st)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, generic);
}

void WB_EXEC(sts)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, shared);
}

void WB_EXEC(stl)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    store(w, in, on, local);
}

/* d = constant bank [a + offset]. */
void WB_EXEC(ldc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = size_bytes[in->size]};
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    const uint32_t *a = *source(w, in->a);
    wb_row *d = w->scratch;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint32_t offset = a[lane] + (uint32_t)in->imm;
        const uint8_t *from = wb_memory_constant(&access, lane, in->sub, offset);
        if (!from) {
            return;
        }
        load_words(d, lane, from, in->size);
    }
    unsigned rows = access.size > 4 ? access.size / 4 : 1;
    for (unsigned r = 0; r < rows; r++) {
        blend_row(w->reg[in->d + r], d[r], on);
    }
}

/* Pd = the generic address lies in that window: 0 global, 1 local, 2 shared, 3 of the cluster. */
void WB_EXEC(qspc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in};
    uint32_t inside = 0;
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t window = address_64(&access, i) & WB_WINDOW_MASK;
        bool is_shared = window == WB_SHARED_WINDOW, is_local = window == WB_LOCAL_WINDOW;
        bool found = in->type == 0 ? !is_shared && !is_local : in->type == 1 ? is_local : is_shared;
        inside |= (uint32_t)found << i;
    }
    set_pred(w, in->pd, inside, on);
}

/* Copy from global to shared memory, done at once. A false Ps writes zeros instead; .ZFILL: the low
 * bits of the offset say how many bytes at the end are zeros. */
void WB_EXEC(ldgsts)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access from = {.warp = w, .in = in, .size = size_bytes[in->size]};
    struct wb_access to = {.warp = w, .in = in, .size = from.size, .write = true};
    if (in->size >= SIZE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    uint32_t reads = pred(w, in->ps);
    unsigned zeros = in->flag ? (uint32_t)in->imm & (from.size - 1) : 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t bytes[16] = {0};
        if (reads >> lane & 1) {
            const uint8_t *there = wb_memory_global(&from, lane, address_64(&from, lane) - zeros);
            if (!there) {
                return;
            }
            memcpy(bytes, there, from.size - zeros);
        }
        uint8_t *place = wb_memory_shared(&to, lane, w->reg[in->d][lane] + (uint32_t)in->imm2);
        if (!place) {
            return;
        }
        memcpy(place, bytes, to.size);
    }
}
