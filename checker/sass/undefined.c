/* SPDX-License-Identifier: MIT
 * The state of undefined.h and the walk through the instructions. Register rows that nobody can
 * write (RZ) or read (the place of unwanted results) are always defined; a row of the uniform
 * datapath is the same in all lanes.
 */
#include "undefined_table.h"

#include <string.h>

/* UNDEFINED_<handler> is the row of undefined.def; INST asks for it by that name. */
enum {
#define UNDEFINED(handler, ...) UNDEFINED_##handler,
#include "undefined.def"
#undef UNDEFINED
};

static const struct wb_undefined_row rows_of_handlers[] = {
#define UNDEFINED(handler, ...) [UNDEFINED_##handler] = {__VA_ARGS__},
#include "undefined.def"
#undef UNDEFINED
};

static const uint8_t handler_of_op[WB_OP_COUNT] = {
#define INST(name, base, forms, when, mnemonic, handler, ...) [WB_OP_##name] = UNDEFINED_##handler,
#include "inst.def"
#undef INST
};

const struct wb_undefined_row *wb_undefined_row(unsigned op)
{
    static const struct wb_undefined_row nothing = {0};
    return op < WB_OP_COUNT ? &rows_of_handlers[handler_of_op[op]] : &nothing;
}

/* The number of rows of an operand for this instruction. */
unsigned wb_undefined_width(const struct wb_insn *in, unsigned rows)
{
    static const uint8_t of_size[8] = {1, 1, 1, 1, 1, 2, 4, 0};
    static const uint8_t of_type[16] = {1, 1, 2, 2, 4};
    static const uint8_t of_float_type[16] = {1, 2, 4, 1, 2, 4, [9] = 1, 2, 4, [15] = 2};
    enum { W64 = 3 };
    switch (rows) {
    case BY_WIDE:
        return in->wide ? 2 : 1;
    case MEMORY:
        return of_size[in->size & 7];
    case ATOMIC:
        return of_type[in->type & 15];
    case ATOMIC_F:
        return of_float_type[in->type & 15];
    case TO_SIZE:
        return in->size == W64 ? 2 : 1;
    case FROM_SIZE:
        return in->from_size == W64 ? 2 : 1;
    case MATRICES:
        return 1u << (in->sub & 3);
    case TEXELS:
        return 2;
    case UNIFORM:
        return in->has_uniform;
    default:
        return rows;
    }
}

/* ---- state ----------------------------------------------------------------------------------- */

void wb_undefined_start(struct wb_undefined *u)
{
    if (u->live) { /* else its masks are zero anyway */
        memset(u, 0, offsetof(struct wb_undefined, origins));
    }
    u->origin_count = 0;
}

/* Can a register row be undefined at all? */
static bool is_register(unsigned row)
{
    return row < WB_ROW_TRASH || (row >= WB_ROW_UNIFORM && row < WB_ROW_COUNT);
}

static void set_mask(struct wb_undefined *u, uint32_t *mask, uint32_t lanes)
{
    u->live += (lanes != 0) - (*mask != 0);
    *mask = lanes;
}

void wb_undefined_set_row(struct wb_undefined *u, unsigned row, uint32_t lanes, uint32_t computed,
                          unsigned origin)
{
    if (!is_register(row)) {
        return;
    }
    if (row >= WB_ROW_UNIFORM) {
        lanes = lanes ? WB_ALL_LANES : 0;
    }
    set_mask(u, &u->row[row], lanes);
    u->computed[row] = computed & lanes;
    u->row_origin[row] = (uint8_t)origin;
}

void wb_undefined_set_pred(struct wb_undefined *u, unsigned pred, uint32_t lanes, unsigned origin)
{
    if (pred == WB_PRED_TRUE || pred == WB_PRED_TRASH) {
        return;
    }
    if (pred >= WB_PRED_UNIFORM) {
        lanes = lanes ? WB_ALL_LANES : 0;
    }
    set_mask(u, &u->pred[pred], lanes);
    u->pred_origin[pred] = (uint8_t)origin;
}

uint32_t wb_undefined_lanes(const struct wb_warp *w, struct wb_operand operand, unsigned rows)
{
    const struct wb_undefined *u = w->undefined;
    uint32_t lanes = 0;
    if (!u || !u->live || operand.space != WB_SPACE_WARP) {
        return 0;
    }
    for (unsigned r = operand.row; r < operand.row + rows && r < WB_ROW_COUNT; r++) {
        lanes |= u->row[r];
    }
    return lanes;
}

uint8_t wb_undefined_origin_of(const struct wb_warp *w, struct wb_operand operand, unsigned rows,
                               uint32_t on)
{
    const struct wb_undefined *u = w->undefined;
    unsigned r = operand.row, end = operand.row + rows;
    if (operand.space != WB_SPACE_WARP) {
        return 0;
    }
    while (r + 1 < end && r + 1 < WB_ROW_COUNT && !(u->row[r] & on)) {
        r++;
    }
    return u->row_origin[r];
}

/* ---- results --------------------------------------------------------------------------------- */

/* The lanes of `on` (and of `more`) become as `result` says; the others stay. */
static void write_row(struct wb_undefined *u, unsigned row, uint32_t on,
                      const struct wb_undefined_result *result)
{
    uint32_t old = row >= WB_ROW_UNIFORM ? 0 : u->row[row] & ~on;
    if (old | u->row[row] | result->d) {
        uint32_t computed = (u->computed[row] & old) | result->computed;
        unsigned origin = result->d ? result->origin : u->row_origin[row];
        wb_undefined_set_row(u, row, old | result->d, computed, origin);
    }
}

static void write_pred(struct wb_undefined *u, unsigned pred, uint32_t on, uint32_t lanes,
                       unsigned origin)
{
    uint32_t old = pred >= WB_PRED_UNIFORM && on ? 0 : u->pred[pred] & ~on;
    if (old | u->pred[pred] | lanes) {
        wb_undefined_set_pred(u, pred, old | lanes, lanes ? origin : u->pred_origin[pred]);
    }
}

static void write_results(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                          const struct wb_undefined_result *result)
{
    const struct wb_undefined_row *row = wb_undefined_row(in->op);
    struct wb_undefined *u = w->undefined;
    unsigned rows = on | result->d ? wb_undefined_width(in, row->d) : 0;
    for (unsigned r = in->d; r < in->d + rows && r < WB_ROW_COUNT; r++) {
        write_row(u, r, on, result);
        if (row->d == TEXELS) {
            write_row(u, (unsigned)in->imm2 + r - in->d, on, result);
        }
    }
    write_pred(u, in->pd, on, result->pd, result->origin);
    write_pred(u, in->pe, on, result->pe, result->origin);
}

/* R4 and R5 hold what a service of the system returned. */
static void call(struct wb_warp *w, uint32_t on)
{
    const struct wb_undefined_result nothing = {0};
    write_row(w->undefined, 4, on, &nothing);
    write_row(w->undefined, 5, on, &nothing);
}

/* For each bit p of mask b: Pp = bit p of a byte of a. */
static void unpack(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_undefined *u = w->undefined;
    uint32_t mask = wb_undefined_lanes(w, in->b, 1);
    uint32_t lanes = on & (wb_undefined_lanes(w, in->a, 1) | mask);
    unsigned origin = wb_undefined_origin_of(w, in->a, 1, on);
    const uint32_t *b = w->rows[in->b.space][in->b.row];
    for (unsigned p = 0; p < WB_PRED_TRUE; p++) {
        uint32_t wanted = mask;
        for (int i = 0; i < WB_LANES; i++) {
            wanted |= (b[i] >> p & 1) << i;
        }
        unsigned place = p + (in->all_if_any ? WB_PRED_UNIFORM : 0);
        write_pred(u, place, on & wanted, lanes & wanted, origin);
    }
}

void wb_undefined_step(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_undefined_row *row = wb_undefined_row(in->op);
    struct wb_undefined *u = w->undefined;
    if (row->uses) {
        wb_undefined_report(w, in, on);
    }
    if (row->spread == CALLS) {
        call(w, on);
    } else if (row->spread == UNPACKS) {
        unpack(w, in, on);
    } else if (row->spread != SHUFFLES) {
        /* an undefined guard: nobody knows whether the result was written */
        uint32_t unsure = u->pred[in->guard] & (w->active | in->all_if_any);
        struct wb_undefined_result result = wb_undefined_spread(w, in, on & ~unsure);
        if (unsure) {
            result.origin = u->pred_origin[in->guard];
            result.d |= unsure;
            result.computed |= unsure;
            result.pd |= unsure;
            result.pe |= unsure;
        }
        write_results(w, in, on | unsure, &result);
    }
}

/* ---- origins --------------------------------------------------------------------------------- */

static bool is_referred_to(const struct wb_undefined *u, unsigned origin)
{
    bool found = false;
    for (unsigned r = 0; r < WB_ROW_COUNT; r++) {
        found = found || (u->row[r] && u->row_origin[r] == origin);
    }
    for (unsigned p = 0; p < WB_PRED_COUNT; p++) {
        found = found || (u->pred[p] && u->pred_origin[p] == origin);
    }
    return found;
}

/* The place of an origin: the one that this instruction has, a free one, or one that no value
 * comes from any more. If all are in use the first gives way. */
static unsigned find_origin(struct wb_undefined *u, enum wb_reason reason, uint32_t pc)
{
    unsigned i = 0;
    while (i < u->origin_count && (u->origins[i].reason != reason || u->origins[i].pc != pc)) {
        i++;
    }
    if (i < u->origin_count) {
        return i;
    }
    if (u->origin_count < WB_UNDEFINED_ORIGINS) {
        u->origin_count++;
    } else {
        for (i = 0; i < WB_UNDEFINED_ORIGINS && is_referred_to(u, i); i++) {
        }
        i %= WB_UNDEFINED_ORIGINS;
    }
    u->origins[i] = (struct wb_undefined_origin){.reason = reason, .pc = pc, .used_at = UINT32_MAX};
    return i;
}

void wb_undefined_mark(struct wb_warp *w, unsigned row, unsigned rows, uint32_t on,
                       uint32_t undefined_lanes, const struct wb_undefined_origin *origin)
{
    struct wb_undefined *u = w->undefined;
    struct wb_undefined_result result = {.d = undefined_lanes & on};
    if (!result.d) {
        return;
    }
    result.origin = (uint8_t)find_origin(u, origin->reason, origin->pc);
    struct wb_undefined_origin *known = &u->origins[result.origin];
    known->lanes |= result.d;
    known->address = origin->address;
    known->holes = (known->holes & ~result.d) | (origin->holes & result.d);
    memcpy(known->what, origin->what, sizeof known->what);
    for (unsigned r = row; r < row + rows && r < WB_ROW_COUNT; r++) {
        write_row(u, r, on, &result);
    }
}

/* The instruction at which a lane that is away is. */
static uint32_t place_of(const struct wb_warp *w, uint32_t bit)
{
    for (unsigned g = 0; g < w->group_count; g++) {
        if (w->groups[g].mask & bit) {
            return w->groups[g].pc;
        }
    }
    return w->pc - 1; /* here, but its guard is false */
}

/* Lane i of `away` took its value from lane from[i], which takes no part. */
static unsigned add_absence(struct wb_warp *w, uint32_t away, const uint8_t from[WB_LANES])
{
    const struct wb_dim3 *block = &w->cta->run->launch->block;
    unsigned threads = block->x * block->y * block->z;
    unsigned index = find_origin(w->undefined, WB_REASON_INACTIVE_LANE_READ, (w->pc - 1) * 16);
    struct wb_undefined_origin *origin = &w->undefined->origins[index];
    origin->lanes |= away;
    origin->ended &= ~away;
    origin->missing &= ~away;
    for (uint32_t rest = away; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest), source = from[lane];
        uint32_t bit = UINT32_C(1) << lane, source_bit = UINT32_C(1) << source;
        origin->from[lane] = (uint8_t)source;
        if (w->index * WB_LANES + source >= threads) {
            origin->missing |= bit;
        } else if (!(w->live & source_bit)) {
            origin->ended |= bit;
            origin->place[lane] = w->ended_at[source];
        } else {
            origin->place[lane] = place_of(w, source_bit);
        }
    }
    return index;
}

void wb_undefined_shuffle(struct wb_warp *w, const struct wb_insn *in, uint32_t on,
                          const uint8_t from[WB_LANES])
{
    struct wb_undefined *u = w->undefined;
    uint32_t a = wb_undefined_lanes(w, in->a, 1), away = 0, passed = 0, computed = 0;
    uint32_t steered = wb_undefined_lanes(w, in->b, 1) | wb_undefined_lanes(w, in->c, 1);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint32_t bit = UINT32_C(1) << lane, source = UINT32_C(1) << from[lane];
        away |= source & on ? 0 : bit;
        passed |= source & on & a ? bit : 0;
        computed |= source & on & a && u->computed[in->a.row] & source ? bit : 0;
    }
    steered &= on;
    if (!(away | u->live)) {
        return;
    }
    struct wb_undefined_result result = {.d = away | passed | steered,
                                         .computed = computed | steered};
    struct wb_operand steers = wb_undefined_lanes(w, in->b, 1) ? in->b : in->c;
    result.origin = away     ? (uint8_t)add_absence(w, away, from)
                    : passed ? wb_undefined_origin_of(w, in->a, 1, WB_ALL_LANES)
                             : wb_undefined_origin_of(w, steers, 1, on);
    write_row(u, in->d, on, &result);
    write_pred(u, in->pd, on, steered, result.origin);
}
