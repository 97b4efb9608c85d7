/* SPDX-License-Identifier: MIT
 * The list of findings of a launch.
 */
#include "finding.h"

#include "fault.h"

#include <string.h>

enum { MOST = 64 };

static struct wb_sim_finding *find(struct wb_findings *list, const struct wb_finding_note *note)
{
    size_t i = 0;
    while (i < list->count && (list->items[i].kind != note->kind || list->items[i].pc != note->pc ||
                               list->items[i].other_pc != note->other_pc)) {
        i++;
    }
    return i < list->count ? &list->items[i] : NULL;
}

void wb_guard_report(struct wb_warp *w, const struct wb_finding_note *note)
{
    const struct wb_run *run = w->cta->run;
    struct wb_findings *list = run->launch->findings;
    struct wb_sim_finding *finding = find(list, note);
    uint64_t threads = (unsigned)__builtin_popcount(note->lanes);
    if (!list->items) {
        list->items = wb_arena_alloc(run->arena, MOST * sizeof *list->items);
    }
    if (!finding && list->count == MOST) {
        list->left_out += threads;
        return;
    }
    if (!finding) {
        finding = &list->items[list->count++];
        *finding =
            (struct wb_sim_finding){.kind = note->kind,
                                    .pc = note->pc,
                                    .other_pc = note->other_pc,
                                    .block = w->cta->index,
                                    .thread = wb_thread_index(w, wb_lowest_lane(note->lanes)),
                                    .address = note->address};
        wb_kernel_line(&finding->file, &finding->line, run->kernel, note->pc);
        if (note->other_pc != UINT32_MAX) {
            wb_kernel_line(&finding->other_file, &finding->other_line, run->kernel, note->other_pc);
        }
        size_t length = strlen(note->message), most = sizeof finding->message - 1;
        memcpy(finding->message, note->message, length < most ? length : most);
    }
    finding->count += threads;
}
