/* SPDX-License-Identifier: MIT
 * heap: every piece of memory that both a program and a kernel may know by address. Device memory
 * has addresses that the host cannot touch, as on hardware; pinned, registered and managed memory
 * has the same address on both sides. Needs the lock.
 */
#ifndef WB_CUDART_HEAP_H
#define WB_CUDART_HEAP_H

#include "abi.h"

#include <stdbool.h>

enum wb_memory_kind {
    WB_MEMORY_DEVICE,     /* cudaMalloc, pools */
    WB_MEMORY_PINNED,     /* cudaMallocHost, cudaHostAlloc */
    WB_MEMORY_REGISTERED, /* the program's own, cudaHostRegister */
    WB_MEMORY_MANAGED,    /* cudaMallocManaged */
    WB_MEMORY_VARIABLE,   /* a module's variables: never freed by the program */
    WB_MEMORY_ARRAY,      /* behind a cudaArray: never freed by its address */
};

struct wb_allocation {
    uint64_t address; /* what a kernel uses; for all kinds but DEVICE and VARIABLE also the host */
    size_t size;      /* bytes, as asked for */
    uint8_t *host;    /* our memory behind it */
    size_t mapped;    /* bytes at `host` to be unmapped, 0: not ours */
    enum wb_memory_kind kind;
    unsigned flags;    /* of cudaHostAlloc, cudaHostRegister, cudaMallocManaged */
    const void *owner; /* the pool it is from, NULL if none */
    const char *name;  /* in messages */
    /* Managed memory: what the program advised (managed.c). */
    struct cudaMemLocation preferred, prefetched;
    bool read_mostly, accessed_by_host, accessed_by_device;
};

/* Bytes of device memory that the device pretends to have. */
#define WB_DEVICE_MEMORY (UINT64_C(150110011392))

/* New memory, all zero, whose pages cost nothing until they are used. cudaErrorMemoryAllocation if
 * the device or this machine has not enough. `call` is the program's, for messages: "cudaMalloc".
 */
enum cudaError wb_heap_alloc(struct wb_allocation **out, enum wb_memory_kind kind, size_t size,
                             unsigned flags, const char *call);
/* Device memory comes back at the address that it had before it was freed; nothing if it is there.
 */
enum cudaError wb_heap_revive(const void *address, size_t size, const char *call);
/* The name of what the call in flight allocates: "the memory from cudaMalloc (main.cu:12)". It
 * lives as long as the process. */
const char *wb_heap_name(const char *call);
/* Memory that exists already: registered ranges, a module's variables. */
enum cudaError wb_heap_adopt(struct wb_allocation **out, enum wb_memory_kind kind, uint64_t address,
                             void *host, size_t size, unsigned flags, const char *name);
void wb_heap_free(struct wb_allocation *allocation);

/* The allocation that an address lies in; NULL if there is none. */
struct wb_allocation *wb_heap_find(uint64_t address);
/* The same if it begins at the address. */
struct wb_allocation *wb_heap_at(const void *pointer);
/* Allocations by address; NULL starts and ends. */
struct wb_allocation *wb_heap_next(const struct wb_allocation *allocation);
/* Whether any allocation has bytes of [address, address + size). */
bool wb_heap_overlaps(uint64_t address, size_t size);
/* Whether host and kernels use the same address for it. */
bool wb_heap_on_host(const struct wb_allocation *allocation);
/* Whether only a device pointer can have this value. Safe in a signal handler, without the lock. */
bool wb_heap_is_device_address(uint64_t address);
/* Whether there is memory that host and kernels both see. */
bool wb_heap_shares(void);
/* Whether memory of the host is at the address, CUDA's or not. */
bool wb_heap_is_host_memory(uint64_t address);
/* Bytes of device memory in use. */
uint64_t wb_heap_used(void);
/* Frees everything; addresses start anew. */
void wb_heap_reset(void);

#endif
