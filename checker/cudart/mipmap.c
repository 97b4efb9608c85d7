/* SPDX-License-Identifier: MIT
 * Mipmapped arrays: an array for each level, whose sizes are halved from one to the next.
 */
#include "mipmap.h"

#include "api.h"
#include "handle.h"
#include "log.h"
#include "wait.h"

static struct wb_handle_pool mipmaps = {.object_size = sizeof(struct wb_mipmap)};

struct wb_mipmap *wb_mipmap_find(cudaMipmappedArray_const_t handle)
{
    return wb_handle_get(&mipmaps, handle);
}

static size_t halved(size_t size)
{
    return size > 1 ? size / 2 : size;
}

/* Layers and faces stay as many. */
static struct cudaExtent next_level(struct cudaExtent e, unsigned flags)
{
    bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
    return (struct cudaExtent){halved(e.width), halved(e.height),
                               layered ? e.depth : halved(e.depth)};
}

/* Down to one element. */
static unsigned most_levels(struct cudaExtent e, unsigned flags)
{
    bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
    size_t longest = e.width > e.height ? e.width : e.height;
    longest = !layered && e.depth > longest ? e.depth : longest;
    unsigned levels = 1;
    while (longest > 1) {
        longest /= 2;
        levels++;
    }
    return levels < WB_TEXTURE_LEVELS ? levels : WB_TEXTURE_LEVELS;
}

static void free_levels(const struct wb_mipmap *mipmap)
{
    for (unsigned i = 0; i < mipmap->levels; i++) {
        wb_array_free(wb_array_find(mipmap->level[i]));
    }
}

enum cudaError rt_cudaMallocMipmappedArray(cudaMipmappedArray_t *out,
                                           const struct cudaChannelFormatDesc *format,
                                           struct cudaExtent extent, unsigned levels,
                                           unsigned flags)
{
    struct wb_mipmap made = {.flags = flags};
    if (!out || !format) {
        return cudaErrorInvalidValue;
    }
    unsigned most = most_levels(extent, flags);
    levels = levels > most ? most : levels ? levels : 1;
    enum cudaError error = cudaSuccess;
    while (error == cudaSuccess && made.levels < levels) {
        error = wb_array_make(&made.level[made.levels], format, extent, flags,
                              "cudaMallocMipmappedArray");
        made.levels += error == cudaSuccess;
        extent = next_level(extent, flags);
    }
    struct wb_mipmap *mipmap = error ? NULL : wb_handle_create(&mipmaps);
    if (!mipmap) {
        free_levels(&made);
        return error ? error : cudaErrorMemoryAllocation;
    }
    *mipmap = made;
    *out = (cudaMipmappedArray_t)(void *)mipmap;
    wb_resource_made(WB_RESOURCE_MIPMAP, mipmap, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaFreeMipmappedArray(cudaMipmappedArray_t handle)
{
    enum cudaError error = wb_wait_begin();
    if (error != cudaSuccess || !handle) {
        return error;
    }
    struct wb_mipmap *mipmap = wb_mipmap_find(handle);
    if (!mipmap) {
        return cudaErrorContextIsDestroyed;
    }
    wb_resource_gone(WB_RESOURCE_MIPMAP, mipmap);
    free_levels(mipmap);
    wb_handle_destroy(&mipmaps, mipmap);
    return cudaSuccess;
}

enum cudaError rt_cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t handle,
                                             unsigned level)
{
    const struct wb_mipmap *mipmap = wb_mipmap_find(handle);
    if (!out || !mipmap || level >= mipmap->levels) {
        return mipmap ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    }
    *out = mipmap->level[level];
    return cudaSuccess;
}

void wb_mipmaps_reset(void)
{
    wb_handle_pool_finish(&mipmaps);
}
