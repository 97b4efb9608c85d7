/* SPDX-License-Identifier: MIT
 * An engine is one compilation of the handlers: see exec.h.
 */
#ifndef WB_SASS_ENGINE_H
#define WB_SASS_ENGINE_H

#include "insn.h"

struct wb_fast;

struct wb_engine {
    const char *name;
    wb_exec_fn *table[WB_OP_ALL];
    const struct wb_fast *fast; /* special cases */
    size_t fast_count;
    /* Runs the warp's group for at most `budget` (at least 1) instructions, until an event;
     * returns what is left. The second one for a warp of a guarded launch. */
    uint64_t (*run[2])(struct wb_warp *warp, uint64_t budget);
};

extern const struct wb_engine wb_exec_base_engine, wb_exec_avx2_engine;

/* The fastest that this machine has. */
const struct wb_engine *wb_engine_choose(void);

#endif
