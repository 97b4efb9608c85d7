/* SPDX-License-Identifier: MIT
 * Copies and fills: whether both sides are memory that there is, and moving the bytes. The calls
 * with their many shapes are in copy_*.c and fill.c.
 */
#include "copy.h"
#include "copy_kind.h"
#include "guarded.h"
#include "heap.h"
#include "runtime.h"

#include <string.h>

bool wb_op_extent(uint64_t *out, const struct wb_op_side *side, size_t width, size_t height,
                  size_t depth)
{
    uint64_t rows, slices;
    return !__builtin_mul_overflow(side->pitch, (uint64_t)height - 1, &rows) &&
           !__builtin_mul_overflow(side->slice, (uint64_t)depth - 1, &slices) &&
           !__builtin_add_overflow(rows, slices, &rows) &&
           !__builtin_add_overflow(rows, (uint64_t)width, out);
}

/* Where the bytes of a side lie in this process; NULL if the side is no such memory. `device`: it
 * must be memory that the device knows; otherwise it must be the host's. */
static uint8_t *resolve(const struct wb_op_side *side, uint64_t extent, bool host, bool device)
{
    struct wb_allocation *a = wb_heap_find(side->address);
    if (a) {
        uint64_t offset = side->address - a->address;
        bool same = wb_heap_on_host(a), fits = extent <= a->size - offset;
        if (same && !fits && host) { /* part of it is other host memory */
            return (uint8_t *)(uintptr_t)side->address;
        }
        return fits && (device || same) ? a->host + offset : NULL;
    }
    return host && side->address && !wb_heap_is_device_address(side->address)
               ? (uint8_t *)(uintptr_t)side->address
               : NULL;
}

/* What may stand on either side, by the kind of copy. */
static const struct {
    bool to_host, to_device, from_host, from_device;
} kinds[] = {
    [cudaMemcpyHostToHost] = {true, false, true, false},
    [cudaMemcpyHostToDevice] = {false, true, true, true},
    [cudaMemcpyDeviceToHost] = {true, true, false, true},
    [cudaMemcpyDeviceToDevice] = {false, true, false, true},
    [cudaMemcpyDefault] = {true, true, true, true},
};

static enum cudaError find_sides(uint8_t **to, uint8_t **from, const struct wb_op_copy *c)
{
    uint64_t to_extent, from_extent;
    if ((unsigned)c->kind >= WB_ARRAY_LENGTH(kinds)) {
        return cudaErrorInvalidMemcpyDirection;
    }
    *to = *from = NULL;
    if (c->width == 0 || c->height == 0 || c->depth == 0) {
        return cudaSuccess;
    }
    if (!wb_op_extent(&to_extent, &c->to, c->width, c->height, c->depth) ||
        !wb_op_extent(&from_extent, &c->from, c->width, c->height, c->depth)) {
        return cudaErrorInvalidValue;
    }
    *to = resolve(&c->to, to_extent, kinds[c->kind].to_host, kinds[c->kind].to_device);
    *from = resolve(&c->from, from_extent, kinds[c->kind].from_host, kinds[c->kind].from_device);
    return *to && *from ? cudaSuccess : cudaErrorInvalidValue;
}

enum cudaError wb_copy_check(const struct wb_op_copy *copy)
{
    uint8_t *to, *from;
    wb_copy_kind_check(copy);
    return find_sides(&to, &from, copy);
}

static const struct wb_op_copy *volatile moving; /* the copy under way: for a signal handler */

enum cudaError wb_copy_run(const struct wb_op_copy *c)
{
    uint8_t *to, *from;
    enum cudaError error = find_sides(&to, &from, c);
    if (error != cudaSuccess || !to) {
        return error;
    }
    moving = c;
    for (size_t z = 0; z < c->depth; z++) {
        for (size_t y = 0; y < c->height; y++) {
            memmove(to + z * c->to.slice + y * c->to.pitch,
                    from + z * c->from.slice + y * c->from.pitch, c->width);
        }
    }
    moving = NULL;
    wb_guard_copied(&c->to, &c->from, c->width, c->height, c->depth);
    return cudaSuccess;
}

const struct wb_op_side *wb_copy_side(bool *source, uint64_t *extent, uint64_t address)
{
    const struct wb_op_side *sides[] = {moving ? &moving->from : NULL, moving ? &moving->to : NULL};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sides); i++) {
        if (sides[i] &&
            wb_op_extent(extent, sides[i], moving->width, moving->height, moving->depth) &&
            address - sides[i]->address < *extent) {
            *source = i == 0;
            return sides[i];
        }
    }
    return NULL;
}

/* ---- fills ----------------------------------------------------------------------------------- */

static enum cudaError find_filled(uint8_t **to, const struct wb_op_fill *f)
{
    uint64_t width, extent;
    *to = NULL;
    if (f->width == 0 || f->height == 0 || f->depth == 0) {
        return cudaSuccess;
    }
    if (__builtin_mul_overflow((uint64_t)f->width, (uint64_t)f->element, &width) ||
        !wb_op_extent(&extent, &f->to, width, f->height, f->depth)) {
        return cudaErrorInvalidValue;
    }
    *to = resolve(&f->to, extent, false, true);
    return *to ? cudaSuccess : cudaErrorInvalidValue;
}

enum cudaError wb_fill_check(const struct wb_op_fill *fill)
{
    uint8_t *to;
    return find_filled(&to, fill);
}

static void fill_row(uint8_t *row, const struct wb_op_fill *f)
{
    if (f->element == 1) {
        memset(row, (int)(f->value & 0xff), f->width);
        return;
    }
    for (size_t x = 0; x < f->width; x++) {
        memcpy(row + x * f->element, &f->value, f->element);
    }
}

enum cudaError wb_fill_run(const struct wb_op_fill *f)
{
    uint8_t *to;
    enum cudaError error = find_filled(&to, f);
    if (error != cudaSuccess || !to) {
        return error;
    }
    for (size_t z = 0; z < f->depth; z++) {
        for (size_t y = 0; y < f->height; y++) {
            fill_row(to + z * f->to.slice + y * f->to.pitch, f);
        }
    }
    wb_guard_filled(&f->to, f->width * f->element, f->height, f->depth);
    return cudaSuccess;
}
