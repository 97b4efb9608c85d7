/* SPDX-License-Identifier: MIT
 * See crash.h. The handler does things that are not safe in general (it looks for the line, and
 * allocates). It does them only for an address that nothing but a device pointer can have, and an
 * alarm ends it if that fails: the program is lost in any case.
 */
#include "crash.h"

#include "enter.h"
#include "heap.h"
#include "log.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* The address of the instruction that failed; 0 on machines where we do not know how to ask. */
static uintptr_t instruction(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* The innermost frame with a line of source, else the instruction itself: memcpy has none, its
 * caller in the program may have. */
static const struct wb_place *place_of_crash(uintptr_t pc)
{
    enum { FRAMES = 32 };
    void *frames[FRAMES];
    const struct wb_place *place = wb_place_of((const void *)(pc + 1));
    int count = place->file ? 0 : backtrace(frames, FRAMES), i = 0;
    while (i < count && (uintptr_t)frames[i] != pc) {
        i++;
    }
    for (i++; i < count && !place->file; i++) {
        const struct wb_place *caller = wb_place_of(frames[i]);
        place = caller->file ? caller : place;
    }
    return place;
}

/* free() looks at what stands just before the memory that it is given. */
static bool is_device_pointer(uintptr_t address)
{
    enum { FREE_LOOKS_BACK = 16 };
    return wb_heap_is_device_address(address) ||
           wb_heap_is_device_address(address + FREE_LOOKS_BACK);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    struct wb_call call;
    (void)number;
    if (is_device_pointer((uintptr_t)info->si_addr)) {
        alarm(5);
        wb_lock(&call, NULL);
        wb_log_finding(
            WB_REASON_CRASH, place_of_crash(instruction(context)),
            "Copy the data to the host with cudaMemcpy and use the copy; free device memory "
            "with cudaFree.",
            "the program used a device pointer (%p) on the host", info->si_addr);
        wb_unlock(&call);
        alarm(0);
    }
    /* SA_RESETHAND: the instruction is tried again, and now it ends the program. */
}

void wb_crash_watch(void)
{
    struct sigaction before,
        action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_ONSTACK};
    if (wb_log_wanted() && sigaction(SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
        sigaction(SIGSEGV, &action, NULL);
    }
}
