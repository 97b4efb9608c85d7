/* SPDX-License-Identifier: MIT
 * The loop that issues instructions and counts them, and the table of handlers.
 */
#include "engine.h"
#include "exec.h"

static uint64_t run_group(struct wb_warp *w, uint64_t budget)
{
    const struct wb_insn *code = w->cta->run->program->code;
    struct wb_tally *tally = w->tally;
    do {
        const struct wb_insn *in = &code[w->pc];
        struct wb_tally *counts = &tally[w->pc];
        uint32_t active = w->active;
        uint32_t on = active & (w->pred[in->guard] ^ in->guard_flip);
        counts->inst++;
        counts->thread += (unsigned)__builtin_popcount(active);
        counts->pred_on += (unsigned)__builtin_popcount(on);
        w->pc++;
        budget--;
        in->exec(w, in, on ? on | in->all_if_any : 0);
    } while (budget && w->event == WB_EVENT_NONE);
    return budget;
}

const struct wb_engine WB_PASTE(wb_exec, WB_VARIANT, engine) = {
    .name = WB_STRINGIFY(WB_VARIANT),
    .table =
        {
#define INST(name, base, forms, when, mnemonic, handler, ...) [WB_OP_##name] = WB_EXEC(handler),
#include "inst.def"
#undef INST
            [WB_OP_UNKNOWN] = WB_EXEC(unknown),
            [WB_OP_END] = WB_EXEC(end),
        },
    .run = run_group,
};
