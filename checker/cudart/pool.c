/* SPDX-License-Identifier: MIT
 * Memory pools and stream-ordered allocation: cudaMallocAsync, cudaFreeAsync, cudaMemPool*. Pools
 * keep no memory back: what is freed is unmapped at once, so that a use after free is told.
 */
#include "pool.h"

#include "api.h"
#include "capture.h"
#include "clock.h"
#include "crossing.h"
#include "handle.h"
#include "log.h"
#include "misuse.h"
#include "runtime.h"

enum { SETTING_COUNT = 3 };

struct wb_pool {
    struct cudaMemPoolProps props;
    int settings[SETTING_COUNT]; /* cudaMemPoolReuse...: 1 to 3 */
    uint64_t threshold;          /* bytes to keep when synchronising */
    uint64_t used, used_high;
    bool is_default;
};

static struct wb_handle_pool pools = {.object_size = sizeof(struct wb_pool)};
static struct wb_pool default_pool;
static struct wb_pool *current; /* cudaDeviceSetMemPool; NULL: the default */

static void set_up(struct wb_pool *pool, const struct cudaMemPoolProps *props)
{
    *pool = (struct wb_pool){.props = *props, .settings = {1, 1, 1}};
}

static struct wb_pool *the_default(void)
{
    if (!default_pool.is_default) {
        set_up(&default_pool,
               &(struct cudaMemPoolProps){.allocType = cudaMemAllocationTypePinned,
                                          .location = {.type = cudaMemLocationTypeDevice}});
        default_pool.is_default = true;
    }
    return &default_pool;
}

static struct wb_pool *find(cudaMemPool_t handle)
{
    return (void *)handle == &default_pool ? the_default() : wb_handle_get(&pools, handle);
}

void wb_pools_reset(void)
{
    wb_handle_pool_finish(&pools);
    default_pool = (struct wb_pool){0};
    current = NULL;
}

/* ---- taking and giving back ------------------------------------------------------------------ */

static enum cudaError take(void **out, size_t size, struct wb_pool *pool, cudaStream_t handle)
{
    struct wb_stream *stream = wb_stream_find(handle);
    struct wb_allocation *made;
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = wb_capture_check(stream);
    if (!error && pool->props.maxSize && size > pool->props.maxSize - pool->used) {
        error = cudaErrorMemoryAllocation;
    }
    error = error ? error : wb_heap_alloc(&made, WB_MEMORY_DEVICE, size, 0, "cudaMallocAsync");
    if (error) {
        return error;
    }
    made->owner = pool;
    pool->used += size;
    pool->used_high = pool->used_high < pool->used ? pool->used : pool->used_high;
    *out = (void *)(uintptr_t)made->address;
    wb_resource_made(WB_RESOURCE_DEVICE, *out, size);
    if (stream->capture) {
        return wb_capture_alloc(stream, made->address, size);
    }
    stream->done = wb_stream_start(stream);
    wb_crossing_owns(handle, made->address, size);
    return cudaSuccess;
}

enum cudaError rt_cudaMallocFromPoolAsync(void **out, size_t size, cudaMemPool_t handle,
                                          cudaStream_t stream)
{
    struct wb_pool *pool = find(handle);
    if (!out || !pool) {
        return cudaErrorInvalidValue;
    }
    *out = NULL;
    return size == 0 ? cudaSuccess : take(out, size, pool, stream);
}

enum cudaError rt_cudaMallocAsync(void **out, size_t size, cudaStream_t stream)
{
    struct wb_pool *pool = current ? current : the_default();
    return rt_cudaMallocFromPoolAsync(out, size, (cudaMemPool_t)pool, stream);
}

void wb_pool_freed(const struct wb_allocation *allocation)
{
    struct wb_pool *pool = find((cudaMemPool_t)(uintptr_t)allocation->owner);
    if (pool) {
        pool->used -= allocation->size;
    }
}

/* Memory of cudaMalloc may be given back this way too. */
enum cudaError rt_cudaFreeAsync(void *pointer, cudaStream_t handle)
{
    struct wb_stream *stream = wb_stream_find(handle);
    struct wb_allocation *allocation = wb_heap_find((uintptr_t)pointer);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = wb_capture_check(stream);
    if (error || !pointer) {
        return error;
    }
    if (!allocation || allocation->address != (uintptr_t)pointer ||
        allocation->kind != WB_MEMORY_DEVICE) {
        wb_misuse_free(pointer);
        return cudaErrorInvalidValue;
    }
    if (stream->capture) {
        return wb_capture_free(stream, allocation->address);
    }
    stream->done = wb_stream_start(stream);
    wb_crossing_owns(handle, allocation->address, allocation->size);
    wb_pool_freed(allocation);
    wb_resource_gone(WB_RESOURCE_DEVICE, pointer);
    wb_heap_free(allocation);
    return cudaSuccess;
}

/* ---- pools ----------------------------------------------------------------------------------- */

enum cudaError rt_cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    if (!out || !props || props->allocType != cudaMemAllocationTypePinned ||
        props->location.type != cudaMemLocationTypeDevice || props->location.id != 0) {
        return cudaErrorInvalidValue;
    }
    if (props->handleTypes != 0) {
        return cudaErrorNotSupported; /* no other process could open it */
    }
    struct wb_pool *pool = wb_handle_create(&pools);
    if (!pool) {
        return cudaErrorMemoryAllocation;
    }
    set_up(pool, props);
    *out = (cudaMemPool_t)pool;
    wb_resource_made(WB_RESOURCE_POOL, pool, 0);
    return cudaSuccess;
}

/* What was taken from it stays the program's until it is freed. */
enum cudaError rt_cudaMemPoolDestroy(cudaMemPool_t handle)
{
    struct wb_pool *pool = wb_handle_get(&pools, handle);
    if (!pool) {
        return cudaErrorInvalidValue;
    }
    current = current == pool ? NULL : current;
    wb_resource_gone(WB_RESOURCE_POOL, pool);
    wb_handle_destroy(&pools, pool);
    return cudaSuccess;
}

enum cudaError rt_cudaMemPoolTrimTo(cudaMemPool_t handle, size_t least)
{
    (void)least;
    return find(handle) ? cudaSuccess : cudaErrorInvalidValue;
}

enum cudaError rt_cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                          void *value)
{
    const struct wb_pool *pool = find(handle);
    if (!pool || !value) {
        return cudaErrorInvalidValue;
    }
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *(int *)value = pool->settings[attribute - 1];
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        *(uint64_t *)value = pool->threshold;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        *(uint64_t *)value = pool->used;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        *(uint64_t *)value = pool->used_high;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

/* High-water marks can be set to 0 only, which starts them anew. */
enum cudaError rt_cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                          void *value)
{
    struct wb_pool *pool = find(handle);
    if (!pool || !value) {
        return cudaErrorInvalidValue;
    }
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        pool->settings[attribute - 1] = *(const int *)value != 0;
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        pool->threshold = *(const uint64_t *)value;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        if (*(const uint64_t *)value != 0) {
            return cudaErrorInvalidValue;
        }
        pool->used_high = pool->used;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        break;
    }
    return cudaErrorInvalidValue;
}

/* The device that the memory lies on always has access, and there is no other. */
enum cudaError rt_cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *access,
                                       size_t count)
{
    if (!find(handle) || (count && !access)) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; i++) {
        if (access[i].location.type != cudaMemLocationTypeDevice ||
            access[i].flags != cudaMemAccessFlagsProtReadWrite) {
            return cudaErrorInvalidValue;
        }
        if (access[i].location.id != 0) {
            return cudaErrorInvalidDevice;
        }
    }
    return cudaSuccess;
}

enum cudaError rt_cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                                       struct cudaMemLocation *location)
{
    if (!flags || !location || !find(handle) || location->type != cudaMemLocationTypeDevice ||
        location->id != 0) {
        return cudaErrorInvalidValue;
    }
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}

/* ---- the device's pool ----------------------------------------------------------------------- */

enum cudaError rt_cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = (cudaMemPool_t)the_default();
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

enum cudaError rt_cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    if (!out) {
        return cudaErrorInvalidValue;
    }
    *out = (cudaMemPool_t)(current ? current : the_default());
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

enum cudaError rt_cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    struct wb_pool *pool = find(handle);
    if (device != 0) {
        return cudaErrorInvalidDevice;
    }
    if (!pool) {
        return cudaErrorInvalidValue;
    }
    current = pool;
    return cudaSuccess;
}

/* The newer names of the three calls: a pool of a place and a kind of memory. */
static bool is_device(const struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    return location && location->type == cudaMemLocationTypeDevice && location->id == 0 &&
           type == cudaMemAllocationTypePinned;
}

enum cudaError rt_cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                           enum cudaMemAllocationType type)
{
    return is_device(location, type) ? rt_cudaDeviceGetDefaultMemPool(out, 0)
                                     : cudaErrorInvalidValue;
}

enum cudaError rt_cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                    enum cudaMemAllocationType type)
{
    return is_device(location, type) ? rt_cudaDeviceGetMemPool(out, 0) : cudaErrorInvalidValue;
}

enum cudaError rt_cudaMemSetMemPool(struct cudaMemLocation *location,
                                    enum cudaMemAllocationType type, cudaMemPool_t handle)
{
    return is_device(location, type) ? rt_cudaDeviceSetMemPool(0, handle) : cudaErrorInvalidValue;
}

/* ---- memory of graphs: it is the heap's, and given back with the graphs ------------------------
 */

enum cudaError
rt_cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    if (device != 0) {
        return cudaErrorInvalidDevice;
    }
    if (!value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh) {
        return cudaErrorInvalidValue;
    }
    *(uint64_t *)value = 0;
    return cudaSuccess;
}

enum cudaError
rt_cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
    if (device != 0) {
        return cudaErrorInvalidDevice;
    }
    bool is_high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    return value && is_high && *(const uint64_t *)value == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

enum cudaError rt_cudaDeviceGraphMemTrim(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
