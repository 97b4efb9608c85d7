/* SPDX-License-Identifier: MIT
 * See crossing.h. Only operations that the host has not waited for are kept, and of those only what
 * may still meet something: all of them while there are several streams, else the ones that used
 * memory which the host sees.
 */
#include "crossing.h"

#include "demangle.h"
#include "enter.h"
#include "guarded.h"
#include "heap.h"
#include "held.h"
#include "log.h"
#include "misuse.h"
#include "pending.h"
#include "stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_KEPT = 256,          /* operations; then the oldest goes */
    MAX_TOUCHES = 1 << 20,   /* pieces of memory that all of them used */
    MAX_ROWS = 1 << 14,      /* of a copy or fill */
    NODE_LINES = 1 << 30,    /* streams have lines below */
    CLAIMS = WB_OP_HOST + 1, /* a kind of its own: memory is made or freed */
};

static struct {
    struct wb_crossing *items[MAX_KEPT];
    size_t count, touches;
    uint64_t number, lines; /* last ones given */
    struct wb_past host;
    struct wb_past *line_past; /* of wb_crossing_line */
} all;

/* ---- what is kept ---------------------------------------------------------------------------- */

struct wb_crossing *const *wb_crossings(size_t *count)
{
    *count = all.count;
    return all.items;
}

static void destroy(struct wb_crossing *c)
{
    if (c) {
        wb_past_clear(&c->before);
        free(c->kernel);
        free(c->touches);
        free(c);
    }
}

static void drop(size_t at)
{
    all.touches -= all.items[at]->count;
    destroy(all.items[at]);
    all.count--;
    memmove(&all.items[at], &all.items[at + 1], (all.count - at) * sizeof all.items[0]);
}

/* Drops what the host knows. */
static void retire(void)
{
    for (size_t i = all.count; i-- > 0;) {
        if (wb_past_has(&all.host, all.items[i]->line, all.items[i]->number)) {
            drop(i);
        }
    }
    all.host.count = 0; /* they say nothing of what is left */
    wb_pending_changed();
}

void wb_crossing_trim(struct wb_past *past)
{
    size_t kept = 0;
    for (size_t i = 0; i < past->count; i++) {
        size_t k = 0;
        while (k < all.count && all.items[k]->line != past->rows[i].line) {
            k++;
        }
        if (k < all.count) {
            past->rows[kept++] = past->rows[i];
        }
    }
    past->count = kept;
}

static bool uses_the_same(const struct wb_crossing *a, const struct wb_crossing *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = a->touches[i].address == b->touches[i].address &&
               a->touches[i].size == b->touches[i].size && a->touches[i].how == b->touches[i].how;
    }
    return same;
}

/* An older one that it waited for is not needed if it used the same memory in the same way. */
static void keep(struct wb_crossing *c)
{
    for (size_t i = all.count; i-- > 0;) {
        const struct wb_crossing *old = all.items[i];
        if (wb_past_has(&c->before, old->line, old->number) && uses_the_same(c, old)) {
            drop(i);
        }
    }
    while (all.count == MAX_KEPT || (all.count && all.touches + c->count > MAX_TOUCHES)) {
        drop(0);
    }
    all.items[all.count++] = c;
    all.touches += c->count;
    wb_pending_changed();
}

/* ---- the host -------------------------------------------------------------------------------- */

const struct wb_past *wb_crossing_host(void)
{
    return &all.host;
}

void wb_crossing_host_waited(const struct wb_past *past)
{
    if (wb_guard_wanted()) {
        wb_past_join(&all.host, past);
        retire();
    }
}

void wb_crossing_host_waited_all(void)
{
    if (wb_guard_wanted()) {
        wb_past_add_all(&all.host, all.number);
        retire();
    }
}

void wb_crossing_forget(void)
{
    wb_pending_lift();
    wb_crossing_host_waited_all();
}

void wb_crossing_line(struct wb_past *past)
{
    all.line_past = past;
    all.lines++;
}

/* ---- what an operation uses ------------------------------------------------------------------ */

/* Adds bytes of an allocation; `shared`: only if the host sees it. */
static void add(struct wb_crossing *c, size_t *capacity, const struct wb_sim_touch *touch,
                bool shared)
{
    const struct wb_allocation *a = wb_heap_find(touch->address);
    if (!a || (shared && !wb_heap_on_host(a))) {
        return;
    }
    if (c->count == *capacity) {
        size_t more = *capacity ? 2 * *capacity : 8;
        struct wb_sim_touch *grown = realloc(c->touches, more * sizeof *grown);
        if (!grown) {
            return;
        }
        c->touches = grown;
        *capacity = more;
    }
    c->touches[c->count++] = *touch;
}

static void add_side(struct wb_crossing *c, size_t *capacity, const struct wb_op_side *side,
                     size_t width, size_t height, size_t depth, unsigned how, bool shared)
{
    if (height > MAX_ROWS || depth > MAX_ROWS || height * depth > MAX_ROWS) {
        return;
    }
    bool solid = height > 1 && side->pitch == width;
    for (size_t z = 0; z < depth; z++) {
        for (size_t y = 0; y < (solid ? 1 : height); y++) {
            add(c, capacity,
                &(struct wb_sim_touch){
                    .address = side->address + z * side->slice + y * side->pitch,
                    .size = solid ? width * height : width,
                    .how = how,
                },
                shared);
        }
    }
}

static int by_address(const void *a, const void *b)
{
    const struct wb_sim_touch *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static void collect(struct wb_crossing *c, const struct wb_op *op,
                    const struct wb_sim_touches *touches, bool shared)
{
    size_t capacity = 0;
    if (op->kind == WB_OP_COPY) {
        const struct wb_op_copy *copy = &op->copy;
        add_side(c, &capacity, &copy->from, copy->width, copy->height, copy->depth, 0, shared);
        add_side(c, &capacity, &copy->to, copy->width, copy->height, copy->depth, WB_TOUCH_WRITE,
                 shared);
    } else if (op->kind == WB_OP_FILL) {
        const struct wb_op_fill *fill = &op->fill;
        add_side(c, &capacity, &fill->to, fill->width * fill->element, fill->height, fill->depth,
                 WB_TOUCH_WRITE, shared);
    }
    for (size_t i = 0; touches && !touches->incomplete && i < touches->count; i++) {
        add(c, &capacity, &touches->items[i], shared);
    }
    if (c->count > 1 && !touches) {
        qsort(c->touches, c->count, sizeof *c->touches, by_address);
    }
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* May two uses of the same bytes happen in any order? */
static bool agree(unsigned a, unsigned b)
{
    return !((a | b) & WB_TOUCH_WRITE) || (a & b & WB_TOUCH_DEVICE);
}

/* The first bytes that both use and on which they do not agree. */
static bool meet(const struct wb_sim_touch **mine, const struct wb_sim_touch **theirs,
                 const struct wb_crossing *a, const struct wb_crossing *b)
{
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const struct wb_sim_touch *x = &a->touches[i], *y = &b->touches[k];
        bool overlap = x->address < y->address + y->size && y->address < x->address + x->size;
        if (overlap && !agree(x->how, y->how)) {
            *mine = x;
            *theirs = y;
            return true;
        }
        if (x->address + x->size <= y->address + y->size) {
            i++;
        } else {
            k++;
        }
    }
    return false;
}

const char *wb_crossing_name(char *text, size_t size, const struct wb_crossing *c)
{
    static const char *const names[] = {
        [WB_OP_EMPTY] = "an operation",   [WB_OP_COPY] = "a copy",        [WB_OP_FILL] = "a fill",
        [WB_OP_HOST] = "a host function", [CLAIMS] = "making or freeing",
    };
    if (c->kind == WB_OP_KERNEL) {
        snprintf(text, size, "kernel %.120s", c->kernel ? c->kernel : "?");
    } else {
        snprintf(text, size, "%s", names[c->kind]);
    }
    return text;
}

static const char *verb(const struct wb_crossing *c, const struct wb_sim_touch *touch)
{
    return (unsigned)c->kind == CLAIMS   ? "takes or gives back"
           : touch->how & WB_TOUCH_WRITE ? "writes"
                                         : "reads";
}

static void tell(const struct wb_crossing *now, const struct wb_sim_touch *mine,
                 const struct wb_crossing *before, const struct wb_sim_touch *theirs)
{
    char what[400] = "memory", where[WB_PLACE_TEXT], mine_name[160], their_name[160];
    uint64_t first = mine->address > theirs->address ? mine->address : theirs->address;
    const bool graph = now->line > NODE_LINES && before->line > NODE_LINES;
    wb_misuse_describe(what, sizeof what, first);
    wb_log_finding_with(
        WB_REASON_RACE, now->place,
        &(struct wb_log_other){before->place, "the other operation comes from here"},
        graph ? "Give the second node the first one as a dependency."
              : "Let the second wait for the first: record an event behind the first "
                "(cudaEventRecord) and give it to the second's stream (cudaStreamWaitEvent), or "
                "call cudaStreamSynchronize between them.",
        "%s %s %s, which %s (%s) %s in another %s: nothing says which comes first",
        wb_crossing_name(mine_name, sizeof mine_name, now), verb(now, mine), what,
        wb_crossing_name(their_name, sizeof their_name, before),
        wb_place_text(where, sizeof where, before->place), verb(before, theirs),
        graph ? "branch of the graph" : "stream");
}

static void compare(const struct wb_crossing *now)
{
    const struct wb_sim_touch *mine, *theirs;
    for (size_t i = 0; i < all.count; i++) {
        const struct wb_crossing *before = all.items[i];
        if (!wb_past_has(&now->before, before->line, before->number) &&
            meet(&mine, &theirs, now, before)) {
            tell(now, mine, before, theirs);
            return;
        }
    }
}

void wb_crossing_host_runs(cudaStream_t handle)
{
    struct wb_stream *stream = wb_stream_find(handle);
    wb_pending_lift();
    if (wb_guard_wanted() && stream && !all.line_past) {
        wb_stream_gather(stream);
    }
    if (stream) {
        wb_crossing_host_waited(all.line_past ? all.line_past : &stream->past);
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

/* One that runs now, without what it uses. NULL: no memory, or no such stream. */
static struct wb_crossing *make(struct wb_past **past, const struct wb_op *op, cudaStream_t handle)
{
    struct wb_stream *stream = wb_stream_find(handle);
    struct wb_crossing *c = stream ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        return NULL;
    }
    if (!all.line_past) {
        wb_stream_gather(stream);
    }
    *past = all.line_past ? all.line_past : &stream->past;
    c->line = all.line_past ? NODE_LINES + all.lines : stream->id;
    c->number = ++all.number;
    c->kind = op->kind;
    c->place = op->kind == WB_OP_KERNEL && op->kernel.place ? op->kernel.place : wb_call_place();
    wb_past_join(&c->before, *past);
    return c;
}

static void judge(struct wb_crossing *c, struct wb_past *past)
{
    if (c->count == 0) {
        destroy(c);
        return;
    }
    compare(c);
    wb_past_add(past, c->line, c->number);
    keep(c);
}

bool wb_crossing_wanted(void)
{
    return all.line_past || wb_stream_are_several() || wb_heap_shares();
}

void wb_crossing_ran(const struct wb_op *op, cudaStream_t stream,
                     const struct wb_sim_touches *touches)
{
    bool several = all.line_past || wb_stream_are_several();
    struct wb_past *past;
    if (!wb_guard_wanted() || (!several && !wb_heap_shares()) || wb_held_is_late()) {
        return;
    }
    struct wb_crossing *c = make(&past, op, stream);
    if (c) {
        collect(c, op, touches, !several);
        if (c->count && op->kind == WB_OP_KERNEL) {
            c->kernel = wb_demangle_short(op->kernel.function->kernel->name);
        }
        judge(c, past);
    }
}

void wb_crossing_owns(cudaStream_t stream, uint64_t address, uint64_t size)
{
    const struct wb_op op = {.kind = (enum wb_op_kind)CLAIMS};
    struct wb_past *past;
    struct wb_crossing *c =
        wb_guard_wanted() && wb_stream_are_several() ? make(&past, &op, stream) : NULL;
    size_t capacity = 0;
    if (c) {
        add(c, &capacity,
            &(struct wb_sim_touch){.address = address, .size = size, .how = WB_TOUCH_WRITE}, false);
        judge(c, past);
    }
}
