/* SPDX-License-Identifier: MIT
 * Collecting the places where threads are, and putting them into words. To add a way to wait: an
 * enumerator of enum wb_waiting_for, a case in `what_for` and a row in `phrases`.
 */
#include "waiting.h"

#include <string.h>

/* ---- loops ----------------------------------------------------------------------------------- */

bool wb_loop_around(uint32_t *first, uint32_t *last, const struct wb_program *p, uint32_t pc)
{
    bool found = false;
    for (uint32_t i = pc; i < p->count; i++) {
        bool branch = p->code[i].op == WB_OP_BRA || p->code[i].op == WB_OP_BRA_U;
        bool around = branch && p->code[i].target <= pc;
        if (around && (!found || i - p->code[i].target < *last - *first)) {
            *first = p->code[i].target;
            *last = i;
            found = true;
        }
    }
    return found;
}

void wb_loop_lines(unsigned *from, unsigned *to, const struct wb_kernel *kernel, uint32_t first,
                   uint32_t last)
{
    const char *file, *other;
    unsigned line, head;
    wb_kernel_line(&file, &line, kernel, last * 16);
    wb_kernel_line(&other, &head, kernel, first * 16);
    bool same = file && other && strcmp(file, other) == 0;
    *from = same && head && head < line ? head : line;
    *to = line;
    for (uint32_t i = first; i < last; i++) { /* functions above are called, not in the loop */
        wb_kernel_line(&other, &line, kernel, i * 16);
        same = file && other && strcmp(file, other) == 0;
        *to = same && line > *to ? line : *to;
    }
}

/* Does the loop read the word of the grid barrier? */
static bool polls_grid(const struct wb_warp *w, const struct wb_group *group, uint32_t first,
                       uint32_t last)
{
    const struct wb_run *run = w->cta->run;
    unsigned lane = wb_lowest_lane(group->mask);
    for (uint32_t i = first; run->grid_barrier && i <= last; i++) {
        const struct wb_insn *in = &run->program->code[i];
        if (in->op == WB_OP_LD || in->op == WB_OP_LDG) {
            const uint32_t(*a)[WB_LANES] = &w->rows[in->a.space][in->a.row];
            uint64_t address = (uint64_t)a[1][lane] << 32 | a[0][lane];
            if (address + (uint64_t)(int64_t)in->imm == run->grid_barrier) {
                return true;
            }
        }
    }
    return false;
}

/* ---- collecting ------------------------------------------------------------------------------ */

struct collector {
    const struct wb_run *run;
    struct wb_fault *fault;
    const struct wb_warp *seen[WB_MAX_WAITING]; /* last of each place */
};

static bool same_place(const struct wb_waiting *a, const struct wb_waiting *b)
{
    bool same_line = a->line ? a->line == b->line && a->last_line == b->last_line && a->file &&
                                   b->file && strcmp(a->file, b->file) == 0
                             : a->pc == b->pc;
    return a->what == b->what && a->detail == b->detail && same_line;
}

/* Adds the lanes of place->lanes of a warp. */
static void add(struct collector *c, const struct wb_warp *w, struct wb_waiting place)
{
    struct wb_fault *fault = c->fault;
    unsigned threads = (unsigned)__builtin_popcount(place.lanes), i = 0;
    while (i < fault->waiting_count && !same_place(&fault->waiting[i], &place)) {
        i++;
    }
    if (i == WB_MAX_WAITING) {
        fault->waiting_more += threads;
        return;
    }
    struct wb_waiting *known = &fault->waiting[i];
    if (i == fault->waiting_count) {
        place.block = w->cta->index;
        place.warp = w->index;
        *known = place;
        c->seen[i] = NULL;
        fault->waiting_count++;
    }
    known->threads += threads;
    known->warps += c->seen[i] != w;
    known->blocks += !c->seen[i] || c->seen[i]->cta != w->cta;
    known->lanes |= known->warps == 1 ? place.lanes : 0;
    c->seen[i] = w;
}

static struct wb_waiting place_at(const struct wb_run *run, uint32_t pc, uint32_t lanes)
{
    struct wb_waiting place = {.pc = pc * 16, .lanes = lanes};
    wb_kernel_line(&place.file, &place.line, run->kernel, place.pc);
    place.last_line = place.line;
    return place;
}

bool wb_waits_at_bar(const struct wb_run *run, const struct wb_group *group)
{
    bool before = group->wait == WB_WAIT_WARPSYNC;
    return group->wait == WB_WAIT_BAR ||
           (before && run->program->code[group->pc + 1].op == WB_OP_BAR);
}

/* What a group waits for; `loop` for one that does not. */
static enum wb_waiting_for what_for(uint32_t *detail, const struct wb_run *run,
                                    const struct wb_group *group)
{
    *detail = 0;
    switch (group->wait) {
    case WB_WAIT_BSYNC:
        return WB_WAITING_CONVERGENCE;
    case WB_WAIT_WARPSYNC:
        *detail = group->want;
        if (!wb_waits_at_bar(run, group)) {
            return WB_WAITING_WARP;
        }
        *detail = run->program->code[group->pc + 1].barrier;
        return WB_WAITING_BLOCK;
    case WB_WAIT_BAR:
        *detail = group->barrier;
        return WB_WAITING_BLOCK;
    case WB_WAIT_CLUSTER:
        return WB_WAITING_CLUSTER;
    case WB_WAIT_MBARRIER:
        return WB_WAITING_MBARRIER;
    default:
        return WB_WAITING_LOOP;
    }
}

static void add_group(struct collector *c, const struct wb_warp *w, const struct wb_group *group)
{
    const struct wb_run *run = c->run;
    uint32_t pc = group->pc < run->program->count ? group->pc : 0, first, last;
    struct wb_waiting place = place_at(run, pc, group->mask);
    place.what = what_for(&place.detail, run, group);
    if (place.what == WB_WAITING_LOOP && wb_loop_around(&first, &last, run->program, pc)) {
        if (polls_grid(w, group, first, last)) {
            place.what = WB_WAITING_GRID;
        } else {
            wb_loop_lines(&place.line, &place.last_line, run->kernel, first, last);
        }
    }
    add(c, w, place);
}

/* The groups of a warp: those at a block barrier, or the others. */
static void add_waiting(struct collector *c, const struct wb_warp *w, bool at_bar)
{
    const struct wb_group running = {.pc = w->pc, .mask = w->active};
    if (w->active && !at_bar) {
        add_group(c, w, &running);
    }
    for (unsigned g = 0; g < w->group_count; g++) {
        if (wb_waits_at_bar(c->run, &w->groups[g]) == at_bar) {
            add_group(c, w, &w->groups[g]);
        }
    }
}

static void add_ended(struct collector *c, const struct wb_warp *w)
{
    unsigned threads = c->run->launch->block.x * c->run->launch->block.y * c->run->launch->block.z;
    for (unsigned lane = 0; lane < WB_LANES && w->index * WB_LANES + lane < threads; lane++) {
        if (!(w->live >> lane & 1)) {
            struct wb_waiting place = place_at(c->run, w->ended_at[lane], UINT32_C(1) << lane);
            place.what = WB_WAITING_ENDED;
            add(c, w, place);
        }
    }
}

enum { AT_BAR, ELSEWHERE, ENDED, PASSES };

void wb_waiting_collect(struct wb_fault *fault, const struct wb_run *run,
                        const struct wb_cluster *cluster, bool all)
{
    struct collector c = {.run = run, .fault = fault};
    fault->waiting_count = fault->waiting_more = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        for (const struct wb_cluster *at = cluster; at; at = all ? at->next : NULL) {
            for (unsigned i = 0; i < at->count * at->ctas[0].warp_count; i++) {
                const struct wb_cta *cta = &at->ctas[i / at->ctas[0].warp_count];
                const struct wb_warp *w = &cta->warps[i % cta->warp_count];
                if (pass == ENDED) {
                    add_ended(&c, w);
                } else {
                    add_waiting(&c, w, pass == AT_BAR);
                }
            }
        }
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* "1 thread waits at", "32 threads wait at" and, behind the place, what for. */
static const struct phrase {
    const char *one, *many, *what;
} phrases[WB_WAITING_COUNT] = {
    [WB_WAITING_BLOCK] = {"waits at", "wait at", " for the barrier of the block"},
    [WB_WAITING_WARP] = {"waits at", "wait at", " for other lanes of the warp"},
    [WB_WAITING_CONVERGENCE] = {"waits at", "wait at", " for the other side of a branch"},
    [WB_WAITING_MBARRIER] = {"waits at", "wait at", " for a phase of an mbarrier"},
    [WB_WAITING_CLUSTER] = {"waits at", "wait at", " for the barrier of the cluster"},
    [WB_WAITING_GRID] = {"waits at", "wait at", " for the barrier of the grid"},
    [WB_WAITING_LOOP] = {"runs in the loop at", "run in the loop at", ""},
    [WB_WAITING_ENDED] = {"ended at", "ended at", ""},
};

static void add_place(struct wb_str *out, const struct wb_waiting *place)
{
    if (!place->line) {
        wb_str_printf(out, "instruction 0x%x", place->pc);
        return;
    }
    wb_str_printf(out, "%s:%u", place->file ? wb_path_base(place->file) : "line", place->line);
    if (place->last_line > place->line) {
        wb_str_printf(out, "-%u", place->last_line);
    }
}

void wb_waiting_text(struct wb_str *out, const struct wb_waiting *place)
{
    const struct phrase *phrase = &phrases[place->what];
    bool one = place->threads == 1;
    wb_str_printf(out, "%u thread%s %s ", place->threads, one ? "" : "s",
                  one ? phrase->one : phrase->many);
    add_place(out, place);
    if (place->what == WB_WAITING_BLOCK && place->detail) {
        wb_str_printf(out, " for barrier %u of the block", place->detail);
    } else if (place->what == WB_WAITING_WARP) {
        wb_str_printf(out, " for the other lanes of 0x%08x", place->detail);
    } else {
        wb_str_add(out, phrase->what);
    }
}

/* "lane 5", "lanes 0-15", "all lanes", "lanes 0x00005555" */
static void add_lanes(struct wb_str *out, uint32_t lanes)
{
    unsigned low = wb_lowest_lane(lanes), count = (unsigned)__builtin_popcount(lanes);
    uint64_t run = ((UINT64_C(1) << count) - 1) << low;
    if (lanes == WB_ALL_LANES) {
        wb_str_add(out, "all lanes");
    } else if (count == 1) {
        wb_str_printf(out, "lane %u", low);
    } else if (lanes == run) {
        wb_str_printf(out, "lanes %u-%u", low, low + count - 1);
    } else {
        wb_str_printf(out, "lanes 0x%08x", lanes);
    }
}

void wb_fault_places(struct wb_str *out, const struct wb_fault *fault)
{
    for (unsigned i = 0; i < fault->waiting_count; i++) {
        const struct wb_waiting *place = &fault->waiting[i];
        wb_str_add(out, "\n- ");
        wb_waiting_text(out, place);
        wb_str_printf(out, ": block (%u,%u,%u), warp %u, ", place->block.x, place->block.y,
                      place->block.z, place->warp);
        add_lanes(out, place->lanes ? place->lanes : 1);
        if (place->warps > 1) {
            wb_str_printf(out, ", and %u more warp%s", place->warps - 1,
                          place->warps == 2 ? "" : "s");
        }
        if (place->blocks > 1) {
            wb_str_printf(out, ", in %u blocks", place->blocks);
        }
    }
    if (fault->waiting_more) {
        wb_str_printf(out, "\n- %u threads are at other places", fault->waiting_more);
    }
}
