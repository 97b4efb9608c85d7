/* SPDX-License-Identifier: MIT
 * See pending.h. A page that an operation used only in part is protected for managed memory alone:
 * the rest of pinned pages may be handed to the operating system (read, write), which would fail
 * instead of asking.
 */
#include "pending.h"

#include "crash.h"
#include "crossing.h"
#include "heap.h"
#include "log.h"
#include "misuse.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_SPANS = 512 };

/* Pages that the host cannot use at present. */
struct span {
    uintptr_t start, end;
};

static struct span spans[MAX_SPANS];
static size_t span_count;
static bool stale; /* spans are not those of the operations */
static volatile bool ever;

static uintptr_t page_size(void)
{
    return (uintptr_t)sysconf(_SC_PAGESIZE);
}

void wb_pending_changed(void)
{
    stale = true;
}

bool wb_pending_ever(void)
{
    return ever;
}

static bool protect(const struct span *span, int protection)
{
    return mprotect((void *)span->start, span->end - span->start, protection) == 0;
}

void wb_pending_lift(void)
{
    for (size_t i = 0; i < span_count; i++) {
        protect(&spans[i], PROT_READ | PROT_WRITE);
    }
    stale = stale || span_count;
    span_count = 0;
}

/* The pages of a piece of memory; nothing if they are not to be protected. */
static bool pages_of(struct span *out, const struct wb_sim_touch *touch)
{
    const struct wb_allocation *a = wb_heap_find(touch->address);
    const uintptr_t page = page_size();
    if (!a || !wb_heap_on_host(a) || a->kind == WB_MEMORY_REGISTERED) {
        return false;
    }
    uintptr_t start = touch->address, end = touch->address + touch->size;
    bool whole = a->kind == WB_MEMORY_PINNED, last = end >= a->address + a->size;
    out->start = whole ? (start + page - 1) / page * page : start / page * page;
    out->end = whole && !last ? end / page * page : (end + page - 1) / page * page;
    return out->start < out->end;
}

static void lower_for(const struct wb_crossing *c, bool writes)
{
    for (size_t i = 0; i < c->count && span_count < MAX_SPANS; i++) {
        const bool write = c->touches[i].how & WB_TOUCH_WRITE;
        struct span span;
        if (write == writes && pages_of(&span, &c->touches[i])) {
            struct span *last = span_count ? &spans[span_count - 1] : NULL;
            bool known = last && span.start >= last->start && span.end <= last->end;
            if (!known && protect(&span, write ? PROT_NONE : PROT_READ)) {
                spans[span_count++] = span;
            }
        }
    }
}

/* What is only read first: what is written takes away more. */
void wb_pending_lower(void)
{
    size_t count;
    struct wb_crossing *const *items = wb_crossings(&count);
    if (!stale) {
        return;
    }
    wb_pending_lift();
    stale = false;
    if (count == 0 || !wb_heap_shares() || !wb_crash_is_watched()) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        lower_for(items[i], false);
    }
    const size_t read = span_count;
    for (size_t i = 0; i < count; i++) {
        lower_for(items[i], true);
    }
    ever = ever || read || span_count;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static const struct wb_sim_touch *touch_at(const struct wb_crossing *c, uint64_t address)
{
    for (size_t i = 0; i < c->count; i++) {
        if (address - c->touches[i].address < c->touches[i].size) {
            return &c->touches[i];
        }
    }
    return NULL;
}

static void tell(const struct wb_crossing *c, const struct wb_sim_touch *touch, uint64_t address,
                 bool write, const struct wb_place *place)
{
    char what[400] = "memory", name[160], where[WB_PLACE_TEXT];
    const bool kernel = c->kind == WB_OP_KERNEL;
    wb_misuse_describe(what, sizeof what, address);
    wb_log_finding_with(
        WB_REASON_RACE, place,
        &(struct wb_log_other){c->place, kernel ? "the kernel was launched here"
                                                : "the operation was submitted here"},
        "Wait before the host uses this memory: call cudaDeviceSynchronize() or "
        "cudaStreamSynchronize behind the launch or copy.",
        "the host %s %s, which %s (%s) %s: nothing has waited for it, so it may not be done yet",
        write ? "writes" : "reads", what, wb_crossing_name(name, sizeof name, c),
        wb_place_text(where, sizeof where, c->place),
        touch->how & WB_TOUCH_WRITE ? "writes" : "reads");
}

/* The first operation that does not allow the access. */
static const struct wb_crossing *find_conflict(const struct wb_sim_touch **touch, uint64_t address,
                                               bool write)
{
    size_t count;
    struct wb_crossing *const *items = wb_crossings(&count);
    for (size_t i = 0; i < count; i++) {
        *touch = touch_at(items[i], address);
        if (*touch && (write || (*touch)->how & WB_TOUCH_WRITE)) {
            return items[i];
        }
    }
    return NULL;
}

/* Not this part of the page is used. Where the machine cannot stop behind the instruction, the page
 * stays open until the next call. */
static void open_page(uint64_t address)
{
    const uintptr_t page = page_size(), start = (uintptr_t)address / page * page;
    protect(&(struct span){start, start + page}, PROT_READ | PROT_WRITE);
    stale = true;
}

/* What the host sees of an operation it was told by the operation itself, or has been told of: it
 * counts as waited for. */
static void host_knows(const struct wb_crossing *c)
{
    struct wb_past past = {0};
    wb_past_join(&past, &c->before);
    wb_past_add(&past, c->line, c->number);
    wb_pending_lift();
    wb_crossing_host_waited(&past);
    wb_past_clear(&past);
    wb_pending_lower();
}

enum wb_pending wb_pending_fault(uint64_t address, bool write,
                                 const struct wb_place *(*place)(uintptr_t pc), uintptr_t pc)
{
    const struct wb_allocation *a = wb_heap_find(address);
    const struct wb_sim_touch *touch;
    if (!a || !wb_heap_on_host(a) || a->kind == WB_MEMORY_REGISTERED) {
        return WB_PENDING_NOT;
    }
    const struct wb_crossing *c = place ? find_conflict(&touch, address, write) : NULL;
    if (!c) {
        open_page(address);
        return WB_PENDING_STEP;
    }
    if (!(touch->how & WB_TOUCH_SYSTEM)) {
        tell(c, touch, address, write, place(pc));
    }
    host_knows(c);
    return WB_PENDING_AGAIN;
}
