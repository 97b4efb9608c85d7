/* SPDX-License-Identifier: MIT
 * cudaGraphDebugDotPrint: a graph as a picture for Graphviz, one line a node and one an edge.
 */
#include "api.h"
#include "graph.h"
#include "runtime.h"

static const char *name_of(enum cudaGraphNodeType type)
{
    static const char *const names[] = {
        [cudaGraphNodeTypeKernel] = "kernel",
        [cudaGraphNodeTypeMemcpy] = "copy",
        [cudaGraphNodeTypeMemset] = "fill",
        [cudaGraphNodeTypeHost] = "host function",
        [cudaGraphNodeTypeGraph] = "graph",
        [cudaGraphNodeTypeEmpty] = "empty",
        [cudaGraphNodeTypeWaitEvent] = "wait for event",
        [cudaGraphNodeTypeEventRecord] = "record event",
        [cudaGraphNodeTypeMemAlloc] = "allocate",
        [cudaGraphNodeTypeMemFree] = "free",
    };
    const char *name = (unsigned)type < WB_ARRAY_LENGTH(names) ? names[type] : NULL;
    return name ? name : "node";
}

static void add_nodes(struct wb_str *text, const struct wb_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        struct wb_node *node = graph->nodes[i];
        node->index = i;
        wb_str_printf(text, "    n%zu [label=\"%zu: %s", i, i, name_of(node->type));
        if (node->type == cudaGraphNodeTypeKernel) {
            const struct wb_op_kernel *k = &node->op.kernel;
            wb_str_printf(text, "\\n%s\\n<<<(%u,%u,%u),(%u,%u,%u),%zu>>>", k->function->name,
                          k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z,
                          k->dynamic_shared);
        }
        wb_str_add(text, "\"];\n");
    }
}

static void add_edges(struct wb_str *text, const struct wb_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t k = 0; k < graph->nodes[i]->before_count; k++) {
            wb_str_printf(text, "    n%zu -> n%zu;\n", graph->nodes[i]->before[k]->index, i);
        }
    }
}

enum cudaError rt_cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned flags)
{
    const struct wb_graph *graph = wb_graph_find(handle);
    struct wb_status status = {0};
    struct wb_arena arena;
    struct wb_str text;
    (void)flags;
    if (!graph || !path) {
        return cudaErrorInvalidValue;
    }
    wb_arena_init(&arena);
    wb_str_init(&text, &arena);
    wb_str_add(&text, "digraph graph_of_kernels {\n    node [shape=box];\n");
    add_nodes(&text, graph);
    add_edges(&text, graph);
    wb_str_add(&text, "}\n");
    bool written = wb_file_write(path, text.data, text.length, &status);
    wb_arena_finish(&arena);
    return written ? cudaSuccess : cudaErrorOperatingSystem;
}
