/* SPDX-License-Identifier: MIT
 * Segments, meetings and flags: see order.h. Where a question would take too long the answer is
 * "yes, it comes after": a guard that cries wolf is worth nothing.
 */
#include "order.h"

#include "guard.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SEGMENTS = 1 << 25, MAX_STEPS = 4096 };

/* One write of a flag: what its writer had done, and what it knew. */
struct release {
    uint32_t block, warp;
    uint32_t segment; /* of that warp, */
    uint32_t barrier; /* of all warps of its block, up to here */
    uint32_t before;  /* 1 + the number of the block's last release of this flag, 0: none */
    uint32_t when;    /* segments from here on were still to come */
    const struct wb_acquired *acquired;
    size_t acquired_count;
};

struct wb_flag {
    uint64_t address;
    struct release *releases;
    size_t count, capacity;
    uint32_t *newest; /* by block: 1 + number of its last release */
    size_t newest_count;
};

void wb_order_init(struct wb_order *o, uint32_t first)
{
    *o = (struct wb_order){.first = first, .next = first};
    wb_arena_init(&o->arena);
}

static void no_flag(void *flag)
{
    struct wb_flag *f = flag;
    free(f->newest);
}

void wb_order_finish(struct wb_order *o)
{
    tdestroy(o->flags, no_flag);
    free(o->segments);
    wb_arena_finish(&o->arena);
}

static struct wb_order *order_of(const struct wb_warp *w)
{
    return &w->cta->run->guard->order;
}

static struct wb_order_block *block_of(const struct wb_warp *w)
{
    return &w->cta->guard->order;
}

static struct wb_order_warp *warp_of(const struct wb_warp *w)
{
    return &w->guard->order;
}

void wb_order_start_block(struct wb_cta *cta)
{
    struct wb_order *o = &cta->run->guard->order;
    uint32_t serial = o->blocks++;
    cta->guard->order = (struct wb_order_block){
        .serial = serial,
        .first = o->next,
        .barrier = o->next - 1,
        .cluster = o->next - 1,
        .cluster_first = serial - cta->rank,
        .cluster_count = cta->cluster->count,
    };
    for (unsigned i = 0; i < cta->warp_count; i++) {
        struct wb_order_warp *w = warp_of(&cta->warps[i]);
        memset(w, 0, offsetof(struct wb_order_warp, known)); /* that one is for `partly` */
        w->joined = o->next - 1;
    }
}

/* ---- segments -------------------------------------------------------------------------------- */

uint32_t wb_order_new_segment(struct wb_warp *w)
{
    struct wb_order *o = order_of(w);
    size_t number = o->next - o->first;
    if (number == o->capacity) {
        size_t more = o->capacity ? 2 * o->capacity : 1024;
        struct wb_segment *grown =
            more <= MAX_SEGMENTS ? realloc(o->segments, more * sizeof *grown) : NULL;
        if (!grown) {
            o->full = true;
            return warp_of(w)->segment = warp_of(w)->last = o->next - 1;
        }
        o->segments = grown;
        o->capacity = more;
    }
    o->segments[number] = (struct wb_segment){.block = block_of(w)->serial, .warp = w->index};
    warp_of(w)->segment = warp_of(w)->last = o->next;
    return o->next++;
}

uint32_t wb_order_segment(struct wb_warp *w)
{
    uint32_t segment = warp_of(w)->segment;
    return segment ? segment : wb_order_new_segment(w);
}

void wb_order_part(struct wb_warp *w)
{
    warp_of(w)->segment = 0;
}

/* ---- flags ----------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const struct wb_flag *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static struct wb_flag *find_flag(struct wb_order *o, uint64_t address, bool make)
{
    struct wb_flag key = {.address = address};
    void *found = o->flags ? tfind(&key, &o->flags, by_address) : NULL;
    if (found) {
        return *(struct wb_flag **)found;
    }
    if (!make) {
        return NULL;
    }
    struct wb_flag *flag = wb_arena_alloc(&o->arena, sizeof *flag);
    *flag = key;
    if (tsearch(flag, &o->flags, by_address)) {
        o->flag_count++;
    }
    return flag;
}

static void learn(struct wb_order *o, struct wb_acquired_list *list, const struct wb_flag *flag,
                  uint32_t upto)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].flag == flag) {
            list->items[i].upto = upto > list->items[i].upto ? upto : list->items[i].upto;
            return;
        }
    }
    list->items =
        wb_arena_grow(&o->arena, list->items, &list->capacity, list->count, sizeof *list->items);
    list->items[list->count++] = (struct wb_acquired){flag, upto};
}

void wb_order_fence(struct wb_warp *w)
{
    struct wb_order_warp *me = warp_of(w);
    me->fenced = me->last;
    me->fenced_barrier = block_of(w)->barrier;
    me->fence_is_fresh = true;
    me->segment = 0;
    block_of(w)->fences = true;
}

/* The block's last release of a flag. */
static uint32_t *newest_of(struct wb_flag *flag, uint32_t block)
{
    if (block >= flag->newest_count) {
        size_t count = flag->newest_count ? flag->newest_count : 16;
        while (count <= block) {
            count *= 2;
        }
        uint32_t *grown = realloc(flag->newest, count * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        memset(grown + flag->newest_count, 0, (count - flag->newest_count) * sizeof *grown);
        flag->newest = grown;
        flag->newest_count = count;
    }
    return &flag->newest[block];
}

/* Does the release tell all that the warp could tell now? */
static bool is_old(const struct release *r, const struct wb_warp *w, uint32_t barrier,
                   size_t acquired)
{
    return r->warp == w->index && r->segment == warp_of(w)->fenced && r->barrier == barrier &&
           r->acquired_count == acquired;
}

void wb_order_release(struct wb_warp *w, uint64_t address)
{
    struct wb_order *o = order_of(w);
    const struct wb_order_warp *me = warp_of(w);
    const struct wb_order_block *block = block_of(w);
    uint32_t barrier = me->fenced_barrier > block->fenced ? me->fenced_barrier : block->fenced;
    if (!me->fenced && barrier < block->first) {
        return; /* no fence: it tells nothing */
    }
    struct wb_flag *flag = find_flag(o, address, true);
    uint32_t *newest = newest_of(flag, block->serial);
    size_t count = me->acquired.count + block->acquired.count;
    if (!newest || (*newest && is_old(&flag->releases[*newest - 1], w, barrier, count))) {
        return;
    }
    struct wb_acquired *known = wb_arena_alloc(&o->arena, (count + 1) * sizeof *known);
    for (size_t i = 0; i < count; i++) {
        known[i] = i < me->acquired.count ? me->acquired.items[i]
                                          : block->acquired.items[i - me->acquired.count];
    }
    flag->releases = wb_arena_grow(&o->arena, flag->releases, &flag->capacity, flag->count,
                                   sizeof *flag->releases);
    flag->releases[flag->count++] = (struct release){
        .block = block->serial,
        .warp = w->index,
        .segment = me->fenced,
        .barrier = barrier,
        .before = *newest,
        .when = o->next,
        .acquired = known,
        .acquired_count = count,
    };
    *newest = (uint32_t)flag->count;
    o->told = true;
    wb_order_part(w);
}

void wb_order_acquire(struct wb_warp *w, uint64_t address)
{
    struct wb_order *o = order_of(w);
    struct wb_flag *flag = o->flag_count ? find_flag(o, address, false) : NULL;
    if (flag) {
        learn(o, &warp_of(w)->acquired, flag, (uint32_t)flag->count);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Does a release among the first `upto` of the flag tell of the segment? */
static bool tells(const struct wb_flag *flag, uint32_t upto, uint32_t q,
                  const struct wb_segment *segment)
{
    uint32_t at = segment->block < flag->newest_count ? flag->newest[segment->block] : 0;
    while (at > upto) {
        at = flag->releases[at - 1].before;
    }
    for (; at; at = flag->releases[at - 1].before) {
        const struct release *r = &flag->releases[at - 1];
        if (q <= r->barrier || (segment->warp == r->warp && q <= r->segment)) {
            return true;
        }
        if (r->barrier >= q && r->segment >= q) {
            break;
        }
    }
    return false;
}

/* The list, without what is of one flag. */
struct hearsay {
    const struct wb_acquired *list;
    size_t count;
    const struct wb_flag *except;
};

/* Does anything in the list tell of the segment, directly or by what its writers knew? Of the same
 * flag they knew nothing that it does not tell itself, and before the segment nobody knew of it. */
static bool is_told(const struct hearsay *h, uint32_t q, const struct wb_segment *segment,
                    unsigned *steps)
{
    for (size_t i = 0; i < h->count; i++) {
        const struct wb_acquired *a = &h->list[i];
        if (a->flag != h->except && a->upto && a->flag->releases[a->upto - 1].when > q &&
            tells(a->flag, a->upto, q, segment)) {
            return true;
        }
    }
    for (size_t i = 0; i < h->count; i++) {
        const struct wb_flag *flag = h->list[i].flag;
        uint32_t k = flag == h->except ? 0 : h->list[i].upto;
        for (; k > 0 && flag->releases[k - 1].when > q; k--) {
            const struct release *r = &flag->releases[k - 1];
            struct hearsay next = {r->acquired, r->acquired_count, flag};
            if (++*steps > MAX_STEPS || (next.count && is_told(&next, q, segment, steps))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_acquired(const struct wb_warp *w, uint32_t q, const struct wb_segment *segment)
{
    const struct wb_acquired_list *mine = &warp_of(w)->acquired, *ours = &block_of(w)->acquired;
    unsigned steps = 0;
    return is_told(&(struct hearsay){mine->items, mine->count, NULL}, q, segment, &steps) ||
           is_told(&(struct hearsay){ours->items, ours->count, NULL}, q, segment, &steps);
}

/* The part of the answer that does not depend on lanes; sets *own if that may not be all of it. A
 * lane that reads a flag learns for its whole warp, also of the warp's own lanes: they may wait for
 * each other by flags and locks. */
static bool is_after(const struct wb_warp *w, uint32_t q, bool *own)
{
    const struct wb_order *o = order_of(w);
    const struct wb_order_block *b = block_of(w);
    *own = false;
    if (q < o->first || o->full) {
        return true;
    }
    const struct wb_segment *segment = &o->segments[q - o->first];
    if (segment->block == b->serial) {
        if (q <= b->barrier) {
            return true;
        }
        *own = segment->warp == w->index;
        if (!*own && b->between && b->between[w->index][segment->warp] >= q) {
            return true;
        }
    } else if (segment->block - b->cluster_first < b->cluster_count && q <= b->cluster) {
        return true;
    }
    return is_acquired(w, q, segment);
}

bool wb_order_after(const struct wb_warp *w, unsigned lane, uint32_t q, unsigned other)
{
    bool own, after = is_after(w, q, &own);
    const struct wb_order_warp *me = warp_of(w);
    return after || (own && (lane == other || q <= me->joined ||
                             (me->partly && me->known[lane][other] >= q)));
}

bool wb_order_all_after(const struct wb_warp *w, uint32_t q)
{
    bool own, after = is_after(w, q, &own);
    return after || (own && q <= warp_of(w)->joined);
}

bool wb_order_after_all(const struct wb_warp *w, unsigned lane, uint32_t q)
{
    bool own, after = is_after(w, q, &own);
    const struct wb_order_warp *me = warp_of(w);
    if (after || !own || q <= me->joined) {
        return after || own;
    }
    for (unsigned i = 0; me->partly && i < WB_LANES; i++) { /* whom it has met since, if anybody */
        if (i != lane && me->known[lane][i] >= q) {
            return true;
        }
    }
    return false;
}

bool wb_order_is_own_warp(const struct wb_warp *w, uint32_t q)
{
    return wb_order_is_own_block(w, q) &&
           order_of(w)->segments[q - order_of(w)->first].warp == w->index;
}

bool wb_order_is_own_block(const struct wb_warp *w, uint32_t q)
{
    const struct wb_order *o = order_of(w);
    return q >= o->first && o->segments[q - o->first].block == block_of(w)->serial;
}

struct wb_warp *wb_order_warp(const struct wb_warp *w, uint32_t q)
{
    const struct wb_order *o = order_of(w);
    return wb_order_is_own_block(w, q) ? &w->cta->warps[o->segments[q - o->first].warp] : NULL;
}

/* ---- meetings -------------------------------------------------------------------------------- */

void wb_order_join(struct wb_warp *w, uint32_t mask)
{
    struct wb_order_warp *me = warp_of(w);
    if (me->last <= me->joined) {
        return; /* nothing has happened since all met */
    }
    if ((mask & w->live) == w->live) {
        me->joined = me->last;
        me->segment = 0;
        return;
    }
    uint32_t most[WB_LANES] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        for (unsigned i = 0; i < WB_LANES; i++) {
            uint32_t known = me->partly ? me->known[lane][i] : 0;
            most[i] = known > most[i] ? known : most[i];
        }
    }
    for (unsigned i = 0; i < WB_LANES; i++) {
        most[i] = mask >> i & 1 ? me->last : most[i];
    }
    if (!me->partly) {
        memset(me->known, 0, sizeof me->known);
        me->partly = true;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        memcpy(me->known[wb_lowest_lane(rest)], most, sizeof most);
    }
    me->segment = 0;
}

/* What the warps learned from flags is the block's now. */
static void share(struct wb_cta *cta)
{
    struct wb_order *o = &cta->run->guard->order;
    for (unsigned i = 0; o->flag_count && i < cta->warp_count; i++) {
        struct wb_acquired_list *list = &warp_of(&cta->warps[i])->acquired;
        for (size_t k = 0; k < list->count; k++) {
            learn(o, &cta->guard->order.acquired, list->items[k].flag, list->items[k].upto);
        }
        list->count = 0;
    }
}

void wb_order_block_met(struct wb_cta *cta)
{
    struct wb_order_block *b = &cta->guard->order;
    b->barrier = cta->run->guard->order.next - 1;
    if (b->fences) {
        b->fenced = b->barrier;
        b->fences = false;
    }
    share(cta);
    for (unsigned i = 0; i < cta->warp_count; i++) {
        wb_order_part(&cta->warps[i]);
    }
}

void wb_order_cluster_met(struct wb_cluster *cluster)
{
    for (unsigned c = 0; c < cluster->count; c++) {
        wb_order_block_met(&cluster->ctas[c]);
        cluster->ctas[c].guard->order.cluster = cluster->ctas[c].guard->order.barrier;
    }
}

void wb_order_warp_knows(struct wb_warp *w, const struct wb_warp *other, uint32_t upto)
{
    struct wb_order_block *b = block_of(w);
    if (!b->between) {
        size_t size = w->cta->warp_count * sizeof *b->between;
        b->between = wb_arena_alloc(&order_of(w)->arena, size);
        memset(b->between, 0, size);
    }
    uint32_t *mine = b->between[w->index], *theirs = b->between[other->index];
    for (unsigned i = 0; i < WB_LANES; i++) {
        mine[i] = theirs[i] > mine[i] ? theirs[i] : mine[i];
    }
    mine[other->index] = upto > mine[other->index] ? upto : mine[other->index];
    wb_order_part(w);
}
