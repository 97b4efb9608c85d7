/* SPDX-License-Identifier: MIT
 * Executable graphs: made from a graph, launched into a stream, updated from another graph of the
 * same form. An executable graph owns a clone, so that the program may change or destroy its own.
 */
#include "api.h"
#include "capture.h"
#include "graph.h"
#include "handle.h"
#include "log.h"

static struct wb_handle_pool execs = {.object_size = sizeof(struct wb_graph_exec)};

struct wb_graph_exec *wb_graph_exec_find(cudaGraphExec_t handle)
{
    return wb_handle_get(&execs, handle);
}

/* The graphs go with all others (wb_graphs_reset). */
void wb_graph_execs_reset(void)
{
    wb_handle_pool_finish(&execs);
}

/* ---- instantiation --------------------------------------------------------------------------- */

static struct wb_graph_exec *exec_create(struct wb_graph *clone, unsigned long long flags)
{
    struct wb_graph_exec *exec = wb_handle_create(&execs);
    if (exec) {
        clone->owned = true;
        exec->graph = clone;
        exec->flags = flags;
        exec->order = wb_arena_alloc(&clone->arena, (clone->count + 1) * sizeof *exec->order);
        wb_resource_made(WB_RESOURCE_GRAPH_EXEC, exec, 0);
    }
    return exec;
}

enum cudaError rt_cudaGraphInstantiateWithParams(cudaGraphExec_t *out, cudaGraph_t handle,
                                                 struct cudaGraphInstantiateParams *params)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    if (!out || !graph || !params || params->flags & ~known) {
        return cudaErrorInvalidValue;
    }
    params->errNode_out = NULL;
    params->result_out = cudaGraphInstantiateError;
    if (params->flags & cudaGraphInstantiateFlagDeviceLaunch) {
        params->result_out = cudaGraphInstantiateNodeOperationNotSupported;
        return cudaErrorNotSupported;
    }
    struct wb_graph *clone = wb_graph_clone(graph);
    struct wb_graph_exec *exec = clone ? exec_create(clone, params->flags) : NULL;
    if (!exec) {
        return cudaErrorMemoryAllocation;
    }
    if (!wb_graph_order(exec->order, clone)) { /* there is a cycle */
        params->result_out = cudaGraphInstantiateInvalidStructure;
        rt_cudaGraphExecDestroy((cudaGraphExec_t)exec);
        return cudaErrorInvalidValue;
    }
    params->result_out = cudaGraphInstantiateSuccess;
    *out = (cudaGraphExec_t)exec;
    return cudaSuccess;
}

enum cudaError rt_cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph,
                                       unsigned long long flags)
{
    struct cudaGraphInstantiateParams params = {.flags = flags};
    return rt_cudaGraphInstantiateWithParams(out, graph, &params);
}

enum cudaError rt_cudaGraphInstantiateWithFlags(cudaGraphExec_t *out, cudaGraph_t graph,
                                                unsigned long long flags)
{
    return rt_cudaGraphInstantiate(out, graph, flags);
}

enum cudaError rt_cudaGraphExecDestroy(cudaGraphExec_t handle)
{
    struct wb_graph_exec *exec = wb_graph_exec_find(handle);
    if (!exec) {
        return cudaErrorInvalidValue;
    }
    wb_resource_gone(WB_RESOURCE_GRAPH_EXEC, exec);
    wb_graph_destroy(exec->graph);
    wb_handle_destroy(&execs, exec);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags)
{
    const struct wb_graph_exec *exec = wb_graph_exec_find(handle);
    if (!exec || !flags) {
        return cudaErrorInvalidValue;
    }
    *flags = exec->flags;
    return cudaSuccess;
}

/* ---- launching ------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle)
{
    const struct wb_graph_exec *exec = wb_graph_exec_find(handle);
    struct wb_stream *stream = wb_stream_find(stream_handle);
    if (!exec) {
        return cudaErrorInvalidValue;
    }
    if (!stream) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = wb_capture_check(stream);
    if (error) {
        return error;
    }
    if (stream->capture) {
        return wb_capture_child(stream, exec->graph);
    }
    wb_stream_gather(stream);
    return wb_graph_run(&stream->done, &stream->past, exec->order, exec->graph->count,
                        wb_stream_start(stream), wb_stream_handle(stream));
}

enum cudaError rt_cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream)
{
    if (!wb_graph_exec_find(handle)) {
        return cudaErrorInvalidValue;
    }
    return wb_stream_find(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* ---- switching nodes off --------------------------------------------------------------------- */

/* Only kernels, copies and fills can be switched off. */
static struct wb_node *find_switch(cudaGraphExec_t exec_handle, cudaGraphNode_t handle)
{
    const struct wb_graph_exec *exec = wb_graph_exec_find(exec_handle);
    const struct wb_node *node = wb_node_find(handle);
    return exec && node && node->type <= cudaGraphNodeTypeMemset ? wb_graph_twin(exec->graph, node)
                                                                 : NULL;
}

enum cudaError rt_cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                          unsigned enabled)
{
    struct wb_node *node = find_switch(exec, handle);
    if (!node) {
        return cudaErrorInvalidValue;
    }
    node->disabled = enabled == 0;
    return cudaSuccess;
}

enum cudaError rt_cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                          unsigned *enabled)
{
    const struct wb_node *node = find_switch(exec, handle);
    if (!node || !enabled) {
        return cudaErrorInvalidValue;
    }
    *enabled = !node->disabled;
    return cudaSuccess;
}

/* ---- updating -------------------------------------------------------------------------------- */

/* Whether two nodes wait for the same ones, by their place in their graphs (`index`). */
static bool same_edges(const struct wb_node *a, const struct wb_node *b)
{
    bool same = a->before_count == b->before_count;
    for (size_t i = 0; same && i < a->before_count; i++) {
        same = a->before[i]->index == b->before[i]->index;
    }
    return same;
}

static enum cudaGraphExecUpdateResult compare(struct cudaGraphExecUpdateResultInfo *info,
                                              const struct wb_graph *to,
                                              const struct wb_graph *from)
{
    if (to->count != from->count) {
        return cudaGraphExecUpdateErrorTopologyChanged;
    }
    for (size_t i = 0; i < to->count; i++) {
        to->nodes[i]->index = from->nodes[i]->index = i;
    }
    for (size_t i = 0; i < to->count; i++) {
        const struct wb_node *a = to->nodes[i], *b = from->nodes[i];
        info->errorNode = (cudaGraphNode_t)(uintptr_t)b;
        if (a->type != b->type) {
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        }
        if (!same_edges(a, b)) {
            return cudaGraphExecUpdateErrorTopologyChanged;
        }
    }
    info->errorNode = NULL;
    return cudaGraphExecUpdateSuccess;
}

/* The nodes of both graphs are of the same types in the same order. */
static enum cudaError update_node(struct wb_node *to, const struct wb_node *from,
                                  struct cudaGraphExecUpdateResultInfo *info)
{
    switch ((int)to->type) {
    case cudaGraphNodeTypeGraph:
        return wb_graph_update(to->child, from->child, info);
    case cudaGraphNodeTypeEventRecord:
    case cudaGraphNodeTypeWaitEvent:
        to->event = from->event;
        break;
    default:
        wb_node_set_op(to, &from->op);
        break;
    }
    return cudaSuccess;
}

enum cudaError wb_graph_update(struct wb_graph *to, const struct wb_graph *from,
                               struct cudaGraphExecUpdateResultInfo *info)
{
    info->result = compare(info, to, from);
    if (info->result != cudaGraphExecUpdateSuccess) {
        return cudaErrorGraphExecUpdateFailure;
    }
    enum cudaError error = cudaSuccess;
    for (size_t i = 0; !error && i < to->count; i++) {
        error = update_node(to->nodes[i], from->nodes[i], info);
    }
    return error;
}

enum cudaError rt_cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                      struct cudaGraphExecUpdateResultInfo *info)
{
    const struct wb_graph_exec *exec = wb_graph_exec_find(handle);
    const struct wb_graph *graph = wb_graph_find(graph_handle);
    if (!exec || !graph || !info) {
        return cudaErrorInvalidValue;
    }
    *info = (struct cudaGraphExecUpdateResultInfo){0};
    return wb_graph_update(exec->graph, graph, info);
}
