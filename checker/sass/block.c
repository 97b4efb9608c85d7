/* SPDX-License-Identifier: MIT
 * Turns of the warps: each runs a slice in a fixed order, so that everything is repeatable. When
 * a warp has nothing to run, barriers are looked at; when no warp has, the launch is stuck.
 */
#include "block.h"

#include "fault.h"
#include "mbarrier.h"

#include <string.h>

enum { SLICE = 4096 }; /* warp instructions */

unsigned wb_cta_arrival(const struct wb_warp *w, uint32_t mask)
{
    return mask == w->live ? WB_LANES : (unsigned)__builtin_popcount(mask);
}

static unsigned live_threads(const struct wb_cta *cta)
{
    unsigned live = 0;
    for (unsigned i = 0; i < cta->warp_count; i++) {
        live += (unsigned)__builtin_popcount(cta->warps[i].live);
    }
    return live;
}

/* ---- block barriers -------------------------------------------------------------------------- */

static bool waits_at(const struct wb_group *group, unsigned barrier)
{
    return group->wait == WB_WAIT_BAR && group->barrier == barrier;
}

/* What a BAR.RED finds. */
struct reduction {
    unsigned count, threads;
};

/* Lets all groups of barrier `id` go on. */
static void open_barrier(struct wb_cta *cta, unsigned id)
{
    struct reduction sum = {0};
    for (unsigned i = 0; i < cta->warp_count; i++) {
        const struct wb_warp *w = &cta->warps[i];
        for (unsigned g = 0; g < w->group_count; g++) {
            if (waits_at(&w->groups[g], id) && w->groups[g].reduces) {
                uint32_t mask = w->groups[g].mask;
                sum.threads += (unsigned)__builtin_popcount(mask);
                sum.count += (unsigned)__builtin_popcount(mask & w->groups[g].want);
            }
        }
    }
    for (unsigned i = 0; i < cta->warp_count; i++) {
        struct wb_warp *w = &cta->warps[i];
        for (unsigned g = 0; g < w->group_count;) {
            if (!waits_at(&w->groups[g], id)) {
                g++;
                continue;
            }
            if (w->groups[g].reduces) {
                w->bar_count = sum.count;
                w->bar_all = sum.count == sum.threads;
                w->bar_any = sum.count > 0;
            }
            wb_warp_release(w, g);
        }
    }
    cta->arrived[id] = 0;
}

/* Opens the barriers that are complete; true if any was. */
static bool open_barriers(struct wb_cta *cta)
{
    unsigned waiting[WB_BARRIERS] = {0}, threads[WB_BARRIERS] = {0};
    for (unsigned i = 0; i < cta->warp_count; i++) {
        const struct wb_warp *w = &cta->warps[i];
        for (unsigned g = 0; g < w->group_count; g++) {
            if (w->groups[g].wait == WB_WAIT_BAR) {
                waiting[w->groups[g].barrier] += wb_cta_arrival(w, w->groups[g].mask);
                threads[w->groups[g].barrier] += (unsigned)__builtin_popcount(w->groups[g].mask);
            }
        }
    }
    unsigned live = live_threads(cta);
    bool any = false;
    for (unsigned id = 0; id < WB_BARRIERS; id++) {
        if (threads[id] == 0) {
            continue;
        }
        unsigned expected = cta->expected[id];
        bool complete = expected ? waiting[id] + cta->arrived[id] >= expected
                                 : threads[id] + cta->arrived[id] >= live;
        if (complete) {
            open_barrier(cta, id);
            any = true;
        }
    }
    return any;
}

/* ---- cluster barrier --------------------------------------------------------------------------
 */

static bool open_cluster(struct wb_cluster *cluster)
{
    unsigned live = 0;
    for (unsigned c = 0; c < cluster->count; c++) {
        live += live_threads(&cluster->ctas[c]);
    }
    if (cluster->arrived == 0 || cluster->arrived < live) {
        return false;
    }
    cluster->arrived = 0;
    cluster->phase++;
    for (unsigned c = 0; c < cluster->count; c++) {
        for (unsigned i = 0; i < cluster->ctas[c].warp_count; i++) {
            struct wb_warp *w = &cluster->ctas[c].warps[i];
            for (unsigned g = 0; g < w->group_count;) {
                if (w->groups[g].wait == WB_WAIT_CLUSTER) {
                    wb_warp_release(w, g);
                    g = 0;
                    continue;
                }
                g++;
            }
        }
    }
    return true;
}

/* ---- stuck ------------------------------------------------------------------------------------
 */

/* The group stands at a block barrier, or at the WARPSYNC.ALL that ptxas puts in front of one. */
static bool is_at_bar(const struct wb_run *run, const struct wb_group *group)
{
    uint16_t next = run->program->code[group->pc + 1].op;
    bool before = group->wait == WB_WAIT_WARPSYNC && next == WB_OP_BAR;
    return group->wait == WB_WAIT_BAR || before;
}

/* A warp with a waiting group, preferably at a block barrier. */
static struct wb_warp *find_waiting(const struct wb_run *run, struct wb_cluster *cluster,
                                    unsigned *group, bool bar_only)
{
    for (unsigned c = 0; c < cluster->count; c++) {
        for (unsigned i = 0; i < cluster->ctas[c].warp_count; i++) {
            struct wb_warp *w = &cluster->ctas[c].warps[i];
            for (unsigned g = 0; g < w->group_count; g++) {
                if (!bar_only || is_at_bar(run, &w->groups[g])) {
                    *group = g;
                    return w;
                }
            }
        }
    }
    return NULL;
}

static void raise_stuck(struct wb_run *run, struct wb_cluster *cluster)
{
    unsigned g = 0;
    struct wb_warp *w = find_waiting(run, cluster, &g, true);
    bool bar = w != NULL;
    w = bar ? w : find_waiting(run, cluster, &g, false);
    if (!w) {
        return;
    }
    const struct wb_group *group = &w->groups[g];
    const struct wb_insn *in = &run->program->code[group->pc];
    unsigned lane = wb_lowest_lane(group->mask);
    if (bar) {
        unsigned waiting = 0, live = live_threads(w->cta);
        for (unsigned i = 0; i < w->cta->warp_count; i++) {
            const struct wb_warp *other = &w->cta->warps[i];
            for (unsigned k = 0; k < other->group_count; k++) {
                if (is_at_bar(run, &other->groups[k])) {
                    waiting += (unsigned)__builtin_popcount(other->groups[k].mask);
                }
            }
        }
        wb_fault_raise(w, in, lane, WB_REASON_BARRIER_DIVERGENCE,
                       "%u of %u threads of block (%u,%u,%u) wait at this barrier for ever: the "
                       "others wait elsewhere (in warp %u the lanes 0x%08x arrived, of 0x%08x)",
                       waiting, live, w->cta->index.x, w->cta->index.y, w->cta->index.z, w->index,
                       group->mask, w->live);
        return;
    }
    wb_fault_raise(w, in, lane, WB_REASON_DEADLOCK,
                   "threads of block (%u,%u,%u) wait for each other for ever: in warp %u the lanes "
                   "0x%08x of 0x%08x wait here",
                   w->cta->index.x, w->cta->index.y, w->cta->index.z, w->index, group->mask,
                   w->live);
}

/* The line of the backward branch that ran most in the last slice: the loop that does not end. */
static void raise_timeout(struct wb_run *run, struct wb_warp *w, const struct wb_tally *before)
{
    const struct wb_program *p = run->program;
    uint32_t loop = w->pc < p->count ? w->pc : 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        bool branch = p->code[i].op == WB_OP_BRA || p->code[i].op == WB_OP_BRA_U;
        uint64_t times = run->tally[i].uniform + run->tally[i].divergent -
                         (before[i].uniform + before[i].divergent);
        if (branch && p->code[i].target <= i && times > most) {
            most = times;
            loop = i;
        }
    }
    uint32_t lanes = w->active ? w->active : w->live;
    unsigned lane = wb_lowest_lane(lanes ? lanes : 1);
    char who[80];
    wb_fault_who(who, sizeof who, w, lane);
    wb_fault_raise(w, &p->code[loop], lane, WB_REASON_TIMEOUT,
                   "the kernel did not end within its %llu warp instructions: %s is still in this "
                   "loop",
                   (unsigned long long)run->launch->step_limit, who);
}

/* ---- turns ------------------------------------------------------------------------------------
 */

/* Runs one slice of a warp; `before` is room for a copy of the counters. */
static void run_slice(struct wb_run *run, struct wb_warp *w, struct wb_tally *before)
{
    uint64_t budget = SLICE;
    bool last = run->steps_left <= SLICE;
    if (last) {
        budget = run->steps_left;
        memcpy(before, run->tally, run->tally_count * sizeof *before);
    }
    run->steps_left -= wb_warp_run(w, budget);
    if (run->steps_left == 0 && w->event != WB_EVENT_STOP && w->live) {
        raise_timeout(run, w, before);
    }
}

static bool is_alive(const struct wb_cluster *cluster)
{
    bool alive = false;
    for (unsigned c = 0; c < cluster->count; c++) {
        alive = alive || live_threads(&cluster->ctas[c]) > 0;
    }
    return alive;
}

/* Groups whose mbarrier has ended the phase that they wait for. */
static bool wake_at_mbarriers(struct wb_cluster *cluster)
{
    bool any = false;
    for (unsigned c = 0; c < cluster->count; c++) {
        for (unsigned i = 0; i < cluster->ctas[c].warp_count; i++) {
            any = wb_mbarrier_wake(&cluster->ctas[c].warps[i]) || any;
        }
    }
    return any;
}

/* One turn of every warp; false if none could run. */
static bool run_turn(struct wb_run *run, struct wb_cluster *cluster, struct wb_tally *before)
{
    bool ran = false;
    for (unsigned c = 0; c < cluster->count; c++) {
        struct wb_cta *cta = &cluster->ctas[c];
        for (unsigned i = 0; i < cta->warp_count; i++) {
            struct wb_warp *w = &cta->warps[i];
            if (!w->live || !wb_warp_ready(w)) {
                continue;
            }
            run_slice(run, w, before);
            ran = true;
            if (run->fault->kind != WB_REASON_NONE) {
                return true;
            }
        }
        ran = open_barriers(cta) || ran;
    }
    ran = wake_at_mbarriers(cluster) || ran;
    return open_cluster(cluster) || ran;
}

static bool let_pass(struct wb_cluster *cluster)
{
    bool any = false;
    for (unsigned c = 0; c < cluster->count; c++) {
        for (unsigned i = 0; i < cluster->ctas[c].warp_count; i++) {
            any = wb_warp_let_pass(&cluster->ctas[c].warps[i]) || any;
        }
    }
    return any;
}

static bool is_stopped(const struct wb_run *run)
{
    return run->stop && atomic_load_explicit(run->stop, memory_order_relaxed);
}

void wb_cluster_run(struct wb_run *run, struct wb_cluster *cluster)
{
    struct wb_tally *before = run->tally_before;
    while (run->fault->kind == WB_REASON_NONE && !is_stopped(run) && is_alive(cluster)) {
        if (!run_turn(run, cluster, before) && !let_pass(cluster)) {
            raise_stuck(run, cluster);
            return;
        }
    }
}
