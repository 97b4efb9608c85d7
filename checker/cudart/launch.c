/* SPDX-License-Identifier: MIT
 * Launches: the checks that a launch itself reports, and running a kernel on the embedded device.
 */
#include "api.h"
#include "clock.h"
#include "const_input.h"
#include "crossing.h"
#include "enter.h"
#include "guarded.h"
#include "log.h"
#include "misuse.h"
#include "op.h"
#include "runtime.h"
#include "stream.h"
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    PLAIN_SHARED = 48 * 1024, /* bytes a block has without asking for more */
    MAX_SHARED = 227 * 1024,
    REGISTERS = 65536,
    MAX_CLUSTER = 8, /* blocks, without asking for more */
    SM_COUNT = 132,
};

/* ---- checks ---------------------------------------------------------------------------------- */

static uint64_t volume(struct dim3 d)
{
    return (uint64_t)d.x * d.y * d.z;
}

static enum cudaError check_shape(struct dim3 grid, struct dim3 block)
{
    bool ok = volume(block) >= 1 && block.x <= MAX_THREADS && block.y <= MAX_THREADS &&
              block.z <= MAX_BLOCK_Z && volume(block) <= MAX_THREADS && volume(grid) >= 1 &&
              grid.x <= INT32_MAX && grid.y <= MAX_GRID_YZ && grid.z <= MAX_GRID_YZ;
    return ok ? cudaSuccess : cudaErrorInvalidValue; /* as on an H200, CUDA 13.0 */
}

static enum cudaError check_shared(const struct wb_op_kernel *launch)
{
    const struct wb_function *f = launch->function;
    int64_t allowed = f->max_dynamic_shared >= 0 ? f->max_dynamic_shared
                                                 : PLAIN_SHARED - (int64_t)f->kernel->static_shared;
    bool ok = (int64_t)launch->dynamic_shared <= allowed &&
              launch->dynamic_shared + f->kernel->static_shared <= MAX_SHARED;
    return ok ? cudaSuccess : cudaErrorInvalidValue;
}

static enum cudaError check_registers(const struct wb_op_kernel *launch)
{
    const struct wb_kernel *k = launch->function->kernel;
    uint64_t warps = (volume(launch->block) + 31) / 32;
    bool ok = warps * 32 * ((k->registers + 7) / 8 * 8) <= REGISTERS &&
              (k->max_threads == 0 || volume(launch->block) <= k->max_threads);
    return ok ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

static enum cudaError check_cluster(const struct wb_op_kernel *launch)
{
    struct dim3 c = launch->cluster, g = launch->grid;
    if (volume(c) == 0) {
        return c.x || c.y || c.z ? cudaErrorInvalidClusterSize : cudaSuccess;
    }
    uint64_t most = launch->function->nonportable_cluster ? 2 * MAX_CLUSTER : MAX_CLUSTER;
    bool ok = volume(c) <= most && g.x % c.x == 0 && g.y % c.y == 0 && g.z % c.z == 0;
    return ok ? cudaSuccess : cudaErrorInvalidClusterSize;
}

/* A cooperative grid must be resident as a whole. */
static enum cudaError check_cooperative(const struct wb_op_kernel *launch)
{
    int blocks = 0;
    if (!launch->cooperative) {
        return cudaSuccess;
    }
    enum cudaError error = rt_cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, launch->function, (int)volume(launch->block), launch->dynamic_shared);
    if (error == cudaSuccess && volume(launch->grid) > (uint64_t)blocks * SM_COUNT) {
        error = cudaErrorCooperativeLaunchTooLarge;
    }
    return error;
}

enum cudaError wb_launch_check(const struct wb_op_kernel *launch)
{
    enum cudaError error = check_shape(launch->grid, launch->block);
    error = error ? error : check_shared(launch);
    error = error ? error : check_registers(launch);
    error = error ? error : check_cluster(launch);
    return error ? error : check_cooperative(launch);
}

/* ---- running --------------------------------------------------------------------------------- */

/* What the hardware would report of a fault; a fault that it would not notice stops the kernel
 * here all the same. */
static enum cudaError error_of_fault(enum wb_reason kind, bool asserted)
{
    switch (kind) {
    case WB_REASON_NONE:
        return cudaSuccess;
    case WB_REASON_OUT_OF_BOUNDS:
    case WB_REASON_HOST_POINTER:
        return cudaErrorIllegalAddress;
    case WB_REASON_MISALIGNED:
        return cudaErrorMisalignedAddress;
    case WB_REASON_TIMEOUT:
    case WB_REASON_DEADLOCK:
        return cudaErrorLaunchTimeout;
    default:
        return asserted ? cudaErrorAssert : cudaErrorLaunchFailure;
    }
}

/* A launch that the device refuses, although it passed the checks above. */
static enum cudaError error_of_refusal(enum wb_refusal refusal)
{
    static const enum cudaError errors[WB_REFUSAL_COUNT] = {
        [WB_REFUSAL_NONE] = cudaErrorInvalidValue,
        [WB_REFUSAL_SHAPE] = cudaErrorInvalidValue,
        [WB_REFUSAL_RESOURCES] = cudaErrorLaunchOutOfResources,
        [WB_REFUSAL_PARAMS] = cudaErrorInvalidValue,
        [WB_REFUSAL_CLUSTER] = cudaErrorInvalidClusterSize,
        [WB_REFUSAL_TOO_LARGE] = cudaErrorCooperativeLaunchTooLarge,
    };
    return errors[refusal];
}

static struct wb_dim3 dim3_of(struct dim3 d)
{
    return (struct wb_dim3){.x = d.x, .y = d.y, .z = d.z};
}

/* A kernel that could not be started says so at once; one that faulted, at the next synchronising
 * call. */
static enum cudaError report(const struct wb_fault *fault, bool asserted)
{
    if (fault->kind == WB_REASON_LAUNCH_FAILED) {
        return error_of_refusal(fault->refusal);
    }
    if (fault->kind != WB_REASON_NONE) {
        wb_runtime_fault(error_of_fault(fault->kind, asserted));
    }
    return cudaSuccess;
}

static void print(void *context, const char *text, size_t size)
{
    (void)context;
    wb_runtime_print(text, size);
}

static void print_assertion(void *context, const char *text, size_t size)
{
    *(bool *)context = true;
    wb_runtime_print_flush();
    fwrite(text, 1, size, stderr);
}

enum cudaError wb_launch_run(const struct wb_op_kernel *launch, cudaStream_t stream,
                             bool (*wait)(void *context))
{
    const struct wb_function *function = launch->function;
    bool asserted = false;
    struct wb_sim_launch run = {
        .kernel = function->kernel->name,
        .cubin = function->binary->cubin,
        .grid = dim3_of(launch->grid),
        .block = dim3_of(launch->block),
        .cluster = dim3_of(launch->cluster),
        .cooperative = launch->cooperative,
        .dynamic_shared = (unsigned)launch->dynamic_shared,
        .params = launch->params,
        .param_size = launch->param_size,
        .print = print,
        .print_assertion = print_assertion,
        .print_context = &asserted,
        .go_on = wb_watch_go_on,
        .wait = wait,
    };
    struct wb_guard_findings findings;
    struct wb_sim_touches touches;
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_status status = {0};
    struct wb_arena arena;
    wb_arena_init(&arena);
    run.findings = wb_guard_wanted() ? &findings : NULL;
    bool inputs = run.findings && wb_const_input_any(function->kernel);
    run.touches = run.findings && (inputs || wb_crossing_wanted()) ? &touches : NULL;
    wb_watch_begin(function->kernel->name, launch->place ? launch->place : wb_call_place());
    bool ok = wb_sim_relaunch(&counters, &fault, &arena, wb_runtime_sim(), &run, &status);
    uint64_t stopped = wb_watch_end();
    if (ok) {
        wb_misuse_fault(&fault);
        wb_clock_work(counters.total.v[WB_METRIC_INST]);
        struct wb_log_launch log = {
            .kernel = function->kernel,
            .launch = &run,
            .counters = &counters,
            .fault = &fault,
            .findings = run.findings,
            .stream = wb_stream_number(stream),
            .place = launch->place,
            .stopped = fault.kind == WB_REASON_TIMEOUT ? stopped : 0,
        };
        wb_log_launch(&log);
        if (inputs) {
            wb_const_input_check(&log, &touches);
        }
        if (run.touches) {
            struct wb_op op = {.kind = WB_OP_KERNEL, .kernel = *launch};
            wb_crossing_ran(&op, stream, &touches);
        }
    }
    wb_arena_finish(&arena);
    if (stopped) {
        wb_watch_die();
    }
    if (!ok) {
        return status.code == WB_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorUnknown;
    }
    return report(&fault, asserted);
}

/* ---- parameters ------------------------------------------------------------------------------ */

enum cudaError wb_launch_params(void **out, size_t *size, const struct wb_function *function,
                                void **args)
{
    const struct wb_kernel *kernel = function->kernel;
    *size = kernel->param_size;
    *out = calloc(1, *size + 1);
    if (!*out || (kernel->param_count && !args)) {
        free(*out);
        *out = NULL;
        return args ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    }
    for (unsigned i = 0; i < kernel->param_count; i++) {
        const struct wb_kernel_param *p = &kernel->params[i];
        if (args[i] && p->offset <= *size && p->size <= *size - p->offset) {
            memcpy((char *)*out + p->offset, args[i], p->size);
        }
    }
    return cudaSuccess;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum cudaError submit(struct wb_op_kernel *launch, const void *entry, void **args,
                             cudaStream_t stream)
{
    void *params = NULL;
    enum cudaError error = wb_function_find(&launch->function, entry);
    struct wb_op op = {.kind = WB_OP_KERNEL};
    error = error ? error : wb_launch_check(launch);
    error = error ? error : wb_launch_params(&params, &launch->param_size, launch->function, args);
    if (error == cudaSuccess) {
        launch->params = params;
        op.kernel = *launch;
        error = wb_stream_submit(stream, &op);
        free(params);
    }
    return error;
}

enum cudaError rt_cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block,
                                   void **args, size_t shared, cudaStream_t stream)
{
    struct wb_op_kernel launch = {.grid = grid, .block = block, .dynamic_shared = shared};
    return submit(&launch, function, args, stream);
}

enum cudaError rt___cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                                     void **args, size_t shared, cudaStream_t stream)
{
    return rt_cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

enum cudaError rt_cudaLaunchCooperativeKernel(const void *function, struct dim3 grid,
                                              struct dim3 block, void **args, size_t shared,
                                              cudaStream_t stream)
{
    struct wb_op_kernel launch = {
        .grid = grid, .block = block, .dynamic_shared = shared, .cooperative = true};
    return submit(&launch, function, args, stream);
}

enum cudaError wb_launch_attribute(struct wb_op_kernel *launch,
                                   const struct cudaLaunchAttribute *attribute)
{
    switch (attribute->id) {
    case cudaLaunchAttributeCooperative:
        launch->cooperative = attribute->val.cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        launch->cluster = attribute->val.clusterDim;
        return cudaSuccess;
    case cudaLaunchAttributePriority:
        launch->priority = attribute->val.priority;
        return cudaSuccess;
    default: /* hints, and orders that running one after the other keeps anyway */
        return attribute->id <= cudaLaunchAttributeNvlinkUtilCentricScheduling
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    }
}

enum cudaError rt_cudaLaunchKernelExC(const struct cudaLaunchConfig *config, const void *function,
                                      void **args)
{
    if (!config || (config->numAttrs && !config->attrs)) {
        return cudaErrorInvalidValue;
    }
    struct wb_op_kernel launch = {
        .grid = config->gridDim,
        .block = config->blockDim,
        .dynamic_shared = config->dynamicSmemBytes,
    };
    for (unsigned i = 0; i < config->numAttrs; i++) {
        enum cudaError error = wb_launch_attribute(&launch, &config->attrs[i]);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return submit(&launch, function, args, config->stream);
}
