/* SPDX-License-Identifier: MIT
 * Checking and carrying out operations by kind.
 */
#include "op.h"

#include "crossing.h"
#include "held.h"
#include "pending.h"
#include "runtime.h"

enum cudaError wb_op_check(const struct wb_op *op)
{
    switch (op->kind) {
    case WB_OP_KERNEL:
        return wb_launch_check(&op->kernel);
    case WB_OP_COPY:
        return wb_copy_check(&op->copy);
    case WB_OP_FILL:
        return wb_fill_check(&op->fill);
    case WB_OP_HOST:
        return op->host.function ? cudaSuccess : cudaErrorInvalidValue;
    case WB_OP_EMPTY:
        break;
    }
    return cudaSuccess;
}

enum cudaError wb_op_run(const struct wb_op *op, cudaStream_t stream)
{
    if (wb_runtime_faulted()) {
        return cudaSuccess; /* the device is dead; the next synchronising call says so */
    }
    if (wb_held_queue(op, stream)) {
        return cudaSuccess; /* the device is busy */
    }
    enum cudaError error = cudaSuccess;
    wb_pending_lift();
    switch (op->kind) {
    case WB_OP_KERNEL:
        return wb_held_launch(&op->kernel, stream);
    case WB_OP_COPY:
        error = wb_copy_run(&op->copy);
        break;
    case WB_OP_FILL:
        error = wb_fill_run(&op->fill);
        break;
    case WB_OP_HOST:
        wb_crossing_host_runs(stream);
        op->host.function(op->host.data);
        break;
    case WB_OP_EMPTY:
        break;
    }
    if (error == cudaSuccess) {
        wb_crossing_ran(op, stream, NULL);
    }
    return error;
}
