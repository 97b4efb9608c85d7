/* SPDX-License-Identifier: MIT
 * Turns of the warps: each runs a slice in a fixed order, so that everything is repeatable. When
 * a warp has nothing to run, barriers are looked at; when no warp has, the launch is stuck.
 */
#include "block.h"

#include "guard.h"

#include "mbarrier.h"
#include "schedule.h"
#include "spin.h"
#include "stuck.h"

#include <limits.h>
#include <string.h>

enum { SLICE = 4096, PATIENCE = 1 << 15 }; /* warp instructions; PATIENCE of each warp */

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
    if (cta->guard) {
        wb_guard_barrier(cta, id, cta->expected[id] == 0 && cta->arrived[id] == 0);
    }
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
    if (cluster->ctas[0].guard) {
        wb_guard_cluster_barrier(cluster);
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

/* ---- turns ------------------------------------------------------------------------------------
 */

/* Runs one slice of a warp, which begins with a look whether it spins if `look`. */
static void run_slice(struct wb_run *run, struct wb_warp *w, bool look)
{
    uint64_t budget = wb_schedule_slice(run, SLICE), looked = 0;
    if (run->steps_left <= budget) {
        budget = run->steps_left;
        memcpy(run->tally_before, run->tally, run->tally_count * sizeof *run->tally);
    }
    w->spins = false;
    if (look) {
        looked = wb_spin_look(w, budget);
        run->steps_left -= looked;
    }
    if (!w->spins && w->event != WB_EVENT_STOP && looked < budget) {
        run->steps_left -= wb_warp_run(w, budget - looked);
    }
    w->clock += looked;
    if (run->steps_left == 0 && w->event != WB_EVENT_STOP && w->live) {
        wb_stuck_raise_timeout(run, w, run->tally_before);
    }
}

bool wb_cluster_is_alive(const struct wb_cluster *cluster)
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

/* What a turn of every warp came to. */
enum turn { STUCK, SPUN, WENT_ON };

static enum turn run_turn(struct wb_run *run, struct wb_cluster *cluster, bool look)
{
    bool ran = false, went_on = false;
    struct wb_sequence ctas = wb_schedule_order(run, cluster->count);
    for (unsigned c = 0; c < cluster->count; c++) {
        struct wb_cta *cta = &cluster->ctas[wb_sequence_at(&ctas, c)];
        struct wb_sequence warps = wb_schedule_order(run, cta->warp_count);
        for (unsigned i = 0; i < cta->warp_count; i++) {
            struct wb_warp *w = &cta->warps[wb_sequence_at(&warps, i)];
            if (!w->live || !wb_warp_ready(w)) {
                continue;
            }
            run_slice(run, w, look);
            ran = true;
            went_on = went_on || !w->spins;
            if (run->fault->kind != WB_REASON_NONE) {
                return WENT_ON;
            }
        }
        went_on = open_barriers(cta) || went_on;
    }
    went_on = wake_at_mbarriers(cluster) || went_on;
    went_on = open_cluster(cluster) || went_on;
    return went_on ? WENT_ON : ran ? SPUN : STUCK;
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

/* Whoever launched may want it to end: then there is one slice left. */
static void ask_to_go_on(struct wb_run *run, uint64_t steps)
{
    const struct wb_sim_launch *launch = run->launch;
    if (launch->go_on && !launch->go_on(launch->host_context, steps)) {
        run->steps_left = run->steps_left < SLICE ? run->steps_left : SLICE;
    }
}

unsigned wb_cluster_steady(const struct wb_cluster *cluster)
{
    unsigned steady = UINT_MAX;
    for (unsigned c = 0; c < cluster->count; c++) {
        for (unsigned i = 0; i < cluster->ctas[c].warp_count; i++) {
            const struct wb_warp *w = &cluster->ctas[c].warps[i];
            bool counts = w->live && wb_warp_ready(w);
            steady = counts && w->steady < steady ? w->steady : steady;
        }
    }
    return steady;
}

/* A look costs little, but not nothing: the first comes after PATIENCE, the next each time that
 * the cluster has run four times as long; in a launch with blocks that spin, with each turn. */
enum wb_cluster_end wb_cluster_run(struct wb_run *run, struct wb_cluster *cluster)
{
    uint64_t begin = run->steps_left;
    uint64_t patience = (uint64_t)PATIENCE * cluster->count * cluster->ctas[0].warp_count;
    while (run->fault->kind == WB_REASON_NONE && !is_stopped(run) && wb_cluster_is_alive(cluster)) {
        uint64_t steps = begin - run->steps_left;
        bool look = run->watched || steps >= patience;
        patience = look ? 4 * steps : patience;
        uint64_t left = run->steps_left;
        enum turn turn = run_turn(run, cluster, look);
        ask_to_go_on(run, left - run->steps_left);
        if (turn == STUCK && !let_pass(cluster)) {
            wb_stuck_raise(run, cluster);
            return WB_CLUSTER_ENDED;
        }
        if (turn == SPUN) {
            return WB_CLUSTER_SPINS;
        }
    }
    return WB_CLUSTER_ENDED;
}
