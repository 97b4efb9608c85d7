/* SPDX-License-Identifier: MIT
 * graph_op: operations made from the parameter structures of graph nodes, and back. What is made is
 * checked as the call that adds such a node checks it.
 */
#ifndef WB_CUDART_GRAPH_OP_H
#define WB_CUDART_GRAPH_OP_H

#include "graph.h"

/* `params` of a kernel operation come from the heap of the process: wb_op_release. */
enum cudaError wb_op_from_kernel(struct wb_op *op, const struct cudaKernelNodeParams *params);
enum cudaError wb_op_from_copy(struct wb_op *op, const struct cudaMemcpy3DParms *params);
enum cudaError wb_op_from_line(struct wb_op *op, void *to, const void *from, size_t size,
                               enum cudaMemcpyKind kind);
enum cudaError wb_op_to_symbol(struct wb_op *op, const void *symbol, const void *from, size_t size,
                               size_t offset, enum cudaMemcpyKind kind);
enum cudaError wb_op_from_symbol(struct wb_op *op, void *to, const void *symbol, size_t size,
                                 size_t offset, enum cudaMemcpyKind kind);
enum cudaError wb_op_from_fill(struct wb_op *op, const struct cudaMemsetParams *params);
enum cudaError wb_op_from_host(struct wb_op *op, const struct cudaHostNodeParams *params);
void wb_op_release(struct wb_op *op);

/* A node's parameters in the form that the program gave or would have given. Lists of parameters
 * live as long as the graph. */
void wb_kernel_of_node(struct cudaKernelNodeParams *out, const struct wb_node *node);
void wb_copy_of_node(struct cudaMemcpy3DParms *out, const struct wb_node *node);
void wb_fill_of_node(struct cudaMemsetParams *out, const struct wb_node *node);

#endif
