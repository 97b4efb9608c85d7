/* SPDX-License-Identifier: MIT
 * guarded: what the guard of the embedded device has to know of the host's doings. Needs the lock.
 */
#ifndef WB_CUDART_GUARDED_H
#define WB_CUDART_GUARDED_H

#include <stdbool.h>
#include <stdint.h>

/* Do launches have a guard? WARPBOOK_GUARD says so. */
bool wb_guard_wanted(void);
/* New device memory has no value until something is written to it. */
void wb_guard_fresh(uint64_t address, uint64_t size);
/* A fill wrote `width` bytes of each row; a copy, what it found `from` there. */
struct wb_op_side;
void wb_guard_filled(const struct wb_op_side *to, uint64_t width, uint64_t height, uint64_t depth);
void wb_guard_copied(const struct wb_op_side *to, const struct wb_op_side *from, uint64_t width,
                     uint64_t height, uint64_t depth);

#endif
