/* SPDX-License-Identifier: MIT
 * An access while the guard looks at its lanes one by one: touch.c finds their cells, race.c judges
 * each.
 */
#ifndef WB_SASS_TOUCH_H
#define WB_SASS_TOUCH_H

#include "guard.h"

/* An access while its lanes are looked at. */
struct touch {
    struct wb_warp *warp;
    const struct wb_access *access;
    struct wb_guard *guard;
    uint32_t segment; /* the warp's present one */
    uint32_t site;    /* without the lane */
    uint32_t floor;   /* segments up to here come before, whoever they are of */
    bool strong, atomic;
    bool no_value[4];                 /* of the words that a lane writes, */
    bool undefined;                   /* of the one that is being written */
    bool async;                       /* the store of an asynchronous copy */
    bool replaces;                    /* an atomic that does not care what was there */
    uint32_t had_none;                /* lanes of an atomic for which there was no value */
    const uint32_t (*data)[WB_LANES]; /* of a store: what, NULL: not known; */
    const uint64_t *at;               /* where; */
    uint32_t on;                      /* which lanes */
    /* the shadow that the last lane was in */
    struct wb_shadow *shadow;
    uint64_t first, size;
    uint8_t *host;
    struct wb_cta *owner; /* of shared memory, else NULL */
};

/* "element 5 of `out`", "byte 20 of the block's shared memory": the shadow has been entered. */
void wb_touch_name(char *out, size_t size, const struct touch *t, uint64_t address);
/* Lane reads or writes the cell number `cell` of a page, which is that of the address. */
void wb_touch_read(const struct touch *t, struct wb_shadow_page *page, unsigned cell, unsigned lane,
                   uint64_t address);
void wb_touch_write(const struct touch *t, struct wb_shadow_page *page, unsigned cell,
                    unsigned lane, uint64_t address);

#endif
