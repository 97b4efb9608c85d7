/* SPDX-License-Identifier: MIT
 * Handlers: mbarriers (SYNCS, ARRIVES) and bulk copies. Copies are done at once, so their bytes
 * arrive before anybody waits for them.
 */
#include "exec_access.h"
#include "mbarrier.h"

/* Operations of SYNCS.ARRIVE: A = arrivals, T = bytes; R is the register's value, X its negative.
 */
enum { A1TR, A1T0, A0T1, A0TR, A0TX, ART0, ARRIVE_COUNT };

static struct wb_mbarrier_step step_of(unsigned operation, uint32_t b, bool drops)
{
    switch (operation) {
    case A1TR:
        return (struct wb_mbarrier_step){1, (int32_t)b, drops};
    case A1T0:
        return (struct wb_mbarrier_step){1, 0, drops};
    case A0T1:
        return (struct wb_mbarrier_step){0, 1, drops};
    case A0TR:
        return (struct wb_mbarrier_step){0, (int32_t)b, drops};
    case A0TX:
        return (struct wb_mbarrier_step){0, (int32_t)(0 - b), drops};
    default:
        return (struct wb_mbarrier_step){b, 0, drops};
    }
}

/* Applies a step for each lane; the states before it go to the rows `d` unless that is NULL. */
static bool apply(wb_row *d, struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = 8, .write = true};
    const uint32_t *b = *source(w, in->b);
    struct lanes lanes;
    find_lanes(&lanes, &access, false, on);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint8_t *object = shared_memory(&access, lane, lanes.at[lane]);
        if (!object) {
            return false;
        }
        if (w->guard) {
            wb_guard_mbarrier(w, lanes.at[lane], false);
        }
        uint64_t old = wb_mbarrier_apply(object, step_of(in->sub, b[lane], in->flag));
        d[0][lane] = (uint32_t)old;
        d[1][lane] = (uint32_t)(old >> 32);
    }
    return true;
}

/* SYNCS.ARRIVE: arrivals and bytes of each lane, d pair = state before; .OPTOUT: for good. */
void WB_EXEC(syncs_arrive)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (in->sub >= ARRIVE_COUNT) {
        WB_EXEC(unknown)(w, in, on);
    } else if (apply(w->scratch, w, in, on)) {
        blend_row(w->reg[in->d], w->scratch[0], on);
        blend_row(w->reg[in->d + 1], w->scratch[1], on);
    }
}

/* SYNCS.PHASECHK: Pd = the phase of the token (or parity << 31) b is complete; .TRYWAIT waits until
 * it is. */
void WB_EXEC(syncs_phasechk)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t complete;
    if (!wb_mbarrier_check(&complete, w, in, on)) {
        return;
    }
    set_pred(w, in->pd, complete, on);
    if (complete == on) {
        return;
    }
    if (in->flag) {
        wb_warp_park(w, on, WB_WAIT_MBARRIER);
    } else {
        wb_warp_yield(w); /* a loop around it lets others go first */
    }
}

/* SYNCS.EXCH: the uniform pair b is the new state, d pair = the old one. */
void WB_EXEC(syncs_exch)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (!on) {
        return;
    }
    struct wb_access access = {.warp = w, .in = in, .size = 8, .write = true};
    const wb_row *b = source(w, in->b);
    uint32_t address = (*source(w, in->a))[0] + (uint32_t)in->imm, old[2],
             new[2] = {b[0][0], b[1][0]};
    uint8_t *object = wb_memory_shared(&access, wb_lowest_lane(w->active), address);
    if (object) {
        memcpy(old, object, sizeof old);
        memcpy(object, new, sizeof new);
        for (unsigned i = 0; i < WB_LANES; i++) {
            w->reg[in->d][i] = old[0];
            w->reg[in->d + 1][i] = old[1];
        }
    }
}

/* ARRIVES.LDGSTSBAR: all copies of a lane are done, so that it arrives (.ARVCNT), or that one byte
 * arrives (.TRANSCNT). */
void WB_EXEC(arrives)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { ARVCNT = 1, TRANSCNT };
    struct wb_access access = {.warp = w, .in = in, .size = 8, .write = true};
    if (in->sub != ARVCNT && in->sub != TRANSCNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    bool arrives = in->sub == ARVCNT;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint32_t address = (*source(w, in->c))[0] + (uint32_t)in->imm;
        uint8_t *object = wb_memory_shared(&access, lane, address);
        if (!object) {
            return;
        }
        if (w->guard) {
            wb_async_arrive(w);
            wb_guard_mbarrier(w, address, false);
        }
        wb_mbarrier_apply(object, (struct wb_mbarrier_step){arrives, arrives ? 0 : -1, false});
    }
}

/* ---- bulk copies ------------------------------------------------------------------------------
 */

enum { PIECE = 16 }; /* bytes: sizes and addresses are multiples of it */

/* Tells the guard of a piece. */
static void copy_watched(struct wb_warp *w, const struct wb_access *reads,
                         const struct wb_access *writes, uint32_t shared, uint64_t global,
                         bool to_shared)
{
    uint64_t from[WB_LANES], to[WB_LANES];
    uint32_t undefined[4], on = UINT32_C(1) << wb_lowest_lane(w->active);
    for (unsigned i = 0; i < WB_LANES; i++) {
        from[i] = to_shared ? global : shared;
        to[i] = to_shared ? shared : global;
    }
    enum wb_guard_space source = to_shared ? WB_GUARD_GLOBAL : WB_GUARD_SHARED;
    enum wb_guard_space target = to_shared ? WB_GUARD_SHARED : WB_GUARD_GLOBAL;
    wb_guard_load(undefined, reads, from, on, source);
    wb_guard_store(writes, to, on, target, NULL, undefined);
}

/* Copies `pieces` between a shared and a global address; false after a fault. */
static bool copy_bulk(struct wb_warp *w, const struct wb_insn *in, uint32_t shared, uint64_t global,
                      uint32_t pieces, bool to_shared)
{
    struct wb_access reads = {.warp = w, .in = in, .size = PIECE};
    struct wb_access writes = {.warp = w, .in = in, .size = PIECE, .write = true};
    unsigned lane = wb_lowest_lane(w->active);
    for (uint32_t i = 0; i < pieces; i++, shared += PIECE, global += PIECE) {
        uint8_t *here = shared_memory(to_shared ? &writes : &reads, lane, shared);
        uint8_t *there = here ? global_memory(to_shared ? &reads : &writes, lane, global) : NULL;
        if (!there) {
            return false;
        }
        if (w->guard) {
            copy_watched(w, &reads, &writes, shared, global, to_shared);
        }
        memcpy(to_shared ? here : there, to_shared ? there : here, PIECE);
    }
    return true;
}

static uint32_t uniform_word(const struct wb_warp *w, struct wb_operand o, unsigned word)
{
    return source(w, o)[word][0];
}

/* UBLKCP.S.G: c * 16 bytes from the global address a to the shared address in b; they arrive at
 * the mbarrier whose address is behind it. */
void WB_EXEC(ublkcp_sg)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct wb_access access = {.warp = w, .in = in, .size = 8, .write = true};
    uint32_t pieces = uniform_word(w, in->c, 0), barrier = uniform_word(w, in->b, 1);
    uint64_t from = pair(uniform_word(w, in->a, 0), uniform_word(w, in->a, 1));
    if (!on || !copy_bulk(w, in, uniform_word(w, in->b, 0), from, pieces, true)) {
        return;
    }
    uint8_t *object = shared_memory(&access, wb_lowest_lane(w->active), barrier);
    if (object) {
        int32_t bytes = (int32_t)(pieces * PIECE);
        if (w->guard) {
            wb_guard_mbarrier(w, barrier, false);
        }
        wb_mbarrier_apply(object, (struct wb_mbarrier_step){.bytes = -bytes});
    }
}

/* UBLKCP.G.S: the other way, from the shared address a to the global address b; nobody is told. */
void WB_EXEC(ublkcp_gs)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint64_t to = pair(uniform_word(w, in->b, 0), uniform_word(w, in->b, 1));
    if (on) {
        copy_bulk(w, in, uniform_word(w, in->a, 0), to, uniform_word(w, in->c, 0), false);
    }
}
