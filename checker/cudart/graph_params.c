/* SPDX-License-Identifier: MIT
 * Parameters of nodes, read and set (cudaGraph*Node{Get,Set}*), and the same for executable graphs,
 * where a node is named by the one it was made from (cudaGraphExec*NodeSet*).
 */
#include "api.h"
#include "graph_op.h"
#include "stream.h"

/* The node of a type, or NULL. */
static struct wb_node *find(cudaGraphNode_t handle, enum cudaGraphNodeType type)
{
    struct wb_node *node = wb_node_find(handle);
    return node && node->type == type ? node : NULL;
}

/* The node of an executable graph that was made from a program's node of a type, or NULL. */
static struct wb_node *find_exec(cudaGraphExec_t exec_handle, cudaGraphNode_t handle,
                                 enum cudaGraphNodeType type)
{
    const struct wb_graph_exec *exec = wb_graph_exec_find(exec_handle);
    const struct wb_node *origin = find(handle, type);
    return exec && origin ? wb_graph_twin(exec->graph, origin) : NULL;
}

/* Gives a node (NULL: there is none) an operation; `error` is what making that gave. A kernel keeps
 * the settings that its node has beside the parameters. */
static enum cudaError set_op(struct wb_node *node, struct wb_op *op, enum cudaError error)
{
    if (!error && !node) {
        error = cudaErrorInvalidValue;
    }
    if (!error && op->kind == WB_OP_KERNEL) {
        op->kernel.cluster = node->op.kernel.cluster;
        op->kernel.cooperative = node->op.kernel.cooperative;
        op->kernel.priority = node->op.kernel.priority;
    }
    if (!error) {
        wb_node_set_op(node, op);
    }
    wb_op_release(op);
    return error;
}

/* ---- kernels --------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphKernelNodeGetParams(cudaGraphNode_t handle,
                                               struct cudaKernelNodeParams *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeKernel);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    wb_kernel_of_node(out, node);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphKernelNodeSetParams(cudaGraphNode_t handle,
                                               const struct cudaKernelNodeParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_kernel(&op, params);
    return set_op(find(handle, cudaGraphNodeTypeKernel), &op, error);
}

enum cudaError rt_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                   const struct cudaKernelNodeParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_kernel(&op, params);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeKernel), &op, error);
}

enum cudaError rt_cudaGraphKernelNodeSetAttribute(cudaGraphNode_t handle,
                                                  enum cudaLaunchAttributeID id,
                                                  const union cudaLaunchAttributeValue *value)
{
    struct wb_node *node = find(handle, cudaGraphNodeTypeKernel);
    if (!node || !value) {
        return cudaErrorInvalidValue;
    }
    struct cudaLaunchAttribute attribute = {.id = id, .val = *value};
    struct wb_op_kernel changed = node->op.kernel;
    enum cudaError error = wb_launch_attribute(&changed, &attribute);
    error = error ? error : wb_launch_check(&changed);
    if (!error) {
        node->op.kernel = changed;
    }
    return error;
}

enum cudaError rt_cudaGraphKernelNodeGetAttribute(cudaGraphNode_t handle,
                                                  enum cudaLaunchAttributeID id,
                                                  union cudaLaunchAttributeValue *value)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeKernel);
    if (!node || !value) {
        return cudaErrorInvalidValue;
    }
    *value = (union cudaLaunchAttributeValue){{0}};
    switch ((int)id) {
    case cudaLaunchAttributeCooperative:
        value->cooperative = node->op.kernel.cooperative;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        value->clusterDim = node->op.kernel.cluster;
        return cudaSuccess;
    case cudaLaunchAttributePriority:
        value->priority = node->op.kernel.priority;
        return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow: /* hints: as if never set */
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeMemSyncDomainMap:
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

enum cudaError rt_cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to_handle,
                                                    cudaGraphNode_t from_handle)
{
    struct wb_node *to = find(to_handle, cudaGraphNodeTypeKernel);
    const struct wb_node *from = find(from_handle, cudaGraphNodeTypeKernel);
    if (!to || !from) {
        return cudaErrorInvalidValue;
    }
    to->op.kernel.cluster = from->op.kernel.cluster;
    to->op.kernel.cooperative = from->op.kernel.cooperative;
    to->op.kernel.priority = from->op.kernel.priority;
    return cudaSuccess;
}

/* ---- copies ---------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphMemcpyNodeGetParams(cudaGraphNode_t handle,
                                               struct cudaMemcpy3DParms *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeMemcpy);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    wb_copy_of_node(out, node);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphMemcpyNodeSetParams(cudaGraphNode_t handle,
                                               const struct cudaMemcpy3DParms *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_copy(&op, params);
    return set_op(find(handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                   const struct cudaMemcpy3DParms *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_copy(&op, params);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t handle, void *to, const void *from,
                                                 size_t size, enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_line(&op, to, from, size, kind);
    return set_op(find(handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                     void *to, const void *from, size_t size,
                                                     enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_line(&op, to, from, size, kind);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t handle, const void *symbol,
                                                       const void *from, size_t size, size_t offset,
                                                       enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_to_symbol(&op, symbol, from, size, offset, kind);
    return set_op(find(handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                           cudaGraphNode_t handle,
                                                           const void *symbol, const void *from,
                                                           size_t size, size_t offset,
                                                           enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_to_symbol(&op, symbol, from, size, offset, kind);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t handle, void *to,
                                                         const void *symbol, size_t size,
                                                         size_t offset, enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_symbol(&op, to, symbol, size, offset, kind);
    return set_op(find(handle, cudaGraphNodeTypeMemcpy), &op, error);
}

enum cudaError rt_cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                             cudaGraphNode_t handle, void *to,
                                                             const void *symbol, size_t size,
                                                             size_t offset,
                                                             enum cudaMemcpyKind kind)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_symbol(&op, to, symbol, size, offset, kind);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeMemcpy), &op, error);
}

/* ---- fills and host functions ---------------------------------------------------------------- */

enum cudaError rt_cudaGraphMemsetNodeGetParams(cudaGraphNode_t handle, struct cudaMemsetParams *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeMemset);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    wb_fill_of_node(out, node);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphMemsetNodeSetParams(cudaGraphNode_t handle,
                                               const struct cudaMemsetParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_fill(&op, params);
    return set_op(find(handle, cudaGraphNodeTypeMemset), &op, error);
}

enum cudaError rt_cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                   const struct cudaMemsetParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_fill(&op, params);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeMemset), &op, error);
}

enum cudaError rt_cudaGraphHostNodeGetParams(cudaGraphNode_t handle, struct cudaHostNodeParams *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeHost);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    *out =
        (struct cudaHostNodeParams){.fn = node->op.host.function, .userData = node->op.host.data};
    return cudaSuccess;
}

enum cudaError rt_cudaGraphHostNodeSetParams(cudaGraphNode_t handle,
                                             const struct cudaHostNodeParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_host(&op, params);
    return set_op(find(handle, cudaGraphNodeTypeHost), &op, error);
}

enum cudaError rt_cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                 const struct cudaHostNodeParams *params)
{
    struct wb_op op;
    enum cudaError error = wb_op_from_host(&op, params);
    return set_op(find_exec(exec, handle, cudaGraphNodeTypeHost), &op, error);
}

/* ---- child graphs ---------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t handle, cudaGraph_t *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeGraph);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    *out = (cudaGraph_t)node->child;
    return cudaSuccess;
}

enum cudaError rt_cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                                       cudaGraph_t child_handle)
{
    struct wb_node *node = find_exec(exec, handle, cudaGraphNodeTypeGraph);
    const struct wb_graph *child = wb_graph_find(child_handle);
    if (!node || !child) {
        return cudaErrorInvalidValue;
    }
    return wb_graph_update(node->child, child, &(struct cudaGraphExecUpdateResultInfo){0});
}

/* ---- events ---------------------------------------------------------------------------------- */

static enum cudaError get_event(const struct wb_node *node, cudaEvent_t *out)
{
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    *out = node->event;
    return cudaSuccess;
}

static enum cudaError set_event(struct wb_node *node, cudaEvent_t event)
{
    if (!node) {
        return cudaErrorInvalidValue;
    }
    if (!wb_event_find(event)) {
        return cudaErrorInvalidResourceHandle;
    }
    node->event = event;
    return cudaSuccess;
}

enum cudaError rt_cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    return get_event(find(node, cudaGraphNodeTypeEventRecord), out);
}

enum cudaError rt_cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return set_event(find(node, cudaGraphNodeTypeEventRecord), event);
}

enum cudaError rt_cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *out)
{
    return get_event(find(node, cudaGraphNodeTypeWaitEvent), out);
}

enum cudaError rt_cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return set_event(find(node, cudaGraphNodeTypeWaitEvent), event);
}

enum cudaError rt_cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       cudaEvent_t event)
{
    return set_event(find_exec(exec, node, cudaGraphNodeTypeEventRecord), event);
}

enum cudaError rt_cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     cudaEvent_t event)
{
    return set_event(find_exec(exec, node, cudaGraphNodeTypeWaitEvent), event);
}

/* ---- memory ---------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphMemAllocNodeGetParams(cudaGraphNode_t handle,
                                                 struct cudaMemAllocNodeParams *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeMemAlloc);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    *out = node->alloc;
    return cudaSuccess;
}

enum cudaError rt_cudaGraphMemFreeNodeGetParams(cudaGraphNode_t handle, void *out)
{
    const struct wb_node *node = find(handle, cudaGraphNodeTypeMemFree);
    if (!node || !out) {
        return cudaErrorInvalidValue;
    }
    *(void **)out = node->address;
    return cudaSuccess;
}

/* ---- any kind -------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p)
{
    if (!p) {
        return cudaErrorInvalidValue;
    }
    switch ((int)p->type) {
    case cudaGraphNodeTypeKernel:
        return rt_cudaGraphKernelNodeSetParams(node, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return rt_cudaGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return rt_cudaGraphMemsetNodeSetParams(node, &p->memset);
    case cudaGraphNodeTypeHost:
        return rt_cudaGraphHostNodeSetParams(node, &p->host);
    case cudaGraphNodeTypeEventRecord:
        return rt_cudaGraphEventRecordNodeSetEvent(node, p->event.event);
    case cudaGraphNodeTypeWaitEvent:
        return rt_cudaGraphEventWaitNodeSetEvent(node, p->event.event);
    default:
        return cudaErrorInvalidValue;
    }
}

enum cudaError rt_cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             struct cudaGraphNodeParams *p)
{
    if (!p) {
        return cudaErrorInvalidValue;
    }
    switch ((int)p->type) {
    case cudaGraphNodeTypeKernel:
        return rt_cudaGraphExecKernelNodeSetParams(exec, node, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return rt_cudaGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return rt_cudaGraphExecMemsetNodeSetParams(exec, node, &p->memset);
    case cudaGraphNodeTypeHost:
        return rt_cudaGraphExecHostNodeSetParams(exec, node, &p->host);
    case cudaGraphNodeTypeGraph:
        return rt_cudaGraphExecChildGraphNodeSetParams(exec, node, p->graph.graph);
    case cudaGraphNodeTypeEventRecord:
        return rt_cudaGraphExecEventRecordNodeSetEvent(exec, node, p->event.event);
    case cudaGraphNodeTypeWaitEvent:
        return rt_cudaGraphExecEventWaitNodeSetEvent(exec, node, p->event.event);
    default:
        return cudaErrorInvalidValue;
    }
}
