/* SPDX-License-Identifier: MIT
 * The guard's answer to nearly every access, as vector code in the handlers: nobody else used these
 * cells since the last meeting of all. What it cannot answer goes to touch.c, which gives the same
 * answer to all that this one does.
 */
#ifndef WB_SASS_GUARD_QUICK_H
#define WB_SASS_GUARD_QUICK_H

#include "exec_access.h"

/* The shadow that an access lies in, and what is known of segments there. */
struct quick {
    struct wb_warp *warp;
    struct wb_shadow *shadow;
    uint64_t first, low, size; /* address of offset 0; offsets from low to size - 1 are inside */
    uint32_t segment, site;
    uint32_t floor;    /* up to here: before */
    uint32_t after[2]; /* these too, all lanes of them */
    uint32_t several;  /* read marks to which nothing can be added */
    uint32_t no_value; /* in shared memory: the mark of writes that have none */
    uint32_t born;     /* shared memory: what was written before has no value; else 0 */
};

/* Cells of an access: `count` from `first` on, 1 << shift of them a lane. */
struct quick_cells {
    struct wb_shadow_page *page;
    unsigned first, count, shift;
    unsigned lane;      /* of the first; */
    bool shared_by_all; /* all lanes read the same cells */
};

WB_INLINE bool quick_begin(struct quick *q, const struct wb_access *access,
                           const struct space *space, uint64_t address)
{
    struct wb_warp *w = access->warp;
    const struct wb_cta *cta = w->cta;
    const struct wb_order *order = &cta->run->guard->order;
    uint64_t window = space->wide ? address & WB_WINDOW_MASK : 0;
    bool shared = space == &space_shared || window == WB_SHARED_WINDOW;
    if (!access->write && !shared) {
        w->guard->order.fence_is_fresh = false;
    }
    if (space == &space_local || window == WB_LOCAL_WINDOW || access->in->order ||
        (access->write && w->guard->order.fence_is_fresh) || order->full ||
        (shared && cta->cluster->count > 1)) {
        return false;
    }
    cta->run->guard->changes += access->write;
    *q = (struct quick){
        .warp = w,
        .segment = w->guard->order.segment ? w->guard->order.segment : wb_order_new_segment(w),
        .site = (uint32_t)(access->in - cta->run->program->code) << WB_SITE_PC,
    };
    if (shared) {
        q->shadow = &cta->guard->shared;
        q->first = window;
        q->size = cta->run->shared_size;
        q->floor = cta->guard->order.barrier;
        q->several = WB_READ_WARPS | WB_READ_BLOCKS;
        const struct wb_ptx_array *array = wb_guard_array(w, access->in);
        if (array) {
            q->low = WB_SHARED_RESERVED + array->offset;
            q->size = q->low + array->size;
        }
        q->born = cta->guard->order.first;
        q->no_value = WB_WROTE_UNDEFINED;
        return true;
    }
    const struct wb_region_cache *cache = wb_warp_cache(w, address);
    if (address - cache->address >= cache->size) {
        wb_memory_find(w, address);
    }
    q->shadow = cache->shadow;
    q->first = cache->address;
    q->size = address - cache->address < cache->size ? cache->size : 0;
    q->floor = order->first - 1;
    q->several = WB_READ_BLOCKS;
    return q->shadow != NULL && !(access->write && q->shadow->read_only);
}

/* Eight cells at a time. A comparison of vectors gives all ones or zeros. */
typedef uint32_t wb_eight __attribute__((vector_size(32), aligned(4), may_alias));
enum { EIGHT = 8 };

struct eight {
    wb_eight write, write_site, read, read_site, lane;
    wb_eight there; /* all ones: the cell is one of the access */
};

WB_INLINE wb_eight load_eight(const uint32_t *from)
{
    return *(const wb_eight *)(const void *)from;
}

WB_INLINE void store_eight(uint32_t *to, wb_eight now, wb_eight before, wb_eight there)
{
    *(wb_eight *)(void *)to = (now & there) | (before & ~there);
}

WB_INLINE struct eight eight_at(const struct quick_cells *c, unsigned i)
{
    const wb_eight number = (wb_eight){0, 1, 2, 3, 4, 5, 6, 7} + i;
    const struct wb_shadow_page *p = c->page;
    unsigned at = c->first + i;
    return (struct eight){
        .write = load_eight(p->write + at),
        .write_site = load_eight(p->write_site + at),
        .read = load_eight(p->read + at),
        .read_site = load_eight(p->read_site + at),
        .lane = (number >> c->shift) + c->lane,
        .there = (wb_eight)(number < c->count),
    };
}

WB_INLINE wb_eight is_before(const struct quick *q, wb_eight segment)
{
    return (wb_eight)(segment <= q->floor) | (wb_eight)(segment == q->after[0]) |
           (wb_eight)(segment == q->after[1]);
}

/* Cells whose last write is in the way. `all`: every lane reads each cell. */
WB_INLINE wb_eight write_trouble(const struct quick *q, const struct eight *c, bool write, bool all)
{
    wb_eight own =
        (wb_eight)(c->write == q->segment) & (wb_eight)((c->write_site & WB_SITE_LANE) == c->lane);
    wb_eight flag = (wb_eight)(c->write > q->floor) & c->write_site & WB_WROTE_STRONG;
    flag |= c->write_site & WB_WROTE_ASYNC;
    wb_eight fine = is_before(q, c->write);
    if (!all) {
        fine |= own;
    }
    if (!write) {
        flag |= (wb_eight)(c->write < q->born) | (c->write_site & q->no_value);
    }
    return (~fine | flag) & c->there;
}

/* Cells whose reads are all before, so that a new one can take their place. */
WB_INLINE wb_eight reads_before(const struct quick *q, const struct eight *c)
{
    wb_eight single = (wb_eight)((c->read_site & (WB_READ_WARPS | WB_READ_BLOCKS)) == 0);
    return (wb_eight)(c->read <= q->floor) | (is_before(q, c->read) & single);
}

WB_INLINE wb_eight read_trouble(const struct quick *q, const struct eight *c, bool write)
{
    const uint32_t marks = WB_SITE_LANE | WB_READ_LANES | WB_READ_WARPS | WB_READ_BLOCKS;
    wb_eight same = (wb_eight)(c->read == q->segment);
    if (write) {
        same &= (wb_eight)((c->read_site & marks) == c->lane);
    } else {
        same |= (wb_eight)((c->read_site & q->several) != 0);
    }
    return ~(reads_before(q, c) | same) & c->there;
}

WB_INLINE bool eight_trouble(const struct quick *q, const struct eight *cells, bool write, bool all)
{
    wb_eight any = write_trouble(q, cells, write, all) | read_trouble(q, cells, write);
    uint32_t sum = 0;
    for (unsigned i = 0; i < EIGHT; i++) {
        sum |= any[i];
    }
    return sum != 0;
}

WB_INLINE bool has_trouble(const struct quick *q, const struct quick_cells *c, bool write,
                           struct eight *where)
{
    for (unsigned i = 0; i < c->count; i += EIGHT) {
        *where = eight_at(c, i);
        if (eight_trouble(q, where, write, c->shared_by_all)) {
            return true;
        }
    }
    return false;
}

WB_INLINE void settle_read(const struct quick *q, const struct quick_cells *c)
{
    const uint32_t several = c->shared_by_all ? WB_READ_LANES : 0;
    for (unsigned i = 0; i < c->count; i += EIGHT) {
        struct eight cells = eight_at(c, i);
        wb_eight before = reads_before(q, &cells);
        wb_eight other = (wb_eight)((cells.read_site & WB_SITE_LANE) != cells.lane);
        wb_eight mark =
            (wb_eight)(cells.read == q->segment) & (other | (0 - several)) & WB_READ_LANES;
        wb_eight fresh = cells.lane | (q->site | several);
        store_eight(c->page->read + c->first + i, (before & q->segment) | (~before & cells.read),
                    cells.read, cells.there);
        store_eight(c->page->read_site + c->first + i,
                    (before & fresh) | (~before & (cells.read_site | mark)), cells.read_site,
                    cells.there);
    }
}

WB_INLINE void settle_write(const struct quick *q, const struct quick_cells *c)
{
    const wb_eight none = {0};
    for (unsigned i = 0; i < c->count; i += EIGHT) {
        struct eight cells = eight_at(c, i);
        unsigned at = c->first + i;
        store_eight(c->page->write + at, none + q->segment, cells.write, cells.there);
        store_eight(c->page->write_site + at, cells.lane | q->site, cells.write_site, cells.there);
        store_eight(c->page->read + at, none, cells.read, cells.there);
    }
}

/* Asks order.h about the first segment that is in the way: true if it is before. */
static bool learn_eight(struct quick *q, const struct eight *cells, bool write, bool all,
                        unsigned round)
{
    uint32_t which = 0;
    wb_eight writes = write_trouble(q, cells, write, all), reads = read_trouble(q, cells, write);
    for (unsigned k = 0; k < EIGHT && !which; k++) {
        which = writes[k] ? cells->write[k] : reads[k] ? cells->read[k] : 0;
    }
    bool known = which <= q->floor || which == q->after[0] || which == q->after[1];
    if (known || which == q->segment || !wb_order_all_after(q->warp, which)) {
        return false;
    }
    q->after[round] = which;
    return true;
}

WB_INLINE bool cells_are_ok(struct quick *q, const struct quick_cells *c, bool write)
{
    struct eight where;
    for (unsigned round = 0; has_trouble(q, c, write, &where); round++) {
        if (round == 2 || !learn_eight(q, &where, write, c->shared_by_all, round)) {
            return false;
        }
    }
    return true;
}

/* The cells of `bytes` bytes at an offset; false if they are not all in one page, or it has to be
 * made. */
WB_INLINE bool find_cells(struct quick_cells *c, const struct quick *q, uint64_t offset,
                          unsigned bytes, unsigned size)
{
    if (offset < q->low || offset >= q->size || bytes > q->size - offset ||
        offset % WB_SHADOW_PAGE + bytes > WB_SHADOW_PAGE) {
        return false;
    }
    struct wb_shadow_page *page = q->shadow->pages[offset / WB_SHADOW_PAGE];
    q->shadow->touched[offset / WB_SHADOW_PAGE] = q->segment;
    if (!page || 1u << page->shift > size || offset % size) {
        return false;
    }
    c->page = page;
    c->first = (unsigned)(offset % WB_SHADOW_PAGE) >> page->shift;
    c->count = bytes >> page->shift;
    c->shift = (unsigned)__builtin_ctz(size >> page->shift);
    return true;
}

/* Have all of the bytes (a multiple of 8 at a multiple of 8, else it says no) a value? */
WB_INLINE bool all_defined(const struct wb_shadow *shadow, uint64_t offset, unsigned bytes)
{
    if (!shadow->defined) {
        return true;
    }
    uint8_t all = 0xff;
    for (unsigned i = 0; i < bytes / 8; i++) {
        all &= shadow->defined[offset / 8 + i];
    }
    return offset % 8 == 0 && bytes % 8 == 0 && all == 0xff;
}

WB_INLINE void define(struct wb_shadow *shadow, uint64_t offset, unsigned bytes)
{
    if (shadow->defined) {
        wb_shadow_define(shadow, offset, bytes, true);
    }
}

/* Lanes here and there, eight at a time: the cell of each is picked out of its page. */
struct scattered {
    struct wb_shadow_page *page[EIGHT];
    unsigned at[EIGHT], lane[EIGHT], count;
};

WB_INLINE bool pick_lanes(struct scattered *out, uint32_t *rest, const struct quick *q,
                          const struct lanes *lanes, bool write)
{
    for (out->count = 0; *rest && out->count < EIGHT; *rest &= *rest - 1) {
        unsigned lane = wb_lowest_lane(*rest), k = out->count++;
        uint64_t offset = lanes->at[lane] - q->first;
        if (offset < q->low || offset >= q->size || offset % 4 ||
            (!write && q->shadow->defined && !wb_shadow_has(q->shadow, offset, 4, true))) {
            return false;
        }
        out->page[k] = q->shadow->pages[offset / WB_SHADOW_PAGE];
        q->shadow->touched[offset / WB_SHADOW_PAGE] = q->segment;
        out->at[k] = (unsigned)(offset % WB_SHADOW_PAGE) / 4;
        out->lane[k] = lane;
        if (!out->page[k] || out->page[k]->shift != 2) {
            return false;
        }
    }
    return true;
}

WB_INLINE struct eight cells_of(const struct scattered *s)
{
    struct eight c = {0};
    for (unsigned k = 0; k < s->count; k++) {
        c.write[k] = s->page[k]->write[s->at[k]];
        c.write_site[k] = s->page[k]->write_site[s->at[k]];
        c.read[k] = s->page[k]->read[s->at[k]];
        c.read_site[k] = s->page[k]->read_site[s->at[k]];
        c.lane[k] = s->lane[k];
        c.there[k] = UINT32_MAX;
    }
    return c;
}

/* A cell may be that of two lanes. */
WB_INLINE void settle_read_of(const struct quick *q, const struct scattered *s, unsigned k,
                              bool before)
{
    uint32_t *read = &s->page[k]->read[s->at[k]], *site = &s->page[k]->read_site[s->at[k]];
    if (*read == q->segment) {
        *site |= (*site & WB_SITE_LANE) != s->lane[k] ? WB_READ_LANES : 0;
    } else if (before) {
        *read = q->segment;
        *site = q->site | s->lane[k];
    }
}

WB_INLINE bool settle_write_of(const struct quick *q, const struct scattered *s, unsigned k)
{
    uint32_t *write = &s->page[k]->write[s->at[k]], *site = &s->page[k]->write_site[s->at[k]];
    if (*write == q->segment && (*site & WB_SITE_LANE) != s->lane[k]) {
        return false; /* two lanes write it */
    }
    *write = q->segment;
    *site = q->site | s->lane[k];
    s->page[k]->read[s->at[k]] = 0;
    return true;
}

WB_INLINE bool quick_words(struct quick *q, const struct lanes *lanes, uint32_t on, bool write)
{
    struct scattered s;
    while (on) {
        if (!pick_lanes(&s, &on, q, lanes, write)) {
            return false;
        }
        struct eight cells = cells_of(&s);
        for (unsigned round = 0; eight_trouble(q, &cells, write, false); round++) {
            if (round == 2 || !learn_eight(q, &cells, write, false, round)) {
                return false;
            }
        }
        wb_eight before = reads_before(q, &cells);
        for (unsigned k = 0; k < s.count; k++) {
            if (!write) {
                settle_read_of(q, &s, k, before[k]);
            } else if (!settle_write_of(q, &s, k)) {
                return false;
            }
        }
        for (unsigned k = 0; write && q->shadow->defined && k < s.count; k++) {
            wb_shadow_define(q->shadow, lanes->at[s.lane[k]] - q->first, 4, true);
        }
    }
    return true;
}

WB_INLINE bool quick_lanes(struct quick *q, const struct lanes *lanes, uint32_t on, unsigned size,
                           bool write)
{
    struct quick_cells cells[WB_LANES];
    unsigned count = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1, count++) {
        unsigned lane = wb_lowest_lane(rest);
        uint64_t offset = lanes->at[lane] - q->first;
        struct quick_cells *c = &cells[count];
        *c = (struct quick_cells){.lane = lane};
        if (!find_cells(c, q, offset, size, size) || !cells_are_ok(q, c, write) ||
            (!write && !wb_shadow_has(q->shadow, offset, size, true))) {
            return false;
        }
        if (write) { /* a lane after it may write the same place */
            settle_write(q, c);
            define(q->shadow, offset, size);
        }
    }
    for (unsigned k = 0; k < count && !write; k++) {
        settle_read(q, &cells[k]);
    }
    return true;
}

/* True if that was all. */
WB_INLINE bool wb_quick(const struct wb_access *access, const struct space *space,
                        const struct lanes *lanes, uint32_t on)
{
    struct quick q;
    struct quick_cells c = {0};
    bool write = access->write;
    unsigned size = access->size, bytes = WB_LANES * size;
    uint64_t address = lanes->at[wb_lowest_lane(on)];
    if (!quick_begin(&q, access, space, address)) {
        return false;
    }
    uint64_t offset = address - q.first;
    if (lanes->pattern == WB_SCATTERED) {
        return size == 4 ? quick_words(&q, lanes, on, write)
                         : quick_lanes(&q, lanes, on, size, write);
    }
    c.shared_by_all = lanes->pattern == WB_UNIFORM;
    bytes = c.shared_by_all ? size : bytes;
    if ((c.shared_by_all && write) || !find_cells(&c, &q, offset, bytes, size) ||
        !cells_are_ok(&q, &c, write)) {
        return false;
    }
    if (write) {
        settle_write(&q, &c);
        define(q.shadow, offset, bytes);
        return true;
    }
    bool defined = c.shared_by_all ? wb_shadow_has(q.shadow, offset, size, true)
                                   : all_defined(q.shadow, offset, bytes);
    if (defined) {
        settle_read(&q, &c);
    }
    return defined;
}

#endif
