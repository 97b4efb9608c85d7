/* SPDX-License-Identifier: MIT
 * Claims: which words of global memory the tasks of a launch use while they run on several host
 * threads. Many may read a word, or one may read and write it; anything else is a conflict, and
 * parallel.c decides who goes on. A claim comes before its access, so two threads never touch a
 * word that one of them writes: there are no data races, whatever the kernel does. A claimant also
 * keeps what memory held before its writes, so that they can be undone.
 *
 * Its memory is bounded: a pool of pages for all, and a log for each claimant. A page stands for
 * WB_CLAIM_PAGE bytes of the host's addresses, as long as somebody has a claim there.
 */
#ifndef WB_SASS_CLAIMS_H
#define WB_SASS_CLAIMS_H

#include "memory.h"

#include <stdatomic.h>

enum {
    WB_CLAIM_WORD = 4,    /* bytes */
    WB_CLAIM_PAGE = 1024, /* bytes */
    WB_CLAIM_GROUP = 64,  /* words */
    WB_CLAIM_GROUPS = WB_CLAIM_PAGE / WB_CLAIM_WORD / WB_CLAIM_GROUP,
    WB_CLAIM_RECENT = 256, /* a power of 2 */
};

/* What one claimant uses of a page: a bit a word. */
struct wb_marks {
    atomic_uint_least64_t read[WB_CLAIM_GROUPS], written[WB_CLAIM_GROUPS];
};

struct wb_claims;
struct wb_claimant;

/* What to do when a claim cannot be had; called by the claimant's own thread. True: the reason is
 * gone, try again. False: the claimant has to stop. */
struct wb_claim_rules {
    bool (*conflict)(struct wb_claimant *claimant, unsigned other);
    bool (*full)(struct wb_claimant *claimant); /* no page is left, or the log is full */
};

struct wb_claimant {
    struct wb_claims *claims;
    const struct wb_claim_rules *rules;
    unsigned slot; /* number among the claimants */
    bool logs;     /* keeps what memory held */
    bool alone;    /* nobody else runs, so it needs no claims */
    struct {
        uintptr_t number;
        struct wb_claim_page *page;
        struct wb_marks *marks; /* its own there */
    } recent[WB_CLAIM_RECENT];
    struct wb_claim_page **pages; /* all that it has marks in */
    size_t page_count, page_capacity;
    uint8_t *log;
    size_t logged; /* bytes */
};

/* Claims for `slots` claimants with `pages` pages in all; NULL if there is no memory. */
struct wb_claims *wb_claims_create(unsigned slots, size_t pages);
void wb_claims_destroy(struct wb_claims *claims);

/* Writes back what the log holds. */
void wb_claimant_undo(struct wb_claimant *claimant);
/* Gives up all claims and forgets the log. */
void wb_claimant_release(struct wb_claimant *claimant);
void wb_claimant_finish(struct wb_claimant *claimant);

/* The part of wb_claim that is not quick. */
bool wb_claim_new(struct wb_claimant *claimant, const struct wb_region_cache *region,
                  uint64_t offset, unsigned bytes, bool write);

/* Where the claimant remembers a page. Arrays often lie a power of 2 apart, so it is mixed. */
static inline unsigned wb_claim_recent(uintptr_t number)
{
    return (uint32_t)number * UINT32_C(0x9e3779b1) / (UINT32_MAX / WB_CLAIM_RECENT + 1);
}

/* Is it known that the claimant has those words of a page already? */
static inline bool wb_claim_is_held(const struct wb_claimant *c, uintptr_t number, unsigned group,
                                    uint64_t mask, bool write)
{
    unsigned recent = wb_claim_recent(number);
    if (c->recent[recent].number != number) {
        return false;
    }
    struct wb_marks *marks = c->recent[recent].marks;
    uint64_t held = atomic_load_explicit(&marks->written[group], memory_order_relaxed);
    if (!write) {
        held |= atomic_load_explicit(&marks->read[group], memory_order_relaxed);
    }
    return (held & mask) == mask;
}

/* Claims bytes [offset, offset + bytes) of a region; false if the claimant has to stop. */
static inline bool wb_claim(struct wb_claimant *c, const struct wb_region_cache *region,
                            uint64_t offset, unsigned bytes, bool write)
{
    uintptr_t host = (uintptr_t)region->host + offset, number = host / WB_CLAIM_PAGE;
    unsigned first = host % WB_CLAIM_PAGE / WB_CLAIM_WORD;
    unsigned words = (unsigned)(host % WB_CLAIM_WORD + bytes + WB_CLAIM_WORD - 1) / WB_CLAIM_WORD;
    unsigned group = first / WB_CLAIM_GROUP, bit = first % WB_CLAIM_GROUP;
    if (bit + words <= WB_CLAIM_GROUP) { /* usually */
        uint64_t mask = UINT64_MAX >> (WB_CLAIM_GROUP - words) << bit;
        if (wb_claim_is_held(c, number, group, mask, write)) {
            return true;
        }
    }
    return c->alone || wb_claim_new(c, region, offset, bytes, write);
}

#endif
