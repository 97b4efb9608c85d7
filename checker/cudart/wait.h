/* SPDX-License-Identifier: MIT
 * wait: calls during which the host waits for the device. Needs the lock.
 *   enum cudaError error = wb_wait_begin();
 *   return wb_wait_end(error ? error : ...Async(..., NULL));
 */
#ifndef WB_CUDART_WAIT_H
#define WB_CUDART_WAIT_H

#include "abi.h"

/* What keeps the call from being made: a capture that it would disturb, a kernel that faulted. */
enum cudaError wb_wait_begin(void);
/* The host's virtual time is now that of the default stream. Returns `result`. */
enum cudaError wb_wait_end(enum cudaError result);

#endif
