/* SPDX-License-Identifier: MIT
 * cudaLibrary*: code that the program loads at run time from its memory or from a file: a cubin or
 * a fat binary. A library is a struct wb_binary whose functions and variables have no host side.
 */
#include "api.h"
#include "binary.h"
#include "heap.h"
#include "runtime.h"

#include <string.h>

enum { FILE_MAX = 1 << 30 };

static struct wb_binary *find(cudaLibrary_t handle)
{
    return wb_binary_is(handle) ? (struct wb_binary *)handle : NULL;
}

/* Loads it at once, so that the call itself says what is wrong with the code. */
static enum cudaError load(cudaLibrary_t *out, struct wb_binary *binary)
{
    if (!binary) {
        return cudaErrorMemoryAllocation;
    }
    enum cudaError error = wb_binary_load(binary);
    for (size_t i = error ? 0 : binary->cubin->kernel_count; !error && i > 0; i--) {
        if (!wb_binary_add_function(binary, NULL, binary->cubin->kernels[i - 1].name)) {
            error = cudaErrorMemoryAllocation;
        }
    }
    error = error ? error : wb_binary_load(binary); /* finds the kernels of the functions */
    if (error) {
        wb_binary_destroy(binary);
        return error;
    }
    *out = (cudaLibrary_t)binary;
    return cudaSuccess;
}

enum cudaError rt_cudaLibraryLoadData(cudaLibrary_t *out, const void *code, int *jit_options,
                                      void **jit_values, unsigned jit_count, int *options,
                                      void **values, unsigned count)
{
    (void)values;
    if (!out || !code || (jit_count && (!jit_options || !jit_values)) || (count && !options)) {
        return cudaErrorInvalidValue;
    }
    return load(out, wb_binary_create(code, SIZE_MAX));
}

enum cudaError rt_cudaLibraryLoadFromFile(cudaLibrary_t *out, const char *path, int *jit_options,
                                          void **jit_values, unsigned jit_count, int *options,
                                          void **values, unsigned count)
{
    struct wb_status status = {0};
    struct wb_bytes bytes;
    (void)values;
    if (!out || !path || (jit_count && (!jit_options || !jit_values)) || (count && !options)) {
        return cudaErrorInvalidValue;
    }
    if (!wb_file_read(&bytes, &wb_runtime()->arena, path, FILE_MAX, &status)) {
        return cudaErrorFileNotFound;
    }
    return load(out, wb_binary_create(bytes.data, bytes.size));
}

enum cudaError rt_cudaLibraryUnload(cudaLibrary_t handle)
{
    struct wb_binary *binary = find(handle);
    if (!binary) {
        return cudaErrorInvalidResourceHandle;
    }
    wb_binary_destroy(binary);
    return cudaSuccess;
}

/* ---- kernels --------------------------------------------------------------------------------- */

enum cudaError rt_cudaLibraryGetKernel(cudaKernel_t *out, cudaLibrary_t handle, const char *name)
{
    const struct wb_binary *binary = find(handle);
    if (!binary) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!out || !name) {
        return cudaErrorInvalidValue;
    }
    for (struct wb_function *f = binary->functions; f; f = f->next) {
        if (strcmp(f->name, name) == 0) {
            *out = (cudaKernel_t)f;
            return cudaSuccess;
        }
    }
    return cudaErrorSymbolNotFound;
}

enum cudaError rt_cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t handle)
{
    const struct wb_binary *binary = find(handle);
    if (!binary) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!count) {
        return cudaErrorInvalidValue;
    }
    *count = 0;
    for (const struct wb_function *f = binary->functions; f; f = f->next) {
        ++*count;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaLibraryEnumerateKernels(cudaKernel_t *out, unsigned count,
                                              cudaLibrary_t handle)
{
    const struct wb_binary *binary = find(handle);
    if (!binary) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!out || count == 0) {
        return cudaErrorInvalidValue;
    }
    for (struct wb_function *f = binary->functions; f && count > 0; f = f->next, count--) {
        *out++ = (cudaKernel_t)f;
    }
    return cudaSuccess;
}

/* ---- variables ------------------------------------------------------------------------------- */

enum cudaError rt_cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t handle,
                                       const char *name)
{
    struct wb_binary *binary = find(handle);
    struct wb_sim_variable variable;
    if (!binary) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!name || (!address && !size)) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_binary_load(binary);
    if (error) {
        return error;
    }
    if (!wb_sim_variable_at(&variable, wb_runtime_sim(), binary->cubin, name)) {
        return cudaErrorSymbolNotFound;
    }
    struct wb_allocation *known = wb_heap_find(variable.address);
    if (!known) { /* so that copies to it are allowed */
        error = wb_heap_adopt(&known, WB_MEMORY_VARIABLE, variable.address, variable.host,
                              variable.size, 0, name);
    }
    if (address) {
        *address = (void *)(uintptr_t)variable.address;
    }
    if (size) {
        *size = variable.size;
    }
    return error;
}

/* Managed variables of a library are not told from others: there are none. */
enum cudaError rt_cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t handle,
                                        const char *name)
{
    (void)address;
    (void)size;
    if (!find(handle)) {
        return cudaErrorInvalidResourceHandle;
    }
    return name ? cudaErrorSymbolNotFound : cudaErrorInvalidValue;
}

enum cudaError rt_cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t handle,
                                                const char *name)
{
    if (!find(handle)) {
        return cudaErrorInvalidResourceHandle;
    }
    return function && name ? cudaErrorSymbolNotFound : cudaErrorInvalidValue;
}
