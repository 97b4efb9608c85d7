/* SPDX-License-Identifier: MIT
 * Lanes of one group that run without each other, as the hardware may run them since Volta, until
 * they come to an instruction of the whole warp.
 */
#ifndef WB_SASS_APART_H
#define WB_SASS_APART_H

#include "warp.h"

/* What an instruction is to lanes that run apart: see apart.def. */
enum wb_meeting {
    WB_MEET, /* also what is not in the list */
    WB_ALONE,
    WB_BRANCH,
    WB_LEAVE,
};

enum wb_meeting wb_apart_meeting(enum wb_op op);

/* For each instruction how many from there on lanes can run alone without a look in between. */
uint16_t *wb_apart_stretches(struct wb_arena *arena, const struct wb_program *program);

/* A group with these lanes stops running: its uniform registers are kept for it. */
void wb_apart_keep(struct wb_warp *warp, uint32_t mask);
/* The running group gets what was kept for it, if anything was. */
void wb_apart_fetch(struct wb_warp *warp);

/* Runs the warp's group on for at most `budget` (at least 1) instructions of one lane, its lanes
 * apart; returns what is left. The run must have stretches. */
uint64_t wb_apart_run(struct wb_warp *warp, uint64_t budget);

#endif
