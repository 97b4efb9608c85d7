/* SPDX-License-Identifier: MIT
 * Handlers: atomics on global, shared and generic memory. Lanes of an instruction take their turn
 * in order, so results do not depend on the host. To add a type: a row in `types`.
 */
#include "exec.h"
#include "fpu.h"

enum { ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH };

enum kind { NONE, UNSIGNED, SIGNED, F32, F64, F32_NO_FTZ };

static const struct type {
    uint8_t bytes, kind; /* enum kind */
} types[16] = {
    [0] = {4, UNSIGNED}, [1] = {4, SIGNED}, [2] = {8, UNSIGNED},
    [3] = {8, SIGNED},   [9] = {4, F32},    [15] = {8, F64},
};

typedef uint8_t *lane_memory(const struct wb_access *access, unsigned lane);

static uint8_t *global(const struct wb_access *access, unsigned lane)
{
    const wb_row *a = source(access->warp, access->in->a);
    return wb_memory_global(access, lane,
                            pair(a[0][lane], a[1][lane]) + (uint64_t)(int64_t)access->in->imm);
}

static uint8_t *generic(const struct wb_access *access, unsigned lane)
{
    const wb_row *a = source(access->warp, access->in->a);
    return wb_memory_generic(access, lane,
                             pair(a[0][lane], a[1][lane]) + (uint64_t)(int64_t)access->in->imm);
}

static uint8_t *shared(const struct wb_access *access, unsigned lane)
{
    const struct wb_insn *in = access->in;
    const struct wb_warp *w = access->warp;
    uint32_t uniform = in->has_uniform ? (*source(w, in->c))[lane] : 0;
    return wb_memory_shared(access, lane, (*source(w, in->a))[lane] + uniform + (uint32_t)in->imm);
}

static bool less(const struct type *type, uint64_t a, uint64_t b)
{
    if (type->kind == SIGNED) {
        return type->bytes == 4 ? (int32_t)a < (int32_t)b : (int64_t)a < (int64_t)b;
    }
    return a < b;
}

/* The new value of memory. INC: up to v, then 0. DEC: down to 0, then v. */
static uint64_t apply(const struct type *type, unsigned operation, uint64_t old, uint64_t v)
{
    if (type->kind == F32) {
        return wb_f32_add((uint32_t)old, (uint32_t)v, WB_RN, true, false);
    }
    if (type->kind == F64) {
        return wb_f64_add(old, v, WB_RN);
    }
    switch (operation) {
    case ADD:
        return old + v;
    case MIN:
        return less(type, v, old) ? v : old;
    case MAX:
        return less(type, old, v) ? v : old;
    case INC:
        return old >= v ? 0 : old + 1;
    case DEC:
        return old == 0 || old > v ? v : old - 1;
    case AND:
        return old & v;
    case OR:
        return old | v;
    case XOR:
        return old ^ v;
    default:
        return v;
    }
}

static uint64_t lane_value(const wb_row *rows, unsigned lane, unsigned bytes)
{
    return bytes == 8 ? pair(rows[0][lane], rows[1][lane]) : rows[0][lane];
}

static void set_lane(wb_row *d, unsigned lane, uint64_t value)
{
    d[0][lane] = (uint32_t)value;
    d[1][lane] = (uint32_t)(value >> 32);
}

/* Old values go to register d if `returns`. */
static void finish(struct wb_warp *w, const struct wb_insn *in, uint32_t on, unsigned bytes)
{
    blend_row(w->reg[in->d], w->scratch[0], on);
    if (bytes == 8) {
        blend_row(w->reg[in->d + 1], w->scratch[1], on);
    }
}

static void atomic(struct wb_warp *w, const struct wb_insn *in, uint32_t on, lane_memory *memory,
                   bool returns)
{
    const struct type *type = &types[in->type];
    bool is_float = type->kind == F32 || type->kind == F64;
    if (type->kind == NONE || in->sub > EXCH || (is_float && in->sub != ADD)) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    struct wb_access access = {.warp = w, .in = in, .size = type->bytes, .write = true};
    const wb_row *b = source(w, in->b);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = memory(&access, lane);
        if (!place) {
            return;
        }
        uint64_t old = 0;
        memcpy(&old, place, type->bytes);
        uint64_t new = apply(type, in->sub, old, lane_value(b, lane, type->bytes));
        memcpy(place, &new, type->bytes);
        set_lane(w->scratch, lane, old);
    }
    if (returns) {
        finish(w, in, on, type->bytes);
    }
}

/* Atomic operation on global memory, d = old value. */
void WB_EXEC(atomg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, global, true);
}

/* The same without a result. */
void WB_EXEC(redg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, global, false);
}

/* On a generic address. */
void WB_EXEC(atom)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, generic, true);
}

/* On shared memory. */
void WB_EXEC(atoms)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, shared, true);
}

/* Adds two halves to two halves, d = old values. Type 0 is f16, 3 bf16. */
void WB_EXEC(atomg_h)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { F16X2 = 0, BF16X2 = 3 };
    if ((in->type != F16X2 && in->type != BF16X2) || in->sub != ADD) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    enum wb_format format = in->type == F16X2 ? WB_F16 : WB_BF16;
    struct wb_access access = {.warp = w, .in = in, .size = 4, .write = true};
    const uint32_t *b = *source(w, in->b);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = global(&access, lane);
        if (!place) {
            return;
        }
        uint32_t old, new = 0;
        memcpy(&old, place, sizeof old);
        for (unsigned shift = 0; shift < 32; shift += 16) {
            uint64_t sum = wb_float_add(format, old >> shift & 0xffff, b[lane] >> shift & 0xffff,
                                        WB_RN, false, false);
            new |= (uint32_t)sum << shift;
        }
        memcpy(place, &new, sizeof new);
        set_lane(w->scratch, lane, old);
    }
    finish(w, in, on, 4);
}

/* Adds 1 for each lane, d = old value. */
void WB_EXEC(atoms_popc_inc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = 4, .write = true};
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = shared(&access, lane);
        if (!place) {
            return;
        }
        uint32_t old, new;
        memcpy(&old, place, sizeof old);
        new = old + 1;
        memcpy(place, &new, sizeof new);
        set_lane(w->scratch, lane, old);
    }
    finish(w, in, on, 4);
}

/* Compare and swap: memory = c where it equals b. d = old value, or with `spin` 1 for success. */
static void compare_and_swap(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                             lane_memory *memory, bool spin)
{
    unsigned bytes = types[in->type].bytes;
    if (bytes == 0) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    struct wb_access access = {.warp = w, .in = in, .size = bytes, .write = true};
    const wb_row *b = source(w, in->b), *c = source(w, in->c);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = memory(&access, lane);
        if (!place) {
            return;
        }
        uint64_t old = 0, new = lane_value(c, lane, bytes);
        memcpy(&old, place, bytes);
        bool equal = old == lane_value(b, lane, bytes);
        if (equal) {
            memcpy(place, &new, bytes);
        }
        set_lane(w->scratch, lane, spin ? equal : old);
    }
    finish(w, in, on, bytes);
}

void WB_EXEC(atomg_cas)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    compare_and_swap(w, in, on, global, false);
}

void WB_EXEC(atom_cas)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    compare_and_swap(w, in, on, generic, false);
}

enum { CAST_SPIN = 3 };

/* .CAST.SPIN gives 1 on success and 0 on failure instead of the old value. */
void WB_EXEC(atoms_cas)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    compare_and_swap(w, in, on, shared, in->sub == CAST_SPIN);
}
