/* SPDX-License-Identifier: MIT
 * Ctrl-C and its like. Children live in sessions of their own, which no terminal signals; so the
 * handler does it, and leaves a mark. Waiting then ends soon, starting fails at once, whoever made
 * a temporary folder removes it on the way out, and the program ends by the same signal.
 */
#include "interrupt.h"

#include <warpbook/proc.h>

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

enum { MAX_GROUPS = 256 };

static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};

static _Atomic pid_t groups[MAX_GROUPS]; /* 0: free */
static atomic_int caught;

void wb_interrupt_kill(pid_t group, int number)
{
    if (kill(-group, number) != 0) {
        kill(group, number);
    }
}

static void on_signal(int number)
{
    const int error = errno;
    caught = number;
    for (size_t i = 0; i < MAX_GROUPS; i++) {
        const pid_t group = groups[i];
        if (group) {
            wb_interrupt_kill(group, SIGTERM);
        }
    }
    errno = error;
}

void wb_proc_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND | SA_RESTART};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(caught_signals); i++) {
        struct sigaction before;
        if (sigaction(caught_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(caught_signals[i], &action, NULL);
        }
    }
}

int wb_proc_interrupted(void)
{
    return caught;
}

bool wb_interrupt_watch(pid_t group)
{
    for (size_t i = 0; i < MAX_GROUPS; i++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&groups[i], &none, group)) {
            if (caught) { /* before the handler could see it */
                wb_interrupt_kill(group, SIGTERM);
            }
            return true;
        }
    }
    return false;
}

void wb_interrupt_forget(pid_t group)
{
    for (size_t i = 0; i < MAX_GROUPS; i++) {
        pid_t expected = group;
        if (atomic_compare_exchange_strong(&groups[i], &expected, 0)) {
            return;
        }
    }
}
