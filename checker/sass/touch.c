/* SPDX-License-Identifier: MIT
 * Accesses to memory as the guard sees them: the cells of each lane, and what has no value.
 */
#include "touch.h"

#include "fault.h"

#include <stdio.h>
#include <string.h>

/* ---- finding the cells ------------------------------------------------------------------------
 */

/* The block's shared memory that the address lies in. */
static void enter_shared(struct touch *t, uint64_t address)
{
    struct wb_cluster *cluster = t->warp->cta->cluster;
    uint32_t rank = (uint32_t)address >> 24;
    t->shadow = NULL;
    t->size = 0;
    if (rank >= cluster->count) {
        return;
    }
    struct wb_cta *cta = &cluster->ctas[rank];
    const struct wb_order_block *order = &cta->guard->order;
    t->owner = cta;
    t->shadow = &cta->guard->shared;
    t->first = (address & WB_WINDOW_MASK) | rank << 24;
    t->size = cta->run->shared_size;
    t->host = cta->shared;
    t->floor = cluster->count == 1 ? order->barrier : order->first - 1;
}

static void enter_global(struct touch *t, uint64_t address)
{
    struct wb_region *r = wb_memory_region(wb_sim_memory(t->warp->cta->run->sim), address);
    t->owner = NULL;
    t->shadow = r && !r->freed && address - r->address < r->size ? wb_region_shadow(r) : NULL;
    t->first = t->shadow ? r->address : 0;
    t->size = t->shadow ? r->size : 0;
    t->host = t->shadow ? r->host : NULL;
    t->floor = t->guard->order.first - 1;
}

/* Makes the shadow of the address the present one; false if it has none: the access is a fault, or
 * of memory that is not watched. */
static bool enter(struct touch *t, uint64_t address, enum wb_guard_space space)
{
    if (t->shadow && address - t->first < t->size) {
        return address - t->first + t->access->size <= t->size;
    }
    bool shared = space == WB_GUARD_SHARED ||
                  (space == WB_GUARD_GENERIC && (address & WB_WINDOW_MASK) == WB_SHARED_WINDOW);
    if (shared) {
        enter_shared(t, address);
    } else {
        enter_global(t, address);
    }
    return t->shadow && address - t->first < t->size &&
           address - t->first + t->access->size <= t->size;
}

/* An access to an array of shared memory that ends up in another one: the block has that memory,
 * but it is not what was meant. (Neighbours may be accessed in one go: then it begins before.) */
static void check_array(const struct touch *t, unsigned lane, uint64_t address)
{
    const struct wb_ptx_array *a = t->owner ? wb_guard_array(t->warp, t->access->in) : NULL;
    uint64_t offset = address - t->first - WB_SHARED_RESERVED;
    if (!a || (offset + t->access->size > a->offset && offset < (uint64_t)a->offset + a->size)) {
        return;
    }
    char who[80], message[400];
    unsigned size = t->access->size;
    int64_t element = ((int64_t)offset - (int64_t)a->offset) / (int64_t)size;
    wb_fault_who(who, sizeof who, t->warp, lane);
    snprintf(message, sizeof message,
             "%s %s element %lld of `%.100s`, which has the elements 0 to %u: that is in another "
             "array of shared memory",
             who, t->access->write ? "writes" : "reads", (long long)element, a->name,
             a->size / size - (a->size >= size));
    wb_guard_tell(t->warp, WB_REASON_OUT_OF_BOUNDS, (t->site >> WB_SITE_PC) * 16,
                  UINT32_C(1) << lane, address, message);
}

/* A store to an array that the lesson gives as input. */
static void check_input(const struct touch *t, unsigned lane, uint64_t address)
{
    char who[80], place[160], message[300];
    if (!t->shadow->read_only) {
        return;
    }
    wb_fault_who(who, sizeof who, t->warp, lane);
    wb_touch_name(place, sizeof place, t, address);
    snprintf(message, sizeof message, "%s writes %s, which is an input", who, place);
    wb_guard_tell(t->warp, WB_REASON_INPUT_MODIFIED, (t->site >> WB_SITE_PC) * 16,
                  UINT32_C(1) << lane, address, message);
}

/* Takes the lanes of a generic access that are in local memory out of `on`. */
static uint32_t split_local(const uint64_t *at, uint32_t on, enum wb_guard_space space)
{
    return space == WB_GUARD_LOCAL     ? on
           : space == WB_GUARD_GENERIC ? wb_memory_windows(at, on).local
                                       : 0;
}

/* Is the access one that others may rely on: volatile, or an atomic load or store? */
static bool is_strong(const struct wb_insn *in, bool write)
{
    enum { SM = 5, GPU_PRIVATE, GPU, MMIO, SYS = 10, MMIO_SYS = 12 };
    unsigned order = in->order;
    return (order >= SM && order <= MMIO) || order == SYS || order == MMIO_SYS ||
           (write && order == SM - 1);
}

/* The first bytes of an access to the shared memory of another block of the cluster. */
static void note_visit(const struct touch *t, unsigned lane)
{
    if (t->owner && t->owner != t->warp->cta) {
        struct wb_guard_visit visit = {
            .segment = t->segment,
            .pc = (t->site >> WB_SITE_PC) * 16,
            .block = t->warp->cta->index,
            .thread = wb_thread_index(t->warp, lane),
            .write = t->access->write,
        };
        wb_guard_visit(t->warp, lane, t->owner, &visit);
    }
}

static bool begin(struct touch *t, const struct wb_access *access)
{
    struct wb_warp *w = access->warp;
    const struct wb_insn *in = access->in;
    struct wb_guard *guard = w->cta->run->guard;
    bool fresh = w->guard->order.fence_is_fresh;
    *t = (struct touch){
        .warp = w,
        .access = access,
        .guard = guard,
        .segment = wb_order_segment(w),
        .site = (uint32_t)(in - w->cta->run->program->code) << WB_SITE_PC,
        .strong = is_strong(in, access->write) || (fresh && access->write),
    };
    w->guard->order.fence_is_fresh = false;
    guard->changes += access->write || t->strong;
    return !guard->order.full;
}

/* ---- local memory -----------------------------------------------------------------------------
 */

static uint64_t local_offset(const struct wb_warp *w, unsigned lane, uint64_t address)
{
    return (uint64_t)(w->index * WB_LANES + lane) * w->cta->run->local_size + (uint32_t)address;
}

static bool is_in_local(const struct wb_access *access, uint64_t address)
{
    uint32_t size = access->warp->cta->run->local_size;
    return (uint32_t)address < size && access->size <= size - (uint32_t)address;
}

static void load_local(uint32_t undefined[4], const struct wb_access *access, const uint64_t *at,
                       uint32_t on)
{
    const struct wb_shadow *shadow = &access->warp->cta->guard->local;
    unsigned word = access->size < 4 ? access->size : 4;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        uint64_t offset = local_offset(access->warp, lane, at[lane]);
        for (unsigned k = 0; is_in_local(access, at[lane]) && k < access->size; k += word) {
            undefined[k / 4] |= wb_shadow_has(shadow, offset + k, word, false) ? 0 : rest & -rest;
        }
    }
}

static void store_local(const struct wb_access *access, const uint64_t *at, uint32_t on,
                        const uint32_t undefined[4])
{
    struct wb_shadow *shadow = &access->warp->cta->guard->local;
    unsigned word = access->size < 4 ? access->size : 4;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        for (unsigned k = 0; is_in_local(access, at[lane]) && k < access->size; k += word) {
            wb_shadow_define(shadow, local_offset(access->warp, lane, at[lane]) + k, word,
                             !(undefined[k / 4] >> lane & 1));
        }
    }
}

/* ---- the three kinds --------------------------------------------------------------------------
 */

/* Has the cell of shared memory a value? */
static bool has_value(const struct touch *t, const struct wb_shadow_page *page, unsigned cell)
{
    return page->write[cell] >= t->owner->guard->order.first &&
           !(page->write_site[cell] & WB_WROTE_UNDEFINED);
}

/* The lanes' cells one by one: `work` looks at those of a lane. */
static void load_lane(struct touch *t, uint32_t undefined[4], unsigned lane, uint64_t address)
{
    uint64_t offset = address - t->first;
    unsigned size = t->access->size;
    struct wb_shadow_page *page = wb_shadow_page(t->shadow, offset, size);
    if (!page) {
        return;
    }
    t->shadow->touched[offset / WB_SHADOW_PAGE] = t->segment;
    unsigned cell = offset % WB_SHADOW_PAGE >> page->shift;
    unsigned count = size >> page->shift, each = page->shift ? 1 : 4;
    for (unsigned k = 0; k < count; k += each) {
        bool has = false;
        for (unsigned i = k; i < count && i < k + each; i++) {
            has = has || (t->owner && has_value(t, page, cell + i));
            wb_touch_read(t, page, cell + i, lane, address + ((uint64_t)i << page->shift));
        }
        unsigned bytes = size < 4 ? size : 4;
        has = t->owner
                  ? has
                  : wb_shadow_has(t->shadow, offset + ((uint64_t)k << page->shift), bytes, false);
        undefined[(k << page->shift) / 4] |= has ? 0 : UINT32_C(1) << lane;
    }
}

bool wb_guard_load(uint32_t undefined[4], const struct wb_access *access, const uint64_t *at,
                   uint32_t on, enum wb_guard_space space)
{
    struct touch t;
    uint32_t local = split_local(at, on, space);
    memset(undefined, 0, 4 * sizeof *undefined);
    if (local) {
        load_local(undefined, access, at, local);
    }
    on &= ~local;
    bool fresh = access->warp->guard->order.fence_is_fresh && space == WB_GUARD_SHARED;
    for (bool goes = on && begin(&t, access); goes && on; on &= on - 1) {
        unsigned lane = wb_lowest_lane(on);
        if (enter(&t, at[lane], space)) {
            check_array(&t, lane, at[lane]);
            load_lane(&t, undefined, lane, at[lane]);
            note_visit(&t, lane);
        }
    }
    access->warp->guard->order.fence_is_fresh |= fresh;
    return (undefined[0] | undefined[1] | undefined[2] | undefined[3]) != 0;
}

static bool has_value_at(const struct touch *t, const struct wb_shadow_page *page, unsigned cell,
                         uint64_t offset)
{
    return t->owner ? has_value(t, page, cell)
                    : wb_shadow_has(t->shadow, offset, t->access->size, false);
}

static void store_lane(struct touch *t, unsigned lane, uint64_t address)
{
    uint64_t offset = address - t->first;
    unsigned size = t->access->size;
    struct wb_shadow_page *page = wb_shadow_page(t->shadow, offset, size);
    if (!page) {
        return;
    }
    t->shadow->touched[offset / WB_SHADOW_PAGE] = t->segment;
    unsigned cell = offset % WB_SHADOW_PAGE >> page->shift;
    if (t->atomic && !has_value_at(t, page, cell, offset)) {
        t->had_none |= UINT32_C(1) << lane;
        for (unsigned k = 0; k < 4; k++) {
            t->no_value[k] = !t->replaces;
        }
    }
    for (unsigned i = 0; i < size >> page->shift; i++) {
        t->undefined = t->no_value[(i << page->shift) / 4];
        wb_touch_write(t, page, cell + i, lane, address);
    }
    unsigned word = size < 4 ? size : 4;
    for (unsigned k = 0; t->shadow->defined && k < size; k += word) {
        wb_shadow_define(t->shadow, offset + k, word, !t->no_value[k / 4]);
    }
}

/* The lanes write, and those whose store is a flag tell what they have done. */
static void write_lanes(struct touch *t, const uint64_t *at, uint32_t on,
                        const uint32_t undefined[4], enum wb_guard_space space)
{
    bool tells = t->atomic || t->strong;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        for (unsigned k = 0; k < 4; k++) {
            t->no_value[k] = undefined[k] >> lane & 1;
        }
        if (enter(t, at[lane], space)) {
            if (t->atomic) {
                wb_order_acquire(t->warp, at[lane]);
            }
            check_array(t, lane, at[lane]);
            check_input(t, lane, at[lane]);
            store_lane(t, lane, at[lane]);
            note_visit(t, lane);
        }
    }
    for (uint32_t rest = tells ? on : 0; rest; rest &= rest - 1) {
        wb_order_release(t->warp, at[wb_lowest_lane(rest)]);
    }
}

void wb_guard_store(const struct wb_access *access, const uint64_t *at, uint32_t on,
                    enum wb_guard_space space, const uint32_t (*data)[WB_LANES],
                    const uint32_t undefined[4])
{
    struct touch t;
    uint32_t local = split_local(at, on, space);
    if (local) {
        store_local(access, at, local, undefined);
    }
    on &= ~local;
    if (on && begin(&t, access)) {
        t.data = data;
        t.async = access->in->op == WB_OP_LDGSTS;
        t.at = at;
        t.on = on;
        write_lanes(&t, at, on, undefined, space);
    }
}

uint32_t wb_guard_atomic(const struct wb_access *access, const uint64_t *at, uint32_t on,
                         enum wb_guard_space space, bool replaces)
{
    struct touch t;
    on &= ~split_local(at, on, space);
    if (on && begin(&t, access)) {
        t.atomic = true;
        t.replaces = replaces;
        write_lanes(&t, at, on, (uint32_t[4]){0}, space);
        return t.had_none;
    }
    return 0;
}

void wb_guard_changed_nothing(const struct wb_access *access, const uint64_t *at, uint32_t none,
                              enum wb_guard_space space)
{
    struct wb_warp *w = access->warp;
    struct touch t = {.warp = w, .access = access, .guard = w->cta->run->guard};
    unsigned lane = wb_lowest_lane(none);
    if (!enter(&t, at[lane], space) || t.owner) {
        return; /* what is in shared memory matters when somebody reads it */
    }
    char who[80], place[160], message[320];
    wb_fault_who(who, sizeof who, w, lane);
    wb_touch_name(place, sizeof place, &t, at[lane]);
    snprintf(message, sizeof message,
             "%s changes %s by an atomic, but nobody has written it before", who, place);
    wb_guard_tell(w, WB_REASON_UNINITIALISED_READ,
                  (uint32_t)(access->in - w->cta->run->program->code) * 16, none, at[lane],
                  message);
}

void wb_guard_mark(const struct wb_access *access, const uint64_t *at, uint32_t on,
                   const uint32_t undefined[4], enum wb_guard_space space)
{
    struct wb_warp *w = access->warp;
    struct touch t = {.warp = w, .access = access, .guard = w->cta->run->guard};
    uint32_t any = undefined[0] | undefined[1] | undefined[2] | undefined[3];
    unsigned lane = wb_lowest_lane(any);
    struct wb_undefined_origin origin = {
        .reason = WB_REASON_UNINITIALISED_READ,
        .pc = (uint32_t)(access->in - w->cta->run->program->code) * 16,
        .address = at[lane],
    };
    if (split_local(at, any, space) >> lane & 1) {
        snprintf(origin.what, sizeof origin.what, "a local variable or array");
    } else if (enter(&t, at[lane], space)) {
        wb_touch_name(origin.what, sizeof origin.what, &t, at[lane]);
    }
    unsigned rows = access->size > 4 ? access->size / 4 : 1;
    uint32_t all = WB_ALL_LANES;
    for (unsigned r = 0; r < rows; r++) {
        all &= undefined[r];
    }
    origin.holes = ~all;
    for (unsigned r = 0; r < rows; r++) {
        wb_undefined_mark(w, access->in->d + r, 1, on, undefined[r], &origin);
    }
}
