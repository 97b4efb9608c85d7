/* SPDX-License-Identifier: MIT
 * Streams: creation, order, waiting. wb_stream_submit is the one way in for every operation.
 */
#include "stream.h"

#include "api.h"
#include "capture.h"
#include "clock.h"
#include "crossing.h"
#include "guarded.h"
#include "handle.h"
#include "held.h"
#include "log.h"
#include "runtime.h"

#include <stdlib.h>

enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -5, FIRST_ID = 3 };

static struct wb_handle_pool streams = {.object_size = sizeof(struct wb_stream)};
static struct wb_stream legacy = {.id = 1}, per_thread = {.id = 2};
static unsigned long long last_id = FIRST_ID - 1;

/* ---- handles --------------------------------------------------------------------------------- */

struct wb_stream *wb_stream_find(cudaStream_t handle)
{
    handle = wb_runtime_stream(handle);
    if (handle == WB_STREAM_LEGACY) {
        return &legacy;
    }
    return handle == WB_STREAM_PER_THREAD ? &per_thread : wb_handle_get(&streams, handle);
}

struct wb_stream *wb_stream_next(const struct wb_stream *stream)
{
    if (!stream) {
        return &legacy;
    }
    if (stream == &legacy) {
        return &per_thread;
    }
    return wb_handle_next(&streams, stream == &per_thread ? NULL : stream);
}

cudaStream_t wb_stream_handle(const struct wb_stream *stream)
{
    if (stream == &legacy) {
        return WB_STREAM_LEGACY;
    }
    return stream == &per_thread ? WB_STREAM_PER_THREAD : (cudaStream_t)(uintptr_t)stream;
}

bool wb_stream_is_legacy(const struct wb_stream *stream)
{
    return stream == &legacy;
}

unsigned long long wb_stream_number(cudaStream_t handle)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    return !stream || stream == &legacy ? 0 : stream->id;
}

void wb_streams_reset(void)
{
    for (struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        wb_frontier_clear(&s->frontier);
        wb_past_clear(&s->past);
    }
    wb_handle_pool_finish(&streams);
    legacy = (struct wb_stream){.id = 1};
    per_thread = (struct wb_stream){.id = 2};
    wb_events_reset();
}

/* ---- frontiers ------------------------------------------------------------------------------- */

void wb_frontier_clear(struct wb_frontier *frontier)
{
    free(frontier->nodes);
    *frontier = (struct wb_frontier){0};
}

void wb_frontier_add(struct wb_frontier *frontier, struct wb_node *const *nodes, size_t count)
{
    struct wb_node **grown =
        realloc(frontier->nodes, (frontier->count + count + 1) * sizeof *grown);
    if (!grown) {
        abort();
    }
    frontier->nodes = grown;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < frontier->count && grown[at] != nodes[i]) {
            at++;
        }
        grown[at] = nodes[i];
        frontier->count += at == frontier->count;
    }
}

void wb_frontier_set(struct wb_frontier *frontier, struct wb_node *const *nodes, size_t count)
{
    struct wb_frontier fresh = {0};
    wb_frontier_add(&fresh, nodes, count);
    wb_frontier_clear(frontier);
    *frontier = fresh;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool is_blocking(const struct wb_stream *stream)
{
    return stream != &legacy && !(stream->flags & cudaStreamNonBlocking);
}

/* The legacy default stream waits for every blocking stream, and those wait for it. */
uint64_t wb_stream_start(const struct wb_stream *stream)
{
    uint64_t start = wb_clock_host();
    start = start < stream->done ? stream->done : start;
    for (const struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        bool waits = stream == &legacy ? is_blocking(s) : s == &legacy && is_blocking(stream);
        if (waits && s->done > start) {
            start = s->done;
        }
    }
    return start;
}

/* What was submitted to blocking streams that are destroyed: the default stream waits for it. */
static struct wb_past ended;
static bool per_thread_used;

bool wb_stream_are_several(void)
{
    return streams.live > 0 || per_thread_used;
}

void wb_stream_gather(struct wb_stream *stream)
{
    enum { MANY = 16 };
    if (!wb_guard_wanted()) {
        return;
    }
    wb_past_join(&stream->past, wb_crossing_host());
    for (const struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        if (stream == &legacy ? is_blocking(s) : s == &legacy && is_blocking(stream)) {
            wb_past_join(&stream->past, &s->past);
        }
    }
    if (stream == &legacy) {
        wb_past_join(&stream->past, &ended);
        wb_past_clear(&ended);
    }
    if (stream->past.count > MANY) {
        wb_crossing_trim(&stream->past);
    }
}

enum cudaError wb_stream_submit(cudaStream_t handle, const struct wb_op *op)
{
    struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = wb_capture_check(stream);
    if (error) {
        return error;
    }
    if (stream->capture) {
        return wb_capture_add(stream, op);
    }
    per_thread_used = per_thread_used || stream == &per_thread;
    uint64_t start = wb_stream_start(stream), duration = 0;
    error = wb_clock_run(&duration, op, wb_stream_handle(stream));
    if (!error) {
        stream->done = start + duration;
    }
    return error;
}

/* ---- waiting --------------------------------------------------------------------------------- */

enum cudaError rt_cudaStreamSynchronize(cudaStream_t handle)
{
    struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = wb_capture_forbids(stream);
    if (error) {
        return error;
    }
    wb_clock_wait(wb_stream_start(stream));
    error = wb_runtime_synchronise();
    if (stream == &legacy) {
        wb_stream_gather(stream);
    }
    wb_crossing_host_waited(&stream->past);
    return error;
}

/* What is not held (held.h) has run already. */
enum cudaError rt_cudaStreamQuery(cudaStream_t handle)
{
    if (wb_stream_find(handle) && !wb_held_try()) {
        return cudaErrorNotReady;
    }
    return rt_cudaStreamSynchronize(handle);
}

enum cudaError rt_cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags)
{
    struct wb_stream *stream = wb_stream_find(handle);
    struct wb_event *event = wb_event_find(event_handle);
    if (!stream || !event) {
        return cudaErrorInvalidResourceHandle;
    }
    if (flags & ~(unsigned)cudaEventWaitExternal) {
        return cudaErrorInvalidValue;
    }
    if (stream->capture || event->capture) {
        return wb_capture_wait(stream, event, flags & cudaEventWaitExternal);
    }
    if (event->recorded && event->time > stream->done) {
        stream->done = event->time;
    }
    if (event->recorded) {
        wb_past_join(&stream->past, &event->past);
    }
    return cudaSuccess;
}

/* ---- host functions -------------------------------------------------------------------------- */

enum cudaError rt_cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data)
{
    if (!function) {
        return cudaErrorInvalidValue;
    }
    struct wb_op op = {.kind = WB_OP_HOST, .host = {.function = function, .data = data}};
    return wb_stream_submit(handle, &op);
}

/* Unlike a host function, a callback is also called when the device is in error. */
enum cudaError rt_cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                        void *data, unsigned flags)
{
    struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!callback || flags != 0) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_capture_forbids(stream);
    if (error) {
        return error;
    }
    stream->done = wb_stream_start(stream);
    wb_crossing_host_runs(handle);
    callback(handle, wb_runtime_faulted() ? wb_runtime_synchronise() : cudaSuccess, data);
    return cudaSuccess;
}

/* ---- creation -------------------------------------------------------------------------------- */

enum cudaError rt_cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least) {
        *least = PRIORITY_LEAST;
    }
    if (greatest) {
        *greatest = PRIORITY_GREATEST;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    if (!out || flags & ~(unsigned)cudaStreamNonBlocking) {
        return cudaErrorInvalidValue;
    }
    struct wb_stream *stream = wb_handle_create(&streams);
    if (!stream) {
        return cudaErrorMemoryAllocation;
    }
    priority = priority > PRIORITY_LEAST ? PRIORITY_LEAST : priority;
    stream->priority = priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
    stream->flags = flags;
    stream->id = ++last_id;
    *out = wb_stream_handle(stream);
    wb_resource_made(WB_RESOURCE_STREAM, stream, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    return rt_cudaStreamCreateWithPriority(out, flags, 0);
}

enum cudaError rt_cudaStreamCreate(cudaStream_t *out)
{
    return rt_cudaStreamCreateWithPriority(out, 0, 0);
}

enum cudaError rt_cudaStreamDestroy(cudaStream_t handle)
{
    struct wb_stream *stream = wb_handle_get(&streams, handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    wb_capture_forget(stream);
    wb_frontier_clear(&stream->frontier);
    if (is_blocking(stream)) {
        wb_past_join(&ended, &stream->past);
    }
    wb_past_clear(&stream->past);
    wb_resource_gone(WB_RESOURCE_STREAM, stream);
    wb_handle_destroy(&streams, stream);
    return cudaSuccess;
}

/* ---- questions ------------------------------------------------------------------------------- */

enum cudaError rt_cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!priority) {
        return cudaErrorInvalidValue;
    }
    *priority = stream->priority;
    return cudaSuccess;
}

enum cudaError rt_cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!flags) {
        return cudaErrorInvalidValue;
    }
    *flags = stream->flags;
    return cudaSuccess;
}

enum cudaError rt_cudaStreamGetId(cudaStream_t handle, unsigned long long *id)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!id) {
        return cudaErrorInvalidValue;
    }
    *id = stream->id;
    return cudaSuccess;
}

enum cudaError rt_cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    if (!wb_stream_find(handle)) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!device) {
        return cudaErrorInvalidValue;
    }
    *device = 0;
    return cudaSuccess;
}
