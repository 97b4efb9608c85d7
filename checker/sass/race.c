/* SPDX-License-Identifier: MIT
 * Races and undefined reads: each access is compared with what its cells remember. Two accesses of
 * which one writes are a race unless order.h has them in an order; both being atomic, or writing
 * what is there already, is none.
 */
#include "fault.h"
#include "guard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An access while its lanes are looked at. */
struct touch {
    struct wb_warp *warp;
    const struct wb_access *access;
    struct wb_guard *guard;
    uint32_t segment;  /* the warp's present one */
    uint32_t site;     /* without the lane */
    uint32_t floor;    /* segments up to here come before, whoever they are of */
    bool strong, atomic, undefined;
    bool replaces;     /* an atomic that does not care what was there */
    uint32_t had_none; /* lanes of an atomic for which there was no value */
    const uint32_t (*data)[WB_LANES];
    /* the shadow that the last lane was in */
    struct wb_shadow *shadow;
    uint64_t first, size;
    uint8_t *host;
    struct wb_cta *owner; /* of shared memory, else NULL */
};

/* ---- sentences ------------------------------------------------------------------------------- */

static uint32_t pc_of(uint32_t site)
{
    return (site >> WB_SITE_PC) * 16;
}

/* "element 5 of `out`", "byte 20 of shared memory" */
static void name_place(char *out, size_t size, const struct touch *t, uint64_t address)
{
    if (t->owner) {
        snprintf(out, size, "byte %" PRIu64 " of the %s shared memory", address - t->first,
                 t->owner == t->warp->cta ? "block's" : "other block's");
        return;
    }
    const struct wb_region *r =
        wb_memory_region(wb_sim_memory(t->warp->cta->run->sim), address);
    const char *quote = r && strchr(r->name, ' ') ? "" : "`";
    uint64_t offset = r ? address - r->address : 0;
    if (r && offset % t->access->size == 0) {
        snprintf(out, size, "element %" PRIu64 " of %s%.100s%s", offset / t->access->size, quote,
                 r->name, quote);
    } else {
        snprintf(out, size, "byte %" PRIu64 " of %s%.100s%s", offset, quote, r ? r->name : "memory",
                 quote);
    }
}

/* "at line 12", "at the same line" */
static void name_line(char *out, size_t size, const struct touch *t, uint32_t other_pc)
{
    const char *file, *here_file;
    unsigned line = 0, here = 0;
    const struct wb_kernel *kernel = t->warp->cta->run->kernel;
    wb_kernel_line(&file, &line, kernel, other_pc);
    wb_kernel_line(&here_file, &here, kernel, pc_of(t->site));
    if (line && line == here) {
        snprintf(out, size, "at this line");
    } else if (line) {
        snprintf(out, size, "at line %u", line);
    } else {
        snprintf(out, size, "at 0x%x", other_pc);
    }
}

/* Who the other access was of: a warp and lane are known, not always a thread of a block. */
static void name_other(char *out, size_t size, const struct touch *t, uint32_t segment,
                       uint32_t site)
{
    const struct wb_order *o = &t->guard->order;
    const struct wb_segment *s = &o->segments[segment - o->first];
    unsigned lane = site & WB_SITE_LANE;
    if (s->block == t->warp->cta->guard->order.serial) {
        struct wb_warp other = {.cta = t->warp->cta, .index = s->warp};
        struct wb_dim3 thread = wb_thread_index(&other, lane);
        snprintf(out, size, "thread (%u,%u,%u) of the same %s", thread.x, thread.y, thread.z,
                 s->warp == t->warp->index ? "warp" : "block");
    } else {
        snprintf(out, size, "a thread of another block");
    }
}

static void report(const struct touch *t, unsigned lane, uint64_t address, uint32_t other_segment,
                   uint32_t other_site, const char *mine, const char *theirs, bool caution)
{
    char who[80], place[160], line[40], other[80], message[450];
    struct wb_finding_note note = {
        .kind = WB_REASON_RACE,
        .pc = pc_of(t->site),
        .other_pc = pc_of(other_site),
        .lanes = UINT32_C(1) << lane,
        .address = address,
        .message = message,
    };
    if (!caution && wb_guard_knows(t->warp, &note)) {
        return;
    }
    wb_fault_who(who, sizeof who, t->warp, lane);
    name_place(place, sizeof place, t, address);
    name_line(line, sizeof line, t, note.other_pc);
    name_other(other, sizeof other, t, other_segment, other_site);
    snprintf(message, sizeof message, "%s %s %s, which %s %s %s: nothing says which comes first",
             who, mine, place, other, theirs, line);
    if (caution) {
        wb_guard_caution(t->warp, &note, mine[0] == 'r' ? note.pc : note.other_pc);
    } else {
        wb_guard_report(t->warp, &note);
    }
}

/* The first bytes of an access to the shared memory of another block of the cluster. */
static void note_visit(const struct touch *t, unsigned lane)
{
    if (t->owner && t->owner != t->warp->cta) {
        struct wb_guard_visit visit = {
            .segment = t->segment,
            .pc = pc_of(t->site),
            .block = t->warp->cta->index,
            .thread = wb_thread_index(t->warp, lane),
            .write = t->access->write,
        };
        wb_guard_visit(t->warp, lane, t->owner, &visit);
    }
}

/* ---- one cell -------------------------------------------------------------------------------- */

/* Does memory hold what the lane is about to write? */
static bool writes_the_same(const struct touch *t, unsigned lane, uint64_t address)
{
    uint32_t words[4] = {0};
    if (!t->data || !t->host) {
        return false;
    }
    for (unsigned r = 0; 4 * r < t->access->size; r++) {
        words[r] = t->data[r][lane];
    }
    return memcmp(t->host + (address - t->first), words, t->access->size) == 0;
}

/* The last write of the cell: did it happen before? */
static bool is_after_write(const struct touch *t, const struct wb_cell *cell, unsigned lane)
{
    unsigned other = cell->write_site & WB_SITE_LANE;
    return cell->write <= t->floor || (cell->write == t->segment && other == lane) ||
           wb_order_after(t->warp, lane, cell->write, other);
}

/* All reads since then: did they happen before? */
static bool is_after_reads(const struct touch *t, const struct wb_cell *cell, unsigned lane)
{
    uint32_t r = cell->read, site = cell->read_site;
    if (r <= t->floor) {
        return true;
    }
    if (site & WB_READ_BLOCKS) { /* not all of them are known */
        return t->guard->order.told;
    }
    if (site & WB_READ_WARPS) {
        return wb_order_after_all(t->warp, lane, r) &&
               (!wb_order_is_own_block(t->warp, r) || r <= t->warp->cta->guard->order.barrier ||
                t->warp->cta->guard->order.between);
    }
    if (site & WB_READ_LANES) {
        return r != t->segment && wb_order_after_all(t->warp, lane, r);
    }
    unsigned other = site & WB_SITE_LANE;
    return (r == t->segment && other == lane) || wb_order_after(t->warp, lane, r, other);
}

static void note_read(const struct touch *t, struct wb_cell *cell, unsigned lane)
{
    uint32_t r = cell->read, site = t->site | lane | (t->strong ? WB_READ_STRONG : 0);
    if (r == t->segment) {
        cell->read_site |= (cell->read_site & WB_SITE_LANE) != lane ? WB_READ_LANES : 0;
    } else if (r <= t->floor || is_after_reads(t, cell, lane)) {
        cell->read = t->segment;
        cell->read_site = site;
    } else {
        uint32_t several = wb_order_is_own_block(t->warp, r) ? WB_READ_WARPS : WB_READ_BLOCKS;
        several |= cell->read_site & (WB_READ_WARPS | WB_READ_BLOCKS);
        cell->read = t->segment;
        cell->read_site = site | several;
    }
}

static void read_cell(const struct touch *t, struct wb_cell *cell, unsigned lane, uint64_t address)
{
    if (!is_after_write(t, cell, lane)) {
        uint32_t site = cell->write_site;
        if (site & WB_WROTE_STRONG || (t->strong && site & WB_WROTE_ATOMIC)) {
            wb_order_acquire(t->warp, address);
        } else {
            report(t, lane, address, cell->write, site, "reads",
                   site & WB_WROTE_ATOMIC ? "changes by an atomic" : "writes",
                   site & WB_WROTE_ATOMIC);
        }
    } else if (cell->write_site & WB_WROTE_STRONG || t->strong) {
        wb_order_acquire(t->warp, address);
    }
    note_read(t, cell, lane);
}

static void write_cell(const struct touch *t, struct wb_cell *cell, unsigned lane, uint64_t address)
{
    bool flag = t->strong && (cell->write_site & (WB_WROTE_STRONG | WB_WROTE_ATOMIC) ||
                              cell->write <= t->floor);
    bool both = t->atomic && cell->write_site & (WB_WROTE_ATOMIC | WB_WROTE_STRONG);
    const char *mine = t->atomic ? "changes by an atomic" : "writes";
    if (!flag && !both && !is_after_write(t, cell, lane) && !writes_the_same(t, lane, address)) {
        report(t, lane, address, cell->write, cell->write_site, mine,
               cell->write_site & WB_WROTE_ATOMIC ? "changes by an atomic" : "writes", false);
    }
    uint32_t reader = cell->read_site;
    if (t->atomic && cell->read && (reader & WB_SITE_LANE) == lane &&
        wb_order_is_own_warp(t->warp, cell->read)) {
        t->guard->looks[reader >> WB_SITE_PC] = 1;
    }
    bool polled = (t->strong || t->atomic) && reader & WB_READ_STRONG;
    if (!polled && !t->strong && !is_after_reads(t, cell, lane) &&
        !writes_the_same(t, lane, address)) {
        report(t, lane, address, cell->read, reader, mine, "reads", t->atomic);
    }
    cell->write = t->segment;
    cell->write_site = t->site | lane | (t->atomic ? WB_WROTE_ATOMIC : 0) |
                       (t->strong ? WB_WROTE_STRONG : 0) |
                       (t->undefined ? WB_WROTE_UNDEFINED : 0);
    cell->read = 0;
}

/* ---- finding the cells ------------------------------------------------------------------------ */

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

/* Takes the lanes of a generic access that are in local memory out of `on`. */
static uint32_t split_local(const uint64_t *at, uint32_t on, enum wb_guard_space space)
{
    return space == WB_GUARD_LOCAL ? on
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
    return !guard->order.full;
}

/* ---- local memory ----------------------------------------------------------------------------- */

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
                        uint32_t undefined)
{
    struct wb_shadow *shadow = &access->warp->cta->guard->local;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        if (is_in_local(access, at[lane])) {
            wb_shadow_define(shadow, local_offset(access->warp, lane, at[lane]), access->size,
                             !(undefined >> lane & 1));
        }
    }
}

/* ---- the three kinds -------------------------------------------------------------------------- */

/* Has the cell of shared memory a value? */
static bool has_value(const struct touch *t, const struct wb_cell *cell)
{
    return cell->write >= t->owner->guard->order.first &&
           !(cell->write_site & WB_WROTE_UNDEFINED);
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
    struct wb_cell *cells = &page->cells[offset % WB_SHADOW_PAGE >> page->shift];
    unsigned count = size >> page->shift, each = page->shift ? 1 : 4;
    for (unsigned k = 0; k < count; k += each) {
        bool has = false;
        for (unsigned i = k; i < count && i < k + each; i++) {
            has = has || (t->owner && has_value(t, &cells[i]));
            read_cell(t, &cells[i], lane, address + ((uint64_t)i << page->shift));
        }
        unsigned bytes = size < 4 ? size : 4;
        has = t->owner ? has
                       : wb_shadow_has(t->shadow, offset + ((uint64_t)k << page->shift), bytes,
                                       false);
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
    for (bool goes = on && begin(&t, access); goes && on; on &= on - 1) {
        unsigned lane = wb_lowest_lane(on);
        if (enter(&t, at[lane], space)) {
            load_lane(&t, undefined, lane, at[lane]);
            note_visit(&t, lane);
        }
    }
    return (undefined[0] | undefined[1] | undefined[2] | undefined[3]) != 0;
}

static bool has_value_at(const struct touch *t, const struct wb_cell *cell, uint64_t offset)
{
    return t->owner ? has_value(t, cell) : wb_shadow_has(t->shadow, offset, t->access->size, false);
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
    struct wb_cell *cells = &page->cells[offset % WB_SHADOW_PAGE >> page->shift];
    if (t->atomic && !has_value_at(t, cells, offset)) {
        t->had_none |= UINT32_C(1) << lane;
        t->undefined = !t->replaces;
    }
    for (unsigned i = 0; i < size >> page->shift; i++) {
        write_cell(t, &cells[i], lane, address);
    }
    if (t->shadow->defined) {
        wb_shadow_define(t->shadow, offset, size, !t->undefined);
    }
}

/* The lanes write, and those whose store is a flag tell what they have done. */
static void write_lanes(struct touch *t, const uint64_t *at, uint32_t on, uint32_t undefined,
                        enum wb_guard_space space)
{
    bool tells = t->atomic || t->strong;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned lane = wb_lowest_lane(rest);
        t->undefined = undefined >> lane & 1;
        if (enter(t, at[lane], space)) {
            if (t->atomic) {
                wb_order_acquire(t->warp, at[lane]);
            }
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
                    uint32_t undefined)
{
    struct touch t;
    uint32_t local = split_local(at, on, space);
    if (local) {
        store_local(access, at, local, undefined);
    }
    on &= ~local;
    if (on && begin(&t, access)) {
        t.data = data;
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
        write_lanes(&t, at, on, 0, space);
        return t.had_none;
    }
    return 0;
}
