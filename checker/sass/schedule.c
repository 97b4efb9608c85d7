/* SPDX-License-Identifier: MIT
 * Order of blocks, warps and groups. Random numbers come from a counter and the seed (the mixing
 * function of SplitMix64), so that a run is repeated by its seed alone.
 */
#include "schedule.h"

#define X(name, code, words) [WB_SCHEDULE_##name] = code,
const char *const wb_schedule_name[WB_SCHEDULE_COUNT] = {WB_SCHEDULE_LIST(X)};
#undef X
#define X(name, code, words) [WB_SCHEDULE_##name] = words,
const char *const wb_schedule_words[WB_SCHEDULE_COUNT] = {WB_SCHEDULE_LIST(X)};
#undef X

uint64_t wb_schedule_draw(struct wb_run *run, uint64_t count)
{
    uint64_t x = (run->launch->schedule_seed + 1) * UINT64_C(0xd1342543de82ef95);
    x += ++run->draws * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % count;
}

bool wb_schedule_parts_lanes(enum wb_schedule schedule)
{
    return schedule == WB_SCHEDULE_LANES || schedule == WB_SCHEDULE_SPLIT ||
           schedule == WB_SCHEDULE_RANDOM;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct wb_sequence wb_schedule_order(struct wb_run *run, uint64_t count)
{
    enum wb_schedule schedule = run->launch->schedule;
    struct wb_sequence order = {.count = count};
    bool fits = count > 1 && count <= UINT32_MAX; /* so that a place times a step does */
    if (fits && schedule == WB_SCHEDULE_REVERSE) {
        order.first = order.step = count - 1;
    } else if (fits && schedule == WB_SCHEDULE_RANDOM) {
        order.first = wb_schedule_draw(run, count);
        do { /* a step without a common divisor comes to every number */
            order.step = 1 + wb_schedule_draw(run, count - 1);
        } while (common_divisor(order.step, count) != 1);
    }
    return order;
}

/* A ready one by lot. */
static unsigned draw_group(struct wb_warp *w)
{
    unsigned ready = 0, g = 0;
    for (unsigned i = 0; i < w->group_count; i++) {
        ready += w->groups[i].wait == WB_READY;
    }
    if (!ready) {
        return w->group_count;
    }
    unsigned left = (unsigned)wb_schedule_draw(w->cta->run, ready);
    while (w->groups[g].wait != WB_READY || left--) {
        g++;
    }
    return g;
}

unsigned wb_schedule_next_group(struct wb_warp *w)
{
    enum wb_schedule schedule = w->cta->run->launch->schedule;
    if (schedule == WB_SCHEDULE_RANDOM) {
        return draw_group(w);
    }
    for (unsigned i = 0; i < w->group_count; i++) {
        unsigned g = schedule == WB_SCHEDULE_REVERSE ? i : w->group_count - 1 - i;
        if (w->groups[g].wait == WB_READY) {
            return g;
        }
    }
    return w->group_count;
}
