/* SPDX-License-Identifier: MIT
 * Copies of rows and slices. Arrays are memory whose rows lie one behind the other (array.c).
 */
#include "api.h"
#include "array.h"
#include "copy.h"
#include "device.h"
#include "wait.h"

#include <stdint.h>

/* ---- two dimensions -------------------------------------------------------------------------- */

enum cudaError rt_cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                    size_t width, size_t height, enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    if (width > to_pitch || width > from_pitch || to_pitch > INT32_MAX || from_pitch > INT32_MAX) {
        return cudaErrorInvalidPitchValue;
    }
    struct wb_op op = wb_copy_linear((uintptr_t)to, (uintptr_t)from, width, kind);
    op.copy.to.pitch = to_pitch;
    op.copy.from.pitch = from_pitch;
    op.copy.height = height;
    return wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                               size_t width, size_t height, enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(
        error ? error
              : rt_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL));
}

/* ---- three dimensions ------------------------------------------------------------------------ */

/* One side: an array or a pitched pointer, not both. */
static enum cudaError find_side(struct wb_op_side *out, cudaArray_const_t array,
                                const struct cudaPitchedPtr *pointer, struct cudaPos at,
                                const struct wb_op_copy *copy)
{
    if (!array == !pointer->ptr) {
        return cudaErrorInvalidValue;
    }
    if (array) {
        at.x *= wb_array_element(array);
        return wb_array_side(out, array, at, copy->width, copy->height, copy->depth);
    }
    if (copy->width > pointer->pitch && copy->height * copy->depth > 1) {
        return cudaErrorInvalidPitchValue;
    }
    *out = (struct wb_op_side){
        .pitch = pointer->pitch,
        .slice = pointer->pitch * pointer->ysize,
    };
    out->address = (uintptr_t)pointer->ptr + at.x + at.y * out->pitch + at.z * out->slice;
    return cudaSuccess;
}

enum cudaError wb_copy_3d(struct wb_op *out, const struct cudaMemcpy3DParms *p)
{
    if (!p) {
        return cudaErrorInvalidValue;
    }
    /* Where an array takes part, the extent counts its elements. */
    size_t unit = p->srcArray   ? wb_array_element(p->srcArray)
                  : p->dstArray ? wb_array_element(p->dstArray)
                                : 1;
    struct wb_op_copy copy = {
        .height = p->extent.height, .depth = p->extent.depth, .kind = p->kind};
    if (unit == 0 || __builtin_mul_overflow(p->extent.width, unit, &copy.width)) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = find_side(&copy.to, p->dstArray, &p->dstPtr, p->dstPos, &copy);
    error = error ? error : find_side(&copy.from, p->srcArray, &p->srcPtr, p->srcPos, &copy);
    *out = (struct wb_op){.kind = WB_OP_COPY, .copy = copy};
    return error;
}

enum cudaError rt_cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    struct wb_op op;
    enum cudaError error = wb_copy_3d(&op, copy);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error : rt_cudaMemcpy3DAsync(copy, NULL));
}

enum cudaError rt_cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    enum cudaError error = p ? wb_device_check(p->srcDevice) : cudaErrorInvalidValue;
    error = error ? error : wb_device_check(p->dstDevice);
    return error ? error
                 : rt_cudaMemcpy3DAsync(
                       &(struct cudaMemcpy3DParms){
                           .srcArray = p->srcArray,
                           .srcPos = p->srcPos,
                           .srcPtr = p->srcPtr,
                           .dstArray = p->dstArray,
                           .dstPos = p->dstPos,
                           .dstPtr = p->dstPtr,
                           .extent = p->extent,
                           .kind = cudaMemcpyDeviceToDevice,
                       },
                       stream);
}

enum cudaError rt_cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error : rt_cudaMemcpy3DPeerAsync(copy, NULL));
}
