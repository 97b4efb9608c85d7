/* SPDX-License-Identifier: MIT
 * System functions that device code calls: vprintf, __assertfail.
 */
#ifndef WB_SASS_PRINT_H
#define WB_SASS_PRINT_H

#include "warp.h"

/* One lane calls the function at an address of the call window; its arguments are in R4 and
 * following, the result goes to R4. */
void wb_system_call(struct wb_warp *warp, const struct wb_insn *in, unsigned lane,
                    uint64_t address);

#endif
