/* SPDX-License-Identifier: MIT
 * Special registers. To add one: its number in the enum, a case in `lane_value`.
 */
#include "special.h"

enum special {
    SR_LANEID = 0x00,
    SR_VIRTCFG = 0x02,
    SR_VIRTID = 0x03,
    SR_TID_X = 0x21,
    SR_TID_Y = 0x22,
    SR_TID_Z = 0x23,
    SR_CTAID_X = 0x25,
    SR_CTAID_Y = 0x26,
    SR_CTAID_Z = 0x27,
    SR_SWINHI = 0x2f,
    SR_SMEM_SIZE = 0x32,
    SR_LANEMASK_EQ = 0x38,
    SR_LANEMASK_LT = 0x39,
    SR_LANEMASK_LE = 0x3a,
    SR_LANEMASK_GT = 0x3b,
    SR_LANEMASK_GE = 0x3c,
    SR_SMID = 0x43,
    SR_CLOCK_LO = 0x50,
    SR_CLOCK_HI = 0x51,
    SR_TIMER_LO = 0x52,
    SR_TIMER_HI = 0x53,
    SR_CGA_CTA_ID = 0x88,
};

enum { WARPS_PER_SM = 64, SHARED_UNIT = 128 /* bytes: shared memory is given in these */ };

/* Clocks are virtual: a warp's clock counts the instructions that it has issued, turn by turn, and
 * this many for each look at it, so that no two looks give the same. It does not depend on the
 * host. The global timer is the same clock.
 * A loop that waits for time to pass looks from one place, again and again. From the 16th look on
 * each takes an eighth of what the loop has waited so far, half a millisecond at most: a wait of a
 * second is some two thousand rounds, not millions. */
enum { LOOK = 32, PATIENT = 16 * LOOK, EIGHTH = 8, LONGEST = 1 << 20, NEAR = 2 * 4096 };

static void take_a_look(struct wb_warp *w)
{
    struct wb_look *look = &w->look;
    bool waits = look->pc == w->pc && w->clock - look->at <= NEAR;
    look->since = waits ? look->since : w->clock;
    uint64_t share = (w->clock - look->since) / EIGHTH;
    share = share < LONGEST ? share : LONGEST;
    w->clock += share > PATIENT / EIGHTH ? share : LOOK;
    look->pc = w->pc;
    look->at = w->clock;
}

static uint32_t lane_value(const struct wb_warp *w, unsigned number, unsigned lane)
{
    const struct wb_cta *cta = w->cta;
    const struct wb_dim3 *block = &cta->run->launch->block;
    unsigned thread = w->index * WB_LANES + lane;
    uint32_t bit = UINT32_C(1) << lane;
    switch (number) {
    case SR_LANEID:
        return lane;
    case SR_VIRTCFG:
        return WARPS_PER_SM << 8;
    case SR_VIRTID:
        return w->index << 8;
    case SR_TID_X:
        return thread % block->x;
    case SR_TID_Y:
        return thread / block->x % block->y;
    case SR_TID_Z:
        return thread / block->x / block->y;
    case SR_CTAID_X:
        return cta->index.x;
    case SR_CTAID_Y:
        return cta->index.y;
    case SR_CTAID_Z:
        return cta->index.z;
    case SR_SWINHI:
        return (uint32_t)(WB_SHARED_WINDOW >> 32);
    case SR_SMEM_SIZE:
        return (cta->run->shared_size + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
    case SR_LANEMASK_EQ:
        return bit;
    case SR_LANEMASK_LT:
        return bit - 1;
    case SR_LANEMASK_LE:
        return bit | (bit - 1);
    case SR_LANEMASK_GT:
        return ~(bit | (bit - 1));
    case SR_LANEMASK_GE:
        return ~(bit - 1);
    case SR_CLOCK_LO:
    case SR_TIMER_LO:
        return (uint32_t)w->clock;
    case SR_CLOCK_HI:
    case SR_TIMER_HI:
        return (uint32_t)(w->clock >> 32);
    case SR_CGA_CTA_ID:
        return cta->rank;
    default: /* SMID, counters of the profiler, SRZ: 0 */
        return 0;
    }
}

static bool differs_by_lane(unsigned number)
{
    return number == SR_LANEID || (number >= SR_TID_X && number <= SR_TID_Z) ||
           (number >= SR_LANEMASK_EQ && number <= SR_LANEMASK_GE);
}

void wb_special_read(uint32_t *row, struct wb_warp *warp, unsigned number, unsigned word)
{
    bool time = number == SR_CLOCK_LO || number == SR_TIMER_LO;
    if (time && word == 0) {
        take_a_look(warp);
    }
    if (word == 0 && differs_by_lane(number)) {
        for (unsigned i = 0; i < WB_LANES; i++) {
            row[i] = lane_value(warp, number, i);
        }
        return;
    }
    uint32_t value = word == 0 ? lane_value(warp, number, 0)
                     : time    ? lane_value(warp, number + 1, 0)
                               : 0;
    for (unsigned i = 0; i < WB_LANES; i++) {
        row[i] = value;
    }
}
