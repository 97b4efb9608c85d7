/* SPDX-License-Identifier: MIT
 * Handlers: what the lanes of a warp tell each other, and the barriers of block and cluster. All
 * warp operations are over the lanes that execute the instruction together.
 */
#include "exec.h"
#include "guard.h"
#include "undefined.h"

/* All of these bring the lanes that execute them together. */
static void meet(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (w->guard && on) {
        wb_guard_collective(w, in, on);
        wb_guard_meet(w, on);
    }
}

enum { SHFL_IDX, SHFL_UP, SHFL_DOWN, SHFL_BFLY };

/* The lane that `lane` reads from, or -1 if it is out of its segment. */
static int shfl_source(unsigned mode, unsigned lane, unsigned b, unsigned clamp_value)
{
    unsigned segment = clamp_value >> 8 & 31, clamp = clamp_value & 31;
    unsigned first = lane & segment, last = first | (clamp & ~segment);
    int j;
    b &= 31;
    switch (mode) {
    case SHFL_IDX:
        j = (int)(first | (b & ~segment));
        break;
    case SHFL_UP:
        j = (int)lane - (int)b;
        return j >= (int)last ? j : -1;
    case SHFL_DOWN:
        j = (int)(lane + b);
        break;
    default:
        j = (int)(lane ^ b);
        break;
    }
    return j <= (int)last ? j : -1;
}

/* In a guarded launch: which of the values come from nowhere. */
static void note_sources(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b), *c = *source(w, in->c);
    uint8_t from[WB_LANES];
    for (unsigned i = 0; i < WB_LANES; i++) {
        int j = shfl_source(in->sub, i, b[i], c[i]);
        from[i] = (uint8_t)(j < 0 ? (int)i : j);
    }
    wb_undefined_shuffle(w, in, on, from);
}

/* d = a of another lane, its own where that is out of the segment; Pd = it is inside. */
void WB_EXEC(shfl)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = w->scratch[0], inside = 0;
    meet(w, in, on);
    if (w->undefined && (on != WB_ALL_LANES || w->undefined->live)) {
        note_sources(w, in, on);
    }
    for (unsigned i = 0; i < WB_LANES; i++) {
        int j = shfl_source(in->sub, i, b[i], c[i]);
        d[i] = a[j < 0 ? (int)i : j];
        inside |= (uint32_t)(j >= 0) << i;
    }
    blend_row(w->reg[in->d], d, on);
    set_pred(w, in->pd, inside, on);
}

enum { VOTE_ALL, VOTE_ANY, VOTE_EQ };

static bool vote_holds(unsigned mode, uint32_t ballot, uint32_t on)
{
    return mode == VOTE_ALL   ? ballot == on
           : mode == VOTE_ANY ? ballot != 0
                              : ballot == 0 || ballot == on;
}

/* d = the lanes whose Ps holds; Pd = all, any, or all equal. */
void WB_EXEC(vote)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t ballot = on & pred(w, in->ps), *d = *result(w, in, on);
    meet(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = ballot;
    }
    commit(w, in, on, 1);
    set_pred(w, in->pd, all_ones_if(vote_holds(in->sub, ballot, on)), on);
}

/* The same into uniform registers. */
void WB_EXEC(voteu)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    meet(w, in, on);
    if (on) {
        uint32_t ballot = on & pred(w, in->ps);
        set_uniform(w, in, ballot);
        set_pred(w, in->pd, all_ones_if(vote_holds(in->sub, ballot, on)), WB_ALL_LANES);
    }
}

enum { MATCH_ALL, MATCH_ANY };

/* ANY: d = the lanes with the same a. ALL: d = the lanes if all are equal, else 0; Pd = equal. */
void WB_EXEC(match)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a);
    uint32_t *d = w->scratch[0], equal_all = 0;
    meet(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint32_t same = 0;
        for (unsigned j = 0; j < WB_LANES; j++) {
            bool equal = a[0][i] == a[0][j] && (!in->wide || a[1][i] == a[1][j]);
            same |= (uint32_t)equal << j;
        }
        same &= on;
        d[i] = in->sub == MATCH_ANY || same == on ? same : 0;
        equal_all |= (uint32_t)(same == on) << i;
    }
    blend_row(w->reg[in->d], d, on);
    set_pred(w, in->pd, equal_all, on);
}

enum { REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_SUM, REDUX_MIN, REDUX_MAX };

static uint32_t reduce(unsigned operation, bool is_signed, uint32_t x, uint32_t y)
{
    uint32_t flip = is_signed ? UINT32_C(0x80000000) : 0;
    switch (operation) {
    case REDUX_AND:
        return x & y;
    case REDUX_OR:
        return x | y;
    case REDUX_XOR:
        return x ^ y;
    case REDUX_SUM:
        return x + y;
    case REDUX_MIN:
        return (x ^ flip) < (y ^ flip) ? x : y;
    default:
        return (x ^ flip) > (y ^ flip) ? x : y;
    }
}

/* Uniform register = reduction of a over the executing lanes. */
void WB_EXEC(redux)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (!on) {
        return;
    }
    if (in->sub > REDUX_MAX) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    meet(w, in, on);
    const uint32_t *a = *source(w, in->a);
    uint32_t value = a[wb_lowest_lane(on)];
    for (uint32_t rest = on & (on - 1); rest; rest &= rest - 1) {
        value = reduce(in->sub, in->is_signed, value, a[wb_lowest_lane(rest)]);
    }
    set_uniform(w, in, value);
}

/* Pd is true in the lowest executing lane; the uniform register is that lane's number. */
void WB_EXEC(elect)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t takes_part = on & pred(w, in->ps);
    if (takes_part) {
        set_uniform(w, in, wb_lowest_lane(takes_part));
        set_pred(w, in->pd, takes_part & (0 - takes_part), on);
    }
}

/* ---- barriers of the block --------------------------------------------------------------------
 */

enum { BAR_SYNC, BAR_ARV, BAR_RED };

/* The running group arrives at block barrier `id`, which is complete with `count` threads (0: the
 * block). A barrier is no branch: lanes whose guard is false wait with the others. */
static void arrive(struct wb_warp *w, const struct wb_insn *in, uint32_t lanes, unsigned id,
                   unsigned count)
{
    uint32_t on = w->active;
    if (id >= WB_BARRIERS) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    if (w->guard && lanes != on) {
        wb_guard_skip(w, in, on & ~lanes);
    }
    if (in->sub == BAR_ARV) {
        if (w->guard) {
            wb_guard_arrive(w, id);
        }
        w->cta->arrived[id] += wb_cta_arrival(w, on);
        w->cta->expected[id] = count;
        w->event = WB_EVENT_SWITCH; /* the block looks whether a barrier is complete */
        return;
    }
    struct wb_group *group = wb_warp_park(w, on, WB_WAIT_BAR);
    group->barrier = (uint8_t)id;
    group->reduces = in->sub == BAR_RED;
    group->want = pred(w, in->ps);
    w->cta->expected[id] = count;
}

/* BAR with constants. */
void WB_EXEC(bar)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (on) {
        arrive(w, in, on, in->barrier, (unsigned)in->imm);
    }
}

/* BAR with id, or id and count << 16, in a register. */
void WB_EXEC(bar_reg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (on) {
        uint32_t b = (*source(w, in->b))[wb_lowest_lane(on)];
        unsigned count = in->op == WB_OP_BAR_REG ? b >> 16 & 0xfff : (unsigned)in->imm;
        arrive(w, in, on, b & 0xff, count);
    }
}

/* Result of the last BAR.RED: d = threads whose Ps held, Pd = all or any of them. */
void WB_EXEC(b2r_result)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = w->bar_count;
    }
    commit(w, in, on, 1);
    set_pred(w, in->pd, all_ones_if(in->sub == 1 ? w->bar_all : w->bar_any), on);
}

/* Cluster barrier: arrival of the group, without waiting. */
void WB_EXEC(cgabar_arv)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)in;
    w->cta->cluster->arrived += (unsigned)__builtin_popcount(on);
    w->cluster_phase = w->cta->cluster->phase;
}

/* Waits for the phase of the last arrival to be complete. */
void WB_EXEC(cgabar_wait)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)in;
    if (on && w->cluster_phase == w->cta->cluster->phase) {
        wb_warp_park(w, on, WB_WAIT_CLUSTER)->want = w->cluster_phase;
    }
}
