/* SPDX-License-Identifier: MIT
 * See past.h. Rows that `all` makes needless are dropped, so pasts stay as short as the list of
 * streams that the host has not waited for.
 */
#include "past.h"

#include <stdlib.h>

static struct wb_past_row *find(const struct wb_past *past, uint64_t line)
{
    for (size_t i = 0; i < past->count; i++) {
        if (past->rows[i].line == line) {
            return &past->rows[i];
        }
    }
    return NULL;
}

bool wb_past_has(const struct wb_past *past, uint64_t line, uint64_t number)
{
    const struct wb_past_row *row = find(past, line);
    return number <= past->all || (row && number <= row->number);
}

void wb_past_add(struct wb_past *past, uint64_t line, uint64_t number)
{
    struct wb_past_row *row = find(past, line);
    if (number <= past->all) {
        return;
    }
    if (row) {
        row->number = row->number < number ? number : row->number;
        return;
    }
    if (past->count == past->capacity) {
        size_t capacity = past->capacity ? 2 * past->capacity : 4;
        struct wb_past_row *grown = realloc(past->rows, capacity * sizeof *grown);
        if (!grown) {
            past->all = number; /* claims more than is known: that raises no false alarm */
            return;
        }
        past->rows = grown;
        past->capacity = capacity;
    }
    past->rows[past->count++] = (struct wb_past_row){line, number};
}

void wb_past_add_all(struct wb_past *past, uint64_t number)
{
    size_t kept = 0;
    past->all = past->all < number ? number : past->all;
    for (size_t i = 0; i < past->count; i++) {
        if (past->rows[i].number > past->all) {
            past->rows[kept++] = past->rows[i];
        }
    }
    past->count = kept;
}

void wb_past_join(struct wb_past *past, const struct wb_past *other)
{
    if (past == other) {
        return;
    }
    wb_past_add_all(past, other->all);
    for (size_t i = 0; i < other->count; i++) {
        wb_past_add(past, other->rows[i].line, other->rows[i].number);
    }
}

void wb_past_clear(struct wb_past *past)
{
    free(past->rows);
    *past = (struct wb_past){0};
}
