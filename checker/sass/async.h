/* SPDX-License-Identifier: MIT
 * Asynchronous copies from global to shared memory (cp.async). The embedded device does them at
 * once; on hardware their data is there only when the thread has waited for them, and for other
 * threads only behind a barrier after that. Here is what each warp has waited for.
 */
#ifndef WB_SASS_ASYNC_H
#define WB_SASS_ASYNC_H

#include "warp.h"

enum { WB_ASYNC_GROUPS = 32, WB_ASYNC_WAITS = 16 };

struct wb_async {
    uint32_t groups[WB_ASYNC_GROUPS]; /* segments: a ring of what was committed */
    unsigned group_count;             /* in all */
    struct {
        uint32_t upto, at;   /* copies of segments up to here are done; the guard's segment then */
    } waits[WB_ASYNC_WAITS]; /* a ring */
    unsigned wait_count;
};

void wb_async_commit(struct wb_warp *warp);
/* Waits until at most `pending` groups are not done. */
void wb_async_wait(struct wb_warp *warp, unsigned pending);
/* All copies so far are done when an mbarrier says so. */
void wb_async_arrive(struct wb_warp *warp);

/* May the warp rely on a copy that `writer` (of its block) began in segment q? That it comes after
 * the copy's instruction is known. */
bool wb_async_is_done(const struct wb_warp *warp, const struct wb_warp *writer, uint32_t q);

#endif
