/* SPDX-License-Identifier: MIT
 * Graphs and the order in them: see graph.h. The calls that take them apart are in graph_query.c.
 */
#include "graph.h"

#include "api.h"
#include "capture.h"
#include "enter.h"
#include "handle.h"
#include "log.h"

#include <stdlib.h>
#include <string.h>

static struct wb_handle_pool graphs = {.object_size = sizeof(struct wb_graph)};
static struct wb_handle_pool nodes = {.object_size = sizeof(struct wb_node)};

struct wb_graph *wb_graph_find(cudaGraph_t handle)
{
    return wb_handle_get(&graphs, handle);
}

struct wb_node *wb_node_find(cudaGraphNode_t handle)
{
    return wb_handle_get(&nodes, handle);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct wb_graph *wb_graph_create(void)
{
    struct wb_graph *graph = wb_handle_create(&graphs);
    if (graph) {
        wb_arena_init(&graph->arena);
    }
    return graph;
}

static void drop(struct wb_graph *graph)
{
    wb_graph_drop_objects(graph);
    wb_arena_finish(&graph->arena);
    wb_handle_destroy(&graphs, graph);
}

static void destroy_node(struct wb_node *node)
{
    if (node->type == cudaGraphNodeTypeGraph && node->child) {
        wb_graph_destroy(node->child);
    }
    wb_handle_destroy(&nodes, node);
}

void wb_graph_destroy(struct wb_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        destroy_node(graph->nodes[i]);
    }
    drop(graph);
}

void wb_graphs_reset(void)
{
    wb_captures_reset();
    wb_graph_execs_reset();
    for (struct wb_graph *g = wb_handle_next(&graphs, NULL); g; g = wb_handle_next(&graphs, g)) {
        drop(g);
    }
    wb_handle_pool_finish(&graphs);
    wb_handle_pool_finish(&nodes);
    wb_user_objects_reset();
}

struct wb_node *wb_graph_add(struct wb_graph *graph, enum cudaGraphNodeType type,
                             struct wb_node *const *before, size_t before_count)
{
    struct wb_node *node = wb_handle_create(&nodes);
    if (!node) {
        return NULL;
    }
    node->graph = graph;
    node->type = type;
    node->before = wb_arena_alloc(&graph->arena, (before_count + 1) * sizeof *node->before);
    if (before_count) {
        memcpy(node->before, before, before_count * sizeof *before);
    }
    node->before_count = before_count;
    graph->nodes = wb_arena_grow(&graph->arena, graph->nodes, &graph->capacity, graph->count,
                                 sizeof *graph->nodes);
    graph->nodes[graph->count++] = node;
    return node;
}

bool wb_node_set_child(struct wb_node *node, const struct wb_graph *graph)
{
    struct wb_graph *child = wb_graph_clone(graph);
    if (!child) {
        return false;
    }
    if (node->child) {
        wb_graph_destroy(node->child);
    }
    child->owned = true;
    node->child = child;
    return true;
}

void wb_node_set_op(struct wb_node *node, const struct wb_op *op)
{
    node->op = *op;
    if (op->kind == WB_OP_KERNEL) {
        node->op.kernel.params =
            wb_arena_copy(&node->graph->arena, op->kernel.params, op->kernel.param_size);
        node->op.kernel.place = op->kernel.place ? op->kernel.place : wb_call_place();
    }
}

/* ---- clones ---------------------------------------------------------------------------------- */

static bool copy_node(struct wb_graph *to, const struct wb_node *from)
{
    struct wb_node *node = wb_graph_add(to, from->type, from->before, from->before_count);
    if (!node) {
        return false;
    }
    wb_node_set_op(node, &from->op);
    node->origin = from;
    node->disabled = from->disabled;
    switch (from->type) {
    case cudaGraphNodeTypeGraph:
        return wb_node_set_child(node, from->child);
    case cudaGraphNodeTypeMemAlloc:
        node->alloc = from->alloc;
        break;
    case cudaGraphNodeTypeMemFree:
        node->address = from->address;
        break;
    default:
        node->event = from->event;
        break;
    }
    return true;
}

struct wb_graph *wb_graph_clone(const struct wb_graph *graph)
{
    struct wb_graph *clone = wb_graph_create();
    if (!clone) {
        return NULL;
    }
    clone->origin = graph;
    for (size_t i = 0; i < graph->count; i++) {
        graph->nodes[i]->index = i;
        if (!copy_node(clone, graph->nodes[i])) {
            wb_graph_destroy(clone);
            return NULL;
        }
    }
    for (size_t i = 0; i < clone->count; i++) {
        struct wb_node *node = clone->nodes[i];
        for (size_t k = 0; k < node->before_count; k++) {
            node->before[k] = clone->nodes[node->before[k]->index];
        }
    }
    wb_graph_copy_objects(clone, graph);
    return clone;
}

struct wb_node *wb_graph_twin(const struct wb_graph *clone, const struct wb_node *origin)
{
    for (size_t i = 0; i < clone->count; i++) {
        struct wb_node *node = clone->nodes[i];
        struct wb_node *inside = NULL;
        if (node->origin == origin) {
            return node;
        }
        if (node->type == cudaGraphNodeTypeGraph) {
            inside = wb_graph_twin(node->child, origin);
        }
        if (inside) {
            return inside;
        }
    }
    return NULL;
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool is_ready(const struct wb_node *node, const bool *done)
{
    for (size_t i = 0; i < node->before_count; i++) {
        if (!done[node->before[i]->index]) {
            return false;
        }
    }
    return true;
}

bool wb_graph_order(struct wb_node **order, const struct wb_graph *graph)
{
    bool *done = calloc(graph->count + 1, sizeof *done);
    size_t count = 0, before = SIZE_MAX;
    for (size_t i = 0; i < graph->count; i++) {
        graph->nodes[i]->index = i;
    }
    while (done && count < graph->count && count != before) {
        before = count;
        for (size_t i = 0; i < graph->count; i++) {
            if (!done[i] && is_ready(graph->nodes[i], done)) {
                done[i] = true;
                order[count++] = graph->nodes[i];
            }
        }
    }
    free(done);
    return count == graph->count;
}

bool wb_node_follows(const struct wb_node *node, const struct wb_node *earlier)
{
    struct wb_graph *graph = node->graph;
    struct wb_node **order = calloc(graph->count + 1, sizeof *order);
    bool follows = false;
    if (order && wb_graph_order(order, graph)) {
        for (size_t i = 0; i < graph->count; i++) {
            /* `done` 1: it is, or waits for, the earlier one. */
            order[i]->done = order[i] == earlier;
            for (size_t k = 0; k < order[i]->before_count; k++) {
                order[i]->done |= order[i]->before[k]->done;
            }
        }
        follows = node->done != 0;
    }
    free(order);
    return follows;
}

/* ---- calls ----------------------------------------------------------------------------------- */

enum cudaError rt_cudaGraphCreate(cudaGraph_t *out, unsigned flags)
{
    if (!out || flags != 0) {
        return cudaErrorInvalidValue;
    }
    struct wb_graph *graph = wb_graph_create();
    if (!graph) {
        return cudaErrorMemoryAllocation;
    }
    *out = (cudaGraph_t)graph;
    wb_resource_made(WB_RESOURCE_GRAPH, graph, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphClone(cudaGraph_t *out, cudaGraph_t handle)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    if (!out || !graph) {
        return cudaErrorInvalidValue;
    }
    struct wb_graph *clone = wb_graph_clone(graph);
    if (!clone) {
        return cudaErrorMemoryAllocation;
    }
    *out = (cudaGraph_t)clone;
    wb_resource_made(WB_RESOURCE_GRAPH, clone, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphDestroy(cudaGraph_t handle)
{
    struct wb_graph *graph = wb_graph_find(handle);
    if (!graph || graph->owned || wb_capture_has(graph)) {
        return cudaErrorInvalidValue;
    }
    wb_resource_gone(WB_RESOURCE_GRAPH, graph);
    wb_graph_destroy(graph);
    return cudaSuccess;
}

/* Edges to it go too. */
enum cudaError rt_cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    struct wb_node *node = wb_node_find(handle);
    if (!node || wb_capture_has(node->graph)) {
        return cudaErrorInvalidValue;
    }
    struct wb_graph *graph = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < graph->count; i++) {
        struct wb_node *other = graph->nodes[i];
        size_t left = 0;
        for (size_t k = 0; k < other->before_count; k++) {
            if (other->before[k] != node) {
                other->before[left++] = other->before[k];
            }
        }
        other->before_count = left;
        if (other != node) {
            graph->nodes[kept++] = other;
        }
    }
    graph->count = kept;
    destroy_node(node);
    return cudaSuccess;
}
