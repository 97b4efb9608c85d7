/* SPDX-License-Identifier: MIT
 * Shadow memory: what the guard remembers of each word of a region or of a block's shared memory:
 * who wrote it last, who read it since. Pages are made when a kernel touches them. A program that
 * accesses less than words gets a cell for each byte of that page.
 */
#ifndef WB_SASS_SHADOW_H
#define WB_SASS_SHADOW_H

#include <warpbook/base.h>

/* A site says which instruction of which lane. */
enum {
    WB_SITE_LANE = 31,
    /* of a write */
    WB_WROTE_ATOMIC = 1 << 5, /* by an atomic */
    WB_WROTE_STRONG = 1 << 6, /* volatile, an atomic store, or a flag behind a fence */
    WB_WROTE_UNDEFINED = 1 << 7,
    WB_WROTE_ASYNC = 1 << 8, /* by an asynchronous copy that nobody is known to have waited for */
    /* of a read */
    WB_READ_STRONG = 1 << 5,
    WB_READ_LANES = 1 << 6,  /* several lanes of the warp have read it, */
    WB_READ_WARPS = 1 << 7,  /* several warps of the block, */
    WB_READ_BLOCKS = 1 << 8, /* several blocks, */
    WB_SITE_PC = 9,          /* number of the instruction: the bits from here on */
};

enum {
    WB_SHADOW_PAGE = 4096, /* bytes that a page stands for */
    WB_SHADOW_SPARE = 8,   /* words behind the last, so that eight can be read at any cell */
};

/* For each cell the segment (a number of order.h, 0: nobody) and site of the last write, and of
 * the reads since then: arrays side by side, so that a warp's cells are vectors. */
struct wb_shadow_page {
    unsigned shift; /* bytes of a cell: 1 << shift, 4 or 1 */
    uint32_t *write, *write_site, *read, *read_site;
    uint32_t memory[];
};

struct wb_shadow {
    uint64_t size; /* bytes */
    struct wb_shadow_page **pages;
    bool read_only;    /* kernels should not write there */
    uint32_t *touched; /* by page: a segment of the last launch that used it */
    uint8_t *defined;  /* a bit for each byte that something was written to; NULL: to all */
};

/* False if there is no memory for it. */
bool wb_shadow_init(struct wb_shadow *shadow, uint64_t size);
void wb_shadow_finish(struct wb_shadow *shadow);
/* Forgets who used it, not what is defined. */
void wb_shadow_forget(struct wb_shadow *shadow);

/* The page of an offset, with cells that are not larger than `bytes`. NULL: no memory, or behind
 * the end. */
struct wb_shadow_page *wb_shadow_new_page(struct wb_shadow *shadow, uint64_t offset,
                                          unsigned bytes);

static inline struct wb_shadow_page *wb_shadow_page(struct wb_shadow *shadow, uint64_t offset,
                                                    unsigned bytes)
{
    struct wb_shadow_page *page = shadow->pages[offset / WB_SHADOW_PAGE];
    return page && 1u << page->shift <= bytes ? page : wb_shadow_new_page(shadow, offset, bytes);
}

/* Marks `size` bytes as written or not; false if there is no memory for the marks. */
bool wb_shadow_define(struct wb_shadow *shadow, uint64_t offset, uint64_t size, bool defined);
/* Bytes at `defined`, if it is there. */
uint64_t wb_shadow_mark_bytes(const struct wb_shadow *shadow);
/* Is any of the (at most 16) bytes defined, are all? */
bool wb_shadow_has(const struct wb_shadow *shadow, uint64_t offset, unsigned size, bool all);

#endif
