/* SPDX-License-Identifier: MIT
 * Attributes of streams: remembered, and given back as they were set. None changes what an
 * operation computes. To add one: a row in kinds[].
 */
#include "api.h"
#include "stream.h"

#include <string.h>

enum { KIND_COUNT = 4, VALUE_SIZE = sizeof(union cudaLaunchAttributeValue) };

/* Which attributes a stream has, and their value as long as none was set (in the first bytes). */
static const struct {
    enum cudaLaunchAttributeID id;
    unsigned char first[2];
} kinds[KIND_COUNT] = {
    {cudaLaunchAttributeAccessPolicyWindow, {0}},
    {cudaLaunchAttributeSynchronizationPolicy, {0}}, /* none of the policies: not even auto */
    {cudaLaunchAttributeMemSyncDomainMap, {0, 1}},   /* domains of local and remote work */
    {cudaLaunchAttributeMemSyncDomain, {0}},         /* local */
};

static int find(enum cudaLaunchAttributeID id)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        if (kinds[i].id == id) {
            return i;
        }
    }
    return -1;
}

enum cudaError rt_cudaStreamGetAttribute(cudaStream_t handle, enum cudaLaunchAttributeID id,
                                         union cudaLaunchAttributeValue *value)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    int kind = find(id);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!value || (kind < 0 && id != cudaLaunchAttributePriority)) {
        return cudaErrorInvalidValue;
    }
    memset(value, 0, VALUE_SIZE);
    if (kind < 0) {
        value->priority = stream->priority;
    } else if (stream->attributes_set >> kind & 1) {
        memcpy(value, stream->attributes[kind], VALUE_SIZE);
    } else {
        memcpy(value, kinds[kind].first, sizeof kinds[kind].first);
    }
    return cudaSuccess;
}

enum cudaError rt_cudaStreamSetAttribute(cudaStream_t handle, enum cudaLaunchAttributeID id,
                                         const union cudaLaunchAttributeValue *value)
{
    struct wb_stream *stream = wb_stream_find(handle);
    int kind = find(id);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!value || (kind < 0 && id != cudaLaunchAttributePriority)) {
        return cudaErrorInvalidValue;
    }
    if (kind < 0) {
        stream->priority = value->priority;
    } else {
        memcpy(stream->attributes[kind], value, VALUE_SIZE);
        stream->attributes_set |= 1u << kind;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaStreamCopyAttributes(cudaStream_t to_handle, cudaStream_t from_handle)
{
    struct wb_stream *to = wb_stream_find(to_handle);
    const struct wb_stream *from = wb_stream_find(from_handle);
    if (!to || !from) {
        return cudaErrorInvalidResourceHandle;
    }
    memmove(to->attributes, from->attributes, sizeof to->attributes);
    to->attributes_set = from->attributes_set;
    to->priority = from->priority;
    return cudaSuccess;
}
