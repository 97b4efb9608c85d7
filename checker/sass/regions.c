/* SPDX-License-Identifier: MIT
 * The sorted list of regions of global memory. A region that was taken away stays in the list for
 * a while, so that who still uses it is told what it was.
 */
#include "memory.h"

#include "shadow.h"

#include <stdlib.h>
#include <string.h>

/* Distance between regions whose address is ours to choose: an index that is wrong by less than
 * this many bytes is still told from an access to another array. */
#define GAP (UINT64_C(1) << 30)

enum { MAX_FREED = 4096 }; /* regions that are remembered after they were taken away */

/* The number of regions that begin at or below the address. */
static size_t rank_of(const struct wb_memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->regions[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct wb_region *wb_memory_region(const struct wb_memory *memory, uint64_t address)
{
    size_t rank = rank_of(memory, address);
    return rank ? &memory->regions[rank - 1] : NULL;
}

struct wb_shadow *wb_region_shadow(struct wb_region *region)
{
    if (!region->shadow) {
        struct wb_shadow *shadow = malloc(sizeof *shadow);
        if (shadow && wb_shadow_init(shadow, region->size)) {
            region->shadow = shadow;
        } else {
            free(shadow);
        }
    }
    return region->shadow;
}

static void drop_shadow(struct wb_region *region)
{
    if (region->shadow) {
        wb_shadow_finish(region->shadow);
        free(region->shadow);
        region->shadow = NULL;
    }
}

void wb_memory_finish(struct wb_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++) {
        drop_shadow(&memory->regions[i]);
    }
}

static void insert(struct wb_memory *memory, struct wb_arena *arena, const struct wb_region *region)
{
    size_t at = rank_of(memory, region->address);
    memory->regions = wb_arena_grow(arena, memory->regions, &memory->capacity, memory->count,
                                    sizeof *memory->regions);
    memmove(&memory->regions[at + 1], &memory->regions[at],
            (memory->count - at) * sizeof *memory->regions);
    memory->regions[at] = *region;
    memory->count++;
}

uint64_t wb_memory_add(struct wb_memory *memory, struct wb_arena *arena, void *host, uint64_t size,
                       const char *name)
{
    if (memory->next == 0) {
        memory->next = WB_GLOBAL_FIRST;
    }
    uint64_t address = memory->next;
    insert(memory, arena,
           &(struct wb_region){.address = address, .size = size, .host = host, .name = name});
    memory->next = (address + size + 2 * GAP - 1) & ~(GAP - 1);
    return address;
}

/* Forgets the freed regions for which `drop` holds. */
static void forget(struct wb_memory *memory,
                   bool (*drop)(const struct wb_region *region, const void *context),
                   const void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->count; i++) {
        if (memory->regions[i].freed && drop(&memory->regions[i], context)) {
            memory->freed_count--;
        } else {
            memory->regions[kept++] = memory->regions[i];
        }
    }
    memory->count = kept;
}

/* No overflow: both ends are addresses. An empty region takes one byte, so that it is found. */
static bool overlaps(const struct wb_region *region, const void *other)
{
    const struct wb_region *b = other;
    uint64_t a_size = region->size ? region->size : 1, b_size = b->size ? b->size : 1;
    return region->address < b->address + b_size && b->address < region->address + a_size;
}

static bool is_old(const struct wb_region *region, const void *newest)
{
    return region->freed + MAX_FREED / 2 < *(const uint64_t *)newest;
}

bool wb_memory_place(struct wb_memory *memory, struct wb_arena *arena,
                     const struct wb_region *region)
{
    bool memory_of_freed = false;
    if (region->address + region->size < region->address ||
        region->address + region->size > WB_SHARED_WINDOW) {
        return false;
    }
    for (size_t i = rank_of(memory, region->address + region->size); i-- > 0;) {
        const struct wb_region *other = &memory->regions[i];
        if (overlaps(other, region)) {
            if (!other->freed) {
                return false;
            }
            memory_of_freed = true;
        } else if (!other->freed) {
            break; /* those below it end before it begins */
        }
    }
    if (memory_of_freed) {
        forget(memory, overlaps, region);
    }
    insert(memory, arena, region);
    return true;
}

bool wb_memory_remove(struct wb_memory *memory, uint64_t address)
{
    struct wb_region *region = wb_memory_region(memory, address);
    if (!region || region->address != address || region->freed) {
        return false;
    }
    region->host = NULL;
    drop_shadow(region);
    region->freed = ++memory->freed_newest;
    memory->freed_count++;
    if (memory->freed_count > MAX_FREED) {
        forget(memory, is_old, &memory->freed_newest);
    }
    return true;
}
