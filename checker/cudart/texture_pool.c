/* SPDX-License-Identifier: MIT
 * The life of a texture or surface object. The value that a program holds is the handle of the
 * embedded device's texture.
 */
#include "log.h"
#include "runtime.h"
#include "texture.h"
#include "wait.h"

struct wb_texture_object *wb_texture_find(const struct wb_texture_pool *pool, uint64_t handle)
{
    struct wb_texture_object *object = wb_handle_next(&pool->objects, NULL);
    while (object && object->handle != handle) {
        object = wb_handle_next(&pool->objects, object);
    }
    return object;
}

enum cudaError wb_texture_create(uint64_t *out, struct wb_texture_pool *pool,
                                 const struct wb_texture *made,
                                 const struct wb_texture_object *asked)
{
    struct wb_sim *sim = wb_runtime_sim();
    struct wb_texture_object *object = wb_handle_create(&pool->objects);
    uint64_t handle = sim && object ? wb_sim_texture_add(sim, made) : 0;
    if (handle == 0) {
        wb_handle_destroy(&pool->objects, object);
        return cudaErrorMemoryAllocation;
    }
    *object = *asked;
    object->handle = handle;
    *out = handle;
    wb_resource_made(pool->kind, object, 0);
    return cudaSuccess;
}

enum cudaError wb_texture_destroy(struct wb_texture_pool *pool, uint64_t handle)
{
    enum cudaError error = wb_wait_begin();
    struct wb_texture_object *object = wb_texture_find(pool, handle);
    if (error || handle == 0) {
        return error;
    }
    if (!object) {
        return cudaErrorInvalidValue;
    }
    wb_sim_texture_remove(wb_runtime_sim(), handle);
    wb_resource_gone(pool->kind, object);
    wb_handle_destroy(&pool->objects, object);
    return cudaSuccess;
}

enum cudaError wb_texture_asked(struct cudaResourceDesc *out, const struct wb_texture_pool *pool,
                                uint64_t handle)
{
    const struct wb_texture_object *object = wb_texture_find(pool, handle);
    if (!out || !object) {
        return cudaErrorInvalidValue;
    }
    *out = object->resource;
    return cudaSuccess;
}
