/* SPDX-License-Identifier: MIT
 * Findings: what the guard saw in a launch that is wrong although the launch may have gone well.
 * The same at the same places counts as one; the first thread is named.
 */
#ifndef WB_SASS_FINDING_H
#define WB_SASS_FINDING_H

#include "warp.h"

#define WB_NO_PC UINT32_MAX

enum { WB_MAX_FINDINGS = 64 };

/* What is to be said of lanes of a warp. */
struct wb_finding_note {
    enum wb_reason kind;
    enum wb_race race;     /* without the LINE, which is found out */
    bool both_write;       /* both accesses of a race do */
    uint32_t pc, other_pc; /* bytes; WB_NO_PC: there is no other place */
    uint32_t lanes;        /* at least one */
    uint64_t address;
    const char *message; /* a sentence */
};

/* True if that is known already: it is counted, and its sentence need not be made. */
bool wb_guard_knows(struct wb_warp *warp, const struct wb_finding_note *note);
void wb_guard_report(struct wb_warp *warp, const struct wb_finding_note *note);
/* The same about one instruction: there is no other access. `address` 0: it is not about memory. */
void wb_guard_tell(struct wb_warp *warp, enum wb_reason kind, uint32_t pc, uint32_t lanes,
                   uint64_t address, const char *message);

/* What the note says, completed. */
void wb_finding_make(struct wb_guard_finding *out, const struct wb_warp *warp,
                     const struct wb_finding_note *note);
void wb_findings_add(struct wb_guard *guard, const struct wb_guard_finding *finding);
/* The findings of the launch, in the order of their places. */
void wb_findings_collect(struct wb_guard_findings *out, struct wb_arena *arena,
                         const struct wb_run *run);

#endif
