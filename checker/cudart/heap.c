/* SPDX-License-Identifier: MIT
 * Allocations: where they lie, what the device knows of them. Host pages are reserved without being
 * touched, so a large allocation costs what is used of it.
 */
#include "heap.h"

#include "crossing.h"
#include "enter.h"
#include "freed.h"
#include "guarded.h"
#include "log.h"
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Device memory gets addresses where no Linux program has anything, each allocation a fresh one:
 * between them lies a gap, and one that was freed is not used again. */
#define DEVICE_FIRST UINT64_C(0x020000000000)
#define DEVICE_END   UINT64_C(0x400000000000)
#define DEVICE_GAP   UINT64_C(0x1000000)
#define ALIGNMENT    512 /* bytes, of device memory */

static struct {
    struct wb_allocation **items; /* by address */
    size_t count, capacity;
    uint64_t next; /* address of the next device allocation */
    uint64_t used; /* bytes of device memory */
    size_t shared; /* allocations that host and kernels both see */
} heap;

/* The number of allocations that begin at or below the address. */
static size_t rank_of(uint64_t address)
{
    size_t low = 0, high = heap.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (heap.items[middle]->address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool insert(struct wb_allocation *allocation)
{
    if (heap.count == heap.capacity) {
        size_t capacity = heap.capacity ? heap.capacity * 2 : 64;
        struct wb_allocation **grown = realloc(heap.items, capacity * sizeof *grown);
        if (!grown) {
            return false;
        }
        heap.items = grown;
        heap.capacity = capacity;
    }
    size_t at = rank_of(allocation->address);
    memmove(&heap.items[at + 1], &heap.items[at], (heap.count - at) * sizeof *heap.items);
    heap.items[at] = allocation;
    heap.count++;
    return true;
}

struct wb_allocation *wb_heap_find(uint64_t address)
{
    size_t rank = rank_of(address);
    struct wb_allocation *found = rank ? heap.items[rank - 1] : NULL;
    return found && address - found->address < found->size ? found : NULL;
}

struct wb_allocation *wb_heap_at(const void *pointer)
{
    struct wb_allocation *found = wb_heap_find((uintptr_t)pointer);
    return found && found->address == (uintptr_t)pointer ? found : NULL;
}

struct wb_allocation *wb_heap_next(const struct wb_allocation *allocation)
{
    size_t next = allocation ? rank_of(allocation->address) : 0;
    return next < heap.count ? heap.items[next] : NULL;
}

bool wb_heap_overlaps(uint64_t address, size_t size)
{
    size_t rank = rank_of(address + size - 1);
    const struct wb_allocation *last = rank ? heap.items[rank - 1] : NULL;
    return last && (last->address >= address || address - last->address < last->size);
}

bool wb_heap_on_host(const struct wb_allocation *allocation)
{
    return allocation->address == (uintptr_t)allocation->host;
}

bool wb_heap_is_device_address(uint64_t address)
{
    return address >= DEVICE_FIRST && address < DEVICE_END;
}

bool wb_heap_shares(void)
{
    return heap.shared > 0;
}

uint64_t wb_heap_used(void)
{
    return heap.used;
}

static bool on_device(enum wb_memory_kind kind)
{
    return kind == WB_MEMORY_DEVICE || kind == WB_MEMORY_MANAGED || kind == WB_MEMORY_ARRAY;
}

enum cudaError wb_heap_adopt(struct wb_allocation **out, enum wb_memory_kind kind, uint64_t address,
                             void *host, size_t size, unsigned flags, const char *name)
{
    struct wb_sim *sim = wb_runtime_sim();
    struct wb_allocation *made = malloc(sizeof *made);
    if (!sim || !made) {
        free(made);
        return cudaErrorMemoryAllocation;
    }
    *made = (struct wb_allocation){
        .address = address,
        .size = size,
        .host = host,
        .kind = kind,
        .flags = flags,
        .name = name,
    };
    if (kind != WB_MEMORY_VARIABLE && !wb_sim_map_at(sim, address, host, size, name)) {
        free(made);
        return cudaErrorInvalidValue;
    }
    if (!insert(made)) {
        wb_sim_unmap(sim, address);
        free(made);
        return cudaErrorMemoryAllocation;
    }
    heap.used += on_device(kind) ? size : 0;
    if (kind == WB_MEMORY_DEVICE) {
        wb_guard_fresh(address, size);
    }
    heap.shared += wb_heap_on_host(made);
    *out = made;
    return cudaSuccess;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* One for each call of the program's source; few, so a list will do. */
struct name {
    const char *call;
    const struct wb_place *place;
    struct name *next;
    char text[];
};

const char *wb_heap_name(const char *call)
{
    static struct name *names;
    const struct wb_place *place = wb_log_wanted() ? wb_call_place() : NULL;
    for (const struct name *n = names; n; n = n->next) {
        if (n->place == place && strcmp(n->call, call) == 0) {
            return n->text;
        }
    }
    char at[160], text[256];
    snprintf(text, sizeof text, "the memory from %s%s%s%s", call, place ? " (" : "",
             place ? wb_place_text(at, sizeof at, place) : "", place ? ")" : "");
    struct name *made = malloc(sizeof *made + strlen(text) + 1);
    if (!made) {
        return "an array";
    }
    *made = (struct name){.call = call, .place = place, .next = names};
    strcpy(made->text, text);
    names = made;
    return made->text;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

/* The next address for a device allocation, 0 if there are none left. */
static uint64_t device_address(size_t size)
{
    heap.next = heap.next ? heap.next : DEVICE_FIRST;
    if (size > DEVICE_END - heap.next - DEVICE_GAP) {
        return 0;
    }
    uint64_t address = heap.next;
    heap.next = (address + size + DEVICE_GAP + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    return address;
}

/* `address` 0: any. */
static enum cudaError allocate(struct wb_allocation **out, enum wb_memory_kind kind, size_t size,
                               unsigned flags, uint64_t address, const char *name)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (size > WB_DEVICE_MEMORY || (on_device(kind) && size > WB_DEVICE_MEMORY - heap.used)) {
        return cudaErrorMemoryAllocation;
    }
    /* One page more: what lies behind is not another allocation. */
    size_t mapped = (size + page - 1) / page * page + page;
    uint8_t *host = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) {
        return cudaErrorMemoryAllocation;
    }
    mprotect(host + mapped - page, page, PROT_NONE);
    bool same = kind == WB_MEMORY_PINNED || kind == WB_MEMORY_MANAGED;
    if (address == 0) {
        address = same ? (uintptr_t)host : device_address(size);
    }
    enum cudaError error = address ? wb_heap_adopt(out, kind, address, host, size, flags, name)
                                   : cudaErrorMemoryAllocation;
    if (error) {
        munmap(host, mapped);
        return error;
    }
    (*out)->mapped = mapped;
    return cudaSuccess;
}

enum cudaError wb_heap_alloc(struct wb_allocation **out, enum wb_memory_kind kind, size_t size,
                             unsigned flags, const char *call)
{
    return allocate(out, kind, size, flags, 0, wb_heap_name(call));
}

enum cudaError wb_heap_revive(const void *address, size_t size, const char *call)
{
    struct wb_allocation *made;
    return wb_heap_at(address)
               ? cudaSuccess
               : allocate(&made, WB_MEMORY_DEVICE, size, 0, (uintptr_t)address, wb_heap_name(call));
}

static void release(struct wb_allocation *allocation)
{
    if (allocation->mapped) {
        munmap(allocation->host, allocation->mapped);
    }
    free(allocation);
}

void wb_heap_free(struct wb_allocation *allocation)
{
    size_t rank = rank_of(allocation->address);
    if (wb_heap_on_host(allocation)) {
        wb_crossing_forget();
    }
    wb_freed_add(allocation);
    heap.used -= on_device(allocation->kind) ? allocation->size : 0;
    heap.shared -= wb_heap_on_host(allocation);
    memmove(&heap.items[rank - 1], &heap.items[rank], (heap.count - rank) * sizeof *heap.items);
    heap.count--;
    wb_sim_unmap(wb_runtime_sim(), allocation->address);
    release(allocation);
}

bool wb_heap_is_host_memory(uint64_t address)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return msync((void *)(uintptr_t)(address / page * page), 1, MS_ASYNC) == 0;
}

void wb_heap_reset(void)
{
    wb_crossing_forget();
    for (size_t i = 0; i < heap.count; i++) {
        if (heap.items[i]->kind != WB_MEMORY_VARIABLE) {
            wb_freed_add(heap.items[i]);
            wb_sim_unmap(wb_runtime_sim(), heap.items[i]->address);
        }
        release(heap.items[i]);
    }
    heap.count = 0;
    heap.used = 0;
    heap.shared = 0;
    heap.next = 0;
}
