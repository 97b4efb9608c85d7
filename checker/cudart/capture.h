/* SPDX-License-Identifier: MIT
 * capture: while a stream is being captured, its operations become nodes of a graph instead of
 * running. Other streams join by waiting for an event of a captured one. A call that cannot be
 * part of a graph fails and spoils the capture, as on hardware. Needs the lock.
 */
#ifndef WB_CUDART_CAPTURE_H
#define WB_CUDART_CAPTURE_H

#include "graph.h"
#include "stream.h"

#include <pthread.h>

struct wb_capture {
    unsigned long long id;
    struct wb_graph *graph;
    bool graph_is_ours; /* to be destroyed when the capture fails */
    struct wb_stream *origin;
    enum cudaStreamCaptureMode mode;
    pthread_t thread;
    bool spoiled;
    struct wb_frontier left; /* what streams did last that were destroyed meanwhile */
    struct wb_capture *next;
};

/* May an operation be given to the stream? No if its capture is spoiled, or if it is the legacy
 * default stream while a stream that it orders itself with is captured. */
enum cudaError wb_capture_check(struct wb_stream *stream);
/* As wb_capture_check, for calls that a capturing stream cannot take: waiting, asking. */
enum cudaError wb_capture_forbids(struct wb_stream *stream);
/* May this thread make a call that would wait for the device in unknown ways (cudaMalloc,
 * cudaMemcpy ...)? Not during a capture, unless the capture or the thread said "relaxed". */
enum cudaError wb_capture_blocks(void);
/* May the whole device be waited for? Not while anything is captured. */
enum cudaError wb_capture_blocks_device(void);

/* For a stream that is being captured. */
enum cudaError wb_capture_add(struct wb_stream *stream, const struct wb_op *op);
enum cudaError wb_capture_record(struct wb_stream *stream, struct wb_event *event, bool external);
/* The stream or the event (or both) belongs to a capture. */
enum cudaError wb_capture_wait(struct wb_stream *stream, struct wb_event *event, bool external);
/* Another graph becomes a child graph node. */
enum cudaError wb_capture_child(struct wb_stream *stream, const struct wb_graph *graph);
/* A device address for cudaMallocAsync, or one for cudaFreeAsync to forget, becomes a node. */
enum cudaError wb_capture_alloc(struct wb_stream *stream, uint64_t address, size_t size);
enum cudaError wb_capture_free(struct wb_stream *stream, uint64_t address);

/* From now on the capture cannot give a graph. Returns `error`. */
enum cudaError wb_capture_spoil(struct wb_capture *capture, enum cudaError error);
/* One more capture, which has its number from here; and one less: its streams run again. */
void wb_capture_start(struct wb_capture *capture);
void wb_capture_finish(struct wb_capture *capture);
/* Whether the capture of that number goes on although it can give no graph. */
bool wb_capture_is_spoiled(unsigned long long id);
/* Whether a capture goes into the graph: nothing of it may be destroyed then. */
bool wb_capture_has(const struct wb_graph *graph);
/* The stream is destroyed; the capture goes on unless it began there. */
void wb_capture_forget(struct wb_stream *stream);
void wb_captures_reset(void);

#endif
