/* SPDX-License-Identifier: MIT
 * The three ways not to go on: threads that wait for each other at barriers, threads that poll what
 * nobody changes, and a loop that is too long. Each names one line and lists all places.
 */
#include "stuck.h"

#include "fault.h"
#include "waiting.h"

#include <stdio.h>

/* ---- waiting --------------------------------------------------------------------------------- */

/* A warp with a waiting group, preferably at a block barrier. */
static struct wb_warp *find_waiting(const struct wb_run *run, const struct wb_cluster *cluster,
                                    unsigned *group, bool bar_only)
{
    for (unsigned c = 0; c < cluster->count; c++) {
        for (unsigned i = 0; i < cluster->ctas[c].warp_count; i++) {
            struct wb_warp *w = &cluster->ctas[c].warps[i];
            for (unsigned g = 0; g < w->group_count; g++) {
                if (!bar_only || wb_waits_at_bar(run, &w->groups[g])) {
                    *group = g;
                    return w;
                }
            }
        }
    }
    return NULL;
}

/* Threads of the block that have not ended, and those of them at a block barrier. */
static unsigned count_threads(unsigned *at_bar, const struct wb_run *run, const struct wb_cta *cta)
{
    unsigned live = 0;
    *at_bar = 0;
    for (unsigned i = 0; i < cta->warp_count; i++) {
        const struct wb_warp *w = &cta->warps[i];
        live += (unsigned)__builtin_popcount(w->live);
        for (unsigned g = 0; g < w->group_count; g++) {
            bool there = wb_waits_at_bar(run, &w->groups[g]);
            *at_bar += there ? (unsigned)__builtin_popcount(w->groups[g].mask) : 0;
        }
    }
    return live;
}

/* Is it the place that the fault itself names? */
static bool is_named(const struct wb_fault *fault, const struct wb_waiting *place, bool loop)
{
    bool runs = place->what == WB_WAITING_LOOP || place->what == WB_WAITING_GRID;
    return loop ? runs && fault->line >= place->line && fault->line <= place->last_line
                : !runs && fault->pc == place->pc;
}

/* Adds the other places to the fault's sentence: ": 1 thread waits at ..., 2 threads ended at ..."
 */
static void add_others(struct wb_fault *fault, bool loop, uint64_t not_begun)
{
    enum { SOME = 3 };
    struct wb_arena arena;
    struct wb_str text;
    wb_arena_init(&arena);
    wb_str_init(&text, &arena);
    wb_str_add(&text, fault->message);
    unsigned others = 0;
    for (unsigned i = 0; i < fault->waiting_count; i++) {
        const struct wb_waiting *place = &fault->waiting[i];
        if (!is_named(fault, place, loop) && others++ < SOME) {
            wb_str_add(&text, others == 1 ? ": " : ", ");
            wb_waiting_text(&text, place);
        }
    }
    if (others > SOME || fault->waiting_more) {
        wb_str_add(&text, ", others are elsewhere");
    }
    if (not_begun) {
        wb_str_printf(&text, "%s%llu blocks can only begin when one of these has ended",
                      others ? ", " : ": ", (unsigned long long)not_begun);
    }
    snprintf(fault->message, sizeof fault->message, "%s", wb_str_get(&text));
    wb_arena_finish(&arena);
}

/* Lanes that wait for others of their warp, which have gone on to the barrier where group `bar`
 * is: NULL if there are none. Who skipped what is told by the lines. */
static const struct wb_group *find_left(const struct wb_run *run, const struct wb_warp *w,
                                        const struct wb_group *bar)
{
    const char *file;
    unsigned line = 0, bar_line = 0;
    wb_kernel_line(&file, &bar_line, run->kernel, bar->pc * 16);
    for (unsigned g = 0; g < w->group_count; g++) {
        const struct wb_group *group = &w->groups[g];
        if (group->wait == WB_WAIT_WARPSYNC && !wb_waits_at_bar(run, group) &&
            group->want & bar->mask && wb_kernel_line(&file, &line, run->kernel, group->pc * 16) &&
            line < bar_line) {
            return group;
        }
    }
    return NULL;
}

void wb_stuck_raise(struct wb_run *run, const struct wb_cluster *cluster)
{
    unsigned g = 0, at_bar, live;
    struct wb_warp *w = find_waiting(run, cluster, &g, true);
    bool bar = w != NULL;
    w = bar ? w : find_waiting(run, cluster, &g, false);
    if (!w) {
        return;
    }
    const struct wb_group *group = &w->groups[g];
    const struct wb_insn *in = &run->program->code[group->pc];
    const struct wb_dim3 *b = &w->cta->index;
    unsigned lane = wb_lowest_lane(group->mask);
    live = count_threads(&at_bar, run, w->cta);
    const struct wb_group *left = bar ? find_left(run, w, group) : NULL;
    if (left) {
        uint32_t gone = left->want & group->mask;
        in = &run->program->code[left->pc];
        wb_fault_raise(w, in, wb_lowest_lane(left->mask), WB_REASON_BAD_SHUFFLE_MASK,
                       "the lanes 0x%08x of warp %u in block (%u,%u,%u) wait for ever: the mask "
                       "0x%08x that they give names %u lanes that have gone on",
                       left->mask, w->index, b->x, b->y, b->z, left->want,
                       (unsigned)__builtin_popcount(gone));
    } else if (bar) {
        wb_fault_raise(w, in, lane, WB_REASON_BARRIER_DIVERGENCE,
                       "%u of %u threads of block (%u,%u,%u) wait at a barrier for ever, here the "
                       "lanes 0x%08x of warp %u",
                       at_bar, live, b->x, b->y, b->z, group->mask, w->index);
    } else {
        wb_fault_raise(w, in, lane, WB_REASON_DEADLOCK,
                       "threads of block (%u,%u,%u) wait for each other for ever, here the lanes "
                       "0x%08x of warp %u",
                       b->x, b->y, b->z, group->mask, w->index);
    }
    wb_waiting_collect(run->fault, run, cluster, false);
    add_others(run->fault, false, 0);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* " of lines 20-24" */
static void name_loop(char *out, size_t size, const struct wb_run *run, uint32_t first,
                      uint32_t last)
{
    unsigned from, to;
    wb_loop_lines(&from, &to, run->kernel, first, last);
    if (from == 0) {
        out[0] = '\0';
    } else if (from == to) {
        snprintf(out, size, " of line %u", from);
    } else {
        snprintf(out, size, " of lines %u-%u", from, to);
    }
}

/* "thread (0,0,0) of block (1,0,0) and 31 more of its warp" */
static void name_lanes(char *out, size_t size, const struct wb_warp *w, uint32_t lanes)
{
    char who[80];
    unsigned more = (unsigned)__builtin_popcount(lanes) - 1;
    wb_fault_who(who, sizeof who, w, wb_lowest_lane(lanes));
    if (more) {
        snprintf(out, size, "%s and %u more of its warp are", who, more);
    } else {
        snprintf(out, size, "%s is", who);
    }
}

/* The backward branch that ran most in the last slice: of the loop that does not end. */
static bool busiest_loop(uint32_t *first, uint32_t *last, const struct wb_run *run,
                         const struct wb_tally *before)
{
    const struct wb_program *p = run->program;
    uint64_t most = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        bool branch = p->code[i].op == WB_OP_BRA || p->code[i].op == WB_OP_BRA_U;
        uint64_t times = run->tally[i].uniform + run->tally[i].divergent -
                         (before[i].uniform + before[i].divergent);
        if (branch && p->code[i].target <= i && times > most) {
            most = times;
            *first = p->code[i].target;
            *last = i;
        }
    }
    return most > 0;
}

/* The first resident warp that was seen to spin: what it waits for, others do while it waits. */
static struct wb_warp *first_spinning(const struct wb_run *run)
{
    for (const struct wb_cluster *at = run->residents; at; at = at->next) {
        for (unsigned i = 0; i < at->count * at->ctas[0].warp_count; i++) {
            struct wb_cta *cta = &at->ctas[i / at->ctas[0].warp_count];
            struct wb_warp *w = &cta->warps[i % cta->warp_count];
            if (w->live && w->period && wb_warp_resume(w) && w->pc < run->program->count) {
                return w;
            }
        }
    }
    return NULL;
}

void wb_stuck_raise_timeout(struct wb_run *run, struct wb_warp *w, const struct wb_tally *before)
{
    uint32_t first = w->pc < run->program->count ? w->pc : 0, last = first;
    char who[120], lines[40];
    struct wb_warp *spinning = first_spinning(run);
    if (!spinning || !wb_loop_around(&first, &last, run->program, spinning->pc)) {
        busiest_loop(&first, &last, run, before);
        spinning = NULL;
    }
    w = spinning ? spinning : w;
    uint32_t lanes = w->active ? w->active : w->live ? w->live : 1;
    name_lanes(who, sizeof who, w, lanes);
    name_loop(lines, sizeof lines, run, first, last);
    char limit[80] = "the kernel was stopped"; /* by go_on */
    if (run->launch->step_limit) {
        snprintf(limit, sizeof limit, "the kernel did not end within its %llu warp instructions",
                 (unsigned long long)run->launch->step_limit);
    }
    wb_fault_raise(w, &run->program->code[last], wb_lowest_lane(lanes), WB_REASON_TIMEOUT,
                   "%s: %s still in the loop%s", limit, who, lines);
    wb_waiting_collect(run->fault, run, run->residents, true);
}

/* ---- spinning -------------------------------------------------------------------------------- */

/* Is it a lock? A loop that only reads may as well be one whose condition is wrong. */
static bool takes_locks(const struct wb_run *run, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++) {
        switch (run->program->code[i].op) {
        case WB_OP_ATOM:
        case WB_OP_ATOM_CAS:
        case WB_OP_ATOMG:
        case WB_OP_ATOMG_CAS:
        case WB_OP_ATOMS:
        case WB_OP_ATOMS_UR:
        case WB_OP_ATOMS_CAS:
            return true;
        default:
            break;
        }
    }
    return false;
}

/* Says it of the barrier of the grid, if that is what the named threads wait for. */
static void name_grid_barrier(struct wb_fault *fault, const struct wb_run *run)
{
    const struct wb_dim3 *grid = &run->launch->grid;
    for (unsigned i = 0; i < fault->waiting_count; i++) {
        const struct wb_waiting *place = &fault->waiting[i];
        if (place->what == WB_WAITING_GRID && is_named(fault, place, true)) {
            snprintf(fault->message, sizeof fault->message,
                     "%u of %llu blocks wait at this barrier of the grid for ever", place->blocks,
                     (unsigned long long)grid->x * grid->y * grid->z);
        }
    }
}

void wb_stuck_raise_spin(struct wb_run *run, uint64_t not_begun)
{
    uint32_t first = 0, last = 0;
    char who[120], lines[40];
    struct wb_warp *w = first_spinning(run);
    if (!w || !wb_loop_around(&first, &last, run->program, w->pc)) {
        return;
    }
    bool certain = run->launch->cooperative || takes_locks(run, first, last);
    if (!certain && run->launch->step_limit) {
        return;
    }
    name_lanes(who, sizeof who, w, w->active);
    name_loop(lines, sizeof lines, run, first, last);
    wb_fault_raise(w, &run->program->code[last], wb_lowest_lane(w->active), WB_REASON_DEADLOCK,
                   "%s for ever in the loop%s, and nothing that still runs changes what it reads",
                   who, lines);
    wb_waiting_collect(run->fault, run, run->residents, true);
    name_grid_barrier(run->fault, run);
    add_others(run->fault, true, not_begun);
}
