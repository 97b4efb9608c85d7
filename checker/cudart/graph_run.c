/* SPDX-License-Identifier: MIT
 * Running a graph's nodes, one after the other in an order that its edges allow. In virtual time
 * nodes that do not wait for one another run side by side.
 */
#include "clock.h"
#include "crossing.h"
#include "graph.h"
#include "heap.h"
#include "stream.h"

#include <stdlib.h>

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static enum cudaError run_child(struct wb_node *node, uint64_t start, cudaStream_t stream)
{
    const struct wb_graph *child = node->child;
    struct wb_node **order = calloc(child->count + 1, sizeof *order);
    if (!order) {
        return cudaErrorMemoryAllocation;
    }
    enum cudaError error = cudaErrorInvalidValue;
    if (wb_graph_order(order, child)) {
        error = wb_graph_run(&node->done, &node->past, order, child->count, start, stream);
    }
    free(order);
    return error;
}

static enum cudaError run_node(struct wb_node *node, uint64_t start, cudaStream_t stream)
{
    uint64_t duration = 0;
    enum cudaError error = cudaSuccess;
    struct wb_event *event;
    node->done = start;
    if (node->disabled) {
        return cudaSuccess;
    }
    switch ((int)node->type) {
    case cudaGraphNodeTypeGraph:
        return run_child(node, start, stream);
    case cudaGraphNodeTypeEventRecord:
        event = wb_event_find(node->event);
        if (!event) {
            return cudaErrorInvalidResourceHandle;
        }
        event->time = start;
        wb_past_clear(&event->past);
        wb_past_join(&event->past, &node->past);
        event->recorded = true;
        event->capture = 0;
        break;
    case cudaGraphNodeTypeWaitEvent:
        event = wb_event_find(node->event);
        if (!event) {
            return cudaErrorInvalidResourceHandle;
        }
        node->done = later(start, event->time);
        wb_past_join(&node->past, &event->past);
        break;
    case cudaGraphNodeTypeMemAlloc: /* what the last launch made was freed, maybe */
        return wb_heap_revive(node->alloc.dptr, node->alloc.bytesize, "cudaGraphAddMemAllocNode");
    default: /* an operation; none where memory is taken: it stays for the next launch */
        if (node->op.kind != WB_OP_EMPTY) {
            error = wb_clock_run(&duration, &node->op, stream);
        }
        node->done = start + duration;
        break;
    }
    return error;
}

/* What is over before the node can start: the time of that. */
static uint64_t gather(struct wb_node *node, const struct wb_past *past, uint64_t start)
{
    wb_past_clear(&node->past);
    wb_past_join(&node->past, past);
    for (size_t k = 0; k < node->before_count; k++) {
        start = later(start, node->before[k]->done);
        wb_past_join(&node->past, &node->before[k]->past);
    }
    return start;
}

enum cudaError wb_graph_run(uint64_t *done, struct wb_past *past, struct wb_node *const *order,
                            size_t count, uint64_t start, cudaStream_t stream)
{
    enum cudaError error = cudaSuccess;
    size_t ran = 0;
    *done = start;
    for (; ran < count && !error; ran++) {
        uint64_t ready = gather(order[ran], past, start);
        wb_crossing_line(&order[ran]->past);
        error = run_node(order[ran], ready, stream);
        wb_crossing_line(NULL);
        *done = later(*done, error ? 0 : order[ran]->done);
    }
    for (size_t i = 0; i < ran; i++) {
        wb_past_join(past, &order[i]->past);
    }
    for (size_t i = 0; i < ran; i++) {
        wb_past_clear(&order[i]->past);
    }
    wb_crossing_trim(past);
    return error;
}
