/* SPDX-License-Identifier: MIT
 * Races and undefined reads: each access is compared with what its cells remember. Two accesses of
 * which one writes are a race unless order.h has them in an order; both being atomic, or writing
 * what is there already, is none.
 */
#include "fault.h"
#include "touch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- sentences ------------------------------------------------------------------------------- */

static uint32_t pc_of(uint32_t site)
{
    return (site >> WB_SITE_PC) * 16;
}

/* Of shared memory: the array, where that is known. */
static void name_shared(char *out, size_t size, const struct touch *t, uint64_t address)
{
    const struct wb_ptx_array *a = wb_guard_array(t->warp, t->access->in);
    uint64_t offset = address - t->first - WB_SHARED_RESERVED;
    const char *whose = t->owner == t->warp->cta ? "block's" : "other block's";
    if (a && offset >= a->offset && offset - a->offset < a->size &&
        (offset - a->offset) % t->access->size == 0) {
        snprintf(out, size, "element %" PRIu64 " of `%.60s` in the %s shared memory",
                 (offset - a->offset) / t->access->size, a->name, whose);
    } else {
        snprintf(out, size, "byte %" PRIu64 " of the %s shared memory", offset, whose);
    }
}

void wb_touch_name(char *out, size_t size, const struct touch *t, uint64_t address)
{
    if (t->owner) {
        name_shared(out, size, t, address);
        return;
    }
    const struct wb_region *r = wb_memory_region(wb_sim_memory(t->warp->cta->run->sim), address);
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
                       uint32_t site, uint32_t several)
{
    const struct wb_order *o = &t->guard->order;
    const struct wb_segment *s = &o->segments[segment - o->first];
    unsigned lane = site & WB_SITE_LANE;
    bool own = s->block == t->warp->cta->guard->order.serial;
    if (several & WB_READ_BLOCKS || !own) {
        snprintf(out, size, "a thread of another block");
    } else if (several) {
        snprintf(out, size, "another thread of the same %s",
                 several & WB_READ_WARPS ? "block" : "warp");
    } else {
        struct wb_warp other = {.cta = t->warp->cta, .index = s->warp};
        struct wb_dim3 thread = wb_thread_index(&other, lane);
        snprintf(out, size, "thread (%u,%u,%u) of the same %s", thread.x, thread.y, thread.z,
                 s->warp == t->warp->index ? "warp" : "block");
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
    if (caution ? wb_guard_is_cautioned(t->warp, &note) : wb_guard_knows(t->warp, &note)) {
        return;
    }
    wb_fault_who(who, sizeof who, t->warp, lane);
    wb_touch_name(place, sizeof place, t, address);
    name_line(line, sizeof line, t, note.other_pc);
    name_other(other, sizeof other, t, other_segment, other_site,
               theirs[0] == 'r' ? other_site & (WB_READ_LANES | WB_READ_WARPS | WB_READ_BLOCKS)
                                : 0);
    snprintf(message, sizeof message, "%s %s %s, which %s %s %s: nothing says which comes first",
             who, mine, place, other, theirs, line);
    if (caution) {
        wb_guard_caution(t->warp, &note, mine[0] == 'r' ? note.pc : note.other_pc);
    } else {
        wb_guard_report(t->warp, &note);
    }
}

/* ---- one cell -------------------------------------------------------------------------------- */

static void take_words(uint32_t words[4], const struct touch *t, unsigned lane)
{
    for (unsigned r = 0; r < 4; r++) {
        words[r] = 4 * r < t->access->size ? t->data[r][lane] : 0;
    }
}

/* Is the cell's last write that of another lane of this very instruction? */
static bool is_of_this_store(const struct touch *t, const struct wb_shadow_page *p, unsigned c,
                             unsigned lane, uint64_t address)
{
    unsigned other = p->write_site[c] & WB_SITE_LANE;
    return p->write[c] == t->segment && (p->write_site[c] ^ t->site) >> WB_SITE_PC == 0 &&
           other < lane && t->on >> other & 1 && t->at[other] == address;
}

/* Does the lane write what is there? Memory is as it was before the instruction. */
static bool writes_the_same(const struct touch *t, const struct wb_shadow_page *p, unsigned c,
                            unsigned lane, uint64_t address)
{
    uint32_t words[4], others[4];
    if (!t->data || !t->host) {
        return false;
    }
    take_words(words, t, lane);
    if (is_of_this_store(t, p, c, lane, address)) {
        take_words(others, t, p->write_site[c] & WB_SITE_LANE);
        return memcmp(others, words, t->access->size) == 0;
    }
    return memcmp(t->host + (address - t->first), words, t->access->size) == 0;
}

/* The last write of the cell: did it happen before? */
static bool is_after_write(const struct touch *t, const struct wb_shadow_page *p, unsigned c,
                           unsigned lane)
{
    unsigned other = p->write_site[c] & WB_SITE_LANE;
    return p->write[c] <= t->floor || (p->write[c] == t->segment && other == lane) ||
           wb_order_after(t->warp, lane, p->write[c], other);
}

/* All reads since then: did they happen before? */
static bool is_after_reads(const struct touch *t, const struct wb_shadow_page *p, unsigned c,
                           unsigned lane)
{
    uint32_t r = p->read[c], site = p->read_site[c];
    if (r <= t->floor) {
        return true;
    }
    if (site & WB_READ_BLOCKS) { /* not all of them are known */
        return t->guard->order.told &&
               (wb_order_is_own_warp(t->warp, r) || wb_order_after_all(t->warp, lane, r));
    }
    if (site & WB_READ_WARPS) {
        return wb_order_after_all(t->warp, lane, r) &&
               (!wb_order_is_own_block(t->warp, r) || r <= t->warp->cta->guard->order.barrier ||
                t->warp->cta->guard->order.between || t->guard->order.told);
    }
    if (site & WB_READ_LANES) {
        return r != t->segment && wb_order_after_all(t->warp, lane, r);
    }
    unsigned other = site & WB_SITE_LANE;
    return (r == t->segment && other == lane) || wb_order_after(t->warp, lane, r, other);
}

static void note_read(const struct touch *t, struct wb_shadow_page *p, unsigned c, unsigned lane)
{
    uint32_t r = p->read[c], site = t->site | lane | (t->strong ? WB_READ_STRONG : 0);
    if (r == t->segment) {
        p->read_site[c] |= (p->read_site[c] & WB_SITE_LANE) != lane ? WB_READ_LANES : 0;
    } else if (r <= t->floor || is_after_reads(t, p, c, lane)) {
        p->read[c] = t->segment;
        p->read_site[c] = site;
    } else if (!wb_order_is_own_block(t->warp, r)) {
        p->read_site[c] |= WB_READ_BLOCKS; /* the first is kept: the next writer may be this one */
    } else {
        p->read[c] = t->segment;
        p->read_site[c] =
            site | WB_READ_WARPS | (p->read_site[c] & (WB_READ_WARPS | WB_READ_BLOCKS));
    }
}

/* An asynchronous copy wrote the cell: is it done for this warp? Then the mark goes. */
static void check_async(const struct touch *t, struct wb_shadow_page *p, unsigned c, unsigned lane,
                        uint64_t address)
{
    const struct wb_warp *writer = wb_order_warp(t->warp, p->write[c]);
    char who[80], place[160], line[40], message[450];
    uint32_t site = p->write_site[c];
    p->write_site[c] &= ~(uint32_t)WB_WROTE_ASYNC;
    if (!writer || wb_async_is_done(t->warp, writer, p->write[c])) {
        return;
    }
    struct wb_finding_note note = {
        .kind = WB_REASON_RACE,
        .pc = pc_of(t->site),
        .other_pc = pc_of(site),
        .lanes = UINT32_C(1) << lane,
        .address = address,
        .message = message,
    };
    wb_fault_who(who, sizeof who, t->warp, lane);
    wb_touch_name(place, sizeof place, t, address);
    name_line(line, sizeof line, t, note.other_pc);
    snprintf(message, sizeof message,
             "%s %s %s while an asynchronous copy begun %s may still be under way: wait for it "
             "first, and behind that for the block",
             who, t->access->write ? "writes" : "reads", place, line);
    wb_guard_report(t->warp, &note);
}

void wb_touch_read(const struct touch *t, struct wb_shadow_page *p, unsigned c, unsigned lane,
                   uint64_t address)
{
    bool after = is_after_write(t, p, c, lane);
    if (after && p->write_site[c] & WB_WROTE_ASYNC && p->write[c] >= t->guard->order.first) {
        check_async(t, p, c, lane, address);
    }
    if (!after) {
        uint32_t site = p->write_site[c];
        if (site & WB_WROTE_STRONG || (t->strong && site & WB_WROTE_ATOMIC)) {
            wb_order_acquire(t->warp, address);
        } else {
            report(t, lane, address, p->write[c], site, "reads",
                   site & WB_WROTE_ATOMIC ? "changes by an atomic" : "writes",
                   site & WB_WROTE_ATOMIC);
        }
    } else if (p->write_site[c] & WB_WROTE_STRONG || t->strong) {
        wb_order_acquire(t->warp, address);
    }
    note_read(t, p, c, lane);
}

void wb_touch_write(const struct touch *t, struct wb_shadow_page *p, unsigned c, unsigned lane,
                    uint64_t address)
{
    bool flag = t->strong &&
                (p->write_site[c] & (WB_WROTE_STRONG | WB_WROTE_ATOMIC) || p->write[c] <= t->floor);
    bool both = t->atomic && p->write_site[c] & (WB_WROTE_ATOMIC | WB_WROTE_STRONG);
    const char *mine = t->atomic ? "changes by an atomic" : "writes";
    if (!flag && !both && !is_after_write(t, p, c, lane) &&
        !writes_the_same(t, p, c, lane, address)) {
        report(t, lane, address, p->write[c], p->write_site[c], mine,
               p->write_site[c] & WB_WROTE_ATOMIC ? "changes by an atomic" : "writes", false);
    }
    uint32_t reader = p->read_site[c];
    if (t->atomic && p->read[c] && (reader & WB_SITE_LANE) == lane &&
        wb_order_is_own_warp(t->warp, p->read[c])) {
        t->guard->looks[reader >> WB_SITE_PC] = 1;
    }
    bool polled = (t->strong || t->atomic) && reader & WB_READ_STRONG;
    if (!polled && !t->strong && !is_after_reads(t, p, c, lane) &&
        !writes_the_same(t, p, c, lane, address)) {
        report(t, lane, address, p->read[c], reader, mine, "reads", t->atomic);
    }
    p->write[c] = t->segment;
    p->write_site[c] = t->site | lane | (t->atomic ? WB_WROTE_ATOMIC : 0) |
                       (t->strong ? WB_WROTE_STRONG : 0) | (t->undefined ? WB_WROTE_UNDEFINED : 0) |
                       (t->async ? WB_WROTE_ASYNC : 0);
    p->read[c] = 0;
}
