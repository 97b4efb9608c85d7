/* SPDX-License-Identifier: MIT
 * clock: see clock.h. To give an operation another price, change its case in price().
 */
#include "clock.h"

enum {
    HOST_CALL = 1000,   /* ns that a call costs the host */
    DEVICE_START = 2000 /* ns until an operation has started on the device */
};

/* Rates of the device that is pretended: 132 multiprocessors issue 4 warp instructions in each
 * cycle of 1.98 GHz; bytes a nanosecond over the bus and in device memory. */
static const uint64_t instructions_per_ns = 1045, bus_per_ns = 55, memory_per_ns = 4800;

static uint64_t host_time;
static uint64_t work;

void wb_clock_work(uint64_t warp_instructions)
{
    work += warp_instructions;
}

static uint64_t price(const struct wb_op *op)
{
    switch (op->kind) {
    case WB_OP_KERNEL:
        return work / instructions_per_ns;
    case WB_OP_COPY:
        return op->copy.width * op->copy.height * op->copy.depth /
               (op->copy.kind == cudaMemcpyDeviceToDevice ? memory_per_ns / 2 : bus_per_ns);
    case WB_OP_FILL:
        return op->fill.width * op->fill.element * op->fill.height * op->fill.depth / memory_per_ns;
    case WB_OP_HOST:
    case WB_OP_EMPTY:
        break;
    }
    return 0;
}

enum cudaError wb_clock_run(uint64_t *duration, const struct wb_op *op, cudaStream_t stream)
{
    work = 0;
    enum cudaError error = wb_op_run(op, stream);
    *duration = DEVICE_START + price(op);
    return error;
}

uint64_t wb_clock_host(void)
{
    host_time += HOST_CALL;
    return host_time;
}

void wb_clock_wait(uint64_t time)
{
    host_time = host_time < time ? time : host_time;
}
