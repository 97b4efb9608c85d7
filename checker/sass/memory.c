/* SPDX-License-Identifier: MIT
 * Memory spaces and the checks of every access; the sentences for those that fail.
 */
#include "memory.h"

#include "claims.h"
#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How far from a region an address may be to be thought a wrong index into it. */
#define NEAR (UINT64_C(1) << 30)

/* ---- sentences ------------------------------------------------------------------------------- */

static void fail(const struct wb_access *access, unsigned lane, uint64_t address,
                 enum wb_reason kind, const char *where)
{
    char who[80], message[400];
    wb_fault_who(who, sizeof who, access->warp, lane);
    snprintf(message, sizeof message, "%s %s %u byte%s %s", who, access->write ? "writes" : "reads",
             access->size, access->size == 1 ? "" : "s", where);
    if (access->warp->guard) {
        wb_fault_note(access->warp, access->in, lane, kind, address, message);
        return;
    }
    struct wb_fault *fault = access->warp->cta->run->fault;
    if (fault->kind == WB_REASON_NONE) {
        fault->address = address;
    }
    wb_fault_raise(access->warp, access->in, lane, kind, "%s", message);
}

static void fail_misaligned(const struct wb_access *access, unsigned lane, uint64_t address)
{
    char where[120];
    snprintf(where, sizeof where, "at address 0x%" PRIx64 ", which is not a multiple of %u",
             address, access->size);
    fail(access, lane, address, WB_REASON_MISALIGNED, where);
}

/* "`out` (4000 bytes, 1000 elements of 4)", or "(1 byte)" where that is no number of elements;
 * names of several words stand without quotes. */
static void describe(char *out, size_t size, const struct wb_region *region, unsigned element)
{
    const char *quote = strchr(region->name, ' ') ? "" : "`";
    uint64_t count = region->size / element;
    char elements[48] = "";
    if (count && region->size % element == 0) {
        snprintf(elements, sizeof elements, ", %" PRIu64 " element%s of %u", count,
                 count == 1 ? "" : "s", element);
    }
    snprintf(out, size, "%s%.150s%s (%" PRIu64 " byte%s%s)", quote, region->name, quote,
             region->size, region->size == 1 ? "" : "s", elements);
}

static void fail_outside(const struct wb_access *access, unsigned lane, uint64_t address)
{
    const struct wb_memory *memory = wb_sim_memory(access->warp->cta->run->sim);
    const struct wb_region *below = wb_memory_region(memory, address), *end, *above;
    end = memory->regions + memory->count;
    above = below ? below + 1 : memory->regions;
    char name[240], where[300];
    uint64_t past = below ? address - below->address - below->size : UINT64_MAX;
    uint64_t before = above != end ? above->address - address : UINT64_MAX;
    enum wb_reason kind = WB_REASON_OUT_OF_BOUNDS;
    if (below && address - below->address < below->size) { /* begins inside */
        describe(name, sizeof name, below, access->size);
        snprintf(where, sizeof where,
                 below->freed ? "of %s after it was freed" : "across the end of %s", name);
    } else if (address < 1 << 20) {
        snprintf(where, sizeof where, "at address 0x%" PRIx64 ": a null pointer was used", address);
    } else if (past < before && past < NEAR) {
        describe(name, sizeof name, below, access->size);
        if (past == 0) {
            snprintf(where, sizeof where, "just past the end of %s", name);
        } else {
            snprintf(where, sizeof where, "at %" PRIu64 " bytes past the end of %s", past, name);
        }
    } else if (before < NEAR) {
        describe(name, sizeof name, above, access->size);
        snprintf(where, sizeof where, "at %" PRIu64 " bytes before the start of %s", before, name);
    } else if (address >> 44 >= 5 && address >> 47 == 0) { /* where Linux keeps heap and stack */
        kind = WB_REASON_HOST_POINTER;
        snprintf(where, sizeof where, "at address 0x%" PRIx64 ", which looks like host memory",
                 address);
    } else {
        snprintf(where, sizeof where, "at address 0x%" PRIx64 ", far from every array", address);
    }
    fail(access, lane, address, kind, where);
}

/* ---- accesses -------------------------------------------------------------------------------- */

void wb_memory_find(struct wb_warp *warp, uint64_t address)
{
    struct wb_region *r = wb_memory_region(wb_sim_memory(warp->cta->run->sim), address);
    if (r && !r->freed && address - r->address < r->size) {
        *wb_warp_cache(warp, address) =
            (struct wb_region_cache){.address = r->address, .size = r->size, .host = r->host};
        if (warp->guard) {
            wb_warp_cache(warp, address)->shadow = wb_region_shadow(r);
        }
    }
}

/* Host memory behind an offset in the cached region. On several threads another block may want it
 * first: then this block is undone and runs again, so nobody reads this fault. */
static uint8_t *claimed(const struct wb_access *access, unsigned lane,
                        const struct wb_region_cache *cache, uint64_t offset)
{
    const struct wb_run *run = access->warp->cta->run;
    if (run->claimant && !wb_claim(run->claimant, cache, offset, access->size, access->write)) {
        fail(access, lane, cache->address + offset, WB_REASON_DEADLOCK, "of another block");
        return NULL;
    }
    return cache->host + offset;
}

uint8_t *wb_memory_global(const struct wb_access *access, unsigned lane, uint64_t address)
{
    const struct wb_region_cache *cache = wb_warp_cache(access->warp, address);
    if (address & (access->size - 1)) {
        fail_misaligned(access, lane, address);
        return NULL;
    }
    if (address - cache->address >= cache->size) {
        wb_memory_find(access->warp, address);
    }
    uint64_t offset = address - cache->address;
    if (offset >= cache->size || access->size > cache->size - offset) {
        fail_outside(access, lane, address);
        return NULL;
    }
    return claimed(access, lane, cache, offset);
}

/* An access that begins inside is inside: it is aligned, and the block's memory is a multiple of 16
 * bytes (nvcc reads an array of 12 bytes by one access of 16). */
uint8_t *wb_memory_shared(const struct wb_access *access, unsigned lane, uint32_t address)
{
    const struct wb_cta *cta = access->warp->cta;
    uint32_t offset = address & 0xffffff, rank = address >> 24, size = cta->run->shared_size;
    char where[200];
    if (address & (access->size - 1)) {
        fail_misaligned(access, lane, address);
        return NULL;
    }
    if (rank >= cta->cluster->count) {
        snprintf(where, sizeof where, "of shared memory at 0x%x, far from every array", address);
    } else if (offset < (cta->run->program->uses_groups ? WB_SHARED_GROUPS : WB_SHARED_RESERVED)) {
        snprintf(where, sizeof where, "at %u bytes before the start of shared memory",
                 WB_SHARED_RESERVED - offset);
    } else if (offset >= size) {
        snprintf(where, sizeof where, "of shared memory at offset %u, but the block has %u bytes",
                 offset - WB_SHARED_RESERVED, size - WB_SHARED_RESERVED);
    } else {
        return cta->cluster->ctas[rank].shared + offset;
    }
    fail(access, lane, address, WB_REASON_OUT_OF_BOUNDS, where);
    return NULL;
}

uint8_t *wb_memory_local(const struct wb_access *access, unsigned lane, uint32_t address)
{
    const struct wb_cta *cta = access->warp->cta;
    uint32_t size = cta->run->local_size;
    if (address & (access->size - 1)) {
        fail_misaligned(access, lane, address);
        return NULL;
    }
    if (!cta->local || address >= size || access->size > size - address) {
        fail(access, lane, address, WB_REASON_OUT_OF_BOUNDS,
             "outside of its local memory: an array index is wrong, or the recursion is too deep");
        return NULL;
    }
    return cta->local + (size_t)(access->warp->index * WB_LANES + lane) * size + address;
}

uint8_t *wb_memory_generic(const struct wb_access *access, unsigned lane, uint64_t address)
{
    switch (address & WB_WINDOW_MASK) {
    case WB_SHARED_WINDOW:
        return wb_memory_shared(access, lane, (uint32_t)address);
    case WB_LOCAL_WINDOW:
        return wb_memory_local(access, lane, (uint32_t)address);
    default:
        return wb_memory_global(access, lane, address);
    }
}

struct wb_windows wb_memory_windows(const uint64_t *at, uint32_t on)
{
    struct wb_windows in = {0};
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        uint64_t window = at[wb_lowest_lane(rest)] & WB_WINDOW_MASK;
        uint32_t bit = rest & -rest;
        in.shared |= window == WB_SHARED_WINDOW ? bit : 0;
        in.local |= window == WB_LOCAL_WINDOW ? bit : 0;
    }
    in.global = on & ~in.shared & ~in.local;
    return in;
}

uint32_t wb_memory_own_shared(const struct wb_access *access, const uint64_t *at, uint32_t on)
{
    uint32_t own = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        uint32_t rank = (uint32_t)at[wb_lowest_lane(rest)] >> 24;
        own |= rank == access->warp->cta->rank ? rest & -rest : 0;
    }
    return own;
}

const uint8_t *wb_memory_constant(const struct wb_access *access, unsigned lane, unsigned bank,
                                  uint32_t offset)
{
    const struct wb_run *run = access->warp->cta->run;
    const struct wb_const_bank *b = bank < WB_ARRAY_LENGTH(run->bank) ? &run->bank[bank] : NULL;
    if (offset & (access->size - 1)) {
        fail_misaligned(access, lane, offset);
        return NULL;
    }
    if (!b || !b->data || offset >= b->size || access->size > b->size - offset) {
        char where[120];
        snprintf(where, sizeof where, "at offset %u of constant bank %u, which has %zu", offset,
                 bank, b ? b->size : 0);
        fail(access, lane, offset, WB_REASON_OUT_OF_BOUNDS, where);
        return NULL;
    }
    return b->data + offset;
}
