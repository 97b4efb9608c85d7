/* SPDX-License-Identifier: MIT
 * Handlers: branches, calls, convergence barriers, the end of threads. warp.c has the groups of
 * lanes; what counts as a branch, and as which, is decided here.
 */
#include "disasm.h"
#include "exec.h"
#include "guard.h"
#include "print.h"

#include <inttypes.h>

/* The counters of the running instruction. */
static struct wb_tally *tally(const struct wb_warp *w)
{
    return &w->tally[w->pc - 1];
}

/* Lanes that take the branch: guard and second condition. The group splits if only some do: one
 * uniform or one divergent branch. */
void WB_EXEC(bra)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t taken = on & pred(w, in->ps);
    if (taken == w->active) {
        tally(w)->uniform++;
        wb_warp_jump(w, in->target);
    } else if (taken == 0) {
        tally(w)->uniform++;
    } else {
        tally(w)->divergent++;
        if (w->cta->run->taken_first) {
            wb_warp_fork(w, w->pc, w->active & ~taken);
            wb_warp_jump(w, in->target);
        } else {
            wb_warp_fork(w, in->target, taken);
        }
    }
}

/* BRA.U: the whole group branches if all of its lanes (.ANY: any) would. */
void WB_EXEC(bra_u)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t taken = on & pred(w, in->ps);
    tally(w)->uniform++;
    if (in->flag ? taken != 0 : taken == w->active) {
        wb_warp_jump(w, in->target);
    }
}

/* BRA.DIV: the whole group branches unless the lanes whose guard holds are exactly the mask in a
 * uniform register. */
void WB_EXEC(bra_div)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a);
    uint32_t voted = on & pred(w, in->ps);
    tally(w)->uniform++;
    if (voted != a[0]) {
        wb_warp_jump(w, in->target);
    }
}

/* BRA.CONV: the opposite: the group branches if they are exactly the mask. The code that it skips
 * lets the lanes of the mask meet. */
void WB_EXEC(bra_conv)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a);
    uint32_t voted = on & pred(w, in->ps);
    tally(w)->uniform++;
    if (voted == a[0]) {
        wb_warp_jump(w, in->target);
    }
}

/* CALL with a fixed target: the return address is in a register already. Lanes that do not call
 * go on behind it. */
void WB_EXEC(call_rel)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    WB_EXEC(bra)(w, in, on);
}

/* Where a jump through register `a` leads: nowhere (behind the end) if not to an instruction. */
static uint32_t destination(const struct wb_warp *w, const struct wb_insn *in, uint32_t a)
{
    uint32_t count = w->cta->run->program->count, bytes = in->target * 16 + a;
    return bytes % 16 == 0 && bytes / 16 < count ? bytes / 16 : count;
}

/* BRX, RET, CALL through a register: each lane goes to target + a. With n destinations (the next
 * instruction, for lanes that do not take part, is one) 1 uniform branch or n - 1 divergent. */
void WB_EXEC(brx)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a);
    struct wb_tally *counts = tally(w);
    unsigned destinations = 0;
    on &= pred(w, in->ps);
    uint32_t stay = w->active & ~on;
    for (uint32_t rest = on; rest; destinations++) {
        unsigned first = wb_lowest_lane(rest);
        uint32_t same = 0;
        for (unsigned i = 0; i < WB_LANES; i++) {
            same |= a[i] == a[first] ? wb_lane_bit[i] : 0;
        }
        same &= rest;
        rest &= ~same;
        if (rest || stay) {
            wb_warp_fork(w, destination(w, in, a[first]), same);
        } else {
            wb_warp_jump(w, destination(w, in, a[first]));
        }
    }
    destinations += stay != 0;
    if (destinations == 1) {
        counts->uniform++;
    } else {
        counts->divergent += destinations - 1;
    }
}

/* CALL to an absolute address: a service of the system (vprintf, assert). */
void WB_EXEC(call_abs)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a);
    on &= pred(w, in->ps);
    if (on == w->active || on == 0) {
        tally(w)->uniform++;
    } else {
        tally(w)->divergent++;
    }
    for (unsigned i = 0; i < WB_LANES && w->event != WB_EVENT_STOP; i++) {
        if (on >> i & 1) {
            wb_system_call(w, in, i, pair(a[0][i], a[1][i]));
        }
    }
}

/* d pair = address of the instruction behind the next one: what a call will return to. */
void WB_EXEC(lepc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    wb_row *d = result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[0][i] = (uint32_t)in->imm;
        d[1][i] = 0;
    }
    commit(w, in, on, 2);
}

/* BSSY: each lane's barrier register is the mask of the lanes executing this. */
void WB_EXEC(bssy)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    on &= pred(w, in->ps);
    uint32_t *b = w->convergence[in->barrier];
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        b[i] = wb_keep(on, i, on, b[i]);
    }
}

/* BSYNC: waits for the other lanes of the barrier; lanes whose guard is false go on. */
void WB_EXEC(bsync)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    on &= pred(w, in->ps);
    const uint32_t *masks = w->convergence[in->barrier];
    w->yielded &= ~on;
    while (on) { /* lanes of one barrier together; nearly always all */
        uint32_t mask = masks[wb_lowest_lane(on)] & w->live, same = 0;
        for (int i = 0; i < WB_LANES; i++) {
            same |= (masks[i] & w->live) == mask ? wb_lane_bit[i] : 0;
        }
        same &= on;
        on &= ~same;
        if (same == w->active && (mask & ~same) == 0) {
            return; /* everyone is here */
        }
        wb_warp_park(w, same, WB_WAIT_BSYNC)->barrier = in->barrier;
    }
    wb_warp_settle(w);
}

/* BREAK: these lanes leave the barrier, in every lane's copy. */
void WB_EXEC(brk)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    on &= pred(w, in->ps);
    for (int i = 0; i < WB_LANES; i++) {
        w->convergence[in->barrier][i] &= ~on;
    }
    wb_warp_settle(w);
}

/* d = barrier register; .CLEAR empties it. */
void WB_EXEC(bmov_d)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t *b = w->convergence[in->barrier], *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = b[i];
        b[i] = in->flag && on >> i & 1 ? 0 : b[i];
    }
    commit(w, in, on, 1);
}

/* Barrier register = b. */
void WB_EXEC(bmov_b)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    blend_row(w->convergence[in->barrier], *source(w, in->b), on);
}

enum { WARPSYNC_EXCLUSIVE = 1, WARPSYNC_COLLECTIVE = 2 };

/* WARPSYNC.ALL: waits for all lanes that have not ended. */
void WB_EXEC(warpsync_all)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    on &= pred(w, in->ps);
    if (on == w->live) {
        w->yielded = 0;
        if (w->guard && on) {
            wb_guard_meet(w, on);
        }
    } else if (on) {
        struct wb_group *group = wb_warp_park(w, on, WB_WAIT_WARPSYNC);
        group->want = WB_ALL_LANES;
        group->collective = in->sub == WARPSYNC_COLLECTIVE;
        wb_warp_settle(w);
    }
}

/* Is nobody missing from any lane's mask? */
static bool all_are_here(const struct wb_warp *w, const uint32_t *masks, uint32_t on)
{
    uint32_t wanted = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        wanted |= masks[wb_lowest_lane(rest)];
    }
    return (wanted & w->live & ~on) == 0;
}

/* WARPSYNC: lanes wait for those of their mask a. While somebody is missing, lanes with different
 * masks part. If all are here they stay together: the compiler moves instructions of the whole warp
 * behind one. With .EXCLUSIVE, which counts that like an indirect branch, and with .COLLECTIVE they
 * part all the same. */
void WB_EXEC(warpsync)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a);
    struct wb_tally *counts = tally(w);
    unsigned masks = 0;
    on &= pred(w, in->ps);
    if (w->guard && on) {
        wb_guard_mask(w, in, a, on);
    }
    bool plain = in->sub != WARPSYNC_EXCLUSIVE && in->sub != WARPSYNC_COLLECTIVE;
    if (plain && all_are_here(w, a, on)) {
        w->yielded &= ~on;
        if (w->guard && on) {
            wb_guard_meet(w, on);
        }
        return;
    }
    for (uint32_t rest = on; rest; masks++) {
        uint32_t mask = a[wb_lowest_lane(rest)], same = 0;
        for (int i = 0; i < WB_LANES; i++) {
            same |= a[i] == mask ? wb_lane_bit[i] : 0;
        }
        same &= rest;
        rest &= ~same;
        if (same == w->active && (mask & w->live & ~same) == 0) {
            w->yielded &= ~same; /* everyone is here */
            if (w->guard) {
                wb_guard_meet(w, same);
            }
        } else {
            struct wb_group *group = wb_warp_park(w, same, WB_WAIT_WARPSYNC);
            group->want = mask;
            group->collective = in->sub == WARPSYNC_COLLECTIVE;
        }
    }
    if (in->sub == WARPSYNC_EXCLUSIVE && masks == 1) {
        counts->uniform++;
    } else if (in->sub == WARPSYNC_EXCLUSIVE && masks > 1) {
        counts->divergent += masks - 1;
    }
    wb_warp_settle(w);
}

/* YIELD: barriers stop waiting for these lanes until they arrive; another group runs first. */
void WB_EXEC(yield)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    w->yielded |= on & pred(w, in->ps);
    wb_warp_settle(w);
    wb_warp_yield(w);
}

/* NANOSLEEP: another group runs first. */
void WB_EXEC(nanosleep)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)in;
    (void)on;
    wb_warp_yield(w);
}

/* EXIT: the lanes end. */
void WB_EXEC(exit)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    on &= pred(w, in->ps);
    if (on) {
        if (w->guard) {
            wb_guard_exit(w, on);
        }
        wb_warp_exit(w, on);
    }
}

/* BPT: a trap stops the launch. */
void WB_EXEC(bpt)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (on) {
        char who[80];
        wb_fault_who(who, sizeof who, w, wb_lowest_lane(on));
        wb_fault_raise(w, in, wb_lowest_lane(on), WB_REASON_TRAP,
                       "%s stopped the kernel: it reached a trap instruction", who);
    }
}

/* What the embedded device names, but does not do. */
void WB_EXEC(needs_gpu)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const char *name = wb_op_name((enum wb_op)in->op); /* operands behind it */
    if (on) {
        wb_fault_raise(w, in, wb_lowest_lane(on), WB_REASON_UNSUPPORTED,
                       "the instruction %.*s needs a GPU: the embedded device has no tensor "
                       "cores, no tensor copies and not every form of texture",
                       (int)strcspn(name, " "), name);
    }
}

/* An encoding that inst.def does not have: no row, or a bit that its row does not explain. */
void WB_EXEC(unknown)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)on;
    uint32_t pc = (uint32_t)(in - w->cta->run->program->code) * 16;
    const uint8_t *code = w->cta->run->kernel->code + pc;
    struct wb_word word = wb_load_word(code);
    struct wb_arena arena;
    struct wb_str text;
    wb_arena_init(&arena);
    wb_str_init(&text, &arena);
    wb_disassemble(&text, code, pc);
    bool like = wb_str_get(&text)[0] != '?'; /* the opcode is known */
    wb_fault_raise(w, in, wb_lowest_lane(w->active), WB_REASON_UNSUPPORTED,
                   "the embedded device does not know the instruction at 0x%x of kernel `%s`: "
                   "0x%016" PRIx64 " 0x%016" PRIx64 " (opcode 0x%03x%s%.100s%s)",
                   pc, w->cta->run->kernel->name, word.low, word.high, (unsigned)(word.low & 0xfff),
                   like ? ", like `" : "", like ? wb_str_get(&text) : "", like ? "`" : "");
    wb_arena_finish(&arena);
}

/* Behind the last instruction, or a jump to nowhere. */
void WB_EXEC(end)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)on;
    wb_fault_raise(w, in, wb_lowest_lane(w->active), WB_REASON_TRAP,
                   "the threads left the code of kernel `%s`: a function pointer or a return "
                   "address was overwritten",
                   w->cta->run->kernel->name);
}
