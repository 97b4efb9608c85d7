/* SPDX-License-Identifier: MIT
 * Host memory that the device knows: pinned, and the program's own registered. Kernels reach it by
 * the address that the host uses.
 */
#include "api.h"
#include "capture.h"
#include "heap.h"
#include "log.h"
#include "misuse.h"
#include "wait.h"

enum {
    ALLOC_FLAGS = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined,
    REGISTER_FLAGS = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                     cudaHostRegisterReadOnly,
};

static enum cudaError allocate(void **out, size_t size, unsigned flags, const char *call)
{
    struct wb_allocation *made;
    if (!out || (flags & ~(unsigned)ALLOC_FLAGS)) {
        return cudaErrorInvalidValue;
    }
    *out = NULL;
    enum cudaError error = wb_capture_blocks();
    if (error != cudaSuccess || size == 0) {
        return error;
    }
    error = wb_heap_alloc(&made, WB_MEMORY_PINNED, size, flags, call);
    if (error == cudaSuccess) {
        *out = made->host;
        wb_resource_made(WB_RESOURCE_PINNED, *out, size);
    }
    return error;
}

enum cudaError rt_cudaMallocHost(void **out, size_t size)
{
    return allocate(out, size, cudaHostAllocMapped, "cudaMallocHost");
}

enum cudaError rt_cudaHostAlloc(void **out, size_t size, unsigned flags)
{
    return allocate(out, size, flags, "cudaHostAlloc");
}

enum cudaError rt_cudaFreeHost(void *pointer)
{
    enum cudaError error = wb_wait_begin();
    if (error != cudaSuccess || !pointer) {
        return error;
    }
    struct wb_allocation *allocation = wb_heap_at(pointer);
    if (!allocation || allocation->kind != WB_MEMORY_PINNED) {
        wb_misuse_free(pointer);
        return cudaErrorInvalidValue;
    }
    wb_resource_gone(WB_RESOURCE_PINNED, pointer);
    wb_heap_free(allocation);
    return cudaSuccess;
}

enum cudaError rt_cudaHostRegister(void *pointer, size_t size, unsigned flags)
{
    struct wb_allocation *made;
    uint64_t address = (uintptr_t)pointer;
    if (!pointer || size == 0 || size > UINT64_MAX - address ||
        (flags & ~(unsigned)REGISTER_FLAGS)) {
        return cudaErrorInvalidValue;
    }
    if (wb_heap_overlaps(address, size)) {
        return cudaErrorHostMemoryAlreadyRegistered;
    }
    enum cudaError error = wb_heap_adopt(&made, WB_MEMORY_REGISTERED, address, pointer, size, flags,
                                         wb_heap_name("cudaHostRegister"));
    if (error == cudaSuccess) {
        wb_resource_made(WB_RESOURCE_REGISTERED, pointer, size);
    }
    return error;
}

enum cudaError rt_cudaHostUnregister(void *pointer)
{
    struct wb_allocation *allocation = wb_heap_at(pointer);
    if (!pointer) {
        return cudaErrorInvalidValue;
    }
    if (!allocation || allocation->kind != WB_MEMORY_REGISTERED) {
        return cudaErrorHostMemoryNotRegistered;
    }
    wb_resource_gone(WB_RESOURCE_REGISTERED, pointer);
    wb_heap_free(allocation);
    return cudaSuccess;
}

/* The allocation behind a host pointer that the device may use, or NULL. */
static const struct wb_allocation *host_side(const void *host)
{
    const struct wb_allocation *a = wb_heap_find((uintptr_t)host);
    return a && (a->kind == WB_MEMORY_PINNED || a->kind == WB_MEMORY_REGISTERED) ? a : NULL;
}

enum cudaError rt_cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    if (!out || flags != 0 || !host_side(host)) {
        return cudaErrorInvalidValue;
    }
    *out = host;
    return cudaSuccess;
}

/* All host memory is mapped on a device that shares its addresses. */
enum cudaError rt_cudaHostGetFlags(unsigned *flags, void *host)
{
    const struct wb_allocation *a = host_side(host);
    if (!flags || !a) {
        return cudaErrorInvalidValue;
    }
    *flags = a->flags | cudaHostAllocMapped;
    return cudaSuccess;
}
