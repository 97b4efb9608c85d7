/* SPDX-License-Identifier: MIT
 * Claims without a lock: a claimant sets its own marks first and then looks for those of the
 * others, all in one order that the threads agree on (seq_cst), so of two that want one word at
 * least one sees the other. Who sees another takes its new marks back and asks the rules. Pages
 * are found, taken and given back under a lock; that happens once a page and task.
 */
#include "claims.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_BYTES = 1 << 20, /* a claimant */
    LINE = 64,           /* bytes: marks of two claimants lie in different ones */
};

struct wb_claim_page {
    alignas(LINE) uintptr_t number; /* host address / WB_CLAIM_PAGE */
    struct wb_claim_page *next;     /* in its bucket, or of the free ones */
    uint32_t users;                 /* a bit a claimant */
    alignas(LINE) struct wb_marks marks[];
};

struct wb_claims {
    pthread_mutex_t lock;
    unsigned slots;
    uint8_t *memory, *pages;
    size_t page_size, page_count, used; /* pages from `used` on were never taken */
    struct wb_claim_page *free;
    size_t bucket_count; /* a power of 2 */
    struct wb_claim_page *buckets[];
};

struct wb_claims *wb_claims_create(unsigned slots, size_t pages)
{
    size_t buckets = 1;
    while (buckets < pages) {
        buckets *= 2;
    }
    struct wb_claims *claims = calloc(1, sizeof *claims + buckets * sizeof claims->buckets[0]);
    if (!claims) {
        return NULL;
    }
    claims->slots = slots;
    claims->page_size = sizeof(struct wb_claim_page) + slots * sizeof(struct wb_marks);
    claims->page_count = pages;
    claims->bucket_count = buckets;
    claims->memory = calloc(pages * claims->page_size + LINE, 1); /* the host gives what is used */
    if (!claims->memory || pthread_mutex_init(&claims->lock, NULL) != 0) {
        free(claims->memory);
        free(claims);
        return NULL;
    }
    claims->pages = claims->memory + (LINE - (uintptr_t)claims->memory % LINE) % LINE;
    return claims;
}

void wb_claims_destroy(struct wb_claims *claims)
{
    if (claims) {
        pthread_mutex_destroy(&claims->lock);
        free(claims->memory);
        free(claims);
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

static struct wb_claim_page **bucket_of(struct wb_claims *claims, uintptr_t number)
{
    uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return &claims->buckets[hash & (claims->bucket_count - 1)];
}

/* The page with that number, a new one if there is none; NULL if none is left. */
static struct wb_claim_page *get_page(struct wb_claims *claims, uintptr_t number)
{
    struct wb_claim_page **bucket = bucket_of(claims, number), *page = *bucket;
    while (page && page->number != number) {
        page = page->next;
    }
    if (page) {
        return page;
    }
    if (claims->free) {
        page = claims->free;
        claims->free = page->next;
    } else if (claims->used < claims->page_count) {
        void *place = claims->pages + claims->used++ * claims->page_size;
        page = place;
    } else {
        return NULL;
    }
    page->number = number;
    page->users = 0;
    page->next = *bucket;
    *bucket = page;
    return page;
}

static void put_page(struct wb_claims *claims, struct wb_claim_page *page)
{
    struct wb_claim_page **link = bucket_of(claims, page->number);
    while (*link != page) {
        link = &(*link)->next;
    }
    *link = page->next;
    page->next = claims->free;
    claims->free = page;
}

/* Room for one more in the claimant's list. */
static bool make_room(struct wb_claimant *c)
{
    if (c->page_count == c->page_capacity) {
        size_t capacity = c->page_capacity ? 2 * c->page_capacity : 256;
        struct wb_claim_page **grown = realloc(c->pages, capacity * sizeof(void *));
        if (!grown) {
            return false;
        }
        c->pages = grown;
        c->page_capacity = capacity;
    }
    return true;
}

/* The page, with the claimant among its users. */
static struct wb_claim_page *join_page(struct wb_claimant *c, uintptr_t number)
{
    struct wb_claims *claims = c->claims;
    uint32_t bit = UINT32_C(1) << c->slot;
    unsigned recent = wb_claim_recent(number);
    if (c->recent[recent].number == number) {
        return c->recent[recent].page;
    }
    pthread_mutex_lock(&claims->lock);
    struct wb_claim_page *page = make_room(c) ? get_page(claims, number) : NULL;
    if (page && !(page->users & bit)) {
        page->users |= bit;
        c->pages[c->page_count++] = page;
    }
    pthread_mutex_unlock(&claims->lock);
    if (page) {
        c->recent[recent].number = number;
        c->recent[recent].page = page;
        c->recent[recent].marks = &page->marks[c->slot];
    }
    return page;
}

/* ---- claiming -------------------------------------------------------------------------------- */

/* Another claimant that uses some of these words so that they cannot be shared; else `slots`. */
static unsigned find_other(struct wb_claim_page *page, const struct wb_claimant *c, unsigned group,
                           uint64_t mask, bool write)
{
    unsigned slots = c->claims->slots;
    for (unsigned i = 0; i < slots; i++) {
        uint64_t theirs = atomic_load(&page->marks[i].written[group]);
        if (write) {
            theirs |= atomic_load(&page->marks[i].read[group]);
        }
        if (i != c->slot && theirs & mask) {
            return i;
        }
    }
    return slots;
}

/* Claims words of one group; *is_new is set if some were not claimed like that before. */
static bool claim_group(bool *is_new, struct wb_claimant *c, uintptr_t number, unsigned group,
                        uint64_t mask, bool write)
{
    while (!c->alone && !wb_claim_is_held(c, number, group, mask, write)) {
        struct wb_claim_page *page = join_page(c, number);
        if (!page) {
            if (!c->rules->full(c)) {
                return false;
            }
            continue;
        }
        struct wb_marks *own = &page->marks[c->slot];
        atomic_uint_least64_t *marks = write ? &own->written[group] : &own->read[group];
        uint64_t before = atomic_fetch_or(marks, mask);
        unsigned other = find_other(page, c, group, mask, write);
        if (other == c->claims->slots) {
            *is_new = *is_new || (mask & ~before);
            break;
        }
        atomic_fetch_and(marks, ~(mask & ~before));
        if (!c->rules->conflict(c, other)) {
            return false;
        }
    }
    return true;
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Stands behind the bytes that it tells of, so that the log can be read from its end. */
struct entry {
    uint8_t *host;
    size_t size;
};

static size_t padded(size_t size)
{
    return (size + sizeof(struct entry) - 1) / sizeof(struct entry) * sizeof(struct entry);
}

/* Keeps the whole words of those bytes, as far as they are in the region. */
static bool save(struct wb_claimant *c, const struct wb_region_cache *region, uint64_t offset,
                 unsigned bytes)
{
    unsigned before = (uintptr_t)(region->host + offset) % WB_CLAIM_WORD;
    uint64_t end = offset + bytes, rest = region->size - end;
    uint64_t behind = (0 - (uintptr_t)(region->host + end)) % WB_CLAIM_WORD;
    struct entry entry = {
        .host = region->host + offset - before,
        .size = before + bytes + (behind < rest ? behind : rest),
    };
    while (c->logs && c->logged + padded(entry.size) + sizeof entry > LOG_BYTES) {
        if (!c->rules->full(c)) {
            return false;
        }
    }
    if (!c->logs || c->alone) {
        return true;
    }
    c->log = c->log ? c->log : malloc(LOG_BYTES);
    if (!c->log) {
        return c->rules->full(c);
    }
    memcpy(c->log + c->logged, entry.host, entry.size);
    c->logged += padded(entry.size);
    memcpy(c->log + c->logged, &entry, sizeof entry);
    c->logged += sizeof entry;
    return true;
}

bool wb_claim_new(struct wb_claimant *c, const struct wb_region_cache *region, uint64_t offset,
                  unsigned bytes, bool write)
{
    uintptr_t host = (uintptr_t)region->host + offset;
    uintptr_t word = host / WB_CLAIM_WORD, end = (host + bytes - 1) / WB_CLAIM_WORD + 1;
    const uintptr_t page_words = WB_CLAIM_PAGE / WB_CLAIM_WORD;
    bool is_new = false;
    while (word < end) {
        unsigned bit = word % WB_CLAIM_GROUP;
        unsigned count = WB_CLAIM_GROUP - bit;
        count = end - word < count ? (unsigned)(end - word) : count;
        uint64_t mask = UINT64_MAX >> (WB_CLAIM_GROUP - count) << bit;
        if (!claim_group(&is_new, c, word / page_words,
                         (unsigned)(word % page_words / WB_CLAIM_GROUP), mask, write)) {
            return false;
        }
        word += count;
    }
    return !(write && is_new && c->logs) || save(c, region, offset, bytes);
}

/* ---- the end of a task ----------------------------------------------------------------------- */

void wb_claimant_undo(struct wb_claimant *c)
{
    while (c->logged) {
        struct entry entry;
        memcpy(&entry, c->log + c->logged - sizeof entry, sizeof entry);
        c->logged -= sizeof entry + padded(entry.size);
        memcpy(entry.host, c->log + c->logged, entry.size);
    }
}

void wb_claimant_release(struct wb_claimant *c)
{
    for (size_t i = 0; i < c->page_count; i++) {
        struct wb_marks *own = &c->pages[i]->marks[c->slot];
        for (unsigned g = 0; g < WB_CLAIM_GROUPS; g++) {
            atomic_store_explicit(&own->read[g], 0, memory_order_release);
            atomic_store_explicit(&own->written[g], 0, memory_order_release);
        }
    }
    pthread_mutex_lock(&c->claims->lock);
    for (size_t i = 0; i < c->page_count; i++) {
        c->pages[i]->users &= ~(UINT32_C(1) << c->slot);
        if (c->pages[i]->users == 0) {
            put_page(c->claims, c->pages[i]);
        }
    }
    pthread_mutex_unlock(&c->claims->lock);
    memset(c->recent, 0, sizeof c->recent);
    c->page_count = 0;
    c->logged = 0;
}

void wb_claimant_finish(struct wb_claimant *c)
{
    free(c->pages);
    free(c->log);
}
