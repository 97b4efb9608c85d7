/* SPDX-License-Identifier: MIT
 * String builder on an arena.
 */
#include <warpbook/base.h>

#include <stdio.h>
#include <string.h>

void wb_str_init(struct wb_str *str, struct wb_arena *arena)
{
    *str = (struct wb_str){.arena = arena};
}

static void reserve(struct wb_str *str, size_t more)
{
    if (str->capacity - str->length > more) {
        return;
    }
    size_t larger = str->capacity ? str->capacity * 2 : 256;
    while (larger - str->length <= more) {
        larger *= 2;
    }
    char *moved = wb_arena_alloc(str->arena, larger);
    if (str->length) {
        memcpy(moved, str->data, str->length);
    }
    str->data = moved;
    str->capacity = larger;
}

void wb_str_add_bytes(struct wb_str *str, const void *data, size_t size)
{
    reserve(str, size);
    if (size) {
        memcpy(str->data + str->length, data, size);
    }
    str->length += size;
    str->data[str->length] = '\0';
}

void wb_str_add(struct wb_str *str, const char *string)
{
    wb_str_add_bytes(str, string, strlen(string));
}

void wb_str_printf(struct wb_str *str, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0) {
        reserve(str, (size_t)length);
        vsnprintf(str->data + str->length, (size_t)length + 1, format, again);
        str->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

const char *wb_str_get(const struct wb_str *str)
{
    return str->data ? str->data : "";
}

bool wb_starts_with(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool wb_ends_with(const char *string, const char *suffix)
{
    size_t length = strlen(string), tail = strlen(suffix);
    return length >= tail && strcmp(string + length - tail, suffix) == 0;
}
