/* SPDX-License-Identifier: MIT
 * Copies of bytes in a row.
 */
#include "api.h"
#include "copy.h"
#include "copy_kind.h"
#include "crossing.h"
#include "device.h"
#include "heap.h"
#include "misuse.h"
#include "stream.h"
#include "wait.h"

struct wb_op wb_copy_linear(uint64_t to, uint64_t from, size_t size, enum cudaMemcpyKind kind)
{
    return (struct wb_op){
        .kind = WB_OP_COPY,
        .copy = {.to.address = to,
                 .from.address = from,
                 .width = size,
                 .height = 1,
                 .depth = 1,
                 .kind = kind},
    };
}

/* The host waits for a copy to memory of its own that is not pinned. */
static void wait_for_copy(const struct wb_op *op, cudaStream_t handle)
{
    struct wb_stream *stream = wb_stream_find(handle);
    uint64_t to = op->copy.to.address;
    if (op->kind == WB_OP_COPY && stream && !stream->capture && !wb_heap_find(to)) {
        wb_crossing_host_waited(&stream->past);
    }
}

enum cudaError wb_copy_submit(const struct wb_op *op, cudaStream_t stream)
{
    if (op->kind == WB_OP_COPY) {
        wb_copy_kind_check(&op->copy);
    }
    enum cudaError error = wb_op_check(op);
    if (error == cudaErrorInvalidValue) {
        wb_misuse_op(op);
    }
    error = error ? error : wb_stream_submit(stream, op);
    if (!error) {
        wait_for_copy(op, stream);
    }
    return error;
}

enum cudaError rt_cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                  cudaStream_t stream)
{
    struct wb_op op = wb_copy_linear((uintptr_t)to, (uintptr_t)from, size, kind);
    return wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error : rt_cudaMemcpyAsync(to, from, size, kind, NULL));
}

/* ---- between devices, of which there is one -------------------------------------------------- */

enum cudaError rt_cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                      size_t size, cudaStream_t stream)
{
    enum cudaError error = wb_device_check(to_device);
    error = error ? error : wb_device_check(from_device);
    return error ? error : rt_cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}

enum cudaError rt_cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                 size_t size)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(
        error ? error : rt_cudaMemcpyPeerAsync(to, to_device, from, from_device, size, NULL));
}

/* ---- many at once ---------------------------------------------------------------------------- */

enum cudaError rt_cudaMemcpyBatchAsync(void *const *to, const void *const *from,
                                       const size_t *sizes, size_t count, void *attributes,
                                       size_t *indices, size_t attribute_count, cudaStream_t stream)
{
    bool described = attributes && indices && attribute_count && attribute_count <= count;
    enum cudaError error =
        to && from && sizes && count && described ? cudaSuccess : cudaErrorInvalidValue;
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        error = rt_cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream);
    }
    return error;
}
