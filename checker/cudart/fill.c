/* SPDX-License-Identifier: MIT
 * cudaMemset in one, two and three dimensions.
 */
#include "api.h"
#include "copy.h"
#include "heap.h"
#include "wait.h"

enum cudaError wb_fill_2d(struct wb_op *out, void *to, size_t pitch, uint32_t value,
                          unsigned element, size_t width, size_t height)
{
    *out = (struct wb_op){
        .kind = WB_OP_FILL,
        .fill = {.to = {.address = (uintptr_t)to, .pitch = pitch},
                 .value = value,
                 .element = element,
                 .width = width,
                 .height = height,
                 .depth = 1},
    };
    bool ok =
        (element == 1 || element == 2 || element == 4) && (height <= 1 || width <= pitch / element);
    return ok ? cudaSuccess : cudaErrorInvalidValue;
}

/* A fill of memory that the host sees is waited for, any other is not. */
static enum cudaError done(enum cudaError error, const void *to)
{
    const struct wb_allocation *a = wb_heap_find((uintptr_t)to);
    return a && wb_heap_on_host(a) ? wb_wait_end(error) : error;
}

enum cudaError rt_cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream)
{
    return rt_cudaMemset2DAsync(to, 0, value, size, 1, stream);
}

enum cudaError rt_cudaMemset(void *to, int value, size_t size)
{
    return done(rt_cudaMemsetAsync(to, value, size, NULL), to);
}

enum cudaError rt_cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                    cudaStream_t stream)
{
    struct wb_op op;
    enum cudaError error = wb_fill_2d(&op, to, pitch, (uint32_t)value, 1, width, height);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return done(rt_cudaMemset2DAsync(to, pitch, value, width, height, NULL), to);
}

enum cudaError rt_cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                    cudaStream_t stream)
{
    struct wb_op op;
    enum cudaError error =
        wb_fill_2d(&op, to.ptr, to.pitch, (uint32_t)value, 1, extent.width, extent.height);
    op.fill.depth = extent.depth;
    op.fill.to.slice = to.pitch * to.ysize;
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    return done(rt_cudaMemset3DAsync(to, value, extent, NULL), to.ptr);
}
