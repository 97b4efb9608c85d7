/* SPDX-License-Identifier: MIT
 * Pages of shadow memory, and the bits that say which bytes were written.
 */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_SHIFT = 2 };

static uint64_t page_count(const struct wb_shadow *shadow)
{
    return shadow->size / WB_SHADOW_PAGE + 1;
}

bool wb_shadow_init(struct wb_shadow *shadow, uint64_t size)
{
    *shadow = (struct wb_shadow){.size = size};
    shadow->pages = calloc(page_count(shadow), sizeof *shadow->pages);
    shadow->touched = calloc(page_count(shadow), sizeof *shadow->touched);
    if (!shadow->pages || !shadow->touched) {
        wb_shadow_finish(shadow);
        return false;
    }
    return true;
}

void wb_shadow_forget(struct wb_shadow *shadow)
{
    for (uint64_t i = 0; shadow->pages && i < page_count(shadow); i++) {
        free(shadow->pages[i]);
        shadow->pages[i] = NULL;
    }
    if (shadow->touched) {
        memset(shadow->touched, 0, page_count(shadow) * sizeof *shadow->touched);
    }
}

void wb_shadow_finish(struct wb_shadow *shadow)
{
    wb_shadow_forget(shadow);
    free(shadow->pages);
    free(shadow->touched);
    free(shadow->defined);
    *shadow = (struct wb_shadow){0};
}

struct wb_shadow_page *wb_shadow_new_page(struct wb_shadow *shadow, uint64_t offset, unsigned bytes)
{
    unsigned shift = bytes < 1u << WORD_SHIFT ? 0 : WORD_SHIFT, count = WB_SHADOW_PAGE >> shift;
    if (offset >= shadow->size) {
        return NULL;
    }
    struct wb_shadow_page **place = &shadow->pages[offset / WB_SHADOW_PAGE], *old = *place;
    struct wb_shadow_page *page =
        calloc(1, sizeof *page + (4 * count + WB_SHADOW_SPARE) * sizeof *page->memory);
    if (!page) {
        return NULL;
    }
    page->shift = shift;
    page->write = page->memory;
    page->write_site = page->memory + count;
    page->read = page->memory + 2 * count;
    page->read_site = page->memory + 3 * count;
    for (unsigned i = 0; old && i < 4 * count; i++) { /* from words to bytes */
        page->memory[i] = old->memory[i >> (old->shift - shift)];
    }
    free(old);
    *place = page;
    return page;
}

/* ---- definedness ----------------------------------------------------------------------------- */

uint64_t wb_shadow_mark_bytes(const struct wb_shadow *shadow)
{
    return shadow->size / 8 + 3; /* so that 16 bits can be read at any byte */
}

static bool make_bits(struct wb_shadow *shadow)
{
    uint64_t bytes = wb_shadow_mark_bytes(shadow);
    shadow->defined = malloc(bytes);
    if (shadow->defined) {
        memset(shadow->defined, 0xff, bytes);
    }
    return shadow->defined != NULL;
}

bool wb_shadow_define(struct wb_shadow *shadow, uint64_t offset, uint64_t size, bool defined)
{
    if (!shadow->defined && (defined || !make_bits(shadow))) {
        return defined;
    }
    uint64_t end = offset + size < shadow->size ? offset + size : shadow->size;
    for (; offset < end && (offset % 8 || end - offset < 8); offset++) {
        uint8_t bit = (uint8_t)(1u << offset % 8), *byte = &shadow->defined[offset / 8];
        *byte = defined ? *byte | bit : *byte & (uint8_t)~bit;
    }
    if (offset < end) {
        memset(&shadow->defined[offset / 8], defined ? 0xff : 0, (end - offset) / 8);
        uint64_t done = (end - offset) / 8 * 8;
        if (done < end - offset) {
            wb_shadow_define(shadow, offset + done, end - offset - done, defined);
        }
    }
    return true;
}

bool wb_shadow_has(const struct wb_shadow *shadow, uint64_t offset, unsigned size, bool all)
{
    if (!shadow->defined) {
        return true;
    }
    uint32_t bits = 0, mask = (1u << size) - 1;
    memcpy(&bits, &shadow->defined[offset / 8], 3); /* little-endian, as the device is */
    bits = bits >> offset % 8 & mask;
    return all ? bits == mask : bits != 0;
}
