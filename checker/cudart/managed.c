/* SPDX-License-Identifier: MIT
 * Managed memory: one address for host and device. Where it lies, and advice about that, is only
 * remembered: on the embedded device it is one memory.
 */
#include "api.h"
#include "heap.h"
#include "log.h"
#include "op.h"
#include "runtime.h"

#include <string.h>

enum cudaError rt_cudaMallocManaged(void **out, size_t size, unsigned flags)
{
    struct wb_allocation *made;
    if (!out || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
        return cudaErrorInvalidValue;
    }
    if (size == 0) {
        *out = NULL;
        return cudaSuccess;
    }
    enum cudaError error =
        wb_heap_alloc(&made, WB_MEMORY_MANAGED, size, flags, "cudaMallocManaged");
    if (error == cudaSuccess) {
        *out = made->host;
        made->preferred = made->prefetched = (struct cudaMemLocation){0, cudaInvalidDeviceId};
        wb_resource_made(WB_RESOURCE_MANAGED, *out, size);
    }
    return error;
}

/* The managed allocation that holds a whole range, or NULL. */
static struct wb_allocation *managed(const void *pointer, size_t size)
{
    struct wb_allocation *a = wb_heap_find((uintptr_t)pointer);
    bool ok =
        a &&
        (a->kind == WB_MEMORY_MANAGED || (a->kind == WB_MEMORY_VARIABLE && wb_heap_on_host(a))) &&
        size <= a->size - ((uintptr_t)pointer - a->address);
    return ok ? a : NULL;
}

/* The device has number 0; the host may be named with any node. */
static bool location_is_ok(struct cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeDevice
               ? location.id == 0
               : location.type >= cudaMemLocationTypeHost &&
                     location.type <= cudaMemLocationTypeHostNumaCurrent;
}

enum cudaError rt_cudaMemPrefetchAsync(const void *pointer, size_t size,
                                       struct cudaMemLocation location, unsigned flags,
                                       cudaStream_t stream)
{
    struct wb_allocation *a = managed(pointer, size);
    if (!a || size == 0 || flags != 0) {
        return cudaErrorInvalidValue;
    }
    if (!location_is_ok(location)) {
        return cudaErrorInvalidDevice;
    }
    a->prefetched = location;
    return wb_stream_submit(stream, &(struct wb_op){.kind = WB_OP_EMPTY});
}

enum cudaError rt_cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                                struct cudaMemLocation location)
{
    struct wb_allocation *a = managed(pointer, size);
    bool placed = advice == cudaMemAdviseSetPreferredLocation ||
                  advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
    if (!a || size == 0) {
        return cudaErrorInvalidValue;
    }
    if (placed && !location_is_ok(location)) {
        return cudaErrorInvalidDevice;
    }
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        a->read_mostly = advice == cudaMemAdviseSetReadMostly;
        return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
        a->preferred = location;
        return cudaSuccess;
    case cudaMemAdviseUnsetPreferredLocation:
        a->preferred = (struct cudaMemLocation){0, cudaInvalidDeviceId};
        return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
        if (location.type == cudaMemLocationTypeDevice) {
            a->accessed_by_device = advice == cudaMemAdviseSetAccessedBy;
        } else {
            a->accessed_by_host = advice == cudaMemAdviseSetAccessedBy;
        }
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

/* A location as the older attributes tell it: a device number, or -1 for the host. */
static int number_of(struct cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeDevice || location.type == cudaMemLocationTypeInvalid
               ? location.id
               : cudaCpuDeviceId;
}

static enum cudaError accessed_by(int *data, size_t data_size, const struct wb_allocation *a)
{
    size_t room = data_size / sizeof *data, count = 0;
    const struct {
        bool on;
        int id;
    } who[] = {{a->accessed_by_host, cudaCpuDeviceId}, {a->accessed_by_device, 0}};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(who); i++) {
        if (who[i].on && count < room) {
            data[count++] = who[i].id;
        }
    }
    while (count < room) {
        data[count++] = cudaInvalidDeviceId;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaMemRangeGetAttribute(void *data, size_t data_size,
                                           enum cudaMemRangeAttribute attribute,
                                           const void *pointer, size_t size)
{
    const struct wb_allocation *a = managed(pointer, size);
    if (!data || !a || size == 0 || data_size < sizeof(int) || data_size % sizeof(int)) {
        return cudaErrorInvalidValue;
    }
    const struct {
        enum cudaMemRangeAttribute attribute;
        int value;
    } values[] = {
        {cudaMemRangeAttributeReadMostly, a->read_mostly},
        {cudaMemRangeAttributePreferredLocation, number_of(a->preferred)},
        {cudaMemRangeAttributeLastPrefetchLocation, number_of(a->prefetched)},
        {cudaMemRangeAttributePreferredLocationType, (int)a->preferred.type},
        {cudaMemRangeAttributePreferredLocationId, a->preferred.id},
        {cudaMemRangeAttributeLastPrefetchLocationType, (int)a->prefetched.type},
        {cudaMemRangeAttributeLastPrefetchLocationId, a->prefetched.id},
    };
    if (attribute == cudaMemRangeAttributeAccessedBy) {
        return accessed_by(data, data_size, a);
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(values); i++) {
        if (values[i].attribute == attribute && data_size == sizeof(int)) {
            memcpy(data, &values[i].value, sizeof(int));
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

enum cudaError rt_cudaMemRangeGetAttributes(void **data, size_t *data_sizes,
                                            enum cudaMemRangeAttribute *attributes, size_t count,
                                            const void *pointer, size_t size)
{
    enum cudaError error =
        data && data_sizes && attributes && count ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = rt_cudaMemRangeGetAttribute(data[i], data_sizes[i], attributes[i], pointer, size);
    }
    return error;
}

enum cudaError rt_cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size,
                                           unsigned flags)
{
    bool known =
        flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
    if (!known || !managed(pointer, size)) {
        return cudaErrorInvalidValue;
    }
    return wb_stream_submit(stream, &(struct wb_op){.kind = WB_OP_EMPTY});
}
