/* SPDX-License-Identifier: MIT
 * Surface objects: arrays that kernels write, through the same handles as textures.
 */
#include "api.h"
#include "texture.h"

static struct wb_texture_pool surfaces = {
    .objects = {.object_size = sizeof(struct wb_texture_object)}, .kind = WB_RESOURCE_SURFACE};

enum cudaError rt_cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                          const struct cudaResourceDesc *resource)
{
    struct wb_texture made;
    if (!out || !resource || resource->resType != cudaResourceTypeArray) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_texture_resource(&made, resource);
    if (error) {
        return error;
    }
    const struct wb_texture_object asked = {.resource = *resource};
    uint64_t handle;
    error = wb_texture_create(&handle, &surfaces, &made, &asked);
    if (!error) {
        *out = handle;
    }
    return error;
}

enum cudaError rt_cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    return wb_texture_destroy(&surfaces, handle);
}

enum cudaError rt_cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                                   cudaSurfaceObject_t handle)
{
    return wb_texture_asked(out, &surfaces, handle);
}

void wb_surfaces_reset(void)
{
    wb_handle_pool_finish(&surfaces.objects);
}
