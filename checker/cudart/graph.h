/* SPDX-License-Identifier: MIT
 * graph: operations with an order between them. A node holds an operation of op.h or something that
 * only graphs have (an event, a child graph, an allocation). An executable graph is a private clone
 * that can be launched. To add a kind of node: its part of struct wb_node, its case in graph_run.c
 * (how it runs), in graph.c (how it is cloned) and its calls in graph_add.c and graph_params.c.
 * Needs the lock.
 */
#ifndef WB_CUDART_GRAPH_H
#define WB_CUDART_GRAPH_H

#include "op.h"
#include "past.h"

struct wb_graph;

struct wb_node {
    struct wb_graph *graph;
    enum cudaGraphNodeType type;
    struct wb_op op; /* kernel, memcpy, memset, host; else EMPTY */
    union {
        cudaEvent_t event;                   /* event record and wait */
        struct wb_graph *child;              /* child graph: a private clone */
        struct cudaMemAllocNodeParams alloc; /* allocation */
        void *address;                       /* free */
    };
    struct wb_node **before; /* nodes that it waits for, in the order they were named */
    size_t before_count;
    const struct wb_node *origin; /* the node that it was cloned from */
    bool disabled;
    size_t index;        /* scratch: its place in the graph or in an order */
    uint64_t done;       /* scratch: virtual time at which it is over */
    struct wb_past past; /* scratch: what is over when it is (crossing.h) */
};

struct wb_graph {
    struct wb_arena arena;  /* parameters of its nodes, lists; freed with it */
    struct wb_node **nodes; /* in the order of creation */
    size_t count, capacity;
    const struct wb_graph *origin; /* the graph that it was cloned from */
    bool owned; /* a child or an executable graph's: not the program's to destroy */
    struct wb_graph_object *objects; /* user objects that it holds (user_object.c) */
};

struct wb_graph_exec {
    struct wb_graph *graph;
    struct wb_node **order; /* one in which every node comes after those it waits for */
    unsigned long long flags;
};

/* ---- graph.c: graphs and the order in them ------------------------------------------------- */

struct wb_graph *wb_graph_find(cudaGraph_t handle);
struct wb_node *wb_node_find(cudaGraphNode_t handle);
struct wb_graph *wb_graph_create(void); /* NULL: no memory */
void wb_graph_destroy(struct wb_graph *graph);
struct wb_graph *wb_graph_clone(const struct wb_graph *graph);
/* The node of `clone` (or of one of its child graphs) that was cloned from `origin`, or NULL. */
struct wb_node *wb_graph_twin(const struct wb_graph *clone, const struct wb_node *origin);
/* A node without work that waits for `before`; NULL: no memory. */
struct wb_node *wb_graph_add(struct wb_graph *graph, enum cudaGraphNodeType type,
                             struct wb_node *const *before, size_t before_count);
/* Every node after those it waits for, else as created; false if there is a cycle. `order` has
 * room for all. */
bool wb_graph_order(struct wb_node **order, const struct wb_graph *graph);
/* Whether `node` waits for `earlier`, directly or through others, or is it. */
bool wb_node_follows(const struct wb_node *node, const struct wb_node *earlier);
void wb_graphs_reset(void);

/* Gives the node an operation; a kernel's parameters are copied. */
void wb_node_set_op(struct wb_node *node, const struct wb_op *op);
/* Gives a child graph node a clone of `graph`; false: no memory. */
bool wb_node_set_child(struct wb_node *node, const struct wb_graph *graph);

/* ---- graph_exec.c, graph_run.c ------------------------------------------------------------- */

struct wb_graph_exec *wb_graph_exec_find(cudaGraphExec_t handle);
void wb_graph_execs_reset(void);
/* Gives the nodes of one graph what those of another do, which must have the same form; if not,
 * cudaErrorGraphExecUpdateFailure and *info says where. */
enum cudaError wb_graph_update(struct wb_graph *to, const struct wb_graph *from,
                               struct cudaGraphExecUpdateResultInfo *info);
/* Runs the nodes in an order; `start` is the virtual time, *done the time when all are over; `past`
 * what is over before, then all of them. */
enum cudaError wb_graph_run(uint64_t *done, struct wb_past *past, struct wb_node *const *order,
                            size_t count, uint64_t start, cudaStream_t stream);

/* ---- user_object.c ------------------------------------------------------------------------- */

void wb_graph_drop_objects(struct wb_graph *graph);
void wb_graph_copy_objects(struct wb_graph *to, const struct wb_graph *from);
void wb_user_objects_reset(void);

#endif
