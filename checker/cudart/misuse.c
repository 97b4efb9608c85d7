/* SPDX-License-Identifier: MIT
 * See misuse.h. Memory of the host that CUDA does not know is not judged: nobody knows its size.
 */
#include "misuse.h"

#include "enter.h"
#include "freed.h"
#include "log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 300, PART = 40 }; /* bytes of texts */

/* "`weights` (16 bytes)": names of several words stand without quotes. */
static const char *name_of(char *text, const char *name, size_t size)
{
    const char *quote = strchr(name, ' ') ? "" : "`";
    snprintf(text, NAME, "%s%.200s%s (%zu byte%s)", quote, name, quote, size, size == 1 ? "" : "s");
    return text;
}

/* "byte 12 of ", or "" for the whole. */
static const char *part_of(char *text, uint64_t offset)
{
    *text = '\0';
    if (offset) {
        snprintf(text, PART, "byte %" PRIu64 " of ", offset);
    }
    return text;
}

bool wb_misuse_describe(char *text, size_t size, uint64_t address)
{
    const struct wb_allocation *a = wb_heap_find(address);
    const struct wb_freed *freed = a ? NULL : wb_freed_find(address);
    char name[NAME], where[WB_PLACE_TEXT + 8], part[PART];
    if (a) {
        snprintf(text, size, "%s%s", part_of(part, address - a->address),
                 name_of(name, a->name, a->size));
    } else if (freed) {
        snprintf(text, size, "%s%s, which was freed%s", part_of(part, address - freed->address),
                 name_of(name, freed->name, freed->size),
                 wb_freed_where(where, sizeof where, freed));
    }
    return a || freed;
}

/* ---- copies and fills ------------------------------------------------------------------------ */

static const char *current_name(void)
{
    const struct wb_call *call = wb_call_current();
    return call ? wb_call_name(call) : "the operation";
}

/* "cudaMalloc takes bytes, too" where the allocation is too small by the size of an element. */
static const char *size_advice(uint64_t wanted, const struct wb_allocation *a)
{
    bool elements = wanted == 4 * (uint64_t)a->size || wanted == 8 * (uint64_t)a->size;
    if (a->kind == WB_MEMORY_VARIABLE) {
        return "Sizes and offsets are in bytes. Compare them with sizeof of the variable.";
    }
    return elements ? "The allocation is too small by just the size of an element: allocate n * "
                      "sizeof(element) bytes."
                    : "Sizes are in bytes. Compare this one with that of the allocation.";
}

static void find_beyond(const char *verb, const struct wb_allocation *a, uint64_t address,
                        uint64_t extent)
{
    const uint64_t offset = address - a->address, past = offset + extent - a->size;
    char name[NAME], from[48] = "";
    if (offset) {
        snprintf(from, sizeof from, ", from byte %" PRIu64 " on", offset);
    }
    wb_log_finding(WB_REASON_OUT_OF_BOUNDS, NULL, size_advice(offset + extent, a),
                   "%s %s %" PRIu64 " bytes of %s%s: %" PRIu64 " byte%s too many", current_name(),
                   verb, extent, name_of(name, a->name, a->size), from, past, past == 1 ? "" : "s");
}

/* One side of an operation: `verb` is what it does there. */
static void check_side(const char *verb, uint64_t address, uint64_t extent)
{
    const struct wb_allocation *a = wb_heap_find(address);
    char text[NAME + WB_PLACE_TEXT];
    if (a && extent > a->size - (address - a->address)) {
        find_beyond(verb, a, address, extent);
    } else if (!a && wb_heap_is_device_address(address) &&
               wb_misuse_describe(text, sizeof text, address)) {
        wb_log_finding(WB_REASON_OUT_OF_BOUNDS, NULL,
                       "Free memory only behind the last kernel and copy that use it.", "%s %s %s",
                       current_name(), verb, text);
    } else if (!a && wb_heap_is_device_address(address)) {
        wb_log_finding(WB_REASON_OUT_OF_BOUNDS, NULL,
                       "Look for pointer arithmetic that left the array it began in.",
                       "%s %s device memory at 0x%" PRIx64 ", where no allocation is",
                       current_name(), verb, address);
    }
}

void wb_misuse_op(const struct wb_op *op)
{
    const struct wb_op_copy *c = &op->copy;
    const struct wb_op_fill *f = &op->fill;
    uint64_t extent, width;
    if (op->kind == WB_OP_COPY) {
        if (wb_op_extent(&extent, &c->from, c->width, c->height, c->depth)) {
            check_side("reads", c->from.address, extent);
        }
        if (wb_op_extent(&extent, &c->to, c->width, c->height, c->depth)) {
            check_side("writes", c->to.address, extent);
        }
    } else if (op->kind == WB_OP_FILL &&
               !__builtin_mul_overflow((uint64_t)f->width, (uint64_t)f->element, &width) &&
               wb_op_extent(&extent, &f->to, width, f->height, f->depth)) {
        check_side("writes", f->to.address, extent);
    }
}

void wb_misuse_symbol(const struct wb_allocation *variable, size_t offset, size_t size)
{
    if (size <= SIZE_MAX - offset) {
        find_beyond("copies", variable, variable->address + offset, size);
    }
}

void wb_misuse_fault(struct wb_fault *fault)
{
    const struct wb_freed *freed = wb_freed_find(fault->address);
    static const char words[] = " after it was freed";
    char where[WB_PLACE_TEXT + 8], rest[sizeof fault->message];
    char *end = strstr(fault->message, words);
    if (end && freed) {
        end += strlen(words);
        snprintf(rest, sizeof rest, "%s", end);
        snprintf(end, sizeof fault->message - (size_t)(end - fault->message), "%s%s",
                 wb_freed_where(where, sizeof where, freed), rest);
    }
}

/* ---- frees ----------------------------------------------------------------------------------- */

/* How memory of each kind is given back. */
static const char *const ways[] = {
    [WB_MEMORY_DEVICE] = "Free device memory with cudaFree.",
    [WB_MEMORY_PINNED] = "Free it with cudaFreeHost.",
    [WB_MEMORY_REGISTERED] = "Call cudaHostUnregister, then free it the way it was made.",
    [WB_MEMORY_MANAGED] = "Free managed memory with cudaFree.",
    [WB_MEMORY_VARIABLE] = "A variable of the device is never freed.",
    [WB_MEMORY_ARRAY] = "Free it with cudaFreeArray.",
};

/* No allocation begins or lies there. */
static void find_nothing(const void *pointer)
{
    if (wb_heap_is_host_memory((uintptr_t)pointer)) {
        wb_log_finding(
            WB_REASON_BAD_FREE, NULL,
            "Free it the way it was made: malloc with free, new[] with delete[]; a local "
            "array not at all.",
            "%s was given an address of host memory (%p) that is not CUDA's", current_name(),
            pointer);
    } else {
        wb_log_finding(WB_REASON_BAD_FREE, NULL,
                       "Set each pointer to nullptr where it is declared: freeing that does "
                       "nothing.",
                       "%s was given an address (%p) where nothing is; was the pointer ever set?",
                       current_name(), pointer);
    }
}

void wb_misuse_free(const void *pointer)
{
    const uint64_t address = (uintptr_t)pointer;
    const struct wb_allocation *a = wb_heap_find(address);
    const struct wb_freed *freed = a ? NULL : wb_freed_find(address);
    char name[NAME], where[WB_PLACE_TEXT + 8];
    if (a && address != a->address) {
        wb_log_finding(WB_REASON_BAD_FREE, NULL,
                       "Keep the pointer that the allocation gave, and free that one.",
                       "%s was given an address inside of %s, %" PRIu64 " bytes behind its start",
                       current_name(), name_of(name, a->name, a->size), address - a->address);
    } else if (a) {
        wb_log_finding(WB_REASON_BAD_FREE, NULL, ways[a->kind], "%s cannot free %s", current_name(),
                       name_of(name, a->name, a->size));
    } else if (freed) {
        wb_log_finding(WB_REASON_BAD_FREE, NULL,
                       "Free each allocation once; set the pointer to nullptr after that.",
                       "%s was given %s, which was freed before%s", current_name(),
                       name_of(name, freed->name, freed->size),
                       wb_freed_where(where, sizeof where, freed));
    } else {
        find_nothing(pointer);
    }
}
