/* SPDX-License-Identifier: MIT
 * The state of an mbarrier and its changes. Counts of arrivals are stored negated, as the code that
 * ptxas writes for mbarrier.init and mbarrier.pending_count has them.
 */
#include "mbarrier.h"

#include "guard.h"

#include <string.h>

/* Bits of the state, besides the parity. */
enum {
    EXPECTED_AT = 1,
    COUNT_BITS = 20,
    BYTES_AT = 21,
    BYTES_BITS = 22,
    PENDING_AT = 43,
};

static uint32_t field(uint64_t state, unsigned at, unsigned bits)
{
    return (uint32_t)(state >> at) & ((1u << bits) - 1);
}

static uint64_t place(uint32_t value, unsigned at, unsigned bits)
{
    return (uint64_t)(value & ((1u << bits) - 1)) << at;
}

uint64_t wb_mbarrier_after(uint64_t state, struct wb_mbarrier_step step)
{
    uint32_t mask = (1u << COUNT_BITS) - 1;
    uint32_t expected = (0 - field(state, EXPECTED_AT, COUNT_BITS)) & mask;
    uint32_t pending = (0 - field(state, PENDING_AT, COUNT_BITS)) & mask;
    uint32_t bytes = field(state, BYTES_AT, BYTES_BITS);
    uint64_t parity = state >> 63;
    expected = (expected - (step.drops ? step.arrivals : 0)) & mask;
    pending = (pending - step.arrivals) & mask;
    bytes = (bytes + (uint32_t)step.bytes) & ((1u << BYTES_BITS) - 1);
    if (pending == 0 && bytes == 0) {
        pending = expected;
        parity ^= 1;
    }
    return place(0 - expected, EXPECTED_AT, COUNT_BITS) | place(bytes, BYTES_AT, BYTES_BITS) |
           place(0 - pending, PENDING_AT, COUNT_BITS) | parity << 63;
}

uint64_t wb_mbarrier_apply(uint8_t *object, struct wb_mbarrier_step step)
{
    uint64_t before, after;
    memcpy(&before, object, sizeof before);
    after = wb_mbarrier_after(before, step);
    memcpy(object, &after, sizeof after);
    return before;
}

bool wb_mbarrier_check(uint32_t *complete, struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const struct wb_access access = {.warp = w, .in = in, .size = 8};
    const uint32_t *a = w->rows[in->a.space][in->a.row], *b = w->rows[in->b.space][in->b.row];
    const uint32_t *c = w->rows[in->c.space][in->c.row];
    *complete = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint32_t uniform = in->has_uniform ? c[lane] : 0;
        const uint8_t *object =
            wb_memory_shared(&access, lane, a[lane] + uniform + (uint32_t)in->imm);
        if (!object) {
            return false;
        }
        uint64_t state;
        memcpy(&state, object, sizeof state);
        bool ended = wb_mbarrier_parity(state) != b[lane] >> 31;
        *complete |= (uint32_t)ended << lane;
        if (w->guard && ended) {
            wb_guard_mbarrier(w, a[lane] + uniform + (uint32_t)in->imm, true);
        }
    }
    return true;
}

bool wb_mbarrier_wake(struct wb_warp *w)
{
    bool any = false;
    for (unsigned g = 0; g < w->group_count;) {
        const struct wb_group *group = &w->groups[g];
        const struct wb_insn *in = &w->cta->run->program->code[group->pc];
        uint32_t complete, mask = group->mask;
        bool waits = group->wait == WB_WAIT_MBARRIER;
        if (!waits || !wb_mbarrier_check(&complete, w, in, mask) || complete != mask) {
            g++;
            continue;
        }
        w->pred[in->pd] |= mask;
        wb_warp_release(w, g);
        any = true;
    }
    return any;
}
