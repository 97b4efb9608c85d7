/* SPDX-License-Identifier: MIT
 * See freed.h: a ring, which is only searched when something went wrong.
 */
#include "freed.h"

#include "enter.h"
#include "log.h"

#include <stdio.h>

enum { KEPT = 1024 };

static struct wb_freed ring[KEPT];
static size_t count; /* of all that were ever added */

void wb_freed_add(const struct wb_allocation *allocation)
{
    ring[count++ % KEPT] = (struct wb_freed){
        .address = allocation->address,
        .size = allocation->size,
        .name = allocation->name,
        .place = wb_log_wanted() ? wb_call_place() : NULL,
    };
}

const struct wb_freed *wb_freed_find(uint64_t address)
{
    for (size_t i = 0; i < KEPT && i < count; i++) {
        const struct wb_freed *freed = &ring[(count - 1 - i) % KEPT];
        if (address - freed->address < freed->size) {
            return freed;
        }
    }
    return NULL;
}

const char *wb_freed_where(char *text, size_t size, const struct wb_freed *freed)
{
    char place[WB_PLACE_TEXT];
    *text = '\0';
    if (freed->place) {
        snprintf(text, size, " at %s", wb_place_text(place, sizeof place, freed->place));
    }
    return text;
}
