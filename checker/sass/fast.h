/* SPDX-License-Identifier: MIT
 * The choice of fast handlers, from the rows of fast.def.
 */
#ifndef WB_SASS_FAST_H
#define WB_SASS_FAST_H

#include "decode.h"
#include "engine.h"

typedef bool wb_fast_when(const struct wb_program *program, const struct wb_insn *in);

#define FAST(general, when, handler) wb_fast_when wb_fast_##when;
#include "fast.def"
#undef FAST

/* A row of fast.def, as one engine has it. */
struct wb_fast {
    wb_exec_fn *general;
    wb_fast_when *when;
    wb_exec_fn *exec;
};

/* Gives the instructions of a decoded program the fastest handlers that the engine has for them. */
void wb_program_specialise(struct wb_program *program, const struct wb_engine *engine);

#endif
