/* SPDX-License-Identifier: MIT
 * Groups of lanes and convergence barriers: what makes branch counters equal to the hardware's.
 * The running group is in the warp itself, the others in `groups`; the last ready one runs next.
 */
#include "undefined.h"

#include "apart.h"
#include "guard.h"
#include "schedule.h"

#include <string.h>

void wb_warp_start(struct wb_warp *w, struct wb_cta *cta, unsigned index)
{
    const struct wb_run *run = cta->run;
    const struct wb_dim3 *block = &run->launch->block;
    unsigned threads = block->x * block->y * block->z - index * WB_LANES;
    /* rows that the kernel cannot name stay zero from the allocation on */
    unsigned registers = run->kernel->registers < 255 ? run->kernel->registers : 255;
    memset(w->reg, 0, (registers + 4) * sizeof w->reg[0]);
    memset(w->reg[WB_ROW_UNIFORM], 0, (WB_ROW_COUNT - WB_ROW_UNIFORM) * sizeof w->reg[0]);
    memset(w->pred, 0, sizeof w->pred);
    memset(w->convergence, 0, sizeof w->convergence);
    w->pred[WB_PRED_TRUE] = WB_ALL_LANES;
    w->rows[WB_SPACE_WARP] = (const uint32_t(*)[WB_LANES])w->reg;
    w->rows[WB_SPACE_POOL] = (const uint32_t(*)[WB_LANES])run->program->pool;
    w->pc = 0;
    w->live = w->active = threads >= WB_LANES ? WB_ALL_LANES : (UINT32_C(1) << threads) - 1;
    w->yielded = 0;
    w->clock = 0;
    w->look = (struct wb_look){0};
    w->event = WB_EVENT_NONE;
    w->tally = run->tally;
    w->traffic = run->traffic;
    w->group_count = 0;
    w->cta = cta;
    w->index = index;
    w->bar_count = 0;
    w->bar_all = w->bar_any = false;
    w->cluster_phase = 0;
    memset(w->cache, 0, sizeof w->cache);
    w->spins = false;
    w->steady = w->period = 0;
    w->kept_lanes = 0;
    if (w->undefined) {
        wb_undefined_start(w->undefined);
    }
}

static struct wb_group *add_group(struct wb_warp *w, uint32_t pc, uint32_t mask, enum wb_wait wait)
{
    struct wb_group *group = &w->groups[w->group_count++];
    *group = (struct wb_group){.pc = pc, .mask = mask, .wait = wait};
    return group;
}

static void remove_group(struct wb_warp *w, unsigned g)
{
    w->group_count--;
    memmove(&w->groups[g], &w->groups[g + 1], (w->group_count - g) * sizeof w->groups[0]);
}

/* The lanes of `mask` leave the running group. */
static void leave(struct wb_warp *w, uint32_t mask)
{
    w->active &= ~mask;
    if (w->event != WB_EVENT_STOP) {
        w->event = w->active ? WB_EVENT_MOVED : WB_EVENT_SWITCH;
    }
}

void wb_warp_fork(struct wb_warp *w, uint32_t pc, uint32_t mask)
{
    add_group(w, pc, mask, WB_READY);
    leave(w, mask);
}

struct wb_group *wb_warp_park(struct wb_warp *w, uint32_t mask, enum wb_wait wait)
{
    wb_apart_keep(w, mask);
    leave(w, mask);
    return add_group(w, w->pc - 1, mask, wait);
}

void wb_warp_release(struct wb_warp *w, unsigned g)
{
    struct wb_group group = w->groups[g];
    remove_group(w, g);
    add_group(w, group.pc + 1, group.mask, WB_READY);
}

/* The mask of the convergence barrier that a group waits at, without lanes that have ended. */
static uint32_t barrier_mask(const struct wb_warp *w, const struct wb_group *group)
{
    return w->convergence[group->barrier][wb_lowest_lane(group->mask)] & w->live;
}

/* Do two groups wait for each other? At a BSYNC: same place, register and mask; at a WARPSYNC:
 * same mask and, unless it is .COLLECTIVE, same place. (So on an H200: plain ones at two places
 * wait for ever.) */
static bool same_instance(const struct wb_warp *w, const struct wb_group *a,
                          const struct wb_group *b)
{
    if (a->wait != b->wait) {
        return false;
    }
    if (a->wait == WB_WAIT_WARPSYNC) {
        return a->want == b->want && (a->pc == b->pc || (a->collective && b->collective));
    }
    return a->pc == b->pc && a->barrier == b->barrier && barrier_mask(w, a) == barrier_mask(w, b);
}

/* Lets the groups of one instance go on, those at one place as one group. */
static void release_instance(struct wb_warp *w, const struct wb_group *first)
{
    const struct wb_group like = *first;
    struct wb_group merged[WB_LANES];
    unsigned count = 0;
    for (unsigned g = 0; g < w->group_count;) {
        struct wb_group group = w->groups[g];
        if (!same_instance(w, &like, &group)) {
            g++;
            continue;
        }
        remove_group(w, g);
        unsigned m = 0;
        while (m < count && merged[m].pc != group.pc) {
            m++;
        }
        if (m == count) {
            merged[count++] = group;
        } else {
            merged[m].mask |= group.mask;
        }
    }
    uint32_t met = 0;
    for (unsigned m = 0; m < count; m++) {
        met |= merged[m].mask;
        add_group(w, merged[m].pc + 1, merged[m].mask, WB_READY);
    }
    if (w->guard && like.wait == WB_WAIT_WARPSYNC) {
        wb_guard_meet(w, met);
    }
}

/* Lanes that did not wait for yielded ones: those need not wait for them either. */
static void forget_released(struct wb_warp *w, unsigned barrier, uint32_t mask, uint32_t released)
{
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t *copy = &w->convergence[barrier][i];
        if ((*copy & w->live) == mask) {
            *copy &= ~released;
        }
    }
}

/* The lanes that group g waits for. */
static uint32_t lanes_wanted(const struct wb_warp *w, const struct wb_group *group)
{
    return group->wait == WB_WAIT_WARPSYNC ? group->want & w->live
                                           : barrier_mask(w, group) & ~w->yielded;
}

/* Releases the instance that group g waits at, if all its lanes are there; `waiting` are all lanes
 * that wait somewhere. */
static bool try_release(struct wb_warp *w, unsigned g, uint32_t waiting)
{
    const struct wb_group group = w->groups[g];
    uint32_t arrived = 0;
    if (lanes_wanted(w, &group) & ~waiting) { /* usually */
        return false;
    }
    for (unsigned i = 0; i < w->group_count; i++) {
        arrived |= same_instance(w, &group, &w->groups[i]) ? w->groups[i].mask : 0;
    }
    if (group.wait == WB_WAIT_WARPSYNC) {
        if (group.want & w->live & ~arrived) {
            return false;
        }
        w->yielded &= ~arrived;
        release_instance(w, &group);
        return true;
    }
    uint32_t mask = barrier_mask(w, &group);
    if (mask & ~w->yielded & ~arrived) {
        return false;
    }
    release_instance(w, &group);
    if (mask & ~arrived) {
        forget_released(w, group.barrier, mask, arrived);
    }
    return true;
}

static bool is_convergence(const struct wb_group *group)
{
    return group->wait == WB_WAIT_BSYNC || group->wait == WB_WAIT_WARPSYNC;
}

static uint32_t lanes_waiting(const struct wb_warp *w)
{
    uint32_t waiting = 0;
    for (unsigned g = 0; g < w->group_count; g++) {
        waiting |= is_convergence(&w->groups[g]) ? w->groups[g].mask : 0;
    }
    return waiting;
}

void wb_warp_settle(struct wb_warp *w)
{
    uint32_t waiting = lanes_waiting(w);
    for (unsigned g = 0; g < w->group_count;) {
        if (is_convergence(&w->groups[g]) && try_release(w, g, waiting)) {
            waiting = lanes_waiting(w);
            g = 0; /* a release may allow another */
        } else {
            g++;
        }
    }
}

void wb_warp_exit(struct wb_warp *w, uint32_t mask)
{
    w->live &= ~mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        w->ended_at[wb_lowest_lane(rest)] = w->pc - 1;
    }
    leave(w, mask);
    wb_warp_settle(w);
}

bool wb_warp_ready(const struct wb_warp *w)
{
    bool ready = w->active != 0;
    for (unsigned g = 0; g < w->group_count; g++) {
        ready = ready || w->groups[g].wait == WB_READY;
    }
    return ready;
}

void wb_warp_yield(struct wb_warp *w)
{
    uint32_t pc = w->pc, mask = w->active;
    w->active = 0;
    if (mask && wb_warp_ready(w)) {
        wb_apart_keep(w, mask);
        unsigned last = wb_schedule_last_group(w->cta->run, w->group_count);
        memmove(&w->groups[last + 1], &w->groups[last],
                (w->group_count++ - last) * sizeof w->groups[0]);
        w->groups[last] = (struct wb_group){.pc = pc, .mask = mask, .wait = WB_READY};
        w->event = w->event == WB_EVENT_STOP ? WB_EVENT_STOP : WB_EVENT_SWITCH;
    } else {
        w->active = mask;
    }
}

bool wb_warp_let_pass(struct wb_warp *w)
{
    for (unsigned g = 0; g < w->group_count; g++) {
        w->yielded |= w->groups[g].collective ? w->groups[g].mask : 0;
    }
    wb_warp_settle(w);
    return wb_warp_ready(w);
}

bool wb_warp_resume(struct wb_warp *w)
{
    if (w->active) {
        return true;
    }
    unsigned g = wb_schedule_next_group(w);
    if (g == w->group_count) {
        return false;
    }
    w->pc = w->groups[g].pc;
    w->active = w->groups[g].mask;
    remove_group(w, g);
    wb_apart_fetch(w);
    return true;
}

void wb_warp_step(struct wb_warp *w)
{
    wb_warp_issue(w, 1);
}

uint64_t wb_warp_run(struct wb_warp *w, uint64_t budget)
{
    uint64_t left = budget;
    const struct wb_run *run = w->cta->run;
    while (left && w->event != WB_EVENT_STOP && wb_warp_resume(w)) {
        left = run->stretch ? wb_apart_run(w, left) : wb_warp_issue(w, left);
    }
    if (w->event != WB_EVENT_STOP) {
        wb_warp_yield(w); /* another group of this warp goes first next time */
    }
    w->clock += budget - left;
    return budget - left;
}
