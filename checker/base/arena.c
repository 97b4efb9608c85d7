/* SPDX-License-Identifier: MIT
 * Arena: a list of blocks that are freed together. Small requests share a block; a large one gets
 * a block of its own, so that growing a big list wastes no more than the lists it outgrew.
 */
#include <warpbook/base.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 16 };

struct wb_arena_block {
    struct wb_arena_block *next;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char data[];
};

void wb_arena_init(struct wb_arena *arena)
{
    arena->blocks = NULL;
}

void wb_arena_finish(struct wb_arena *arena)
{
    while (arena->blocks) {
        struct wb_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

static struct wb_arena_block *block_create(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct wb_arena_block)) {
        abort();
    }
    struct wb_arena_block *block = calloc(1, sizeof *block + size);
    if (!block) {
        abort(); /* nothing useful can be done without memory; see base.h */
    }
    block->size = size;
    return block;
}

void *wb_arena_alloc(struct wb_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT) {
        abort();
    }
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    struct wb_arena_block *block = arena->blocks;
    if (!block || size > block->size - block->used) {
        bool large = size > BLOCK_SIZE / 4;
        struct wb_arena_block *fresh = block_create(large ? size : BLOCK_SIZE);
        if (large && block) { /* behind the head, whose free room stays in use */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->blocks = fresh;
        }
        block = fresh;
    }
    void *result = block->data + block->used;
    block->used += size;
    return result;
}

void *wb_arena_copy(struct wb_arena *arena, const void *data, size_t size)
{
    void *copy = wb_arena_alloc(arena, size);
    if (size) {
        memcpy(copy, data, size);
    }
    return copy;
}

char *wb_arena_strndup(struct wb_arena *arena, const char *string, size_t length)
{
    char *copy = wb_arena_alloc(arena, length + 1);
    memcpy(copy, string, length);
    return copy;
}

char *wb_arena_strdup(struct wb_arena *arena, const char *string)
{
    return wb_arena_strndup(arena, string, strlen(string));
}

char *wb_arena_vprintf(struct wb_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = wb_arena_alloc(arena, length < 0 ? 1 : (size_t)length + 1);
    if (length >= 0) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

char *wb_arena_printf(struct wb_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = wb_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

void *wb_arena_grow(struct wb_arena *arena, void *items, size_t *capacity, size_t count,
                    size_t item_size)
{
    if (count < *capacity) {
        return items;
    }
    size_t larger = *capacity ? *capacity * 2 : 8;
    if (larger > SIZE_MAX / item_size) {
        abort();
    }
    void *moved = wb_arena_alloc(arena, larger * item_size);
    if (count) {
        memcpy(moved, items, count * item_size);
    }
    *capacity = larger;
    return moved;
}
