/* SPDX-License-Identifier: MIT
 * cudaFunc*: what a kernel needs, and what the program may set for it. A function is named by the
 * address of its host stub or by a handle; wb_function_find takes both.
 */
#include "function.h"

#include "api.h"

enum { SHARED_DEFAULT = 48 * 1024, SHARED_OPT_IN = 227 * 1024, ARCHITECTURE = 90 };

struct wb_occupancy wb_function_needs(const struct wb_function *function)
{
    const struct wb_kernel *kernel = function->kernel;
    size_t dynamic =
        SHARED_DEFAULT > kernel->static_shared ? SHARED_DEFAULT - kernel->static_shared : 0;
    if (function->max_dynamic_shared >= 0) {
        dynamic = (size_t)function->max_dynamic_shared;
    }
    return (struct wb_occupancy){
        .kernel = kernel,
        .dynamic_limit = dynamic,
        .carveout = function->carveout,
    };
}

enum cudaError rt_cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *entry)
{
    struct wb_function *function = NULL;
    if (!out) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (error) {
        return error;
    }
    const struct wb_kernel *kernel = function->kernel;
    struct wb_occupancy needs = wb_function_needs(function);
    *out = (struct cudaFuncAttributes){
        .sharedSizeBytes = kernel->static_shared,
        .constSizeBytes = kernel->bank[3].size,
        .localSizeBytes = kernel->local_bytes,
        .maxThreadsPerBlock = (int)wb_occupancy_max_threads(kernel),
        .numRegs = (int)kernel->registers,
        .ptxVersion = ARCHITECTURE,
        .binaryVersion = ARCHITECTURE,
        .maxDynamicSharedSizeBytes = (int)needs.dynamic_limit,
        .preferredShmemCarveout = function->carveout,
        .clusterDimMustBeSet = kernel->cluster[0] != 0,
        .requiredClusterWidth = (int)kernel->cluster[0],
        .requiredClusterHeight = (int)kernel->cluster[1],
        .requiredClusterDepth = (int)kernel->cluster[2],
        .nonPortableClusterSizeAllowed = function->nonportable_cluster,
    };
    return cudaSuccess;
}

/* ---- settings -------------------------------------------------------------------------------- */

static enum cudaError set_dynamic_shared(struct wb_function *function, int value)
{
    if (value < 0 || (size_t)value + function->kernel->static_shared > SHARED_OPT_IN) {
        return cudaErrorInvalidValue;
    }
    function->max_dynamic_shared = value;
    return cudaSuccess;
}

static enum cudaError set_carveout(struct wb_function *function, int value)
{
    if (value < -1 || value > 100) {
        return cudaErrorInvalidValue;
    }
    function->carveout = value;
    return cudaSuccess;
}

static enum cudaError set_attribute(struct wb_function *function, enum cudaFuncAttribute attribute,
                                    int value)
{
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return set_dynamic_shared(function, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        return set_carveout(function, value);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        function->nonportable_cluster = value != 0;
        return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
        /* They can only be set where the code leaves them open. */
        return function->kernel->cluster[0] != 0 ? cudaErrorNotPermitted : cudaErrorInvalidValue;
    default:
        return cudaErrorInvalidValue;
    }
}

enum cudaError rt_cudaFuncSetAttribute(const void *entry, enum cudaFuncAttribute attribute,
                                       int value)
{
    struct wb_function *function = NULL;
    enum cudaError error = wb_function_find(&function, entry);
    return error ? error : set_attribute(function, attribute, value);
}

enum cudaError rt_cudaKernelSetAttributeForDevice(cudaKernel_t kernel,
                                                  enum cudaFuncAttribute attribute, int value,
                                                  int device)
{
    if (device != 0) {
        return cudaErrorInvalidDevice;
    }
    return rt_cudaFuncSetAttribute(kernel, attribute, value);
}

/* Preferences have no effect on what a kernel computes. */
enum cudaError rt_cudaFuncSetCacheConfig(const void *entry, enum cudaFuncCache config)
{
    struct wb_function *function = NULL;
    if ((unsigned)config > cudaFuncCachePreferEqual) {
        return cudaErrorInvalidValue;
    }
    return wb_function_find(&function, entry);
}

enum cudaError rt_cudaFuncSetSharedMemConfig(const void *entry, enum cudaSharedMemConfig config)
{
    struct wb_function *function = NULL;
    if ((unsigned)config > cudaSharedMemBankSizeEightByte) {
        return cudaErrorInvalidValue;
    }
    return wb_function_find(&function, entry);
}

/* ---- names and parameters -------------------------------------------------------------------- */

enum cudaError rt_cudaFuncGetName(const char **name, const void *entry)
{
    struct wb_function *function = NULL;
    if (!name) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (!error) {
        *name = function->name;
    }
    return error;
}

enum cudaError rt_cudaFuncGetParamInfo(const void *entry, size_t index, size_t *offset,
                                       size_t *size)
{
    struct wb_function *function = NULL;
    if (!offset) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (error) {
        return error;
    }
    if (index >= function->kernel->param_count) {
        return cudaErrorInvalidValue;
    }
    *offset = function->kernel->params[index].offset;
    if (size) {
        *size = function->kernel->params[index].size;
    }
    return cudaSuccess;
}
