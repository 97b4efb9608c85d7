/* SPDX-License-Identifier: MIT
 * cudaOccupancy*: the questions about occupancy, answered by occupancy.c.
 */
#include "api.h"
#include "function.h"

/* ---- blocks ---------------------------------------------------------------------------------- */

enum cudaError rt_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *entry, int block_size, size_t dynamic_shared, unsigned flags)
{
    struct wb_function *function = NULL;
    if (!blocks || block_size <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (!error) {
        struct wb_occupancy needs = wb_function_needs(function);
        *blocks = (int)wb_occupancy_blocks(&needs, (unsigned)block_size, dynamic_shared);
    }
    return error;
}

enum cudaError rt_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *entry,
                                                                int block_size,
                                                                size_t dynamic_shared)
{
    return rt_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, entry, block_size,
                                                                     dynamic_shared, 0);
}

enum cudaError rt_cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *entry,
                                                            int blocks, int block_size)
{
    struct wb_function *function = NULL;
    if (!size || blocks <= 0 || block_size <= 0) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (error) {
        return error;
    }
    struct wb_occupancy needs = wb_function_needs(function);
    return wb_occupancy_available(size, &needs, (unsigned)blocks, (unsigned)block_size)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* Blocks of a cluster as the launch or the kernel has it; 1 if neither says. */
static unsigned cluster_size(const struct cudaLaunchConfig *config, const struct wb_kernel *kernel)
{
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
            struct dim3 d = config->attrs[i].val.clusterDim;
            return d.x * d.y * d.z;
        }
    }
    return kernel->cluster[0] ? kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2] : 1;
}

static unsigned largest_cluster(const struct wb_function *function)
{
    return function->nonportable_cluster ? 16 : 8;
}

static unsigned block_threads(const struct cudaLaunchConfig *config)
{
    return config->blockDim.x * config->blockDim.y * config->blockDim.z;
}

enum cudaError rt_cudaOccupancyMaxPotentialClusterSize(int *size, const void *entry,
                                                       const struct cudaLaunchConfig *config)
{
    struct wb_function *function = NULL;
    if (!size || !config) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (error) {
        return error;
    }
    struct wb_occupancy needs = wb_function_needs(function);
    unsigned largest = largest_cluster(function);
    while (largest > 1 && wb_occupancy_clusters(&needs, block_threads(config),
                                                config->dynamicSmemBytes, largest) == 0) {
        largest /= 2;
    }
    *size = (int)largest;
    return cudaSuccess;
}

enum cudaError rt_cudaOccupancyMaxActiveClusters(int *clusters, const void *entry,
                                                 const struct cudaLaunchConfig *config)
{
    struct wb_function *function = NULL;
    if (!clusters || !config) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_function_find(&function, entry);
    if (error) {
        return error;
    }
    unsigned size = cluster_size(config, function->kernel);
    if (size == 0 || size > largest_cluster(function)) {
        return cudaErrorInvalidClusterSize;
    }
    struct wb_occupancy needs = wb_function_needs(function);
    *clusters =
        (int)wb_occupancy_clusters(&needs, block_threads(config), config->dynamicSmemBytes, size);
    return cudaSuccess;
}
