/* SPDX-License-Identifier: MIT
 * stream: streams and events. Operations run when they are submitted, which is one of the orders
 * that a program must expect; what is left of asynchrony is the virtual time at which each stream
 * and event would be done (clock.h), and capture (capture.h). Needs the lock.
 */
#ifndef WB_CUDART_STREAM_H
#define WB_CUDART_STREAM_H

#include "abi.h"
#include "past.h"

#include <stdbool.h>

struct wb_capture;
struct wb_node;

/* Nodes that whatever comes next in a capturing stream depends on. */
struct wb_frontier {
    struct wb_node **nodes; /* from the heap of the process */
    size_t count;
};

struct wb_stream {
    unsigned flags; /* cudaStreamNonBlocking */
    int priority;
    unsigned long long id;
    uint64_t done;              /* virtual time at which its last operation is over */
    struct wb_past past;        /* what comes before its next operation (crossing.h) */
    struct wb_capture *capture; /* NULL: it is not being captured */
    struct wb_frontier frontier;
    unsigned char attributes[4][64]; /* see stream_attribute.c */
    unsigned attributes_set;         /* bit i: attributes[i] was set */
};

struct wb_event {
    unsigned flags;
    bool recorded;
    uint64_t time;              /* of the last record */
    struct wb_past past;        /* what was before it */
    unsigned long long capture; /* number of the capture it was last recorded in, 0: none */
    struct wb_frontier frontier;
};

/* The stream that a handle names (0, legacy and per-thread ones included); NULL if there is none.
 */
struct wb_stream *wb_stream_find(cudaStream_t handle);
/* Live streams in the order of their creation, the two default ones first; NULL starts and ends. */
struct wb_stream *wb_stream_next(const struct wb_stream *stream);
cudaStream_t wb_stream_handle(const struct wb_stream *stream);
bool wb_stream_is_legacy(const struct wb_stream *stream);
/* The number of a stream for the run log: 0 for the default stream. */
unsigned long long wb_stream_number(cudaStream_t handle);

/* Virtual time at which an operation that is submitted now can start: after what the stream holds,
 * and after what the rules of the default stream add. */
uint64_t wb_stream_start(const struct wb_stream *stream);

/* Adds to the stream's past what an operation that is submitted now waits for: what the host waited
 * for, and what the rules of the default stream add. */
void wb_stream_gather(struct wb_stream *stream);
/* Were several streams in use? */
bool wb_stream_are_several(void);

struct wb_event *wb_event_find(cudaEvent_t handle);
/* Records an event at a time of a stream that is not being captured. */
void wb_event_record(struct wb_event *event, struct wb_stream *stream);

void wb_frontier_set(struct wb_frontier *frontier, struct wb_node *const *nodes, size_t count);
void wb_frontier_add(struct wb_frontier *frontier, struct wb_node *const *nodes, size_t count);
void wb_frontier_clear(struct wb_frontier *frontier);

/* cudaDeviceReset: every stream and event is gone. */
void wb_streams_reset(void);
void wb_events_reset(void);

#endif
