/* SPDX-License-Identifier: MIT
 * const_input: a kernel that writes to an array which it was given as a pointer to const, and by no
 * other way: it cast const away. Needs the lock.
 */
#ifndef WB_CUDART_CONST_INPUT_H
#define WB_CUDART_CONST_INPUT_H

#include "log.h"

/* Does the kernel, by its mangled name, have parameters that are pointers to const? */
bool wb_const_input_any(const struct wb_kernel *kernel);
/* The launch has ended; `touches` says what it did. */
void wb_const_input_check(const struct wb_log_launch *launch, const struct wb_sim_touches *touches);

#endif
