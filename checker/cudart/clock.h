/* SPDX-License-Identifier: MIT
 * clock: virtual time, so that events measure something that is the same on every machine. Nothing
 * here is a measurement of hardware: each operation takes as long as its counted work would at the
 * rates in clock.c, and the host's own work takes no time but a little for each call. Needs the
 * lock.
 */
#ifndef WB_CUDART_CLOCK_H
#define WB_CUDART_CLOCK_H

#include "op.h"

/* A launch counted so many warp instructions: part of the operation that is running. */
void wb_clock_work(uint64_t warp_instructions);

/* Runs an operation and says how long it took, in nanoseconds of virtual time. */
enum cudaError wb_clock_run(uint64_t *duration, const struct wb_op *op, cudaStream_t stream);

/* Where the host is; each look moves it on a little. */
uint64_t wb_clock_host(void);
/* The host waited until `time`. */
void wb_clock_wait(uint64_t time);

#endif
