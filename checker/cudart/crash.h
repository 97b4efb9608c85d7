/* SPDX-License-Identifier: MIT
 * crash: a program that dies of SIGSEGV because it used a device pointer on the host. The log gets
 * a finding, then the program dies as it would have. A handler of the program's own wins.
 */
#ifndef WB_CUDART_CRASH_H
#define WB_CUDART_CRASH_H

void wb_crash_watch(void);

#endif
