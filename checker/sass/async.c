/* SPDX-License-Identifier: MIT
 * See async.h. Groups and waits that are long past have left their rings: they are done.
 */
#include "async.h"

#include "guard.h"

static struct wb_async *async_of(const struct wb_warp *w)
{
    return &w->guard->async;
}

void wb_async_commit(struct wb_warp *w)
{
    struct wb_async *a = async_of(w);
    a->groups[a->group_count++ % WB_ASYNC_GROUPS] = w->guard->order.last;
    wb_order_part(w); /* copies of the next group are another segment */
}

static void add_wait(struct wb_warp *w, uint32_t upto)
{
    struct wb_async *a = async_of(w);
    unsigned i = a->wait_count++ % WB_ASYNC_WAITS;
    a->waits[i].upto = upto;
    a->waits[i].at = w->cta->run->guard->order.next - 1;
    wb_order_part(w);
}

void wb_async_wait(struct wb_warp *w, unsigned pending)
{
    struct wb_async *a = async_of(w);
    if (a->group_count > pending && pending < WB_ASYNC_GROUPS) {
        add_wait(w, a->groups[(a->group_count - 1 - pending) % WB_ASYNC_GROUPS]);
    }
}

void wb_async_arrive(struct wb_warp *w)
{
    add_wait(w, w->guard->order.last);
}

bool wb_async_is_done(const struct wb_warp *w, const struct wb_warp *writer, uint32_t q)
{
    const struct wb_async *a = async_of(writer);
    unsigned count = a->wait_count < WB_ASYNC_WAITS ? a->wait_count : WB_ASYNC_WAITS;
    for (unsigned i = a->wait_count - count; i < a->wait_count; i++) { /* the oldest first */
        uint32_t at = a->waits[i % WB_ASYNC_WAITS].at;
        if (q <= a->waits[i % WB_ASYNC_WAITS].upto) {
            bool block_met = at <= w->cta->guard->order.barrier;
            bool told = w->guard->order.acquired.count || w->cta->guard->order.acquired.count ||
                        w->cta->guard->order.between;
            return writer == w || block_met || told;
        }
    }
    return false;
}
