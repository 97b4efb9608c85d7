/* SPDX-License-Identifier: MIT
 * The order of blocks, warps and groups of lanes under each schedule (enum wb_schedule). Nothing of
 * it is promised to a kernel. apart.h has what happens inside a group.
 */
#ifndef WB_SASS_SCHEDULE_H
#define WB_SASS_SCHEDULE_H

#include "warp.h"

/* A random number below `count`: the same one for the same seed and draw, on every machine. */
uint64_t wb_schedule_draw(struct wb_run *run, uint64_t count);

/* Do lanes of a group run without each other? */
bool wb_schedule_parts_lanes(enum wb_schedule schedule);

/* An order of the numbers 0 to count - 1: each is `step` behind the one before, round a circle. */
struct wb_sequence {
    uint64_t first, step, count;
};

/* The order for `count` blocks or warps; a random one is new at each call. */
struct wb_sequence wb_schedule_order(struct wb_run *run, uint64_t count);

static inline uint64_t wb_sequence_at(const struct wb_sequence *order, uint64_t i)
{
    return order->step ? (order->first + i * order->step) % order->count : i;
}

/* Warp instructions of a turn, at most `most`. */
static inline uint64_t wb_schedule_slice(struct wb_run *run, uint64_t most)
{
    return run->launch->schedule == WB_SCHEDULE_RANDOM ? 1 + wb_schedule_draw(run, most / 16)
                                                       : most;
}

/* The place in warp->groups of the ready group that runs next; group_count if none is ready. */
unsigned wb_schedule_next_group(struct wb_warp *warp);

/* The place in a list of `count` groups where the one lies that is to run when all have. */
static inline unsigned wb_schedule_last_group(const struct wb_run *run, unsigned count)
{
    return run->launch->schedule == WB_SCHEDULE_REVERSE ? count : 0;
}

#endif
