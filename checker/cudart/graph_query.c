/* SPDX-License-Identifier: MIT
 * Taking graphs apart: their nodes and edges, and changing the edges. Lists follow one rule: with
 * no array the number is returned; otherwise as many as fit, and NULL into what is left over.
 */
#include "api.h"
#include "graph.h"

#include <string.h>

/* A list that the program asked for, in the making. */
struct list {
    cudaGraphNode_t *out; /* NULL: only counting */
    size_t room, count;
};

static void add(struct list *list, const struct wb_node *node)
{
    if (list->out && list->count < list->room) {
        list->out[list->count] = (cudaGraphNode_t)(uintptr_t)node;
    }
    list->count++;
}

/* *count was the room of the array and becomes the length of the list. */
static void finish(const struct list *list, size_t *count)
{
    for (size_t i = list->count; list->out && i < list->room; i++) {
        list->out[i] = NULL;
    }
    *count = list->out && list->count > list->room ? list->room : list->count;
}

/* All edges are plain ones. */
static void clear_edges(struct cudaGraphEdgeData *edges, size_t count)
{
    if (edges) {
        memset(edges, 0, count * sizeof *edges);
    }
}

static size_t room_of(const void *out, const size_t *count)
{
    return out ? *count : 0;
}

enum cudaError rt_cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *out, size_t *count)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    if (!graph || !count) {
        return cudaErrorInvalidValue;
    }
    struct list list = {.out = out, .room = room_of(out, count)};
    for (size_t i = 0; i < graph->count; i++) {
        add(&list, graph->nodes[i]);
    }
    finish(&list, count);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *out, size_t *count)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    if (!graph || !count) {
        return cudaErrorInvalidValue;
    }
    struct list list = {.out = out, .room = room_of(out, count)};
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i]->before_count == 0) {
            add(&list, graph->nodes[i]);
        }
    }
    finish(&list, count);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                    struct cudaGraphEdgeData *edges, size_t *count)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    if (!graph || !count || !from != !to) {
        return cudaErrorInvalidValue;
    }
    struct list begins = {.out = from, .room = room_of(from, count)};
    struct list ends = {.out = to, .room = room_of(to, count)};
    clear_edges(edges, room_of(from, count));
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t k = 0; k < graph->nodes[i]->before_count; k++) {
            add(&begins, graph->nodes[i]->before[k]);
            add(&ends, graph->nodes[i]);
        }
    }
    finish(&ends, count);
    finish(&begins, count);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphNodeGetType(cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
    const struct wb_node *node = wb_node_find(handle);
    if (!node || !type) {
        return cudaErrorInvalidValue;
    }
    *type = node->type;
    return cudaSuccess;
}

enum cudaError rt_cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *out,
                                               struct cudaGraphEdgeData *edges, size_t *count)
{
    const struct wb_node *node = wb_node_find(handle);
    if (!node || !count) {
        return cudaErrorInvalidValue;
    }
    struct list list = {.out = out, .room = room_of(out, count)};
    clear_edges(edges, list.room);
    for (size_t i = 0; i < node->before_count; i++) {
        add(&list, node->before[i]);
    }
    finish(&list, count);
    return cudaSuccess;
}

static bool waits_for(const struct wb_node *node, const struct wb_node *earlier)
{
    for (size_t i = 0; i < node->before_count; i++) {
        if (node->before[i] == earlier) {
            return true;
        }
    }
    return false;
}

enum cudaError rt_cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *out,
                                                 struct cudaGraphEdgeData *edges, size_t *count)
{
    const struct wb_node *node = wb_node_find(handle);
    if (!node || !count) {
        return cudaErrorInvalidValue;
    }
    struct list list = {.out = out, .room = room_of(out, count)};
    clear_edges(edges, list.room);
    for (size_t i = 0; i < node->graph->count; i++) {
        if (waits_for(node->graph->nodes[i], node)) {
            add(&list, node->graph->nodes[i]);
        }
    }
    finish(&list, count);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphNodeFindInClone(cudaGraphNode_t *out, cudaGraphNode_t handle,
                                           cudaGraph_t clone_handle)
{
    const struct wb_node *origin = wb_node_find(handle);
    const struct wb_graph *clone = wb_graph_find(clone_handle);
    if (!out || !origin || !clone || !clone->origin) {
        return cudaErrorInvalidValue;
    }
    struct wb_node *twin = wb_graph_twin(clone, origin);
    *out = (cudaGraphNode_t)twin;
    return twin ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Both ends of an edge, nodes of the graph; NULL in *from if they are not. */
static void ends_of(struct wb_node **from, struct wb_node **to, const struct wb_graph *graph,
                    cudaGraphNode_t from_handle, cudaGraphNode_t to_handle)
{
    *from = wb_node_find(from_handle);
    *to = wb_node_find(to_handle);
    if (!*from || !*to || (*from)->graph != graph || (*to)->graph != graph || *from == *to) {
        *from = NULL;
    }
}

/* Whether each edge is one of the graph that exists (or does not). */
static bool edges_are(bool there, const struct wb_graph *graph, const cudaGraphNode_t *from,
                      const cudaGraphNode_t *to, size_t count)
{
    for (size_t i = 0; graph && from && to && i < count; i++) {
        struct wb_node *begin, *end;
        ends_of(&begin, &end, graph, from[i], to[i]);
        if (!begin || waits_for(end, begin) != there) {
            return false;
        }
    }
    return graph && ((from && to) || count == 0);
}

enum cudaError rt_cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const struct cudaGraphEdgeData *edges, size_t count)
{
    struct wb_graph *graph = wb_graph_find(handle);
    (void)edges;
    if (!edges_are(false, graph, from, to, count)) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; i++) {
        struct wb_node *end = wb_node_find(to[i]);
        struct wb_node **grown =
            wb_arena_alloc(&graph->arena, (end->before_count + 1) * sizeof *grown);
        memcpy(grown, end->before, end->before_count * sizeof *grown);
        grown[end->before_count++] = wb_node_find(from[i]);
        end->before = grown;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                              const cudaGraphNode_t *to,
                                              const struct cudaGraphEdgeData *edges, size_t count)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    (void)edges;
    if (!edges_are(true, graph, from, to, count)) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; i++) {
        struct wb_node *end = wb_node_find(to[i]);
        size_t kept = 0;
        for (size_t k = 0; k < end->before_count; k++) {
            if (end->before[k] != wb_node_find(from[i])) {
                end->before[kept++] = end->before[k];
            }
        }
        end->before_count = kept;
    }
    return cudaSuccess;
}
