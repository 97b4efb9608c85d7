/* SPDX-License-Identifier: MIT
 * What nvcc's code calls by itself: registration of fat binaries from constructors, and the
 * launch configuration between <<<...>>> and the kernel's stub.
 */
#include "api.h"
#include "binary.h"
#include "enter.h"
#include "log.h"
#include "runtime.h"

/* ---- fat binaries ---------------------------------------------------------------------------- */

/* The handle of a fat binary is a struct wb_binary; the program only passes it on. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *entry, char *stub, const char *name,
                            int thread_limit, void *tid, void *bid, void *block, void *grid,
                            int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size);
char __cudaInitModule(void **handle);
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     void *stream);

/* The binary behind a handle, or NULL. */
static struct wb_binary *binary_of(void **handle)
{
    return wb_binary_is(handle) ? (struct wb_binary *)(void *)handle : NULL;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct wb_call call;
    wb_lock(&call, WB_CALLER);
    struct wb_binary *binary = wb_binary_create(wrapper, SIZE_MAX);
    wb_unlock(&call);
    return (void **)(void *)binary;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle; /* code is read when it is first asked for */
}

void __cudaUnregisterFatBinary(void **handle)
{
    struct wb_call call;
    wb_lock(&call, WB_CALLER);
    struct wb_binary *binary = binary_of(handle);
    if (binary) {
        wb_runtime_synchronise(); /* the last chance for what kernels printed */
        wb_binary_destroy(binary);
    }
    wb_unlock(&call);
}

void __cudaRegisterFunction(void **handle, const char *entry, char *stub, const char *name,
                            int thread_limit, void *tid, void *bid, void *block, void *grid,
                            int *warp_size)
{
    struct wb_call call;
    (void)stub, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
    wb_lock(&call, WB_CALLER);
    struct wb_binary *binary = binary_of(handle);
    if (binary && name) {
        wb_binary_add_function(binary, entry, name);
    }
    wb_unlock(&call);
}

static void register_variable(void **handle, const void *host, void **managed, const char *name,
                              size_t size)
{
    struct wb_binary *binary = binary_of(handle);
    if (binary && name) {
        wb_binary_add_symbol(binary, host, name, size)->managed = managed;
    }
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext,
                       size_t size, int constant, int global)
{
    struct wb_call call;
    (void)device, (void)ext, (void)constant, (void)global;
    wb_lock(&call, WB_CALLER);
    register_variable(handle, host, NULL, name, size);
    wb_unlock(&call);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                              size_t size, int constant, int global)
{
    struct wb_call call;
    (void)device, (void)ext, (void)constant, (void)global;
    wb_lock(&call, WB_CALLER);
    register_variable(handle, NULL, host, name, size);
    wb_unlock(&call);
}

/* Host variables that device code may reach where page tables are shared: not on this device. */
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
    (void)handle, (void)name, (void)host, (void)size;
}

/* Managed variables get their address before the host first uses one. */
char __cudaInitModule(void **handle)
{
    struct wb_call call;
    wb_lock(&call, WB_CALLER);
    struct wb_binary *binary = binary_of(handle);
    bool ok = binary && wb_binary_load(binary) == cudaSuccess;
    wb_unlock(&call);
    return ok;
}

/* ---- <<<...>>> ------------------------------------------------------------------------------- */

/* Configurations whose kernel has not been called yet: arguments of a launch may launch, too. */
enum { MAX_PENDING = 64 };

struct configuration {
    struct dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

static _Thread_local struct configuration pending[MAX_PENDING];
static _Thread_local unsigned pending_count;

/* 0: the kernel's stub is to be called. */
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     void *stream)
{
    struct wb_call call;
    wb_lock(&call, WB_CALLER);
    wb_call_starts_launch();
    wb_unlock(&call);
    if (pending_count == MAX_PENDING) {
        return 1;
    }
    pending[pending_count++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

enum cudaError rt___cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                             void *stream)
{
    if (pending_count == 0) {
        return cudaErrorMissingConfiguration;
    }
    const struct configuration *c = &pending[--pending_count];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

/* ---- kernels as handles ---------------------------------------------------------------------- */

enum cudaError rt_cudaGetKernel(cudaKernel_t *out, const void *entry)
{
    struct wb_function *function;
    if (!out) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (error == cudaSuccess) {
        *out = (cudaKernel_t)(void *)function;
    }
    return error;
}

/* The stub's own call keeps its answer for ever, so it gives a handle also when the code cannot be
 * loaded: the launch then says why. */
enum cudaError rt___cudaGetKernel(cudaKernel_t *out, const void *entry)
{
    struct wb_function *function = NULL;
    enum cudaError error = wb_function_find(&function, entry);
    *out = (cudaKernel_t)(void *)function;
    return function ? cudaSuccess : error;
}

enum cudaError rt_cudaGetFuncBySymbol(cudaFunction_t *out, const void *symbol)
{
    return rt_cudaGetKernel((cudaKernel_t *)(void *)out, symbol);
}
