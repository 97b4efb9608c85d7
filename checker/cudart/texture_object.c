/* SPDX-License-Identifier: MIT
 * Texture objects: what may be asked of a texture, and what that means to the embedded device.
 */
#include "texture.h"

#include "api.h"

static struct wb_texture_pool textures = {
    .objects = {.object_size = sizeof(struct wb_texture_object)}, .kind = WB_RESOURCE_TEXTURE};

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
    const struct wb_texture_object asked = {.resource = *resource, .texture = *texture};
    uint64_t handle;
    error = wb_texture_create(&handle, &textures, &made, &asked);
    if (!error) {
        *out = handle;
    }
    return error;
}

enum cudaError rt_cudaDestroyTextureObject(cudaTextureObject_t handle)
{
    return wb_texture_destroy(&textures, handle);
}

enum cudaError rt_cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                                   cudaTextureObject_t handle)
{
    return wb_texture_asked(out, &textures, handle);
}

enum cudaError rt_cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out,
                                                  cudaTextureObject_t handle)
{
    const struct wb_texture_object *object = wb_texture_find(&textures, handle);
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
    if (!out || !wb_texture_find(&textures, handle)) {
        return cudaErrorInvalidValue;
    }
    *out = (struct cudaResourceViewDesc){0};
    return cudaSuccess;
}

void wb_textures_reset(void)
{
    wb_handle_pool_finish(&textures.objects);
}
