/* SPDX-License-Identifier: MIT
 * The running process groups of all threads, for the handler of SIGINT, SIGTERM and SIGHUP.
 */
#ifndef WB_PROC_INTERRUPT_H
#define WB_PROC_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on the handler ends this child and its group; at once if a signal was caught already.
 * False: there are too many. */
bool wb_interrupt_watch(pid_t group);
/* Before the child is reaped: its id may then be given to another. */
void wb_interrupt_forget(pid_t group);
/* Signals a child's group, or the child alone where the kernel kept it in ours. Async-signal-safe.
 */
void wb_interrupt_kill(pid_t group, int number);

#endif
