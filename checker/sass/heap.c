/* SPDX-License-Identifier: MIT
 * The lists of the heap lie outside of it, so that a kernel cannot damage them. The first free
 * piece that is large enough is taken, which is the same every time. Each allocation is a region
 * (memory.h) with a gap behind it: a step past its end is noticed, and so is its use after free.
 */
#include "heap.h"

#include "sim.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIZE (UINT64_C(8) << 20) /* bytes, as cudaLimitMallocHeapSize says */

enum { UNIT = 16, GAP = 16 }; /* bytes: of sizes and addresses; behind each allocation */

static const char region_name[] = "memory from malloc in a kernel";

bool wb_sim_set_heap_size(struct wb_sim *sim, uint64_t size)
{
    bool unused = !sim->heap.host;
    sim->heap.size = unused ? size : sim->heap.size;
    return unused;
}

void wb_heap_finish(struct wb_heap *heap)
{
    free(heap->host);
    free(heap->free);
}

/* ---- free pieces ----------------------------------------------------------------------------- */

/* The number of pieces that lie below `at`. */
static size_t rank_of(const struct wb_heap *heap, uint64_t at)
{
    size_t low = 0, high = heap->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (heap->free[middle].at < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void remove_piece(struct wb_heap *heap, size_t i)
{
    heap->count--;
    memmove(&heap->free[i], &heap->free[i + 1], (heap->count - i) * sizeof heap->free[0]);
}

/* Adds a piece and joins it with its neighbours; without memory for the list it is lost. */
static void add_piece(struct wb_heap *heap, struct wb_heap_piece piece)
{
    size_t i = rank_of(heap, piece.at);
    if (i < heap->count && piece.at + piece.size == heap->free[i].at) {
        piece.size += heap->free[i].size;
        remove_piece(heap, i);
    }
    if (i > 0 && heap->free[i - 1].at + heap->free[i - 1].size == piece.at) {
        heap->free[i - 1].size += piece.size;
        return;
    }
    if (heap->count == heap->capacity) {
        size_t capacity = heap->capacity ? 2 * heap->capacity : 64;
        struct wb_heap_piece *grown = realloc(heap->free, capacity * sizeof *grown);
        if (!grown) {
            return;
        }
        heap->free = grown;
        heap->capacity = capacity;
    }
    memmove(&heap->free[i + 1], &heap->free[i], (heap->count - i) * sizeof heap->free[0]);
    heap->free[i] = piece;
    heap->count++;
}

/* Takes `size` bytes off the first piece that has them; false if none has. */
static bool take(uint64_t *at, struct wb_heap *heap, uint64_t size)
{
    for (size_t i = 0; i < heap->count; i++) {
        struct wb_heap_piece *piece = &heap->free[i];
        if (piece->size >= size) {
            *at = piece->at;
            piece->at += size;
            piece->size -= size;
            if (piece->size == 0) {
                remove_piece(heap, i);
            }
            return true;
        }
    }
    return false;
}

/* ---- malloc and free ------------------------------------------------------------------------- */

/* The heap's memory is there from the first malloc on; untouched pages cost nothing. */
static bool make(struct wb_heap *heap)
{
    if (!heap->host) {
        heap->size = (heap->size ? heap->size : DEFAULT_SIZE) / UNIT * UNIT;
        heap->host = heap->size ? calloc(1, heap->size) : NULL;
        if (heap->host) {
            add_piece(heap, (struct wb_heap_piece){0, heap->size});
        }
    }
    return heap->host != NULL;
}

/* Bytes that an allocation takes, with its gap. */
static uint64_t taken(uint64_t size)
{
    return (size + UNIT - 1) / UNIT * UNIT + GAP;
}

uint64_t wb_heap_allocate(struct wb_sim *sim, uint64_t size, bool guarded)
{
    struct wb_heap *heap = &sim->heap;
    uint64_t at;
    if (size == 0 || !make(heap) || size > heap->size || !take(&at, heap, taken(size))) {
        return 0;
    }
    struct wb_region region = {
        .address = WB_HEAP_FIRST + at, .size = size, .host = heap->host + at, .name = region_name};
    memset(region.host, 0, size);
    if (!wb_memory_place(&sim->memory, &sim->arena, &region)) {
        return 0;
    }
    if (guarded) {
        wb_sim_define(sim, region.address, size, false);
    }
    return region.address;
}

/* No warp may still hold a region that is gone. */
static void forget_region(const struct wb_run *run, uint64_t address)
{
    for (const struct wb_cluster *at = run->residents; at; at = at->next) {
        for (unsigned i = 0; i < at->count * at->ctas[0].warp_count; i++) {
            const struct wb_cta *cta = &at->ctas[i / at->ctas[0].warp_count];
            struct wb_warp *w = &cta->warps[i % cta->warp_count];
            for (unsigned k = 0; k < WB_CACHED_REGIONS; k++) {
                if (w->cache[k].address == address) {
                    w->cache[k] = (struct wb_region_cache){0};
                }
            }
        }
    }
}

const char *wb_heap_release(struct wb_run *run, uint64_t address)
{
    struct wb_sim *sim = run->sim;
    struct wb_region *region = wb_memory_region(&sim->memory, address);
    if (!region || region->name != region_name) {
        return "which malloc did not return";
    }
    if (region->address != address) {
        return "which lies inside of memory from malloc, not at its start";
    }
    if (region->freed) {
        return "which was freed before";
    }
    uint64_t size = region->size;
    wb_memory_remove(&sim->memory, address);
    forget_region(run, address);
    add_piece(&sim->heap, (struct wb_heap_piece){address - WB_HEAP_FIRST, taken(size)});
    return NULL;
}
