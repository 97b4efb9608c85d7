/* SPDX-License-Identifier: MIT
 * Raising faults, and who is to be named.
 */
#include "fault.h"

#include <stdio.h>

struct wb_dim3 wb_thread_index(const struct wb_warp *warp, unsigned lane)
{
    const struct wb_dim3 *block = &warp->cta->run->launch->block;
    unsigned thread = warp->index * WB_LANES + lane;
    return (struct wb_dim3){.x = thread % block->x,
                            .y = thread / block->x % block->y,
                            .z = thread / block->x / block->y};
}

void wb_fault_who(char *out, size_t size, const struct wb_warp *warp, unsigned lane)
{
    struct wb_dim3 t = wb_thread_index(warp, lane), b = warp->cta->index;
    snprintf(out, size, "thread (%u,%u,%u) of block (%u,%u,%u)", t.x, t.y, t.z, b.x, b.y, b.z);
}

void wb_fault_raise(struct wb_warp *warp, const struct wb_insn *in, unsigned lane,
                    enum wb_reason kind, const char *format, ...)
{
    const struct wb_run *run = warp->cta->run;
    struct wb_fault *fault = run->fault;
    warp->event = WB_EVENT_STOP;
    if (fault->kind != WB_REASON_NONE) {
        return;
    }
    fault->kind = kind;
    fault->pc = (uint32_t)(in - run->program->code) * 16;
    wb_kernel_line(&fault->file, &fault->line, run->kernel, fault->pc);
    fault->block = warp->cta->index;
    fault->thread = wb_thread_index(warp, lane);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
}

void wb_fault_refuse(struct wb_fault *fault, enum wb_refusal refusal, const char *format, ...)
{
    *fault = (struct wb_fault){.kind = WB_REASON_LAUNCH_FAILED, .refusal = refusal};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
}
