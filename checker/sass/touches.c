/* SPDX-License-Identifier: MIT
 * What a launch did to global memory, read from the cells of the pages that it used; and which
 * bytes have a value after a copy. For those who order operations: streams, the host.
 */
#include "guard.h"

#include "sim.h"

#include <string.h>

enum { MAX_TOUCHES = 1 << 16 };

struct collector {
    struct wb_sim_touches *out;
    struct wb_arena *arena;
    const struct wb_run *run;
    size_t capacity;
    uint32_t first; /* segment of the launch */
};

/* Is it an instruction whose effect the host may wait for? */
static bool is_for_system(const struct collector *c, uint32_t site)
{
    enum { SYS = 10, MMIO_SYS = 12 };
    unsigned order = c->run->program->code[site >> WB_SITE_PC].order;
    return order == SYS || order == MMIO_SYS;
}

static unsigned how_written(const struct collector *c, uint32_t site)
{
    unsigned how = WB_TOUCH_WRITE;
    bool atomic = site & WB_WROTE_ATOMIC, strong = site & WB_WROTE_STRONG;
    how |= atomic || strong ? WB_TOUCH_DEVICE : 0;
    return how | ((strong && !atomic) || is_for_system(c, site) ? WB_TOUCH_SYSTEM : 0);
}

static void add(struct collector *c, const struct wb_sim_touch *touch)
{
    struct wb_sim_touches *out = c->out;
    struct wb_sim_touch *last = out->count ? &out->items[out->count - 1] : NULL;
    if (last && last->how == touch->how && last->address + last->size == touch->address) {
        last->size += touch->size;
    } else if (out->count == MAX_TOUCHES) {
        out->incomplete = true;
    } else {
        out->items =
            wb_arena_grow(c->arena, out->items, &c->capacity, out->count, sizeof *out->items);
        out->items[out->count++] = *touch;
    }
}

static void collect_page(struct collector *c, uint64_t address, const struct wb_shadow_page *page)
{
    const unsigned count = WB_SHADOW_PAGE >> page->shift;
    for (unsigned i = 0; i < count && !c->out->incomplete; i++) {
        struct wb_sim_touch touch = {.address = address + ((uint64_t)i << page->shift),
                                     .size = UINT64_C(1) << page->shift};
        if (page->write[i] >= c->first) {
            touch.how = how_written(c, page->write_site[i]);
            touch.pc = (page->write_site[i] >> WB_SITE_PC) * 16;
            add(c, &touch);
        } else if (page->read[i] >= c->first) {
            touch.how = page->read_site[i] & WB_READ_STRONG ? WB_TOUCH_DEVICE | WB_TOUCH_SYSTEM : 0;
            touch.pc = (page->read_site[i] >> WB_SITE_PC) * 16;
            add(c, &touch);
        }
    }
}

void wb_touches_collect(struct wb_sim_touches *out, struct wb_arena *arena,
                        const struct wb_run *run)
{
    const struct wb_memory *memory = &run->sim->memory;
    struct collector c = {.out = out, .arena = arena, .run = run, .first = run->guard->order.first};
    *out = (struct wb_sim_touches){0};
    for (size_t i = 0; i < memory->count; i++) {
        const struct wb_region *r = &memory->regions[i];
        uint64_t pages = !r->freed && r->shadow ? r->size / WB_SHADOW_PAGE + 1 : 0;
        for (uint64_t p = 0; p < pages; p++) {
            if (r->shadow->touched[p] >= c.first && r->shadow->pages[p]) {
                collect_page(&c, r->address + p * WB_SHADOW_PAGE, r->shadow->pages[p]);
            }
        }
    }
}

/* ---- definedness ----------------------------------------------------------------------------- */

/* The marks of a live region for `size` bytes; NULL: all have a value. */
static const uint8_t *marks_of(uint64_t *offset, const struct wb_sim *sim, uint64_t address,
                               uint64_t size)
{
    const struct wb_region *r = wb_memory_region(&sim->memory, address);
    bool inside = r && !r->freed && address - r->address < r->size &&
                  size <= r->size - (address - r->address);
    *offset = inside ? address - r->address : 0;
    return inside && r->shadow ? r->shadow->defined : NULL;
}

static bool has_mark(const uint8_t *marks, uint64_t offset)
{
    return marks[offset / 8] >> offset % 8 & 1;
}

bool wb_sim_define_as(struct wb_sim *sim, uint64_t to, uint64_t from, uint64_t size)
{
    uint64_t offset, end;
    const uint8_t *marks = marks_of(&offset, sim, from, size);
    bool ok = true;
    for (uint64_t at = 0; marks && ok && at < size; at = end) {
        bool defined = has_mark(marks, offset + at);
        uint8_t whole = defined ? 0xff : 0;
        for (end = at + 1; end < size && has_mark(marks, offset + end) == defined;) {
            bool eight =
                (offset + end) % 8 == 0 && size - end >= 8 && marks[(offset + end) / 8] == whole;
            end += eight ? 8 : 1;
        }
        ok = wb_sim_define(sim, to + at, end - at, defined);
    }
    return marks ? ok : wb_sim_define(sim, to, size, true);
}
