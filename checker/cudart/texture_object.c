/* SPDX-License-Identifier: MIT
 * Texture objects. The value that a program holds is the handle of the embedded device's texture.
 */
#include "texture.h"

#include "api.h"
#include "handle.h"
#include "log.h"
#include "runtime.h"
#include "wait.h"

/* What a program may ask for again. */
struct object {
    uint64_t handle;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
};

static struct wb_handle_pool objects = {.object_size = sizeof(struct object)};

static struct object *find(cudaTextureObject_t handle)
{
    struct object *object = wb_handle_next(&objects, NULL);
    while (object && object->handle != handle) {
        object = wb_handle_next(&objects, object);
    }
    return object;
}

/* ---- what a program asks for -------------------------------------------------------------------
 */

static enum cudaError check_description(const struct wb_texture *t, const struct cudaTextureDesc *d)
{
    for (int i = 0; i < 3; i++) {
        if (d->addressMode[i] > cudaAddressModeBorder) {
            return cudaErrorInvalidValue;
        }
    }
    bool linear = d->filterMode == cudaFilterModeLinear && t->shape != WB_TEXTURE_LINEAR;
    bool reads_float =
        t->kind == WB_TEXEL_FLOAT || (d->readMode == cudaReadModeNormalizedFloat && t->bits < 32);
    if (d->filterMode > cudaFilterModeLinear || d->readMode > cudaReadModeNormalizedFloat) {
        return cudaErrorInvalidValue;
    }
    if (d->readMode == cudaReadModeNormalizedFloat && !reads_float) {
        return cudaErrorInvalidNormSetting;
    }
    if (linear && !reads_float) {
        return cudaErrorInvalidFilterSetting;
    }
    if (linear && d->seamlessCubemap && t->shape == WB_TEXTURE_CUBEMAP) {
        return wb_texture_refuse("the embedded device does not filter across the edges of a "
                                 "cubemap (seamlessCubemap)");
    }
    if (d->maxAnisotropy > 1) {
        return wb_texture_refuse("the embedded device has no anisotropic filter (maxAnisotropy)");
    }
    return cudaSuccess;
}

static void describe(struct wb_texture *t, const struct cudaTextureDesc *d)
{
    static const enum wb_address_mode modes[] = {
        [cudaAddressModeWrap] = WB_ADDRESS_WRAP,
        [cudaAddressModeClamp] = WB_ADDRESS_CLAMP,
        [cudaAddressModeMirror] = WB_ADDRESS_MIRROR,
        [cudaAddressModeBorder] = WB_ADDRESS_BORDER,
    };
    for (int i = 0; i < 3; i++) {
        t->address[i] = modes[d->addressMode[i]];
    }
    for (int i = 0; i < 4; i++) {
        t->border[i] = d->borderColor[i];
    }
    t->normalized = d->readMode == cudaReadModeNormalizedFloat;
    t->srgb = d->sRGB && t->bits == 8;
    t->unit_coordinates = d->normalizedCoords;
    t->linear = d->filterMode == cudaFilterModeLinear;
    t->linear_levels = d->mipmapFilterMode == cudaFilterModeLinear;
    t->level_bias = d->mipmapLevelBias;
    t->level_min = d->minMipmapLevelClamp;
    t->level_max = d->maxMipmapLevelClamp;
}

/* ---- calls -------------------------------------------------------------------------------------
 */

enum cudaError rt_cudaCreateTextureObject(cudaTextureObject_t *out,
                                          const struct cudaResourceDesc *resource,
                                          const struct cudaTextureDesc *texture,
                                          const struct cudaResourceViewDesc *view)
{
    struct wb_texture made;
    struct wb_sim *sim = wb_runtime_sim();
    if (!out || !resource || !texture) {
        return texture ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    }
    if (view && view->format != cudaResViewFormatNone) {
        return wb_texture_refuse("the embedded device does not read an array as another format "
                                 "(cudaResourceViewDesc)");
    }
    enum cudaError error = wb_texture_resource(&made, resource);
    error = error ? error : check_description(&made, texture);
    if (error) {
        return error;
    }
    describe(&made, texture);
    struct object *object = wb_handle_create(&objects);
    uint64_t handle = sim && object ? wb_sim_texture_add(sim, &made) : 0;
    if (handle == 0) {
        wb_handle_destroy(&objects, object);
        return cudaErrorMemoryAllocation;
    }
    *object = (struct object){handle, *resource, *texture};
    *out = handle;
    wb_resource_made(WB_RESOURCE_TEXTURE, object, 0);
    return cudaSuccess;
}

enum cudaError rt_cudaDestroyTextureObject(cudaTextureObject_t handle)
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
    wb_resource_gone(WB_RESOURCE_TEXTURE, object);
    wb_handle_destroy(&objects, object);
    return cudaSuccess;
}

enum cudaError rt_cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                                   cudaTextureObject_t handle)
{
    const struct object *object = find(handle);
    if (!out || !object) {
        return cudaErrorInvalidValue;
    }
    *out = object->resource;
    return cudaSuccess;
}

enum cudaError rt_cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out,
                                                  cudaTextureObject_t handle)
{
    const struct object *object = find(handle);
    if (!out || !object) {
        return cudaErrorInvalidValue;
    }
    *out = object->texture;
    return cudaSuccess;
}

/* None has a view. */
enum cudaError rt_cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out,
                                                       cudaTextureObject_t handle)
{
    if (!out || !find(handle)) {
        return cudaErrorInvalidValue;
    }
    *out = (struct cudaResourceViewDesc){0};
    return cudaSuccess;
}

void wb_textures_reset(void)
{
    wb_handle_pool_finish(&objects);
}
