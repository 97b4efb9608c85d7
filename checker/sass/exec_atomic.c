/* SPDX-License-Identifier: MIT
 * Handlers: atomics on global, shared and generic memory. Lanes of an instruction take their turn
 * in order, so results do not depend on the host. To add a type: a row in `types`.
 */
#include "exec_access.h"
#include "fpu.h"

enum { ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH };
/* The same field for floats. */
enum { FLOAT_ADD = 0, FLOAT_MIN = 2, FLOAT_MAX = 4 };

enum kind { NONE, UNSIGNED, SIGNED, WORDS, F32, F64, F16, BF16 };

/* By the type field. */
static const struct type {
    uint8_t bytes, kind; /* enum kind */
} types[16] = {
    [0] = {4, UNSIGNED}, [1] = {4, SIGNED}, [2] = {8, UNSIGNED},
    [3] = {8, SIGNED},   [4] = {16, WORDS},
};

/* The same for the opcodes of floats. */
static const struct type float_types[16] = {
    [0] = {4, F16},   [1] = {8, F16}, [2] = {16, F16}, [3] = {4, BF16},  [4] = {8, BF16},
    [5] = {16, BF16}, [9] = {4, F32}, [10] = {8, F32}, [11] = {16, F32}, [15] = {8, F64},
};

static bool less(const struct type *type, uint64_t a, uint64_t b)
{
    if (type->kind == SIGNED) {
        return type->bytes == 4 ? (int32_t)a < (int32_t)b : (int64_t)a < (int64_t)b;
    }
    return a < b;
}

/* The new value of memory. INC: up to v, then 0. DEC: down to 0, then v. */
static uint64_t apply_integer(const struct type *type, unsigned operation, uint64_t old, uint64_t v)
{
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

static uint64_t apply_half(enum wb_format format, unsigned operation, uint64_t old, uint64_t v)
{
    return operation == FLOAT_ADD   ? wb_float_add(format, old, v, WB_RN, false, false)
           : operation == FLOAT_MIN ? wb_float_min(format, old, v, false, false)
                                    : wb_float_max(format, old, v, false, false);
}

/* In both halves of each word. */
static void apply_halves(uint32_t *new, const struct type *type, unsigned operation,
                         const uint32_t *old, const uint32_t *v)
{
    enum wb_format format = type->kind == BF16 ? WB_BF16 : WB_F16;
    for (unsigned k = 0; k < type->bytes / 4u; k++) {
        uint64_t low = apply_half(format, operation, old[k] & 0xffff, v[k] & 0xffff);
        uint64_t high = apply_half(format, operation, old[k] >> 16, v[k] >> 16);
        new[k] = (uint32_t)(high << 16 | low);
    }
}

static bool is_nan(uint64_t x)
{
    return (x & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

/* The sum of doubles in memory: a NaN among them remains as it is, even a signalling one. */
static uint64_t add_doubles(uint64_t old, uint64_t v)
{
    return is_nan(v) ? v : is_nan(old) ? old : wb_f64_add(old, v, WB_RN);
}

/* The new value of memory, as words; singles and doubles are added. */
static void apply(uint32_t *new, const struct type *type, unsigned operation, const uint32_t *old,
                  const uint32_t *v)
{
    uint64_t wide;
    unsigned words = type->bytes / 4;
    switch (type->kind) {
    case F32:
        for (unsigned k = 0; k < words; k++) {
            new[k] = wb_f32_add(old[k], v[k], WB_RN, true, false);
        }
        return;
    case F16:
    case BF16:
        apply_halves(new, type, operation, old, v);
        return;
    case WORDS:
        memcpy(new, v, type->bytes);
        return;
    case F64:
        wide = add_doubles(pair(old[0], old[1]), pair(v[0], v[1]));
        break;
    default:
        wide = words == 1 ? apply_integer(type, operation, old[0], v[0])
                          : apply_integer(type, operation, pair(old[0], old[1]), pair(v[0], v[1]));
    }
    new[0] = (uint32_t)wide;
    new[1] = (uint32_t)(wide >> 32);
}

static void read_lane(uint32_t *words, const wb_row *rows, unsigned lane, unsigned bytes)
{
    for (unsigned k = 0; k < bytes / 4; k++) {
        words[k] = rows[k][lane];
    }
}

static void write_lane(wb_row *rows, const uint32_t *words, unsigned lane, unsigned bytes)
{
    for (unsigned k = 0; k < bytes / 4; k++) {
        rows[k][lane] = words[k];
    }
}

/* The collected results go to register d. */
static void finish(struct wb_warp *w, const struct wb_insn *in, uint32_t on, unsigned bytes)
{
    for (unsigned k = 0; k < bytes / 4; k++) {
        blend_row(w->reg[in->d + k], w->scratch[k], on);
    }
}

/* The old value of lanes in `none` is one that nobody wrote. */
static void mark(const struct wb_access *access, const uint64_t *at, uint32_t on, uint32_t none,
                 enum wb_guard_space space)
{
    uint32_t undefined[4] = {none, none, none, none};
    if (none) {
        wb_guard_mark(access, at, on, undefined, space);
    }
}

/* An atomic on a generic address has a predicate result when the hardware cannot do it in all
 * spaces: 64-bit integers and exchanges not in local memory, floats only in global memory. The code
 * behind it does the rest, for lanes whose predicate is false. Returns the lanes that it does. */
static uint32_t lanes_done(struct wb_warp *w, const struct wb_insn *in, const struct lanes *lanes,
                           const struct type *type, bool exchanges, uint32_t on)
{
    bool integer = type->kind == UNSIGNED || type->kind == SIGNED;
    if (in->pd == WB_PRED_TRASH || (integer && type->bytes == 4)) {
        return on;
    }
    struct wb_windows windows = wb_memory_windows(lanes->at, on);
    uint32_t done = exchanges || integer ? on & ~windows.local : windows.global;
    set_pred(w, in->pd, done, on);
    return done;
}

static bool can(const struct type *type, unsigned operation)
{
    switch (type->kind) {
    case NONE:
        return false;
    case UNSIGNED:
    case SIGNED:
        return operation <= EXCH;
    case WORDS:
        return operation == EXCH;
    case F16:
    case BF16:
        return operation == FLOAT_ADD || operation == FLOAT_MIN || operation == FLOAT_MAX;
    default:
        return operation == FLOAT_ADD;
    }
}

static void atomic(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                   const struct space *space, const struct type *type, bool returns)
{
    if (!can(type, in->sub)) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    struct wb_access access = {.warp = w, .in = in, .size = type->bytes, .write = true};
    struct lanes lanes;
    find_lanes(&lanes, &access, space->wide, on);
    on = space == &space_generic ? lanes_done(w, in, &lanes, type, in->sub == EXCH, on) : on;
    space->count(&access, &lanes, on, WB_SHARED_ATOMIC);
    uint32_t none = 0;
    if (w->guard) {
        none = wb_guard_atomic(&access, lanes.at, on, space->guard, in->sub == EXCH);
    }
    const wb_row *b = source(w, in->b);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = space->memory(&access, lane, lanes.at[lane]);
        if (!place && w->guard) {
            continue; /* the others are looked at, too */
        }
        if (!place) {
            return;
        }
        uint32_t old[4], new[4], v[4];
        memcpy(old, place, type->bytes);
        read_lane(v, b, lane, type->bytes);
        apply(new, type, in->sub, old, v);
        memcpy(place, new, type->bytes);
        write_lane(w->scratch, old, lane, type->bytes);
    }
    if (returns) {
        finish(w, in, on, type->bytes);
        mark(&access, lanes.at, on, none, space->guard);
    } else if (none) {
        wb_guard_changed_nothing(&access, lanes.at, none, space->guard);
    }
}

/* Atomic operation on global memory, d = old value. */
void WB_EXEC(atomg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_global, &types[in->type], true);
}

/* The same without a result. */
void WB_EXEC(redg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_global, &types[in->type], false);
}

/* On a generic address. */
void WB_EXEC(atom)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_generic, &types[in->type], true);
}

/* On shared memory. */
void WB_EXEC(atoms)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_shared, &types[in->type], true);
}

/* The same three with floats. */
void WB_EXEC(atomg_f)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_global, &float_types[in->type], true);
}

void WB_EXEC(redg_f)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_global, &float_types[in->type], false);
}

void WB_EXEC(atom_f)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    atomic(w, in, on, &space_generic, &float_types[in->type], true);
}

/* Adds 1 for each lane, d = old value. */
void WB_EXEC(atoms_popc_inc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = 4, .write = true};
    struct lanes lanes;
    find_lanes(&lanes, &access, false, on);
    count_shared(&access, &lanes, on, WB_SHARED_COMBINED);
    uint32_t none = 0;
    if (w->guard) {
        none = wb_guard_atomic(&access, lanes.at, on, WB_GUARD_SHARED, false);
    }
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = shared_memory(&access, lane, lanes.at[lane]);
        if (!place && w->guard) {
            continue; /* the others are looked at, too */
        }
        if (!place) {
            return;
        }
        uint32_t old, new;
        memcpy(&old, place, sizeof old);
        new = old + 1;
        memcpy(place, &new, sizeof new);
        write_lane(w->scratch, &old, lane, 4);
    }
    finish(w, in, on, 4);
    mark(&access, lanes.at, on, none, WB_GUARD_SHARED);
}

enum { CAST_SPIN = 3 };

/* Compare and swap: memory = c where it equals b. d = old value, or with `spin` 1 for success; then
 * only some lanes have their turn, and the others fail. */
static void compare_and_swap(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                             const struct space *space, bool spin)
{
    const struct type *type = &types[in->type];
    unsigned bytes = type->bytes;
    if (bytes == 0) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    struct wb_access access = {.warp = w, .in = in, .size = bytes, .write = true};
    struct lanes lanes;
    find_lanes(&lanes, &access, space->wide, on);
    on = space == &space_generic ? lanes_done(w, in, &lanes, type, true, on) : on;
    space->count(&access, &lanes, on, spin ? WB_SHARED_CAS_SPIN : WB_SHARED_CAS);
    uint32_t none = 0;
    if (w->guard) {
        none = wb_guard_atomic(&access, lanes.at, on, space->guard, false);
    }
    uint32_t turn = spin ? wb_traffic_spin_turn(lanes.at, on, bytes) : on;
    const wb_row *b = source(w, in->b), *c = source(w, in->c);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *place = space->memory(&access, lane, lanes.at[lane]);
        if (!place && w->guard) {
            continue; /* the others are looked at, too */
        }
        if (!place) {
            return;
        }
        uint32_t old[4], new[4], compare[4];
        memcpy(old, place, bytes);
        read_lane(compare, b, lane, bytes);
        read_lane(new, c, lane, bytes);
        bool equal = turn >> lane & 1 && memcmp(old, compare, bytes) == 0;
        if (equal) {
            memcpy(place, new, bytes);
        }
        write_lane(w->scratch, spin ? (uint32_t[4]){equal} : old, lane, bytes);
    }
    finish(w, in, on, bytes);
    mark(&access, lanes.at, on, none, space->guard);
}

void WB_EXEC(atomg_cas)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    compare_and_swap(w, in, on, &space_global, false);
}

void WB_EXEC(atom_cas)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    compare_and_swap(w, in, on, &space_generic, in->sub == CAST_SPIN);
}

/* .CAST.SPIN gives 1 on success and 0 on failure instead of the old value. */
void WB_EXEC(atoms_cas)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    compare_and_swap(w, in, on, &space_shared, in->sub == CAST_SPIN);
}
