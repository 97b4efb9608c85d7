/* SPDX-License-Identifier: MIT
 * Faults: what stops a launch, told to a beginner. The first one counts.
 */
#ifndef WB_SASS_FAULT_H
#define WB_SASS_FAULT_H

#include "warp.h"

/* Stops the launch at instruction `in` of the warp. `lane` is the thread that is named. */
void wb_fault_raise(struct wb_warp *warp, const struct wb_insn *in, unsigned lane,
                    enum wb_reason kind, const char *format, ...) WB_PRINTF(5, 6);

/* The same without a stop: a launch with a guard goes on, so that all who do it are counted. */
void wb_fault_note(struct wb_warp *warp, const struct wb_insn *in, unsigned lane,
                   enum wb_reason kind, uint64_t address, const char *message);

/* "thread (5,0,0) of block (3,0,0)" */
void wb_fault_who(char *out, size_t size, const struct wb_warp *warp, unsigned lane);

struct wb_dim3 wb_thread_index(const struct wb_warp *warp, unsigned lane);

/* A launch that the hardware would refuse. */
void wb_fault_refuse(struct wb_fault *fault, enum wb_refusal refusal, const char *format, ...)
    WB_PRINTF(3, 4);

#endif
