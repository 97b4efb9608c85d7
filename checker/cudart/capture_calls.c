/* SPDX-License-Identifier: MIT
 * The calls that begin and end a capture and ask about it. What happens in between is in capture.c.
 */
#include "api.h"
#include "capture.h"
#include "log.h"

#include <stdlib.h>

/* ---- begin and end --------------------------------------------------------------------------- */

static enum cudaError begin(struct wb_stream *stream, struct wb_graph *graph,
                            struct wb_node *const *before, size_t before_count,
                            enum cudaStreamCaptureMode mode)
{
    struct wb_capture *capture = calloc(1, sizeof *capture);
    bool ours = graph == NULL;
    graph = graph ? graph : wb_graph_create();
    if (!capture || !graph) {
        free(capture);
        return cudaErrorMemoryAllocation;
    }
    *capture = (struct wb_capture){
        .graph = graph,
        .graph_is_ours = ours,
        .origin = stream,
        .mode = mode,
        .thread = pthread_self(),
    };
    wb_capture_start(capture);
    stream->capture = capture;
    wb_frontier_set(&stream->frontier, before, before_count);
    return cudaSuccess;
}

/* Whether the stream can begin a capture now. */
static enum cudaError check_begin(const struct wb_stream *stream, enum cudaStreamCaptureMode mode)
{
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) {
        return cudaErrorInvalidValue;
    }
    if (wb_stream_is_legacy(stream)) {
        return cudaErrorStreamCaptureUnsupported;
    }
    return stream->capture ? cudaErrorIllegalState : cudaSuccess;
}

enum cudaError rt_cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
    struct wb_stream *stream = wb_stream_find(handle);
    enum cudaError error = check_begin(stream, mode);
    return error ? error : begin(stream, NULL, NULL, 0, mode);
}

enum cudaError rt_cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph_handle,
                                                const cudaGraphNode_t *before,
                                                const struct cudaGraphEdgeData *edges, size_t count,
                                                enum cudaStreamCaptureMode mode)
{
    struct wb_stream *stream = wb_stream_find(handle);
    struct wb_graph *graph = wb_graph_find(graph_handle);
    (void)edges;
    enum cudaError error = check_begin(stream, mode);
    if (error) {
        return error;
    }
    if (!graph || (count && !before)) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; i++) {
        const struct wb_node *node = wb_node_find(before[i]);
        if (!node || node->graph != graph) {
            return cudaErrorInvalidValue;
        }
    }
    return begin(stream, graph, (struct wb_node *const *)before, count, mode);
}

/* Whether all nodes of a frontier are waited for by what the first stream did last. */
static bool is_joined(const struct wb_frontier *frontier, const struct wb_capture *capture)
{
    const struct wb_frontier *last = &capture->origin->frontier;
    for (size_t i = 0; i < frontier->count; i++) {
        bool joined = false;
        for (size_t k = 0; k < last->count && !joined; k++) {
            joined = wb_node_follows(last->nodes[k], frontier->nodes[i]);
        }
        if (!joined) {
            return false;
        }
    }
    return true;
}

static bool all_are_joined(const struct wb_capture *capture)
{
    for (const struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        if (s->capture == capture && !is_joined(&s->frontier, capture)) {
            return false;
        }
    }
    return is_joined(&capture->left, capture);
}

enum cudaError rt_cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *out)
{
    struct wb_stream *stream = wb_stream_find(handle);
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    struct wb_capture *capture = stream->capture;
    if (!capture) {
        return cudaErrorIllegalState;
    }
    if (capture->origin != stream) {
        return wb_capture_spoil(capture, cudaErrorStreamCaptureUnmatched);
    }
    if (capture->mode != cudaStreamCaptureModeRelaxed &&
        !pthread_equal(capture->thread, pthread_self())) {
        return cudaErrorStreamCaptureWrongThread;
    }
    enum cudaError error = capture->spoiled ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    if (!error && !all_are_joined(capture)) {
        error = cudaErrorStreamCaptureUnjoined;
    }
    struct wb_graph *graph = capture->graph;
    bool ours = capture->graph_is_ours;
    wb_capture_finish(capture);
    if (ours && (error || !out)) {
        wb_graph_destroy(graph);
    } else if (ours) {
        wb_resource_made(WB_RESOURCE_GRAPH, graph, 0);
    }
    if (out) {
        *out = error ? NULL : (cudaGraph_t)graph;
    }
    return error;
}

/* ---- questions ------------------------------------------------------------------------------- */

static enum cudaStreamCaptureStatus status_of(const struct wb_stream *stream)
{
    if (!stream->capture) {
        return cudaStreamCaptureStatusNone;
    }
    return stream->capture->spoiled ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
}

/* The legacy default stream cannot even be asked about while it would have to wait. */
static enum cudaError check_question(const struct wb_stream *stream)
{
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!wb_stream_is_legacy(stream)) {
        return cudaSuccess;
    }
    for (const struct wb_stream *s = wb_stream_next(NULL); s; s = wb_stream_next(s)) {
        if (s->capture && !(s->flags & cudaStreamNonBlocking)) {
            return cudaErrorStreamCaptureImplicit;
        }
    }
    return cudaSuccess;
}

enum cudaError rt_cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    if (!status) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = check_question(stream);
    if (!error) {
        *status = status_of(stream);
    }
    return error;
}

enum cudaError rt_cudaStreamGetCaptureInfo(cudaStream_t handle,
                                           enum cudaStreamCaptureStatus *status,
                                           unsigned long long *id, cudaGraph_t *graph,
                                           const cudaGraphNode_t **nodes,
                                           const struct cudaGraphEdgeData **edges, size_t *count)
{
    const struct wb_stream *stream = wb_stream_find(handle);
    if (!status) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = check_question(stream);
    if (error) {
        return error;
    }
    *status = status_of(stream);
    if (*status != cudaStreamCaptureStatusActive) {
        return cudaSuccess;
    }
    if (id) {
        *id = stream->capture->id;
    }
    if (graph) {
        *graph = (cudaGraph_t)stream->capture->graph;
    }
    if (nodes) {
        *nodes = (const cudaGraphNode_t *)stream->frontier.nodes;
    }
    if (edges) {
        *edges = NULL; /* all edges are plain ones */
    }
    if (count) {
        *count = stream->frontier.count;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t *nodes,
                                                      const struct cudaGraphEdgeData *edges,
                                                      size_t count, unsigned flags)
{
    struct wb_stream *stream = wb_stream_find(handle);
    (void)edges;
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!stream->capture) {
        return cudaErrorIllegalState;
    }
    if (flags > cudaStreamSetCaptureDependencies || (count && !nodes)) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; i++) {
        const struct wb_node *node = wb_node_find(nodes[i]);
        if (!node || node->graph != stream->capture->graph) {
            return cudaErrorInvalidValue;
        }
    }
    if (flags == cudaStreamSetCaptureDependencies) {
        wb_frontier_set(&stream->frontier, (struct wb_node *const *)nodes, count);
    } else {
        wb_frontier_add(&stream->frontier, (struct wb_node *const *)nodes, count);
    }
    return cudaSuccess;
}
