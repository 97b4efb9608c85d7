/* SPDX-License-Identifier: MIT
 * cudaGraphAdd*Node: a node of each kind. All end in add(), which checks what it shall wait for.
 */
#include "api.h"
#include "graph_op.h"
#include "heap.h"
#include "stream.h"

/* Whether nodes of the same graph are named, each once. */
static bool are_nodes(const struct wb_graph *graph, const cudaGraphNode_t *before, size_t count)
{
    for (size_t i = 0; before && i < count; i++) {
        const struct wb_node *node = wb_node_find(before[i]);
        if (!node || node->graph != graph) {
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            if (before[k] == before[i]) {
                return false;
            }
        }
    }
    return before || count == 0;
}

/* A node without work yet; *out is the program's, *node ours. */
static enum cudaError add(struct wb_node **node, cudaGraphNode_t *out, cudaGraph_t handle,
                          const cudaGraphNode_t *before, size_t count, enum cudaGraphNodeType type)
{
    struct wb_graph *graph = wb_graph_find(handle);
    if (!out || !graph || !are_nodes(graph, before, count)) {
        return cudaErrorInvalidValue;
    }
    *node = wb_graph_add(graph, type, (struct wb_node *const *)before, count);
    *out = (cudaGraphNode_t)*node;
    return *node ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* A node for an operation; `error` is what making the operation gave. */
static enum cudaError add_op(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *before,
                             size_t count, enum cudaGraphNodeType type, struct wb_op *op,
                             enum cudaError error)
{
    struct wb_node *node = NULL;
    error = error ? error : add(&node, out, graph, before, count, type);
    if (!error) {
        wb_node_set_op(node, op);
    }
    wb_op_release(op);
    return error;
}

/* ---- operations ------------------------------------------------------------------------------ */

enum cudaError rt_cudaGraphAddKernelNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, size_t count,
                                         const struct cudaKernelNodeParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_kernel(&op, params);
    return add_op(out, graph, before, count, cudaGraphNodeTypeKernel, &op, error);
}

enum cudaError rt_cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, size_t count,
                                         const struct cudaMemcpy3DParms *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_copy(&op, params);
    return add_op(out, graph, before, count, cudaGraphNodeTypeMemcpy, &op, error);
}

enum cudaError rt_cudaGraphAddMemcpyNode1D(cudaGraphNode_t *out, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count, void *to,
                                           const void *from, size_t size, enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_line(&op, to, from, size, kind);
    return add_op(out, graph, before, count, cudaGraphNodeTypeMemcpy, &op, error);
}

enum cudaError rt_cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t count,
                                                 const void *symbol, const void *from, size_t size,
                                                 size_t offset, enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_to_symbol(&op, symbol, from, size, offset, kind);
    return add_op(out, graph, before, count, cudaGraphNodeTypeMemcpy, &op, error);
}

enum cudaError rt_cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *out, cudaGraph_t graph,
                                                   const cudaGraphNode_t *before, size_t count,
                                                   void *to, const void *symbol, size_t size,
                                                   size_t offset, enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_symbol(&op, to, symbol, size, offset, kind);
    return add_op(out, graph, before, count, cudaGraphNodeTypeMemcpy, &op, error);
}

enum cudaError rt_cudaGraphAddMemsetNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                         const cudaGraphNode_t *before, size_t count,
                                         const struct cudaMemsetParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_fill(&op, params);
    return add_op(out, graph, before, count, cudaGraphNodeTypeMemset, &op, error);
}

enum cudaError rt_cudaGraphAddHostNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                       const cudaGraphNode_t *before, size_t count,
                                       const struct cudaHostNodeParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_host(&op, params);
    return add_op(out, graph, before, count, cudaGraphNodeTypeHost, &op, error);
}

/* ---- what only graphs have ------------------------------------------------------------------- */

enum cudaError rt_cudaGraphAddEmptyNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                        const cudaGraphNode_t *before, size_t count)
{
    struct wb_node *node;
    return add(&node, out, graph, before, count, cudaGraphNodeTypeEmpty);
}

enum cudaError rt_cudaGraphAddChildGraphNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count,
                                             cudaGraph_t child_handle)
{
    const struct wb_graph *child = wb_graph_find(child_handle);
    struct wb_node *node;
    if (!child || child_handle == graph) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = add(&node, out, graph, before, count, cudaGraphNodeTypeGraph);
    if (!error && !wb_node_set_child(node, child)) {
        error = cudaErrorMemoryAllocation;
    }
    return error;
}

static enum cudaError add_event(cudaGraphNode_t *out, cudaGraph_t graph,
                                const cudaGraphNode_t *before, size_t count,
                                enum cudaGraphNodeType type, cudaEvent_t event)
{
    struct wb_node *node;
    if (!wb_event_find(event)) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = add(&node, out, graph, before, count, type);
    if (!error) {
        node->event = event;
    }
    return error;
}

enum cudaError rt_cudaGraphAddEventRecordNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                              const cudaGraphNode_t *before, size_t count,
                                              cudaEvent_t event)
{
    return add_event(out, graph, before, count, cudaGraphNodeTypeEventRecord, event);
}

enum cudaError rt_cudaGraphAddEventWaitNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                            const cudaGraphNode_t *before, size_t count,
                                            cudaEvent_t event)
{
    return add_event(out, graph, before, count, cudaGraphNodeTypeWaitEvent, event);
}

/* The memory is there from now on; once freed by the program it comes back at the next launch. */
enum cudaError rt_cudaGraphAddMemAllocNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           struct cudaMemAllocNodeParams *params)
{
    struct wb_allocation *made;
    struct wb_node *node;
    if (!params || params->bytesize == 0 ||
        params->poolProps.allocType != cudaMemAllocationTypePinned) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = add(&node, out, graph, before, count, cudaGraphNodeTypeMemAlloc);
    error = error ? error
                  : wb_heap_alloc(&made, WB_MEMORY_DEVICE, params->bytesize, 0,
                                  "cudaGraphAddMemAllocNode");
    if (!error) {
        params->dptr = (void *)(uintptr_t)made->address;
        node->alloc = *params;
    }
    return error;
}

/* What is freed may not be there yet: another graph's launch brings it back before this one's. */
enum cudaError rt_cudaGraphAddMemFreeNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                          const cudaGraphNode_t *before, size_t count,
                                          void *address)
{
    const bool freed =
        !wb_heap_find((uintptr_t)address) && wb_heap_is_device_address((uintptr_t)address);
    struct wb_node *node;
    if (!freed && !wb_heap_at(address)) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = add(&node, out, graph, before, count, cudaGraphNodeTypeMemFree);
    if (!error) {
        node->address = address;
    }
    return error;
}

/* ---- any kind -------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphAddNode(cudaGraphNode_t *out, cudaGraph_t graph,
                                   const cudaGraphNode_t *before,
                                   const struct cudaGraphEdgeData *edges, size_t count,
                                   struct cudaGraphNodeParams *p)
{
    (void)edges; /* an edge that allows an earlier start is kept by a later one */
    if (!p) {
        return cudaErrorInvalidValue;
    }
    switch ((int)p->type) {
    case cudaGraphNodeTypeKernel:
        return rt_cudaGraphAddKernelNode(out, graph, before, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return rt_cudaGraphAddMemcpyNode(out, graph, before, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return rt_cudaGraphAddMemsetNode(out, graph, before, count, &p->memset);
    case cudaGraphNodeTypeHost:
        return rt_cudaGraphAddHostNode(out, graph, before, count, &p->host);
    case cudaGraphNodeTypeGraph:
        return rt_cudaGraphAddChildGraphNode(out, graph, before, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return rt_cudaGraphAddEmptyNode(out, graph, before, count);
    case cudaGraphNodeTypeEventRecord:
        return rt_cudaGraphAddEventRecordNode(out, graph, before, count, p->event.event);
    case cudaGraphNodeTypeWaitEvent:
        return rt_cudaGraphAddEventWaitNode(out, graph, before, count, p->event.event);
    case cudaGraphNodeTypeMemAlloc:
        return rt_cudaGraphAddMemAllocNode(out, graph, before, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return rt_cudaGraphAddMemFreeNode(out, graph, before, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
        return cudaErrorNotSupported;
    default:
        return cudaErrorInvalidValue;
    }
}
