/* SPDX-License-Identifier: MIT
 * Raising faults, and who is to be named.
 */
#include "fault.h"

#include "guard.h"

#include <stdio.h>

enum { STEPS_MORE = 1 << 22 }; /* warp instructions that a launch may go on after a fault */

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

static void fill(struct wb_fault *fault, const struct wb_warp *warp, const struct wb_insn *in,
                 unsigned lane, enum wb_reason kind)
{
    const struct wb_run *run = warp->cta->run;
    fault->kind = kind;
    fault->pc = (uint32_t)(in - run->program->code) * 16;
    wb_kernel_line(&fault->file, &fault->line, run->kernel, fault->pc);
    fault->block = warp->cta->index;
    fault->thread = wb_thread_index(warp, lane);
}

void wb_fault_raise(struct wb_warp *warp, const struct wb_insn *in, unsigned lane,
                    enum wb_reason kind, const char *format, ...)
{
    struct wb_fault *fault = warp->cta->run->fault;
    warp->event = WB_EVENT_STOP;
    if (fault->kind != WB_REASON_NONE) {
        return;
    }
    fill(fault, warp, in, lane, kind);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
}

void wb_fault_note(struct wb_warp *warp, const struct wb_insn *in, unsigned lane,
                   enum wb_reason kind, uint64_t address, const char *message)
{
    struct wb_run *run = warp->cta->run;
    struct wb_fault *first = &run->guard->fault;
    if (first->kind == WB_REASON_NONE) {
        fill(first, warp, in, lane, kind);
        first->address = address;
        snprintf(first->message, sizeof first->message, "%s", message);
        run->steps_left = run->steps_left < STEPS_MORE ? run->steps_left : STEPS_MORE;
    }
    wb_guard_tell(warp, kind, (uint32_t)(in - run->program->code) * 16, UINT32_C(1) << lane,
                  address, message);
}

void wb_fault_refuse(struct wb_fault *fault, enum wb_refusal refusal, const char *format, ...)
{
    *fault = (struct wb_fault){.kind = WB_REASON_LAUNCH_FAILED, .refusal = refusal};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
}
