/* SPDX-License-Identifier: MIT
 * Crashes: what was touched and where the program was, told from a signal handler on a stack of its
 * own, so that endless recursion is told as well. Then the signal takes its course: to the handler
 * that was there before (the runtime tells of device pointers), and to the end.
 */
#include "runner.h"

#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_SIZE = 64 * 1024, BEYOND_STACK = 64 * 1024 };

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction before[NSIG];
static uint64_t arrays; /* where the memory of the plan lies */

static bool lies_beyond_stack(uint64_t address, const ucontext_t *context)
{
    const uint64_t top = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    return address < top + BEYOND_STACK && address + BEYOND_STACK > top;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    const ucontext_t *stopped = context;
    void *frames[WB_RUNNER_FRAMES];
    struct wb_runner_event event = {.kind = WB_RUNNER_SIGNALLED, .number = number, .value = arrays};
    if (info->si_code > 0) {
        event.address = (uint64_t)(uintptr_t)info->si_addr;
        event.near_stack = number == SIGSEGV && lies_beyond_stack(event.address, stopped);
    }
    int count = backtrace(frames, WB_RUNNER_FRAMES - 1);
    event.frames[0] = (uint64_t)stopped->uc_mcontext.gregs[REG_RIP] + 1;
    for (int i = 0; i < count; i++) {
        event.frames[1 + i] = (uint64_t)(uintptr_t)frames[i];
    }
    runner_tell(&event);
    if (info->si_code > 0) {
        sigaction(number, &before[number], NULL); /* the instruction is tried again */
    } else {
        raise(number); /* SA_RESETHAND: ends the process */
    }
}

void runner_catch_signals(const uint8_t *memory)
{
    static uint8_t stack[STACK_SIZE];
    void *frame;
    arrays = (uint64_t)(uintptr_t)memory;
    backtrace(&frame, 1); /* loads what it needs now, not in a handler */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(caught); i++) {
        sigaction(caught[i], &action, &before[caught[i]]);
    }
}
