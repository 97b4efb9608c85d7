/* SPDX-License-Identifier: MIT
 * Device memory: cudaMalloc and its relatives, and what a pointer is.
 */
#include "api.h"
#include "capture.h"
#include "crossing.h"
#include "heap.h"
#include "log.h"
#include "misuse.h"
#include "pool.h"
#include "wait.h"

enum { PITCH = 512 }; /* bytes that rows of cudaMallocPitch are multiples of */

enum cudaError rt_cudaMalloc(void **out, size_t size)
{
    struct wb_allocation *made;
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = NULL;
    enum cudaError error = wb_capture_blocks();
    if (error != cudaSuccess || size == 0) {
        return error;
    }
    error = wb_heap_alloc(&made, WB_MEMORY_DEVICE, size, 0, "cudaMalloc");
    if (error == cudaSuccess) {
        *out = (void *)(uintptr_t)made->address;
        wb_resource_made(WB_RESOURCE_DEVICE, *out, size);
    }
    return error;
}

enum cudaError rt_cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    size_t size;
    if (!out || !pitch) {
        return cudaErrorInvalidValue;
    }
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (*pitch < width || __builtin_mul_overflow(*pitch, height, &size)) {
        return cudaErrorMemoryAllocation;
    }
    return rt_cudaMalloc(out, size);
}

enum cudaError rt_cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    size_t rows;
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
        return cudaErrorMemoryAllocation;
    }
    return rt_cudaMallocPitch(&out->ptr, &out->pitch, extent.width, rows);
}

enum cudaError rt_cudaFree(void *pointer)
{
    enum cudaError error = wb_wait_begin();
    if (error != cudaSuccess || !pointer) {
        return error;
    }
    struct wb_allocation *allocation = wb_heap_at(pointer);
    if (!allocation ||
        (allocation->kind != WB_MEMORY_DEVICE && allocation->kind != WB_MEMORY_MANAGED)) {
        wb_misuse_free(pointer);
        return cudaErrorInvalidValue;
    }
    wb_crossing_host_waited_all();
    wb_resource_gone(
        allocation->kind == WB_MEMORY_DEVICE ? WB_RESOURCE_DEVICE : WB_RESOURCE_MANAGED, pointer);
    wb_pool_freed(allocation);
    wb_heap_free(allocation);
    return cudaSuccess;
}

enum cudaError rt_cudaMemGetInfo(size_t *available, size_t *total)
{
    if (!available || !total) {
        return cudaErrorInvalidValue;
    }
    *available = WB_DEVICE_MEMORY - wb_heap_used();
    *total = WB_DEVICE_MEMORY;
    return cudaSuccess;
}

/* Memory that CUDA knows nothing of is no error: it is the host's. */
enum cudaError rt_cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *pointer)
{
    static const enum cudaMemoryType types[] = {
        [WB_MEMORY_DEVICE] = cudaMemoryTypeDevice,   [WB_MEMORY_PINNED] = cudaMemoryTypeHost,
        [WB_MEMORY_REGISTERED] = cudaMemoryTypeHost, [WB_MEMORY_MANAGED] = cudaMemoryTypeManaged,
        [WB_MEMORY_VARIABLE] = cudaMemoryTypeDevice, [WB_MEMORY_ARRAY] = cudaMemoryTypeDevice,
    };
    if (!out) {
        return cudaErrorInvalidValue;
    }
    const struct wb_allocation *a = wb_heap_find((uintptr_t)pointer);
    if (!a) {
        *out = (struct cudaPointerAttributes){
            .type = cudaMemoryTypeUnregistered,
            .device = cudaInvalidDeviceId,
            .hostPointer = (void *)(uintptr_t)pointer,
        };
        return cudaSuccess;
    }
    bool both = wb_heap_on_host(a);
    *out = (struct cudaPointerAttributes){
        .type = a->kind == WB_MEMORY_VARIABLE && both ? cudaMemoryTypeManaged : types[a->kind],
        .device = 0,
        .devicePointer = (void *)(uintptr_t)pointer,
        .hostPointer = both ? (void *)(uintptr_t)pointer : NULL,
    };
    return cudaSuccess;
}
