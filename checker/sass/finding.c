/* SPDX-License-Identifier: MIT
 * Collecting findings while a launch runs.
 */
#include "finding.h"

#include "fault.h"
#include "guard.h"

#include <stdio.h>
#include <string.h>

static struct wb_guard_finding *find(struct wb_guard *guard, const struct wb_finding_note *note)
{
    for (size_t i = 0; i < guard->finding_count; i++) {
        struct wb_guard_finding *f = &guard->findings[i];
        if (f->kind == note->kind && f->pc == note->pc && f->other_pc == note->other_pc) {
            return f;
        }
    }
    return NULL;
}

/* Where both accesses are in one line, nothing can be put between. */
static enum wb_race race_of(const struct wb_guard_finding *f, const struct wb_finding_note *note)
{
    static const enum wb_race of_a_line[WB_RACE_COUNT] = {
        [WB_RACE_LANES] = WB_RACE_LANES_LINE,
        [WB_RACE_WARPS] = WB_RACE_WARPS_LINE,
        [WB_RACE_CLUSTER] = WB_RACE_CLUSTER,
        [WB_RACE_BLOCKS] = WB_RACE_BLOCKS_LINE,
    };
    if (!f->line || f->line != f->other_line) {
        return note->race;
    }
    return note->both_write ? WB_RACE_WRITES : of_a_line[note->race];
}

bool wb_guard_knows(struct wb_warp *w, const struct wb_finding_note *note)
{
    struct wb_guard_finding *f = find(w->cta->run->guard, note);
    if (f) {
        enum wb_race race = race_of(f, note);
        f->race = race > f->race ? race : f->race; /* the advice is to help all of them */
        f->count += (unsigned)__builtin_popcount(note->lanes);
    }
    return f != NULL;
}

void wb_finding_make(struct wb_guard_finding *f, const struct wb_warp *w,
                     const struct wb_finding_note *note)
{
    const struct wb_run *run = w->cta->run;
    *f = (struct wb_guard_finding){
        .kind = note->kind,
        .pc = note->pc,
        .other_pc = note->other_pc,
        .block = w->cta->index,
        .thread = wb_thread_index(w, wb_lowest_lane(note->lanes)),
        .count = (unsigned)__builtin_popcount(note->lanes),
        .address = note->address,
    };
    wb_kernel_line(&f->file, &f->line, run->kernel, f->pc);
    if (f->other_pc != WB_NO_PC) {
        wb_kernel_line(&f->other_file, &f->other_line, run->kernel, f->other_pc);
    }
    f->race = race_of(f, note);
    snprintf(f->message, sizeof f->message, "%s", note->message);
}

void wb_findings_add(struct wb_guard *guard, const struct wb_guard_finding *finding)
{
    if (guard->finding_count < WB_MAX_FINDINGS) {
        guard->findings[guard->finding_count++] = *finding;
    } else {
        guard->left_out++;
    }
}

/* After a fault only faults are told: other things may follow from it. */
static bool is_fault(enum wb_reason kind)
{
    return kind == WB_REASON_OUT_OF_BOUNDS || kind == WB_REASON_MISALIGNED ||
           kind == WB_REASON_HOST_POINTER;
}

void wb_guard_report(struct wb_warp *w, const struct wb_finding_note *note)
{
    struct wb_guard_finding finding;
    const struct wb_fault *fault = &w->cta->run->guard->fault;
    bool follows = fault->kind != WB_REASON_NONE && !is_fault(note->kind);
    if (!follows && !wb_guard_knows(w, note)) {
        wb_finding_make(&finding, w, note);
        wb_findings_add(w->cta->run->guard, &finding);
    }
}

void wb_guard_tell(struct wb_warp *w, enum wb_reason kind, uint32_t pc, uint32_t lanes,
                   uint64_t address, const char *message)
{
    wb_guard_report(w, &(struct wb_finding_note){
                           .kind = kind,
                           .pc = pc,
                           .other_pc = WB_NO_PC,
                           .lanes = lanes,
                           .address = address,
                           .message = message,
                       });
}

static bool comes_first(const struct wb_guard_finding *a, const struct wb_guard_finding *b)
{
    return a->pc != b->pc ? a->pc < b->pc : a->other_pc < b->other_pc;
}

/* What stopped the launch is told as its fault. */
static bool is_the_fault(const struct wb_guard_finding *f, const struct wb_fault *fault)
{
    return fault->kind == f->kind && fault->pc == f->pc;
}

void wb_findings_collect(struct wb_guard_findings *out, struct wb_arena *arena,
                         const struct wb_run *run)
{
    const struct wb_guard *guard = run->guard;
    size_t count = guard->finding_count;
    *out = (struct wb_guard_findings){.left_out = guard->left_out};
    out->items = wb_arena_alloc(arena, (count + 1) * sizeof *out->items);
    for (size_t i = 0; i < count; i++) { /* few: insertion */
        if (is_the_fault(&guard->findings[i], &guard->fault)) {
            continue;
        }
        size_t at = out->count++;
        for (; at > 0 && comes_first(&guard->findings[i], &out->items[at - 1]); at--) {
            out->items[at] = out->items[at - 1];
        }
        out->items[at] = guard->findings[i];
    }
}
