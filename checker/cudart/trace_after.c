/* SPDX-License-Identifier: MIT
 * What libwarpbook-trace.so notes of calls that went well: what was made and given back, and what
 * was launched. To note one more, write an after_NAME with the parameters of its row in api.def.
 */
#include "trace.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory, streams, events ---------------------------------------------------------------- */

#define MADE(name, parameters, kind, handle, size)                                                 \
    void after_##name parameters                                                                   \
    {                                                                                              \
        wb_resource_made(WB_RESOURCE_##kind, handle, size);                                        \
    }

MADE(cudaMalloc, (void **out, size_t size), DEVICE, *out, size)
MADE(cudaMallocPitch, (void **out, size_t *pitch, size_t width, size_t height), DEVICE,
     ((void)width, *out), *pitch *height)
MADE(cudaMallocAsync, (void **out, size_t size, cudaStream_t stream), DEVICE, ((void)stream, *out),
     size)
MADE(cudaMallocManaged, (void **out, size_t size, unsigned flags), MANAGED, ((void)flags, *out),
     size)
MADE(cudaMallocHost, (void **out, size_t size), PINNED, *out, size)
MADE(cudaHostAlloc, (void **out, size_t size, unsigned flags), PINNED, ((void)flags, *out), size)
MADE(cudaHostRegister, (void *pointer, size_t size, unsigned flags), REGISTERED,
     ((void)flags, pointer), size)
MADE(cudaStreamCreate, (cudaStream_t * out), STREAM, *out, 0)
MADE(cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags), STREAM, ((void)flags, *out),
     0)
MADE(cudaEventCreate, (cudaEvent_t * out), EVENT, *out, 0)
MADE(cudaEventCreateWithFlags, (cudaEvent_t * out, unsigned flags), EVENT, ((void)flags, *out), 0)

void after_cudaFree(void *pointer)
{
    wb_resource_gone(WB_RESOURCE_DEVICE, pointer);
    wb_resource_gone(WB_RESOURCE_MANAGED, pointer);
}

void after_cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    (void)stream;
    after_cudaFree(pointer);
}

void after_cudaFreeHost(void *pointer)
{
    wb_resource_gone(WB_RESOURCE_PINNED, pointer);
}

void after_cudaHostUnregister(void *pointer)
{
    wb_resource_gone(WB_RESOURCE_REGISTERED, pointer);
}

void after_cudaStreamDestroy(cudaStream_t stream)
{
    wb_resource_gone(WB_RESOURCE_STREAM, stream);
}

void after_cudaEventDestroy(cudaEvent_t event)
{
    wb_resource_gone(WB_RESOURCE_EVENT, event);
}

void after_cudaDeviceReset(void)
{
    wb_resource_lose_all();
}

/* ---- launches ------------------------------------------------------------------------------- */

/* A kernel that was launched: the log knows it by this structure's address. */
struct known {
    struct known *next;
    const void *function;
    struct wb_kernel kernel;
};

/* NVIDIA's runtime knows the name, by the handle or the host function. */
static const char *name_of(const void *function)
{
    const char *name = NULL;
    enum cudaError (*get_name)(const char **name, const void *function);
    void *symbol = wb_trace_next("cudaFuncGetName");
    memcpy(&get_name, &symbol, sizeof get_name);
    return get_name && get_name(&name, function) == cudaSuccess && name ? name : "kernel";
}

static const struct wb_kernel *kernel_of(const void *function)
{
    static struct known *list, nobody = {.kernel = {.name = "kernel"}};
    struct known *known = list;
    while (known && known->function != function) {
        known = known->next;
    }
    if (!known && (known = calloc(1, sizeof *known))) {
        *known = (struct known){
            .next = list, .function = function, .kernel = {.name = strdup(name_of(function))}};
        list = known;
    }
    return known && known->kernel.name ? &known->kernel : &nobody.kernel;
}

static void note_launch(const void *function, struct dim3 grid, struct dim3 block, size_t shared)
{
    const struct wb_counters none = {0};
    const struct wb_sim_launch launch = {.grid = {grid.x, grid.y, grid.z},
                                         .block = {block.x, block.y, block.z},
                                         .dynamic_shared = (unsigned)shared};
    wb_log_launch(&(struct wb_log_launch){
        .kernel = kernel_of(function), .launch = &launch, .counters = &none});
}

void after___cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block, void **args,
                              size_t shared, cudaStream_t stream)
{
    (void)args, (void)stream;
    note_launch(kernel, grid, block, shared);
}

void after_cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **args,
                            size_t shared, cudaStream_t stream)
{
    (void)args, (void)stream;
    note_launch(function, grid, block, shared);
}

void after_cudaLaunchCooperativeKernel(const void *function, struct dim3 grid, struct dim3 block,
                                       void **args, size_t shared, cudaStream_t stream)
{
    (void)args, (void)stream;
    note_launch(function, grid, block, shared);
}

void after_cudaLaunchKernelExC(const struct cudaLaunchConfig *config, const void *function,
                               void **args)
{
    (void)args;
    note_launch(function, config->gridDim, config->blockDim, config->dynamicSmemBytes);
}
