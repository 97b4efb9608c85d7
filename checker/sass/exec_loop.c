/* SPDX-License-Identifier: MIT
 * The loop that issues instructions and counts them, and the table of handlers.
 */
#include "engine.h"
#include "exec.h"
#include "fast.h"
#include "map.h"
#include "undefined.h"

/* `guarded` is a constant: the loop without it has nothing of it. */
WB_INLINE uint64_t run_instructions(struct wb_warp *w, uint64_t budget, bool guarded)
{
    const struct wb_insn *code = w->cta->run->program->code;
    do {
        uint32_t pc = w->pc, active = w->active;
        const struct wb_insn *in = &code[pc];
        struct wb_tally *counts = &w->tally[pc];
        uint64_t lanes = (unsigned)__builtin_popcount(active);
        w->event = WB_EVENT_NONE;
        counts->inst++;
        counts->thread += lanes;
        do { /* straight on */
            uint32_t guard = w->pred[in->guard] ^ in->guard_flip;
            counts->off += (unsigned)__builtin_popcount(active & ~guard);
            w->pc = ++pc;
            uint32_t on = (active | in->all_if_any) & guard;
            if (guarded && w->undefined->live) {
                wb_undefined_step(w, in, on);
            }
            in->exec(w, in, on);
            in++;
            counts++;
        } while (--budget && w->event == WB_EVENT_NONE);
        counts->inst--;
        counts->thread -= lanes;
    } while (budget && w->event <= WB_EVENT_MOVED);
    return budget;
}

static uint64_t run_group(struct wb_warp *w, uint64_t budget)
{
    return run_instructions(w, budget, false);
}

static uint64_t run_guarded(struct wb_warp *w, uint64_t budget)
{
    return run_instructions(w, budget, true);
}

static const struct wb_fast fast[] = {
#define FAST(general, when, handler) {WB_EXEC(general), wb_fast_##when, WB_EXEC(fast_##handler)},
#include "fast.def"
#undef FAST
};

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
    .fast = fast,
    .fast_count = WB_ARRAY_LENGTH(fast),
    .run = {run_group, run_guarded},
};
