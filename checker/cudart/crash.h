/* SPDX-License-Identifier: MIT
 * crash: a program that dies of a wrong pointer, a full stack or a division by zero on the host.
 * The log gets a finding, then the program dies as it would have. A handler of the program's own
 * wins.
 */
#ifndef WB_CUDART_CRASH_H
#define WB_CUDART_CRASH_H

#include <stdbool.h>

void wb_crash_watch(void);
/* Bad accesses come here, not to the program. */
bool wb_crash_is_watched(void);

#endif
