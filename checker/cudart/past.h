/* SPDX-License-Identifier: MIT
 * past: what has certainly happened before. Operations have numbers in the order of submission, and
 * belong to a line in which each waits for the one before it: a stream, a node of a graph. A past
 * says for each line up to which number it is known. Streams, events and the host have one.
 */
#ifndef WB_CUDART_PAST_H
#define WB_CUDART_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_past_row {
    uint64_t line, number;
};

struct wb_past {
    uint64_t all; /* every operation up to this number, of whichever line */
    struct wb_past_row *rows;
    size_t count, capacity;
};

bool wb_past_has(const struct wb_past *past, uint64_t line, uint64_t number);
void wb_past_add(struct wb_past *past, uint64_t line, uint64_t number);
/* Everything up to the number. */
void wb_past_add_all(struct wb_past *past, uint64_t number);
void wb_past_join(struct wb_past *past, const struct wb_past *other);
/* Nothing is known, no memory is held. */
void wb_past_clear(struct wb_past *past);

#endif
