/* SPDX-License-Identifier: MIT
 * Attributes of modules and kernels. To read another one, add its number to the enum and a case
 * to take_function_attribute (those of .nv.info) or take_kernel_attribute.
 */
#include "nvinfo.h"
#include "bytes.h"

#include <stdlib.h>

enum attribute_number {
    MAX_THREADS = 0x05, /* x, y, z of __launch_bounds__ */
    PARAM_BANK = 0x0a,  /* symbol of bank 0, offset and size of the parameters */
    BLOCK_SIZE = 0x10,  /* x, y, z of __block_size__ */
    FRAME_SIZE = 0x11,  /* symbol, bytes of stack of the function alone */
    STACK_SIZE = 0x12,  /* symbol, bytes of stack with the functions it calls */
    PARAM = 0x17,       /* 0, ordinal, offset, size << 18 and flags */
    REGISTERS = 0x2f,   /* symbol, registers a thread */
    CLUSTER = 0x3d,     /* x, y, z of __cluster_dims__ */
    LARGE_PARAM = 0x45, /* as PARAM, but with a size of 32 bits */
};

#define UNKNOWN_STACK UINT32_MAX /* value of STACK_SIZE: functions call themselves */

/* What no GPU exceeds; a larger value is a sign of a damaged file. */
enum {
    MAX_REGISTERS = 255,
    MAX_LOCAL_BYTES = 512 * 1024,
    MAX_PARAM_BASE = 4096,
    MAX_PARAM_SIZE = 32 * 1024,
    MAX_BLOCK = 1024,
    MAX_CLUSTER = 64,
};

enum { ENTRY_FLAG = 0x10 }; /* in st_other */

/* Attributes with a value in place of data hold nothing that we need: their data is empty. */
struct attribute {
    unsigned number;
    struct wb_cursor data;
};

static bool next_attribute(struct attribute *attribute, struct wb_cursor *cursor)
{
    enum { HAS_DATA = 4 };
    if (wb_cursor_left(cursor) == 0) {
        return false;
    }
    unsigned format = wb_cursor_u8(cursor);
    attribute->number = wb_cursor_u8(cursor);
    unsigned size = wb_cursor_u16(cursor);
    size = format == HAS_DATA ? size : 0;
    attribute->data = wb_cursor(wb_cursor_take(cursor, size), size);
    return !cursor->bad;
}

static bool fail_damaged(struct wb_status *status, const struct wb_elf_section *section)
{
    return WB_FAIL(status, BAD_INPUT,
                   "The file is damaged: section %s holds an attribute that makes no sense.",
                   section->name);
}

bool wb_nvinfo_is_entry(const struct wb_elf_symbol *symbol)
{
    return symbol->type == WB_ELF_FUNCTION && (symbol->other & ENTRY_FLAG) && symbol->section != 0;
}

/* False for a value that no kernel can have. */
static bool take_function_attribute(struct wb_kernel *kernel, unsigned number, uint32_t value)
{
    switch (number) {
    case REGISTERS:
        kernel->registers = value;
        return value <= MAX_REGISTERS;
    case FRAME_SIZE:
    case STACK_SIZE:
        if (value == UNKNOWN_STACK) {
            return true;
        }
        if (value > kernel->local_bytes) {
            kernel->local_bytes = value;
        }
        return value <= MAX_LOCAL_BYTES;
    default:
        return true;
    }
}

bool wb_nvinfo_read_module(struct wb_kernel *const *kernel_of_section, const struct wb_elf *elf,
                           const struct wb_elf_section *section, struct wb_status *status)
{
    struct wb_cursor cursor = wb_cursor(section->data, section->data ? section->size : 0);
    struct attribute attribute;
    while (next_attribute(&attribute, &cursor)) {
        if (wb_cursor_left(&attribute.data) != 8) {
            continue; /* not a pair of symbol and value */
        }
        uint32_t index = wb_cursor_u32(&attribute.data);
        uint32_t value = wb_cursor_u32(&attribute.data);
        const struct wb_elf_symbol *symbol =
            index < elf->symbol_count ? &elf->symbols[index] : NULL;
        if (!symbol || !wb_nvinfo_is_entry(symbol)) {
            continue; /* a function that a kernel calls */
        }
        if (!take_function_attribute(kernel_of_section[symbol->section], attribute.number, value)) {
            return fail_damaged(status, section);
        }
    }
    return cursor.bad ? fail_damaged(status, section) : true;
}

/* Three sizes, each at least 1 and at most `max`. */
static bool take_extent(unsigned extent[3], struct wb_cursor *data, unsigned max)
{
    for (int i = 0; i < 3; i++) {
        extent[i] = wb_cursor_u32(data);
        if (extent[i] < 1 || extent[i] > max) {
            return false;
        }
    }
    return !data->bad;
}

static bool take_block(struct wb_kernel *kernel, struct wb_cursor *data)
{
    unsigned block[3];
    if (!take_extent(block, data, MAX_BLOCK)) {
        return false;
    }
    kernel->max_threads = block[0] * block[1] * block[2]; /* at most 2^30 */
    return kernel->max_threads <= MAX_BLOCK;
}

static bool take_param_bank(struct wb_kernel *kernel, struct wb_cursor *data)
{
    wb_cursor_take(data, 4); /* the symbol of the bank */
    kernel->param_base = wb_cursor_u16(data);
    kernel->param_size = wb_cursor_u16(data);
    return !data->bad && kernel->param_base <= MAX_PARAM_BASE &&
           kernel->param_size <= MAX_PARAM_SIZE;
}

static void take_param(struct wb_kernel_param *param, unsigned number, struct wb_cursor *data)
{
    enum { SIZE_SHIFT = 18 };
    wb_cursor_take(data, 4 + 2); /* zero, ordinal */
    param->offset = wb_cursor_u16(data);
    param->size = wb_cursor_u32(data);
    if (number == PARAM) {
        param->size >>= SIZE_SHIFT;
    }
}

/* A list of parameters that grows while the attributes are read. */
struct params {
    struct wb_kernel_param *items;
    size_t count, capacity;
};

static bool take_kernel_attribute(struct wb_kernel *kernel, struct params *params,
                                  struct wb_arena *arena, struct attribute *attribute)
{
    switch (attribute->number) {
    case PARAM_BANK:
        return take_param_bank(kernel, &attribute->data);
    case MAX_THREADS:
    case BLOCK_SIZE:
        return take_block(kernel, &attribute->data);
    case CLUSTER:
        return take_extent(kernel->cluster, &attribute->data, MAX_CLUSTER);
    case PARAM:
    case LARGE_PARAM:
        params->items = wb_arena_grow(arena, params->items, &params->capacity, params->count,
                                      sizeof *params->items);
        take_param(&params->items[params->count++], attribute->number, &attribute->data);
        return !attribute->data.bad;
    default:
        return true;
    }
}

static int compare_params(const void *left, const void *right)
{
    const struct wb_kernel_param *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Sorted, the parameters must lie one behind the other in the parameter area. */
static bool place_params(struct wb_kernel *kernel, const struct params *params)
{
    unsigned end = 0;
    if (params->count) {
        qsort(params->items, params->count, sizeof *params->items, compare_params);
    }
    for (size_t i = 0; i < params->count; i++) {
        const struct wb_kernel_param *param = &params->items[i];
        if (param->offset < end || param->size < 1 || param->size > kernel->param_size ||
            param->offset > kernel->param_size - param->size) {
            return false;
        }
        end = param->offset + param->size;
    }
    kernel->params = params->items;
    kernel->param_count = (unsigned)params->count;
    return true;
}

bool wb_nvinfo_read_kernel(struct wb_kernel *kernel, struct wb_arena *arena,
                           const struct wb_elf_section *section, struct wb_status *status)
{
    struct wb_cursor cursor = wb_cursor(section->data, section->data ? section->size : 0);
    struct params params = {0};
    struct attribute attribute;
    while (next_attribute(&attribute, &cursor)) {
        if (!take_kernel_attribute(kernel, &params, arena, &attribute)) {
            return fail_damaged(status, section);
        }
    }
    return !cursor.bad && place_params(kernel, &params) ? true : fail_damaged(status, section);
}
