/* SPDX-License-Identifier: MIT
 * Stream capture: see capture.h. Each capture has one graph, the stream where it began, and the
 * streams that joined; each of those remembers the nodes that its next operation will wait for.
 */
#include "capture.h"

#include "api.h"
#include "graph.h"

#include <stdlib.h>

static struct wb_capture *captures;
static unsigned long long last_id;
static _Thread_local enum cudaStreamCaptureMode thread_mode; /* global at first */

/* ---- spoiling -------------------------------------------------------------------------------- */

enum cudaError wb_capture_spoil(struct wb_capture *capture, enum cudaError error)
{
    capture->spoiled = true;
    return error;
}

/* The legacy default stream waits for blocking streams, which a capture cannot express. */
static enum cudaError check_legacy(void)
{
    enum cudaError error = cudaSuccess;
    for (struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        if (s->capture && !(s->flags & cudaStreamNonBlocking)) {
            error = wb_capture_spoil(s->capture, cudaErrorStreamCaptureImplicit);
        }
    }
    return error;
}

enum cudaError wb_capture_check(struct wb_stream *stream)
{
    if (wb_stream_is_legacy(stream)) {
        return check_legacy();
    }
    return stream->capture && stream->capture->spoiled ? cudaErrorStreamCaptureInvalidated
                                                       : cudaSuccess;
}

enum cudaError wb_capture_forbids(struct wb_stream *stream)
{
    if (stream->capture) {
        return wb_capture_spoil(stream->capture, cudaErrorStreamCaptureUnsupported);
    }
    return wb_capture_check(stream);
}

enum cudaError wb_capture_blocks(void)
{
    enum cudaError error = cudaSuccess;
    if (thread_mode == cudaStreamCaptureModeRelaxed) {
        return cudaSuccess;
    }
    for (struct wb_capture *c = captures; c; c = c->next) {
        bool mine = pthread_equal(c->thread, pthread_self());
        bool others =
            thread_mode == cudaStreamCaptureModeGlobal && c->mode == cudaStreamCaptureModeGlobal;
        if (c->mode != cudaStreamCaptureModeRelaxed && (mine || others)) {
            error = wb_capture_spoil(c, cudaErrorStreamCaptureUnsupported);
        }
    }
    return error;
}

enum cudaError wb_capture_blocks_device(void)
{
    enum cudaError error = cudaSuccess;
    for (struct wb_capture *c = captures; c; c = c->next) {
        error = wb_capture_spoil(c, cudaErrorStreamCaptureUnsupported);
    }
    return error;
}

enum cudaError rt_cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) {
        return cudaErrorInvalidValue;
    }
    enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return cudaSuccess;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A node after everything that the stream holds. */
static struct wb_node *add(struct wb_stream *stream, enum cudaGraphNodeType type)
{
    struct wb_node *node =
        wb_graph_add(stream->capture->graph, type, stream->frontier.nodes, stream->frontier.count);
    if (node) {
        wb_frontier_set(&stream->frontier, &node, 1);
    }
    return node;
}

static enum cudaGraphNodeType type_of(enum wb_op_kind kind)
{
    switch (kind) {
    case WB_OP_KERNEL:
        return cudaGraphNodeTypeKernel;
    case WB_OP_COPY:
        return cudaGraphNodeTypeMemcpy;
    case WB_OP_FILL:
        return cudaGraphNodeTypeMemset;
    case WB_OP_HOST:
        return cudaGraphNodeTypeHost;
    case WB_OP_EMPTY:
        break;
    }
    return cudaGraphNodeTypeEmpty;
}

enum cudaError wb_capture_add(struct wb_stream *stream, const struct wb_op *op)
{
    struct wb_node *node = add(stream, type_of(op->kind));
    if (!node) {
        return wb_capture_spoil(stream->capture, cudaErrorMemoryAllocation);
    }
    wb_node_set_op(node, op);
    return cudaSuccess;
}

enum cudaError wb_capture_child(struct wb_stream *stream, const struct wb_graph *graph)
{
    struct wb_node *node = add(stream, cudaGraphNodeTypeGraph);
    if (!node || !wb_node_set_child(node, graph)) {
        return wb_capture_spoil(stream->capture, cudaErrorMemoryAllocation);
    }
    return cudaSuccess;
}

enum cudaError wb_capture_record(struct wb_stream *stream, struct wb_event *event, bool external)
{
    if (external) {
        struct wb_node *node = add(stream, cudaGraphNodeTypeEventRecord);
        if (!node) {
            return wb_capture_spoil(stream->capture, cudaErrorMemoryAllocation);
        }
        node->event = (cudaEvent_t)event;
        return cudaSuccess;
    }
    event->capture = stream->capture->id;
    wb_frontier_set(&event->frontier, stream->frontier.nodes, stream->frontier.count);
    return cudaSuccess;
}

static struct wb_capture *find(unsigned long long id)
{
    struct wb_capture *capture = captures;
    while (capture && capture->id != id) {
        capture = capture->next;
    }
    return capture;
}

bool wb_capture_is_spoiled(unsigned long long id)
{
    const struct wb_capture *capture = find(id);
    return capture && capture->spoiled;
}

/* A stream that waits for a captured event belongs to the capture from then on. */
static enum cudaError join(struct wb_stream *stream, struct wb_event *event)
{
    struct wb_capture *capture = find(event->capture);
    if (!capture) {
        return cudaErrorCapturedEvent;
    }
    if (wb_stream_is_legacy(stream)) {
        return wb_capture_spoil(capture, cudaErrorStreamCaptureImplicit);
    }
    if (stream->capture && stream->capture != capture) {
        wb_capture_spoil(stream->capture, cudaErrorStreamCaptureMerge);
        return wb_capture_spoil(capture, cudaErrorStreamCaptureMerge);
    }
    if (capture->spoiled) {
        return cudaErrorStreamCaptureInvalidated;
    }
    stream->capture = capture;
    wb_frontier_add(&stream->frontier, event->frontier.nodes, event->frontier.count);
    return cudaSuccess;
}

enum cudaError wb_capture_wait(struct wb_stream *stream, struct wb_event *event, bool external)
{
    if (stream->capture && external) {
        struct wb_node *node = add(stream, cudaGraphNodeTypeWaitEvent);
        if (!node) {
            return wb_capture_spoil(stream->capture, cudaErrorMemoryAllocation);
        }
        node->event = (cudaEvent_t)event;
        return cudaSuccess;
    }
    if (!event->capture) {
        return wb_capture_spoil(stream->capture, cudaErrorStreamCaptureIsolation);
    }
    return join(stream, event);
}

enum cudaError wb_capture_alloc(struct wb_stream *stream, uint64_t address, size_t size)
{
    struct wb_node *node = add(stream, cudaGraphNodeTypeMemAlloc);
    if (!node) {
        return wb_capture_spoil(stream->capture, cudaErrorMemoryAllocation);
    }
    node->alloc = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = size,
        .dptr = (void *)(uintptr_t)address,
    };
    return cudaSuccess;
}

enum cudaError wb_capture_free(struct wb_stream *stream, uint64_t address)
{
    struct wb_node *node = add(stream, cudaGraphNodeTypeMemFree);
    if (!node) {
        return wb_capture_spoil(stream->capture, cudaErrorMemoryAllocation);
    }
    node->address = (void *)(uintptr_t)address;
    return cudaSuccess;
}

/* ---- all captures ---------------------------------------------------------------------------- */

void wb_capture_start(struct wb_capture *capture)
{
    capture->id = ++last_id;
    capture->next = captures;
    captures = capture;
}

bool wb_capture_has(const struct wb_graph *graph)
{
    const struct wb_capture *capture = captures;
    while (capture && capture->graph != graph) {
        capture = capture->next;
    }
    return capture != NULL;
}

void wb_capture_finish(struct wb_capture *capture)
{
    for (struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        if (s->capture == capture) {
            s->capture = NULL;
            wb_frontier_clear(&s->frontier);
        }
    }
    struct wb_capture **link = &captures;
    while (*link != capture) {
        link = &(*link)->next;
    }
    *link = capture->next;
    wb_frontier_clear(&capture->left);
    free(capture);
}

/* It ends without a graph. */
static void abandon(struct wb_capture *capture)
{
    if (capture->graph_is_ours) {
        wb_graph_destroy(capture->graph);
    }
    wb_capture_finish(capture);
}

void wb_capture_forget(struct wb_stream *stream)
{
    struct wb_capture *capture = stream->capture;
    stream->capture = NULL;
    if (capture && capture->origin == stream) {
        abandon(capture);
    } else if (capture) {
        wb_frontier_add(&capture->left, stream->frontier.nodes, stream->frontier.count);
    }
}

void wb_captures_reset(void)
{
    while (captures) {
        abandon(captures);
    }
    thread_mode = cudaStreamCaptureModeGlobal;
}
