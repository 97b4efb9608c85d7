/* SPDX-License-Identifier: MIT
 * The guard of a launch from its beginning to its end, and what belongs to its blocks.
 */
#include "guard.h"

#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Segment numbers go on from launch to launch; before they could run out, all is forgotten. */
#define LAST_SEGMENT UINT32_C(0xc0000000)

static void forget_all(struct wb_sim *sim)
{
    for (size_t i = 0; i < sim->memory.count; i++) {
        if (sim->memory.regions[i].shadow) {
            wb_shadow_forget(sim->memory.regions[i].shadow);
        }
    }
    sim->segments = 0;
}

bool wb_guard_begin(struct wb_run *run)
{
    struct wb_guard *guard = calloc(1, sizeof *guard);
    if (!guard) {
        return false;
    }
    if (run->sim->segments > LAST_SEGMENT) {
        forget_all(run->sim);
    }
    wb_order_init(&guard->order, run->sim->segments + 1);
    guard->ptx = wb_sim_ptx(run->sim, run->kernel);
    guard->looks = calloc(run->program->count + 1, 1);
    run->guard = guard;
    if (!guard->looks) {
        wb_guard_end(run, NULL);
        return false;
    }
    return true;
}

bool wb_guard_is_cautioned(struct wb_warp *w, const struct wb_finding_note *note)
{
    struct wb_guard *guard = w->cta->run->guard;
    for (size_t i = 0; i < guard->caution_count; i++) {
        struct wb_guard_finding *f = &guard->cautions[i].finding;
        if (f->pc == note->pc && f->other_pc == note->other_pc) {
            f->count += (unsigned)__builtin_popcount(note->lanes);
            return true;
        }
    }
    return guard->caution_count == WB_MAX_CAUTIONS;
}

void wb_guard_caution(struct wb_warp *w, const struct wb_finding_note *note, uint32_t read_pc)
{
    struct wb_guard *guard = w->cta->run->guard;
    if (!wb_guard_is_cautioned(w, note)) {
        struct wb_caution *caution = &guard->cautions[guard->caution_count++];
        caution->read_pc = read_pc;
        wb_finding_make(&caution->finding, w, note);
    }
}

/* The launch's fault is the first one; how many did the same is said behind it. */
static void hand_over_fault(struct wb_run *run)
{
    struct wb_fault *fault = &run->guard->fault;
    if (fault->kind == WB_REASON_NONE) {
        return;
    }
    for (size_t i = 0; i < run->guard->finding_count; i++) {
        const struct wb_guard_finding *f = &run->guard->findings[i];
        size_t used = strlen(fault->message);
        if (f->kind == fault->kind && f->pc == fault->pc && f->count > 1) {
            snprintf(fault->message + used, sizeof fault->message - used,
                     "; %llu accesses in this line do so", (unsigned long long)f->count);
        }
    }
    *run->fault = *fault;
}

void wb_guard_end(struct wb_run *run, struct wb_arena *arena)
{
    struct wb_guard *guard = run->guard;
    hand_over_fault(run);
    for (size_t i = 0; arena && i < guard->caution_count; i++) {
        if (!guard->looks[guard->cautions[i].read_pc / 16]) {
            wb_findings_add(guard, &guard->cautions[i].finding);
        }
    }
    if (arena) {
        wb_findings_collect(run->launch->findings, arena, run);
    }
    if (arena && run->launch->touches) {
        wb_touches_collect(run->launch->touches, arena, run);
    }
    run->sim->segments = guard->order.next - 1;
    wb_order_finish(&guard->order);
    free(guard->looks);
    free(guard);
    run->guard = NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint64_t local_bytes(const struct wb_cta *cta)
{
    return (uint64_t)cta->run->local_size * WB_LANES * cta->warp_count;
}

bool wb_guard_create_block(struct wb_cta *cta)
{
    struct wb_guard_block *block = calloc(1, sizeof *block);
    cta->guard = block;
    if (!block) {
        return false;
    }
    block->warps = calloc(cta->warp_count, sizeof *block->warps);
    if (!block->warps || !wb_shadow_init(&block->shared, cta->run->shared_size)) {
        return false;
    }
    for (unsigned i = 0; i < cta->warp_count; i++) {
        cta->warps[i].guard = &block->warps[i];
        cta->warps[i].undefined = &block->warps[i].undefined;
    }
    return !cta->run->local_size || wb_shadow_init(&block->local, local_bytes(cta));
}

void wb_guard_destroy_block(struct wb_cta *cta)
{
    if (cta->guard) {
        wb_shadow_finish(&cta->guard->shared);
        wb_shadow_finish(&cta->guard->local);
        free(cta->guard->warps);
        free(cta->guard);
        cta->guard = NULL;
    }
}

void wb_guard_start_block(struct wb_cta *cta)
{
    wb_order_start_block(cta);
    memset(cta->guard->visits, 0, sizeof cta->guard->visits);
    for (unsigned i = 0; i < cta->warp_count; i++) {
        cta->guard->warps[i].async = (struct wb_async){0};
    }
    cta->guard->ended = false;
    cta->guard->changes_before = UINT64_MAX;
    cta->guard->quiet = 0;
    if (cta->guard->local.pages) {
        wb_shadow_define(&cta->guard->local, 0, local_bytes(cta), false);
    }
}
