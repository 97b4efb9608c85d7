/* SPDX-License-Identifier: MIT
 * mbarrier: the 64-bit barrier objects in shared memory that cuda::barrier, cuda::pipeline and
 * bulk copies are made of. A phase is complete when no arrival and no byte is outstanding; then
 * the next one begins with as many arrivals as expected.
 */
#ifndef WB_SASS_MBARRIER_H
#define WB_SASS_MBARRIER_H

#include "warp.h"

/* What one operation does to the phase. */
struct wb_mbarrier_step {
    uint32_t arrivals; /* that are no longer outstanding */
    int32_t bytes;     /* that become outstanding (of asynchronous copies), negative: arrived */
    bool drops;        /* the arrivals are not expected in later phases either */
};

/* The state after a step; a complete phase is ended. */
uint64_t wb_mbarrier_after(uint64_t state, struct wb_mbarrier_step step);

/* Applies a step to the object in memory and returns the state before it. */
uint64_t wb_mbarrier_apply(uint8_t *object, struct wb_mbarrier_step step);

/* Bit 63 of a state or a token is the parity of its phase. */
static inline bool wb_mbarrier_parity(uint64_t state)
{
    return state >> 63;
}

/* Of the lanes `on` at a SYNCS.PHASECHK: those whose phase is complete. False after a fault. */
bool wb_mbarrier_check(uint32_t *complete, struct wb_warp *warp, const struct wb_insn *in,
                       uint32_t on);

/* Lets groups go on that wait for a phase which is complete by now; true if there was one. */
bool wb_mbarrier_wake(struct wb_warp *warp);

#endif
