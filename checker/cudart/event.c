/* SPDX-License-Identifier: MIT
 * Events: a time of a stream. While a stream is being captured, a record instead remembers the
 * nodes that a later wait depends on (capture.c).
 */
#include "api.h"
#include "capture.h"
#include "clock.h"
#include "crossing.h"
#include "handle.h"
#include "held.h"
#include "log.h"
#include "runtime.h"
#include "stream.h"

enum { RECORD_TIME = 500 }; /* ns; so that a later record always has a later time */

static struct wb_handle_pool events = {.object_size = sizeof(struct wb_event)};

struct wb_event *wb_event_find(cudaEvent_t handle)
{
    return wb_handle_get(&events, handle);
}

void wb_events_reset(void)
{
    for (struct wb_event *e = wb_handle_next(&events, NULL); e; e = wb_handle_next(&events, e)) {
        wb_frontier_clear(&e->frontier);
        wb_past_clear(&e->past);
    }
    wb_handle_pool_finish(&events);
}

enum cudaError rt_cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!out || flags & ~known ||
        (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming))) {
        return cudaErrorInvalidValue;
    }
    struct wb_event *event = wb_handle_create(&events);
    if (!event) {
        return cudaErrorMemoryAllocation;
    }
    event->flags = flags;
    *out = (cudaEvent_t)event;
    wb_resource_made(WB_RESOURCE_EVENT, event, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaEventCreate(cudaEvent_t *out)
{
    return rt_cudaEventCreateWithFlags(out, 0);
}

enum cudaError rt_cudaEventDestroy(cudaEvent_t handle)
{
    struct wb_event *event = wb_event_find(handle);
    if (!event) {
        return cudaErrorInvalidResourceHandle;
    }
    wb_frontier_clear(&event->frontier);
    wb_past_clear(&event->past);
    wb_resource_gone(WB_RESOURCE_EVENT, event);
    wb_handle_destroy(&events, event);
    return cudaSuccess;
}

void wb_event_record(struct wb_event *event, struct wb_stream *stream)
{
    stream->done = wb_stream_start(stream) + RECORD_TIME;
    event->time = stream->done;
    event->recorded = true;
    event->capture = 0;
    wb_frontier_clear(&event->frontier);
    wb_stream_gather(stream);
    wb_past_clear(&event->past);
    wb_past_join(&event->past, &stream->past);
}

enum cudaError rt_cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle,
                                           unsigned flags)
{
    struct wb_event *event = wb_event_find(handle);
    struct wb_stream *stream = wb_stream_find(stream_handle);
    if (!event || !stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (flags & ~(unsigned)cudaEventRecordExternal) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_capture_check(stream);
    if (error) {
        return error;
    }
    if (stream->capture) {
        return wb_capture_record(stream, event, flags & cudaEventRecordExternal);
    }
    wb_event_record(event, stream);
    return cudaSuccess;
}

enum cudaError rt_cudaEventRecord(cudaEvent_t handle, cudaStream_t stream)
{
    return rt_cudaEventRecordWithFlags(handle, stream, 0);
}

enum cudaError rt_cudaEventSynchronize(cudaEvent_t handle)
{
    struct wb_event *event = wb_event_find(handle);
    if (!event) {
        return cudaErrorInvalidResourceHandle;
    }
    if (event->capture) {
        return wb_capture_is_spoiled(event->capture) ? cudaErrorInvalidValue
                                                     : cudaErrorCapturedEvent;
    }
    if (event->recorded) {
        wb_clock_wait(event->time);
    }
    enum cudaError error = wb_runtime_synchronise();
    if (event->recorded) {
        wb_crossing_host_waited(&event->past);
    }
    return error;
}

/* What is not held (held.h) has run already. */
enum cudaError rt_cudaEventQuery(cudaEvent_t handle)
{
    if (wb_event_find(handle) && !wb_held_try()) {
        return cudaErrorNotReady;
    }
    return rt_cudaEventSynchronize(handle);
}

enum cudaError rt_cudaEventElapsedTime(float *ms, cudaEvent_t start_handle, cudaEvent_t end_handle)
{
    const struct wb_event *start = wb_event_find(start_handle), *end = wb_event_find(end_handle);
    if (!ms) {
        return cudaErrorInvalidValue;
    }
    if (!start || !end || !start->recorded || !end->recorded ||
        (start->flags | end->flags) & cudaEventDisableTiming) {
        return cudaErrorInvalidResourceHandle;
    }
    if (start->capture || end->capture) {
        return cudaErrorCapturedEvent;
    }
    *ms = (float)((double)(int64_t)(end->time - start->time) / 1e6);
    return cudaSuccess;
}
