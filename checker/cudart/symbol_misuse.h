/* SPDX-License-Identifier: MIT
 * symbol_misuse: variables of the device that a program names in a wrong way. The name of such a
 * variable in host code is a stand-in: its address means the variable only to the calls that take a
 * symbol. Needs the lock.
 */
#ifndef WB_CUDART_SYMBOL_MISUSE_H
#define WB_CUDART_SYMBOL_MISUSE_H

#include "op.h"

#include <stdbool.h>

/* A copy from or to a stand-in, as if it were memory. True if a finding was made. */
bool wb_symbol_misuse_copy(const struct wb_op_copy *copy);
/* What was passed as a symbol is none: perhaps it is a variable's name in quotes, or the address of
 * a pointer to a stand-in (`&weights`). Makes a finding then. */
void wb_symbol_misuse_argument(const void *symbol);

#endif
