/* SPDX-License-Identifier: MIT
 * pending: the host must not use memory that an operation uses which it has not waited for. While
 * the program runs between its CUDA calls, pages of such memory (managed, pinned) are protected; an
 * access to them is a signal, is told, and goes on. Needs the lock.
 */
#ifndef WB_CUDART_PENDING_H
#define WB_CUDART_PENDING_H

#include "place.h"

#include <stdint.h>

/* The operations of crossing.h are others now. */
void wb_pending_changed(void);
/* A call of the program comes to its end. */
void wb_pending_lower(void);
/* The device is about to use memory. */
void wb_pending_lift(void);

/* Was memory protected since the start? Safe in a signal handler, without the lock. */
bool wb_pending_ever(void);
enum wb_pending {
    WB_PENDING_NOT,   /* it was not because of a protection */
    WB_PENDING_AGAIN, /* it can be tried again, */
    WB_PENDING_STEP,  /* and wb_pending_lower is to be called behind the instruction, if possible */
};

/* An access of the host failed at `address`. `place` is asked for if there is something to tell;
 * NULL: the runtime itself was at work, nothing is. */
enum wb_pending wb_pending_fault(uint64_t address, bool write,
                                 const struct wb_place *(*place)(uintptr_t pc), uintptr_t pc);

#endif
