/* SPDX-License-Identifier: MIT
 * Surface objects: arrays that kernels write, through the same handles as textures.
 */
#include "api.h"
#include "handle.h"
#include "log.h"
#include "runtime.h"
#include "texture.h"
#include "wait.h"

struct object {
    uint64_t handle;
    struct cudaResourceDesc resource;
};

static struct wb_handle_pool objects = {.object_size = sizeof(struct object)};

static struct object *find(cudaSurfaceObject_t handle)
{
    struct object *object = wb_handle_next(&objects, NULL);
    while (object && object->handle != handle) {
        object = wb_handle_next(&objects, object);
    }
    return object;
}

enum cudaError rt_cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                          const struct cudaResourceDesc *resource)
{
    struct wb_texture made;
    struct wb_sim *sim = wb_runtime_sim();
    if (!out || !resource || resource->resType != cudaResourceTypeArray) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_texture_resource(&made, resource);
    if (error) {
        return error;
    }
    struct object *object = wb_handle_create(&objects);
    uint64_t handle = sim && object ? wb_sim_texture_add(sim, &made) : 0;
    if (handle == 0) {
        wb_handle_destroy(&objects, object);
        return cudaErrorMemoryAllocation;
    }
    *object = (struct object){handle, *resource};
    *out = handle;
    wb_resource_made(WB_RESOURCE_SURFACE, object, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
    enum cudaError error = wb_wait_begin();
    struct object *object = find(handle);
    if (error || handle == 0) {
        return error;
    }
    if (!object) {
        return cudaErrorInvalidValue;
    }
    wb_sim_texture_remove(wb_runtime_sim(), handle);
    wb_resource_gone(WB_RESOURCE_SURFACE, object);
    wb_handle_destroy(&objects, object);
    return cudaSuccess;
}

enum cudaError rt_cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                                   cudaSurfaceObject_t handle)
{
    const struct object *object = find(handle);
    if (!out || !object) {
        return cudaErrorInvalidValue;
    }
    *out = object->resource;
    return cudaSuccess;
}

void wb_surfaces_reset(void)
{
    wb_handle_pool_finish(&objects);
}
