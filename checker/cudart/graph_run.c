/* SPDX-License-Identifier: MIT
 * Running a graph's nodes, one after the other in an order that its edges allow. In virtual time
 * nodes that do not wait for one another run side by side.
 */
#include "clock.h"
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
        error = wb_graph_run(&node->done, order, child->count, start, stream);
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
        event->recorded = true;
        event->capture = 0;
        break;
    case cudaGraphNodeTypeWaitEvent:
        event = wb_event_find(node->event);
        if (!event) {
            return cudaErrorInvalidResourceHandle;
        }
        node->done = later(start, event->time);
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

enum cudaError wb_graph_run(uint64_t *done, struct wb_node *const *order, size_t count,
                            uint64_t start, cudaStream_t stream)
{
    *done = start;
    for (size_t i = 0; i < count; i++) {
        uint64_t ready = start;
        for (size_t k = 0; k < order[i]->before_count; k++) {
            ready = later(ready, order[i]->before[k]->done);
        }
        enum cudaError error = run_node(order[i], ready, stream);
        if (error) {
            return error;
        }
        *done = later(*done, order[i]->done);
    }
    return cudaSuccess;
}
