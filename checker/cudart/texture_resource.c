/* SPDX-License-Identifier: MIT
 * Resources: the memory that a texture or surface object reads, as the embedded device wants to
 * know it. To add a type: a function and its row in `resources`.
 */
#include "texture.h"

#include "mipmap.h"

#include <stdio.h>
#include <string.h>

enum { BASE_ALIGNMENT = 512, PITCH_ALIGNMENT = 32, LINEAR_ALIGNMENT = 16 };

enum cudaError wb_texture_refuse(const char *what)
{
    static const char *told[16];
    size_t i = 0;
    while (i < WB_ARRAY_LENGTH(told) && told[i] && strcmp(told[i], what) != 0) {
        i++;
    }
    if (i < WB_ARRAY_LENGTH(told) && !told[i]) {
        told[i] = what;
        fprintf(stderr, "warpbook: %s; the call returns cudaErrorNotSupported.\n", what);
    }
    return cudaErrorNotSupported;
}

/* ---- texels ------------------------------------------------------------------------------------
 */

static enum cudaError set_texels(struct wb_texture *t, const struct cudaChannelFormatDesc *f)
{
    static const enum wb_texel_kind kinds[] = {
        [cudaChannelFormatKindSigned] = WB_TEXEL_SIGNED,
        [cudaChannelFormatKindUnsigned] = WB_TEXEL_UNSIGNED,
        [cudaChannelFormatKindFloat] = WB_TEXEL_FLOAT,
    };
    if (f->f >= cudaChannelFormatKindNone) {
        return wb_texture_refuse("the embedded device has no compressed or planar textures");
    }
    if (!wb_array_format_is_ok(f)) {
        return cudaErrorInvalidChannelDescriptor;
    }
    t->kind = kinds[f->f];
    t->bits = (unsigned)f->x;
    t->components = f->w ? 4 : f->y ? 2 : 1;
    return cudaSuccess;
}

static unsigned texel_size(const struct wb_texture *t)
{
    return t->bits * t->components / 8;
}

/* ---- levels ------------------------------------------------------------------------------------
 */

static unsigned at_least_1(size_t n)
{
    return n ? (unsigned)n : 1;
}

static enum cudaError add_level(struct wb_texture *t, cudaArray_const_t handle)
{
    const struct wb_array *array = wb_array_find(handle);
    if (!array) {
        return cudaErrorInvalidResourceHandle;
    }
    enum cudaError error = set_texels(t, &array->format);
    const struct cudaExtent *e = &array->extent;
    struct wb_texture_level *level = &t->level[t->levels++];
    *level = (struct wb_texture_level){
        .address = array->memory->address,
        .width = (unsigned)e->width,
        .height = at_least_1(e->height),
        .depth = at_least_1(e->depth),
        .pitch = e->width * texel_size(t),
    };
    level->slice = level->pitch * level->height;
    t->shape = array->flags & cudaArrayCubemap ? WB_TEXTURE_CUBEMAP
               : array->flags & cudaArrayLayered
                   ? e->height ? WB_TEXTURE_2D_LAYERED : WB_TEXTURE_1D_LAYERED
               : e->depth  ? WB_TEXTURE_3D
               : e->height ? WB_TEXTURE_2D
                           : WB_TEXTURE_1D;
    return error;
}

/* ---- types of resources ------------------------------------------------------------------------
 */

static enum cudaError from_array(struct wb_texture *t, const struct cudaResourceDesc *r)
{
    return add_level(t, r->res.array.array);
}

static enum cudaError from_mipmap(struct wb_texture *t, const struct cudaResourceDesc *r)
{
    const struct wb_mipmap *mipmap = wb_mipmap_find(r->res.mipmap.mipmap);
    enum cudaError error = mipmap ? cudaSuccess : cudaErrorInvalidResourceHandle;
    for (unsigned i = 0; mipmap && !error && i < mipmap->levels; i++) {
        error = add_level(t, mipmap->level[i]);
    }
    return error;
}

/* `pitch` * `height` bytes of device memory from an address. */
static enum cudaError set_memory(struct wb_texture *t, const void *memory, size_t width,
                                 size_t height, size_t pitch, size_t alignment)
{
    uintptr_t address = (uintptr_t)memory;
    if (!memory || address % alignment || height == 0 || width > INT32_MAX ||
        !wb_heap_find(address)) {
        return cudaErrorInvalidValue;
    }
    t->levels = 1;
    t->level[0] = (struct wb_texture_level){
        .address = address,
        .width = (unsigned)width,
        .height = (unsigned)height,
        .depth = 1,
        .pitch = pitch,
        .slice = pitch * height,
    };
    return cudaSuccess;
}

static enum cudaError from_linear(struct wb_texture *t, const struct cudaResourceDesc *r)
{
    enum cudaError error = set_texels(t, &r->res.linear.desc);
    size_t size = r->res.linear.sizeInBytes;
    t->shape = WB_TEXTURE_LINEAR;
    return error ? error
                 : set_memory(t, r->res.linear.devPtr, size / texel_size(t), 1, size,
                              LINEAR_ALIGNMENT);
}

static enum cudaError from_pitch(struct wb_texture *t, const struct cudaResourceDesc *r)
{
    enum cudaError error = set_texels(t, &r->res.pitch2D.desc);
    size_t pitch = r->res.pitch2D.pitchInBytes, width = r->res.pitch2D.width;
    t->shape = WB_TEXTURE_2D;
    if (!error && (pitch % PITCH_ALIGNMENT || width == 0 || width > pitch / texel_size(t))) {
        return cudaErrorInvalidValue;
    }
    return error ? error
                 : set_memory(t, r->res.pitch2D.devPtr, width, r->res.pitch2D.height, pitch,
                              BASE_ALIGNMENT);
}

enum cudaError wb_texture_resource(struct wb_texture *out, const struct cudaResourceDesc *resource)
{
    static enum cudaError (*const resources[])(struct wb_texture *,
                                               const struct cudaResourceDesc *) = {
        [cudaResourceTypeArray] = from_array,
        [cudaResourceTypeMipmappedArray] = from_mipmap,
        [cudaResourceTypeLinear] = from_linear,
        [cudaResourceTypePitch2D] = from_pitch,
    };
    *out = (struct wb_texture){0};
    return resource->resType < WB_ARRAY_LENGTH(resources)
               ? resources[resource->resType](out, resource)
               : cudaErrorInvalidValue;
}
