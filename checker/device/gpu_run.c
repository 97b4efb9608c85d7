/* SPDX-License-Identifier: MIT
 * The GPU's side of a job: see gpu_run.h. Every case loads the module anew, so that its variables
 * have their initial values, and lays each buffer between two guard zones:
 *
 *     | GUARD bytes of a pattern | the buffer | GUARD bytes of a pattern |
 *
 * The pattern is a NaN in float and double: a kernel that computes with what it read there shows.
 *
 * Nothing is cleaned up when a kernel faulted: the context is dead then, and the process ends.
 */
#include "gpu_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUARD = 4096,
    SHARED_WITHOUT_ASKING = 48 * 1024, /* bytes of dynamic shared memory */
    STARTUP_S = 30, /* a driver that was idle, on a machine with many GPUs, takes its time */
};

static const uint8_t pattern[4] = {0xa5, 0xa5, 0xff, 0xff};

/* One buffer on the device. */
struct zone {
    uint64_t base; /* of the zone before it */
    uint8_t *copy; /* GUARD + size + GUARD bytes in our memory */
    size_t size;   /* of the buffer */
};

/* What one case has on the device. */
struct launch {
    void *module, *function;
    struct zone *zones;
};

/* ---- opening ------------------------------------------------------------------------------ */

bool wb_gpu_load(struct wb_gpu *gpu, struct wb_status *status)
{
    int version = 0;
    memset(gpu, 0, sizeof *gpu);
    if (!wb_cuda_open(&gpu->cuda, status)) {
        return false;
    }
    int result = gpu->cuda.driver_version(&version);
    gpu->driver_version = (unsigned)version;
    return !result || wb_cuda_fail(status, &gpu->cuda, result, "cuDriverGetVersion");
}

bool wb_gpu_init(struct wb_gpu *gpu, struct wb_status *status)
{
    int result = gpu->cuda.init(0);
    if (result) {
        return wb_cuda_fail(status, &gpu->cuda, result, "cuInit");
    }
    result = gpu->cuda.device_get(&gpu->device, 0);
    return !result || wb_cuda_fail(status, &gpu->cuda, result, "cuDeviceGet");
}

bool wb_gpu_use(struct wb_gpu *gpu, struct wb_status *status)
{
    const struct {
        int attribute;
        unsigned *to;
    } wanted[] = {
        {CUDA_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &gpu->limits.threads},
        {CUDA_ATTRIBUTE_MAX_SHARED_PER_BLOCK_OPTIN, &gpu->limits.shared},
        {CUDA_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, &gpu->limits.registers},
    };
    const struct wb_cuda *cuda = &gpu->cuda;
    int result;
    if ((result = cuda->context_retain(&gpu->context, gpu->device))) {
        return wb_cuda_fail(status, cuda, result, "cuDevicePrimaryCtxRetain");
    }
    if ((result = cuda->context_set(gpu->context))) {
        return wb_cuda_fail(status, cuda, result, "cuCtxSetCurrent");
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(wanted); i++) {
        int value = 0;
        if ((result = cuda->device_attribute(&value, wanted[i].attribute, gpu->device))) {
            return wb_cuda_fail(status, cuda, result, "cuDeviceGetAttribute");
        }
        *wanted[i].to = (unsigned)value;
    }
    return true;
}

/* ---- buffers ------------------------------------------------------------------------------ */

static bool zone_open(struct zone *zone, const struct wb_gpu *gpu,
                      const struct wb_device_buffer *buffer, struct wb_status *status)
{
    size_t total = GUARD + buffer->size + GUARD;
    zone->size = buffer->size;
    zone->copy = malloc(total);
    if (!zone->copy) {
        return WB_FAIL(status, NO_MEMORY, "There is no memory for a copy of the array `%s`.",
                       buffer->name);
    }
    for (size_t i = 0; i < total; i++) {
        zone->copy[i] = pattern[i % sizeof pattern];
    }
    if (buffer->size) {
        memcpy(zone->copy + GUARD, buffer->data, buffer->size);
    }
    int result = gpu->cuda.mem_alloc(&zone->base, total);
    if (result) {
        return wb_cuda_fail(status, &gpu->cuda, result, "cuMemAlloc");
    }
    result = gpu->cuda.copy_to_device(zone->base, zone->copy, total);
    return !result || wb_cuda_fail(status, &gpu->cuda, result, "cuMemcpyHtoD");
}

/* Looks at both guard zones, from the buffer's edges outwards. */
static void check_guards(struct wb_device_buffer *buffer, const struct zone *zone)
{
    for (size_t i = 0; i < GUARD; i++) {
        size_t before = GUARD - 1 - i, behind = GUARD + zone->size + i;
        bool behind_hit = zone->copy[behind] != pattern[behind % sizeof pattern];
        if (behind_hit || zone->copy[before] != pattern[before % sizeof pattern]) {
            buffer->guard_hit = behind_hit ? 1 : -1;
            buffer->guard_offset = i;
            return;
        }
    }
}

/* Takes the buffer back and frees the zone. */
static bool zone_close(struct zone *zone, const struct wb_gpu *gpu, struct wb_device_buffer *buffer,
                       struct wb_status *status)
{
    int result = gpu->cuda.copy_to_host(zone->copy, zone->base, GUARD + zone->size + GUARD);
    if (result) {
        return wb_cuda_fail(status, &gpu->cuda, result, "cuMemcpyDtoH");
    }
    check_guards(buffer, zone);
    if (zone->size) {
        memcpy(buffer->data, zone->copy + GUARD, zone->size);
    }
    free(zone->copy);
    result = gpu->cuda.mem_free(zone->base);
    return !result || wb_cuda_fail(status, &gpu->cuda, result, "cuMemFree");
}

/* ---- one case ----------------------------------------------------------------------------- */

/* Fills a variable of the module. False: the driver failed; a variable that is not as it must be
 * is a fault. */
static bool fill_symbol(struct launch *launch, struct wb_job_child *child, const struct wb_gpu *gpu,
                        const struct wb_device_buffer *symbol)
{
    enum { NOT_FOUND = 500 };
    uint64_t address = 0;
    size_t size = 0;
    int result = gpu->cuda.module_global(&address, &size, launch->module, symbol->name);
    if (result && result != NOT_FOUND) {
        return wb_cuda_fail(child->status, &gpu->cuda, result, "cuModuleGetGlobal");
    }
    if (!wb_launch_check_symbol(&child->result->fault, symbol, !result, size)) {
        return true;
    }
    result = gpu->cuda.copy_to_device(address, symbol->data, size);
    return !result || wb_cuda_fail(child->status, &gpu->cuda, result, "cuMemcpyHtoD");
}

/* Loads the module and fills its variables and the buffers. */
static bool prepare(struct launch *launch, struct wb_job_child *child, const struct wb_gpu *gpu,
                    const struct wb_device_case *c)
{
    const struct wb_cuda *cuda = &gpu->cuda;
    int result = cuda->module_load(&launch->module, child->job->cubin);
    if (result) {
        return wb_cuda_fail(child->status, cuda, result, "cuModuleLoadData");
    }
    result = cuda->module_function(&launch->function, launch->module, gpu->kernel->name);
    if (result) {
        return wb_cuda_fail(child->status, cuda, result, "cuModuleGetFunction");
    }
    if (c->dynamic_shared > SHARED_WITHOUT_ASKING) {
        result = cuda->function_set(launch->function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                    (int)c->dynamic_shared);
        if (result) {
            return wb_cuda_fail(child->status, cuda, result, "cuFuncSetAttribute");
        }
    }
    launch->zones = wb_arena_alloc(child->arena, c->buffer_count * sizeof *launch->zones);
    for (unsigned b = 0; b < c->buffer_count; b++) {
        bool ok = c->buffers[b].symbol
                      ? fill_symbol(launch, child, gpu, &c->buffers[b])
                      : zone_open(&launch->zones[b], gpu, &c->buffers[b], child->status);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* Launches and waits. The driver's result: 0 if the kernel ended well. */
static int launch_and_wait(const struct launch *launch, const struct wb_gpu *gpu,
                           const struct wb_device_case *c)
{
    uint64_t values[WB_MAX_ARGS];
    void *params[WB_MAX_ARGS];
    for (unsigned i = 0; i < c->arg_count; i++) {
        const struct wb_device_arg *arg = &c->args[i];
        if (arg->buffer >= 0) {
            values[i] = launch->zones[arg->buffer].base + GUARD;
        } else {
            memcpy(&values[i], arg->value, sizeof arg->value);
        }
        params[i] = &values[i];
    }
    int result = gpu->cuda.launch(launch->function, c->grid.x, c->grid.y, c->grid.z, c->block.x,
                                  c->block.y, c->block.z, c->dynamic_shared, NULL, params, NULL);
    return result ? result : gpu->cuda.synchronize();
}

static bool finish(struct launch *launch, struct wb_job_child *child, const struct wb_gpu *gpu,
                   struct wb_device_case *c)
{
    for (unsigned b = 0; b < c->buffer_count; b++) {
        if (!c->buffers[b].symbol &&
            !zone_close(&launch->zones[b], gpu, &c->buffers[b], child->status)) {
            return false;
        }
    }
    int result = gpu->cuda.module_unload(launch->module);
    return !result || wb_cuda_fail(child->status, &gpu->cuda, result, "cuModuleUnload");
}

/* Runs one case. False: we failed. *ended: the kernel ran to its end and there was nothing to say;
 * otherwise the result has the fault, or the reason why it could not be measured. */
static bool run_case(bool *ended, struct wb_job_child *child, const struct wb_gpu *gpu,
                     const struct wb_gpu_meter *meter, struct wb_device_case *c)
{
    struct launch launch = {0};
    struct wb_device_result *result = child->result;
    *ended = false;
    if (!wb_launch_check_params(&result->fault, gpu->kernel, c) ||
        !wb_launch_check_shape(&result->fault, gpu->kernel, c, &gpu->limits)) {
        return true;
    }
    if (!prepare(&launch, child, gpu, c)) {
        return false;
    }
    if (result->fault.kind != WB_REASON_NONE) {
        return true;
    }
    void *state = meter ? meter->start(child, gpu) : NULL;
    if (meter && !state) {
        return true;
    }
    int code = launch_and_wait(&launch, gpu, c);
    if (code) {
        return wb_cuda_fault(&result->fault, code, gpu->kernel->name) ||
               wb_cuda_fail(child->status, &gpu->cuda, code, "the launch");
    }
    if (meter && !meter->stop(child, gpu, state)) {
        return true;
    }
    *ended = true;
    return finish(&launch, child, gpu, c);
}

/* Before the driver starts, which is the order that is known to work. */
static bool open_cupti(struct wb_job_child *child, struct wb_gpu *gpu)
{
    struct wb_status status = {0};
    bool ok =
        wb_cupti_open(&gpu->cupti, child->job->toolkit_root, gpu->driver_version / 1000, &status);
    if (!ok) {
        snprintf(child->result->not_measured, sizeof child->result->not_measured, "%.399s",
                 status.message);
    }
    return ok;
}

static bool gpu_body(struct wb_job_child *child, const void *meter)
{
    struct wb_device_job *job = child->job;
    struct wb_device_result *result = child->result;
    struct wb_gpu gpu;
    struct wb_cubin *cubin;
    const struct wb_kernel *kernel;
    if (!wb_cubin_parse(&cubin, child->arena, job->cubin, job->cubin_size, child->status)) {
        return false;
    }
    if (!wb_launch_find(&kernel, &result->fault, cubin, job->kernel)) {
        return true;
    }
    if (!wb_gpu_load(&gpu, child->status)) {
        return false;
    }
    if (meter && !open_cupti(child, &gpu)) {
        return true;
    }
    if (!wb_gpu_init(&gpu, child->status) || !wb_gpu_use(&gpu, child->status)) {
        return false;
    }
    gpu.kernel = kernel;
    result->registers = kernel->registers;
    result->static_shared = kernel->static_shared;
    result->local_bytes = kernel->local_bytes;
    wb_job_started(child);
    bool ended = true;
    for (size_t i = 0; i < job->case_count && ended; i++) {
        wb_job_case_begin(child, i);
        if (!run_case(&ended, child, &gpu, meter, &job->cases[i])) {
            return false;
        }
        if (ended) {
            wb_job_case_done(child, i);
        }
    }
    return true;
}

struct wb_job_kind wb_gpu_job_kind(const struct wb_gpu_meter *meter)
{
    return (struct wb_job_kind){
        .where = "on the GPU",
        .startup_s = STARTUP_S,
        .body = gpu_body,
        .context = meter,
    };
}

/* ---- for meters --------------------------------------------------------------------------- */

bool wb_gpu_cupti_ok(struct wb_job_child *child, int result, const char *what)
{
    if (result) {
        wb_cupti_explain(child->result->not_measured, sizeof child->result->not_measured, result,
                         what);
    }
    return result == 0;
}

const char *wb_gpu_start_cupti(struct wb_job_child *child, const struct wb_gpu *gpu)
{
    struct cupti_profiler_initialize initialize = {WB_CUPTI_SIZE(cupti_profiler_initialize, pPriv),
                                                   NULL};
    struct cupti_chip_name name = {WB_CUPTI_SIZE(cupti_chip_name, pChipName), NULL, 0, NULL};
    bool ok = wb_gpu_cupti_ok(child, gpu->cupti.profiler_initialize(&initialize),
                              "cuptiProfilerInitialize") &&
              wb_gpu_cupti_ok(child, gpu->cupti.chip_name(&name), "cuptiDeviceGetChipName");
    return ok ? name.pChipName : NULL;
}
