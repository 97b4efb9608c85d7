/* SPDX-License-Identifier: MIT
 * op: the operations that a stream carries out. Calls check their arguments and make an operation;
 * wb_stream_submit runs it now, or notes it when the stream is being captured; a graph runs what
 * was noted. To add one: a kind, its part of the union, a row in op.c.
 */
#ifndef WB_CUDART_OP_H
#define WB_CUDART_OP_H

#include "abi.h"
#include "binary.h"

enum wb_op_kind { WB_OP_EMPTY, WB_OP_KERNEL, WB_OP_COPY, WB_OP_FILL, WB_OP_HOST };

/* A kernel launch. `params` is laid out as the kernel wants it. */
struct wb_op_kernel {
    struct wb_function *function;
    struct dim3 grid, block;
    struct dim3 cluster; /* 0: as the kernel says */
    size_t dynamic_shared;
    bool cooperative;
    int priority;
    const void *params;
    size_t param_size;
    const struct wb_place *place; /* where it was launched; NULL: the call in flight */
};

/* One side of a copy: rows of `pitch` bytes, slices of `slice` bytes, from `address` on. */
struct wb_op_side {
    uint64_t address; /* of the first byte that is copied: of the host or of the device */
    size_t pitch, slice;
};

/* `width` bytes of `height` rows of `depth` slices. */
struct wb_op_copy {
    struct wb_op_side to, from;
    size_t width, height, depth;
    enum cudaMemcpyKind kind;
};

/* Elements of 1, 2 or 4 bytes: `width` (in elements) of `height` rows of `depth` slices. */
struct wb_op_fill {
    struct wb_op_side to;
    uint32_t value;
    unsigned element;
    size_t width, height, depth;
};

struct wb_op_host {
    void (*function)(void *data);
    void *data;
};

struct wb_op {
    enum wb_op_kind kind;
    union {
        struct wb_op_kernel kernel;
        struct wb_op_copy copy;
        struct wb_op_fill fill;
        struct wb_op_host host;
    };
};

/* Carries it out. Errors are those that the call itself reports (a bad address, a bad
 * configuration); a kernel that faults is success, see wb_runtime_fault. */
enum cudaError wb_op_run(const struct wb_op *op, cudaStream_t stream);

/* Whether the operation could run: what a call reports before anything happens. */
enum cudaError wb_op_check(const struct wb_op *op);

/* Bytes from the first to the one behind the last that `width` bytes of `height` rows of `depth`
 * slices take, none of which is 0. False if they are more than there are addresses. */
bool wb_op_extent(uint64_t *out, const struct wb_op_side *side, size_t width, size_t height,
                  size_t depth);

/* stream.c: checks the stream, then runs the operation or adds it to the graph being captured
 * (`params` of a kernel is copied). `op` is checked already. */
enum cudaError wb_stream_submit(cudaStream_t stream, const struct wb_op *op);

/* The parts. */
/* Applies an attribute of a launch to it. */
enum cudaError wb_launch_attribute(struct wb_op_kernel *launch,
                                   const struct cudaLaunchAttribute *attribute);
enum cudaError wb_launch_check(const struct wb_op_kernel *launch);
/* `wait` as in struct wb_sim_launch, or NULL. Called by held.c only. */
enum cudaError wb_launch_run(const struct wb_op_kernel *launch, cudaStream_t stream,
                             bool (*wait)(void *context));
enum cudaError wb_copy_check(const struct wb_op_copy *copy);
enum cudaError wb_copy_run(const struct wb_op_copy *copy);
enum cudaError wb_fill_check(const struct wb_op_fill *fill);
enum cudaError wb_fill_run(const struct wb_op_fill *fill);

/* The kernel's parameters from the program's array of pointers to them, allocated from the heap
 * of the process (free). NULL and an error if there is none. */
enum cudaError wb_launch_params(void **out, size_t *size, const struct wb_function *function,
                                void **args);

#endif
