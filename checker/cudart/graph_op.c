/* SPDX-License-Identifier: MIT
 * Operations from the parameters of graph nodes, and back: see graph_op.h.
 */
#include "graph_op.h"

#include "api.h"
#include "copy.h"
#include "heap.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

/* The second way to pass parameters: a list of pairs that gives one buffer and its size. */
static enum cudaError packed_params(void **out, size_t *size, const struct wb_kernel *kernel,
                                    void **extra)
{
    enum { END = 0, BUFFER = 1, BUFFER_SIZE = 2 };
    const void *buffer = NULL;
    size_t buffer_size = 0;
    for (; (uintptr_t)extra[0] != END; extra += 2) {
        if ((uintptr_t)extra[0] == BUFFER) {
            buffer = extra[1];
        } else if ((uintptr_t)extra[0] == BUFFER_SIZE) {
            buffer_size = *(const size_t *)extra[1];
        } else {
            return cudaErrorInvalidValue;
        }
    }
    *size = kernel->param_size;
    *out = calloc(1, *size + 1);
    if (!*out || (*size && !buffer)) {
        free(*out);
        return buffer ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    }
    if (buffer) {
        memcpy(*out, buffer, buffer_size < *size ? buffer_size : *size);
    }
    return cudaSuccess;
}

enum cudaError wb_op_from_kernel(struct wb_op *op, const struct cudaKernelNodeParams *p)
{
    void *params = NULL;
    *op = (struct wb_op){.kind = WB_OP_EMPTY};
    if (!p || !p->func || (p->kernelParams && p->extra)) {
        return cudaErrorInvalidValue;
    }
    struct wb_op_kernel kernel = {
        .grid = p->gridDim, .block = p->blockDim, .dynamic_shared = p->sharedMemBytes};
    enum cudaError error = wb_function_find(&kernel.function, p->func);
    error = error ? error : wb_launch_check(&kernel);
    if (error) {
        return error;
    }
    if (p->extra) {
        error = packed_params(&params, &kernel.param_size, kernel.function->kernel, p->extra);
    } else {
        error = wb_launch_params(&params, &kernel.param_size, kernel.function, p->kernelParams);
    }
    if (!error) {
        kernel.params = params;
        *op = (struct wb_op){.kind = WB_OP_KERNEL, .kernel = kernel};
    }
    return error;
}

void wb_op_release(struct wb_op *op)
{
    if (op->kind == WB_OP_KERNEL) {
        free((void *)(uintptr_t)op->kernel.params);
    }
}

void wb_kernel_of_node(struct cudaKernelNodeParams *out, const struct wb_node *node)
{
    const struct wb_op_kernel *op = &node->op.kernel;
    const struct wb_kernel *kernel = op->function->kernel;
    const void *name = op->function->entry ? op->function->entry : op->function;
    void **list = wb_arena_alloc(&node->graph->arena, (kernel->param_count + 1) * sizeof *list);
    for (unsigned i = 0; i < kernel->param_count; i++) {
        list[i] = (char *)(uintptr_t)op->params + kernel->params[i].offset;
    }
    *out = (struct cudaKernelNodeParams){
        .func = (void *)(uintptr_t)name,
        .gridDim = op->grid,
        .blockDim = op->block,
        .sharedMemBytes = (unsigned)op->dynamic_shared,
        .kernelParams = list,
    };
}

/* ---- copies ---------------------------------------------------------------------------------- */

enum cudaError wb_op_from_copy(struct wb_op *op, const struct cudaMemcpy3DParms *params)
{
    *op = (struct wb_op){.kind = WB_OP_EMPTY};
    enum cudaError error = wb_copy_3d(op, params);
    return error ? error : wb_op_check(op);
}

enum cudaError wb_op_from_line(struct wb_op *op, void *to, const void *from, size_t size,
                               enum cudaMemcpyKind kind)
{
    *op = wb_copy_linear((uintptr_t)to, (uintptr_t)from, size, kind);
    return size ? wb_op_check(op) : cudaErrorInvalidValue;
}

/* Address of a byte of a variable, `size` bytes before the variable's end at least. */
static enum cudaError in_symbol(void **out, const void *symbol, size_t size, size_t offset)
{
    struct wb_allocation *variable = NULL;
    enum cudaError error = wb_symbol_find(&variable, symbol);
    if (error) {
        return error;
    }
    if (offset > variable->size || size > variable->size - offset) {
        return cudaErrorInvalidValue;
    }
    *out = (void *)(uintptr_t)(variable->address + offset);
    return cudaSuccess;
}

enum cudaError wb_op_to_symbol(struct wb_op *op, const void *symbol, const void *from, size_t size,
                               size_t offset, enum cudaMemcpyKind kind)
{
    void *to = NULL;
    *op = (struct wb_op){.kind = WB_OP_EMPTY};
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    enum cudaError error = in_symbol(&to, symbol, size, offset);
    return error ? error : wb_op_from_line(op, to, from, size, kind);
}

enum cudaError wb_op_from_symbol(struct wb_op *op, void *to, const void *symbol, size_t size,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    void *from = NULL;
    *op = (struct wb_op){.kind = WB_OP_EMPTY};
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    enum cudaError error = in_symbol(&from, symbol, size, offset);
    return error ? error : wb_op_from_line(op, to, from, size, kind);
}

static struct cudaPitchedPtr pitched(const struct wb_op_side *side, const struct wb_op_copy *copy)
{
    return (struct cudaPitchedPtr){
        .ptr = (void *)(uintptr_t)side->address,
        .pitch = side->pitch ? side->pitch : copy->width,
        .xsize = copy->width,
        .ysize = side->pitch ? side->slice / side->pitch : copy->height,
    };
}

void wb_copy_of_node(struct cudaMemcpy3DParms *out, const struct wb_node *node)
{
    const struct wb_op_copy *copy = &node->op.copy;
    *out = (struct cudaMemcpy3DParms){
        .srcPtr = pitched(&copy->from, copy),
        .dstPtr = pitched(&copy->to, copy),
        .extent = {.width = copy->width, .height = copy->height, .depth = copy->depth},
        .kind = copy->kind,
    };
}

/* ---- fills and host functions ---------------------------------------------------------------- */

enum cudaError wb_op_from_fill(struct wb_op *op, const struct cudaMemsetParams *p)
{
    *op = (struct wb_op){.kind = WB_OP_EMPTY};
    if (!p || p->width == 0 || p->height == 0) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error =
        wb_fill_2d(op, p->dst, p->pitch, p->value, p->elementSize, p->width, p->height);
    return error ? error : wb_op_check(op);
}

void wb_fill_of_node(struct cudaMemsetParams *out, const struct wb_node *node)
{
    const struct wb_op_fill *fill = &node->op.fill;
    *out = (struct cudaMemsetParams){
        .dst = (void *)(uintptr_t)fill->to.address,
        .pitch = fill->to.pitch,
        .value = fill->value,
        .elementSize = fill->element,
        .width = fill->width,
        .height = fill->height,
    };
}

enum cudaError wb_op_from_host(struct wb_op *op, const struct cudaHostNodeParams *params)
{
    *op = (struct wb_op){.kind = WB_OP_HOST};
    if (!params || !params->fn) {
        return cudaErrorInvalidValue;
    }
    op->host = (struct wb_op_host){.function = params->fn, .data = params->userData};
    return cudaSuccess;
}
