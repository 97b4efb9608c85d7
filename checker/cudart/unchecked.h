/* SPDX-License-Identifier: MIT
 * unchecked: errors that a program was told and never looked at. Whether a result was compared with
 * cudaSuccess cannot be seen from here. What can be seen is that a call failed, that none of
 * cudaGetLastError, cudaPeekAtLastError, cudaGetErrorName and cudaGetErrorString was called
 * afterwards, and that the program went on all the same: it copied, filled or launched, or it ended
 * with exit code 0. A launch <<<...>>> has no result, so there it is enough that nobody asked.
 * Needs the lock.
 */
#ifndef WB_CUDART_UNCHECKED_H
#define WB_CUDART_UNCHECKED_H

#include "enter.h"

/* The call, which is in flight, failed. */
void wb_unchecked_add(const struct wb_call *call, enum cudaError error);
/* Why the call in flight is going to fail was told: its arguments were wrong. */
void wb_unchecked_explained(void);
/* Another call was begun. */
void wb_unchecked_next(const struct wb_call *call);
/* The program looked. */
void wb_unchecked_forget(void);
/* The program ends: the finding, if something is left. */
void wb_unchecked_report(int exit_code);

#endif
