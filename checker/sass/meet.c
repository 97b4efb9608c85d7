/* SPDX-License-Identifier: MIT
 * Meetings of threads: what they say about the order of things, and what is wrong with them.
 */
#include "fault.h"
#include "guard.h"

#include <stdio.h>
#include <string.h>

static uint32_t pc_of(const struct wb_warp *w, const struct wb_insn *in)
{
    return (uint32_t)(in - w->cta->run->program->code) * 16;
}

void wb_guard_meet(struct wb_warp *w, uint32_t lanes)
{
    wb_order_join(w, lanes);
}

void wb_guard_fence(struct wb_warp *w)
{
    wb_order_fence(w);
}

/* A mask must hold the lane that gives it. */
static void report_left_out(struct wb_warp *w, const struct wb_insn *in, uint32_t lanes,
                            uint32_t mask)
{
    char who[80], message[300];
    unsigned lane = wb_lowest_lane(lanes);
    wb_fault_who(who, sizeof who, w, lane);
    snprintf(message, sizeof message,
             "%s gives the mask 0x%08x, in which the bit of its own lane, %u, is not set", who,
             mask, lane);
    wb_guard_tell(w, WB_REASON_BAD_SHUFFLE_MASK, pc_of(w, in), lanes, 0, message);
}

void wb_guard_mask(struct wb_warp *w, const struct wb_insn *in, const uint32_t *masks, uint32_t on)
{
    uint32_t missing = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        missing |= masks[lane] >> lane & 1 ? 0 : rest & -rest;
    }
    if (missing) {
        report_left_out(w, in, missing, masks[wb_lowest_lane(missing)]);
    }
}

void wb_guard_collective(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_ptx *ptx = w->cta->run->guard->ptx;
    size_t number = (size_t)(in - w->cta->run->program->code);
    if (!ptx || !ptx->has_mask[number]) {
        return;
    }
    uint32_t mask = ptx->mask[number], absent = mask & w->live & ~on;
    if (on & ~mask) {
        report_left_out(w, in, on & ~mask, mask);
    } else if (absent) {
        char who[80], message[300];
        wb_fault_who(who, sizeof who, w, wb_lowest_lane(on));
        snprintf(message, sizeof message,
                 "%s gives the mask 0x%08x, but %u of the lanes in it do not come to this line: "
                 "they are elsewhere in the kernel, lane %u for one",
                 who, mask, (unsigned)__builtin_popcount(absent), wb_lowest_lane(absent));
        wb_guard_tell(w, WB_REASON_BAD_SHUFFLE_MASK, pc_of(w, in), on, 0, message);
    }
}

/* Behind a WARPSYNC.COLLECTIVE the lanes come one part after the other: so nobody is missing. */
void wb_guard_syncwarp(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_ptx *ptx = w->cta->run->guard->ptx;
    size_t number = (size_t)(in - w->cta->run->program->code);
    uint32_t mask = ptx && ptx->has_mask[number] ? ptx->mask[number] : WB_ALL_LANES;
    if (on & ~mask) {
        report_left_out(w, in, on & ~mask, mask);
    }
    wb_order_join(w, on & mask);
}

/* ---- barriers of the block --------------------------------------------------------------------
 */

/* A warp and group at the barrier; NULL if there is none at another instruction than `not_pc`. */
static struct wb_warp *find_waiting(const struct wb_group **group, const struct wb_cta *cta,
                                    unsigned id, uint32_t not_pc)
{
    for (unsigned i = 0; i < cta->warp_count; i++) {
        for (unsigned g = 0; g < cta->warps[i].group_count; g++) {
            *group = &cta->warps[i].groups[g];
            if ((*group)->wait == WB_WAIT_BAR && (*group)->barrier == id &&
                (*group)->pc != not_pc) {
                return &cta->warps[i];
            }
        }
    }
    return NULL;
}

static unsigned count_waiting(const struct wb_cta *cta, unsigned id, uint32_t pc)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cta->warp_count; i++) {
        for (unsigned g = 0; g < cta->warps[i].group_count; g++) {
            const struct wb_group *group = &cta->warps[i].groups[g];
            if (group->wait == WB_WAIT_BAR && group->barrier == id && group->pc == pc) {
                count += (unsigned)__builtin_popcount(group->mask);
            }
        }
    }
    return count;
}

static void name_line(char *out, size_t size, const struct wb_cta *cta, uint32_t pc)
{
    const char *file;
    unsigned line;
    if (wb_kernel_line(&file, &line, cta->run->kernel, pc * 16)) {
        snprintf(out, size, "line %u", line);
    } else {
        snprintf(out, size, "0x%x", pc * 16);
    }
}

static void report_barrier(struct wb_warp *w, const struct wb_group *group, uint32_t other_pc,
                           const char *message)
{
    wb_guard_report(w, &(struct wb_finding_note){
                           .kind = WB_REASON_BARRIER_DIVERGENCE,
                           .pc = group->pc * 16,
                           .other_pc = other_pc * 16,
                           .lanes = group->mask,
                           .message = message,
                       });
}

/* PTX's `barrier` without .aligned, as cooperative groups have it, may be met at several places, by
 * a warp in parts: a BRA.DIV before it leads those to a copy behind a WARPSYNC.COLLECTIVE. */
static bool is_for_parts(const struct wb_cta *cta, uint32_t pc)
{
    enum { FAR = 4, COLLECTIVE = 2 };
    const struct wb_insn *code = cta->run->program->code;
    for (unsigned i = 1; i <= FAR && i <= pc && code[pc - i].op != WB_OP_BAR; i++) {
        const struct wb_insn *in = &code[pc - i];
        bool is_copy =
            (in->op == WB_OP_WARPSYNC || in->op == WB_OP_WARPSYNC_ALL) && in->sub == COLLECTIVE;
        if (is_copy || in->op == WB_OP_BRA_DIV) {
            return true;
        }
    }
    return false;
}

/* Do all threads wait at one instruction? */
static void check_places(const struct wb_cta *cta, unsigned id)
{
    const struct wb_group *first, *other;
    struct wb_warp *w = find_waiting(&first, cta, id, UINT32_MAX);
    if (!w || !find_waiting(&other, cta, id, first->pc) || is_for_parts(cta, first->pc) ||
        is_for_parts(cta, other->pc)) {
        return;
    }
    const struct wb_dim3 *b = &cta->index;
    char here[40], there[40], message[300];
    name_line(here, sizeof here, cta, first->pc);
    name_line(there, sizeof there, cta, other->pc);
    if (strcmp(here, there) == 0) {
        return; /* one barrier, of which the compiler made two */
    }
    snprintf(message, sizeof message,
             "%u threads of block (%u,%u,%u) wait at the barrier in %s while %u wait at another "
             "one in %s: a barrier is for all threads of a block",
             count_waiting(cta, id, first->pc), b->x, b->y, b->z, here,
             count_waiting(cta, id, other->pc), there);
    report_barrier(w, first, other->pc, message);
}

/* Has a thread of the block ended already? */
static void check_all_there(const struct wb_cta *cta, unsigned id)
{
    const struct wb_dim3 *size = &cta->run->launch->block, *b = &cta->index;
    unsigned ended = 0, all = size->x * size->y * size->z;
    struct wb_dim3 thread = {0};
    uint32_t ended_at = 0;
    for (unsigned i = cta->warp_count; i-- > 0;) {
        const struct wb_warp *w = &cta->warps[i];
        unsigned threads = all - i * WB_LANES;
        uint32_t there = threads < WB_LANES ? (UINT32_C(1) << threads) - 1 : WB_ALL_LANES;
        uint32_t gone = there & ~w->live;
        ended += (unsigned)__builtin_popcount(gone);
        if (gone) {
            thread = wb_thread_index(w, wb_lowest_lane(gone));
            ended_at = w->ended_at[wb_lowest_lane(gone)];
        }
    }
    const struct wb_group *group;
    struct wb_warp *w = ended ? find_waiting(&group, cta, id, UINT32_MAX) : NULL;
    if (w) {
        char here[40], there[40], message[300];
        name_line(here, sizeof here, cta, group->pc);
        name_line(there, sizeof there, cta, ended_at);
        snprintf(message, sizeof message,
                 "%u of %u threads of block (%u,%u,%u) have ended (thread (%u,%u,%u) in %s) and "
                 "never reach the barrier in %s that the others wait at",
                 ended, all, b->x, b->y, b->z, thread.x, thread.y, thread.z, there, here);
        report_barrier(w, group, ended_at, message);
    }
}

void wb_guard_skip(struct wb_warp *w, const struct wb_insn *in, uint32_t skipping)
{
    char who[80], message[300];
    wb_fault_who(who, sizeof who, w, wb_lowest_lane(skipping));
    snprintf(message, sizeof message,
             "%s does not call this barrier, but others of its warp do: a barrier is for all "
             "threads of a block",
             who);
    wb_guard_tell(w, WB_REASON_BARRIER_DIVERGENCE, pc_of(w, in), skipping, 0, message);
}

void wb_guard_arrive(struct wb_warp *w, unsigned id)
{
    w->cta->guard->arrived[id][w->index] = w->guard->order.last;
    wb_order_part(w);
}

/* Those who wait at a barrier of some warps know what all who came had done. */
static void some_met(struct wb_cta *cta, unsigned id)
{
    uint32_t upto[WB_LANES] = {0}, waits = 0;
    for (unsigned i = 0; i < cta->warp_count; i++) {
        struct wb_warp *w = &cta->warps[i];
        uint32_t here = 0;
        for (unsigned g = 0; g < w->group_count; g++) {
            bool there = w->groups[g].wait == WB_WAIT_BAR && w->groups[g].barrier == id;
            here |= there ? w->groups[g].mask : 0;
        }
        upto[i] = here ? w->guard->order.last : cta->guard->arrived[id][i];
        cta->guard->arrived[id][i] = 0;
        waits |= here ? UINT32_C(1) << i : 0;
        if (here) {
            wb_order_join(w, here);
        }
    }
    for (unsigned i = 0; i < cta->warp_count; i++) {
        for (unsigned k = 0; waits >> i & 1 && k < cta->warp_count; k++) {
            if (k != i && upto[k]) {
                wb_order_warp_knows(&cta->warps[i], &cta->warps[k], upto[k]);
            }
        }
    }
}

static uint64_t hash_words(uint64_t hash, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* What decides how the block goes on, besides memory. */
static uint64_t hash_state(const struct wb_cta *cta)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < cta->warp_count; i++) {
        const struct wb_warp *w = &cta->warps[i];
        hash = hash_words(hash, w->reg[0], sizeof w->reg / sizeof w->reg[0][0]);
        hash = hash_words(hash, w->pred, WB_PRED_COUNT);
        for (unsigned g = 0; g < w->group_count; g++) {
            hash = hash_words(hash, (const uint32_t[]){w->groups[g].pc, w->groups[g].mask}, 2);
        }
    }
    return hash;
}

enum { PATIENCE = 64 }; /* barriers without a change: looking at all registers takes its time */

/* Nothing was written since the last barrier, and all registers are as they were: so it goes on. */
static void check_endless(struct wb_cta *cta, unsigned id)
{
    struct wb_guard_block *block = cta->guard;
    const struct wb_group *group;
    uint64_t changes = cta->run->guard->changes;
    block->quiet = changes == block->changes_before ? block->quiet + 1 : 0;
    bool quiet = block->quiet > PATIENCE && cta->cluster->count == 1;
    uint64_t state = quiet ? hash_state(cta) : 0;
    bool same = quiet && state == block->state_before;
    struct wb_warp *w = same ? find_waiting(&group, cta, id, UINT32_MAX) : NULL;
    if (w) {
        wb_fault_raise(w, &cta->run->program->code[group->pc], wb_lowest_lane(group->mask),
                       WB_REASON_TIMEOUT,
                       "the threads come to this barrier again and again, and nothing has changed "
                       "in between: the loop never ends");
    }
    block->changes_before = changes;
    block->state_before = state;
}

void wb_guard_barrier(struct wb_cta *cta, unsigned id, bool whole)
{
    if (whole) {
        check_endless(cta, id);
        check_places(cta, id);
        check_all_there(cta, id);
        wb_order_block_met(cta);
    } else {
        some_met(cta, id);
    }
}

void wb_guard_mbarrier(struct wb_warp *w, uint64_t address, bool waits)
{
    if (waits) {
        wb_order_acquire(w, address);
    } else {
        wb_order_fence(w);
        wb_order_release(w, address);
        w->guard->order.fence_is_fresh = false;
    }
}

/* ---- clusters ---------------------------------------------------------------------------------
 */

void wb_guard_cluster_barrier(struct wb_cluster *cluster)
{
    wb_order_cluster_met(cluster);
}

static const char may_end[] =
    "nothing keeps that block from ending before: its memory may be gone by then";

static void tell_of_visit(struct wb_warp *w, const struct wb_guard_visit *visit, uint32_t lanes,
                          const struct wb_cta *owner, const char *why)
{
    const struct wb_dim3 *t = &visit->thread, *b = &visit->block, *o = &owner->index;
    char message[300];
    snprintf(message, sizeof message,
             "thread (%u,%u,%u) of block (%u,%u,%u) %s shared memory of block (%u,%u,%u), and %s",
             t->x, t->y, t->z, b->x, b->y, b->z, visit->write ? "writes" : "reads", o->x, o->y,
             o->z, why);
    wb_guard_tell(w, WB_REASON_CLUSTER_EXIT, visit->pc, lanes, 0, message);
}

void wb_guard_visit(struct wb_warp *w, unsigned lane, struct wb_cta *owner,
                    const struct wb_guard_visit *visit)
{
    owner->guard->visits[w->cta->rank % WB_MAX_CLUSTER] = *visit;
    if (owner->guard->ended) {
        tell_of_visit(w, visit, UINT32_C(1) << lane, owner, may_end);
    } else if (owner->cluster->phase == 0) {
        tell_of_visit(w, visit, UINT32_C(1) << lane, owner,
                      "no barrier of the cluster was before that: that block may not have begun");
    }
}

void wb_guard_exit(struct wb_warp *w, uint32_t lanes)
{
    struct wb_cta *cta = w->cta;
    bool last = true;
    for (unsigned i = 0; i < cta->warp_count; i++) {
        last = last && (&cta->warps[i] == w ? (w->live & ~lanes) == 0 : cta->warps[i].live == 0);
    }
    if (!last || cta->cluster->count == 1) {
        return;
    }
    cta->guard->ended = true;
    for (unsigned i = 0; i < cta->cluster->count && i < WB_MAX_CLUSTER; i++) {
        const struct wb_guard_visit *visit = &cta->guard->visits[i];
        if (visit->segment && !wb_order_after_all(w, wb_lowest_lane(lanes), visit->segment)) {
            tell_of_visit(w, visit, lanes, cta, may_end);
        }
    }
}
