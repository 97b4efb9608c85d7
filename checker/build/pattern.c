/* SPDX-License-Identifier: MIT
 * Matching with % and filling in $1: just what the tables of messages need.
 */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

bool wb_pattern_matches(struct wb_captures *captures, const char *pattern, const char *text)
{
    for (; *pattern && *pattern != '%'; pattern++, text++) {
        if (*pattern != *text) {
            return false;
        }
    }
    if (!*pattern) {
        return true;
    }
    const unsigned index = captures->count++;
    const char *end = pattern[1] ? text : text + strlen(text); /* the last one takes all */
    for (;; end++) {
        if (wb_pattern_matches(captures, pattern + 1, end)) {
            if (index < WB_MAX_CAPTURES) {
                captures->start[index] = text;
                captures->length[index] = (size_t)(end - text);
            }
            return true;
        }
        captures->count = index + 1;
        if (!*end) {
            captures->count = index;
            return false;
        }
    }
}

bool wb_pattern_found(struct wb_captures *captures, const char *pattern, const char *text)
{
    for (;; text++) {
        captures->count = 0;
        if (wb_pattern_matches(captures, pattern, text)) {
            return true;
        }
        if (!*text) {
            return false;
        }
    }
}

static void add_capture(struct wb_str *str, const char *start, size_t length)
{
    if (length > 2 && strncmp(start, "0x", 2) == 0) {
        wb_str_printf(str, "%llu", strtoull(start, NULL, 16));
    } else {
        wb_str_add_bytes(str, start, length);
    }
}

char *wb_pattern_fill(struct wb_arena *arena, const char *model, const struct wb_captures *captures)
{
    struct wb_str str;
    wb_str_init(&str, arena);
    wb_str_add(&str, "");
    for (; *model; model++) {
        unsigned index = (unsigned)(model[1] - '1');
        if (*model == '$' && index < WB_MAX_CAPTURES && index < captures->count) {
            add_capture(&str, captures->start[index], captures->length[index]);
            model++;
        } else {
            wb_str_add_bytes(&str, model, 1);
        }
    }
    return str.data;
}
