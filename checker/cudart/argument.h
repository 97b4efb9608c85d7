/* SPDX-License-Identifier: MIT
 * argument: which argument of a kernel that faulted is an address of the host. Needs the lock.
 */
#ifndef WB_CUDART_ARGUMENT_H
#define WB_CUDART_ARGUMENT_H

#include "log.h"

/* The number (from 1) of the pointer that the faulting address was reached with, if that pointer is
 * one of the program's own memory. Pointers inside of structures count as their structure. */
bool wb_argument_on_host(unsigned *number, const struct wb_log_launch *launch);

#endif
