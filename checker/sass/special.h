/* SPDX-License-Identifier: MIT
 * Special registers: lane and block indices, lane masks, clocks.
 */
#ifndef WB_SASS_SPECIAL_H
#define WB_SASS_SPECIAL_H

#include "warp.h"

/* Fills a row with special register `number`; `word` 1 is the high half of a 64-bit one. */
void wb_special_read(uint32_t *row, struct wb_warp *warp, unsigned number, unsigned word);

#endif
