/* SPDX-License-Identifier: MIT
 * texture: what texture and surface objects have in common: their life (texture_pool.c) and the
 * memory behind them (texture_resource.c).
 */
#ifndef WB_CUDART_TEXTURE_H
#define WB_CUDART_TEXTURE_H

#include "abi.h"
#include "handle.h"
#include "log.h"

#include <warpbook/texture.h>

/* What a program may ask for again; a surface has no description of a texture. */
struct wb_texture_object {
    uint64_t handle;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
};

struct wb_texture_pool {
    struct wb_handle_pool objects;
    enum wb_resource kind; /* in the list of leaks */
};

/* NULL: there is none. */
struct wb_texture_object *wb_texture_find(const struct wb_texture_pool *pool, uint64_t handle);
/* A new object of `asked`, whose handle is set here. */
enum cudaError wb_texture_create(uint64_t *out, struct wb_texture_pool *pool,
                                 const struct wb_texture *made,
                                 const struct wb_texture_object *asked);
enum cudaError wb_texture_destroy(struct wb_texture_pool *pool, uint64_t handle);
enum cudaError wb_texture_asked(struct cudaResourceDesc *out, const struct wb_texture_pool *pool,
                                uint64_t handle);

/* Shape, levels and kind of texels of a resource (texture_resource.c). */
enum cudaError wb_texture_resource(struct wb_texture *out, const struct cudaResourceDesc *resource);
/* Says on standard error, once a sentence, that the embedded device has no such textures; returns
 * cudaErrorNotSupported. */
enum cudaError wb_texture_refuse(const char *what);

/* cudaDeviceReset. */
void wb_textures_reset(void);
void wb_surfaces_reset(void);

#endif
