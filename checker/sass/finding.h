/* SPDX-License-Identifier: MIT
 * Findings of a guarded launch: what is wrong although the kernel goes on. Those of one kind at the
 * same places are one finding with a count.
 */
#ifndef WB_SASS_FINDING_H
#define WB_SASS_FINDING_H

#include "warp.h"

struct wb_finding_note {
    enum wb_reason kind;
    uint32_t pc;
    uint32_t other_pc; /* UINT32_MAX: none */
    uint32_t lanes;    /* of the warp that it happened to */
    uint64_t address;
    const char *message; /* a complete sentence */
};

void wb_guard_report(struct wb_warp *warp, const struct wb_finding_note *note);

#endif
