/* SPDX-License-Identifier: MIT
 * Handlers made from a function of one lane: `wb_map(w, in, on, f)` is d = f(a, b, c, in) in each
 * lane that executes, `wb_test` the same for a predicate. The compiler puts f into the loop and
 * makes vector code of it, once for a whole warp and once for a part.
 */
#ifndef WB_SASS_MAP_H
#define WB_SASS_MAP_H

#include "exec.h"

#define WB_INLINE static inline __attribute__((always_inline))

/* `k` is a number that the instruction holds: a shift. */
typedef uint32_t wb_lane_fn(uint32_t a, uint32_t b, uint32_t c, uint32_t k);
typedef bool wb_lane_test(uint32_t a, uint32_t b);

WB_INLINE void wb_map(struct wb_warp *w, const struct wb_insn *in, uint32_t on, wb_lane_fn *f)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = w->reg[in->d], k = in->amount;
    if (on == WB_ALL_LANES) {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = f(a[i], b[i], c[i], k);
        }
    } else {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = wb_keep(on, i, f(a[i], b[i], c[i], k), d[i]);
        }
    }
}

/* The lanes for which `f` holds. */
WB_INLINE uint32_t wb_lanes_where(const struct wb_warp *w, const struct wb_insn *in,
                                  wb_lane_test *f)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    alignas(32) uint32_t holds[WB_LANES];
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        holds[i] = all_ones_if(f(a[i], b[i]));
    }
    return lanes_set(holds);
}

#endif
