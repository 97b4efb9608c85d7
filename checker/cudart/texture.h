/* SPDX-License-Identifier: MIT
 * texture: what texture and surface objects have in common, which is the memory behind them.
 */
#ifndef WB_CUDART_TEXTURE_H
#define WB_CUDART_TEXTURE_H

#include "abi.h"

#include <warpbook/texture.h>

/* Shape, levels and kind of texels of a resource (texture_resource.c). */
enum cudaError wb_texture_resource(struct wb_texture *out, const struct cudaResourceDesc *resource);
/* Says on standard error, once a sentence, that the embedded device has no such textures; returns
 * cudaErrorNotSupported. */
enum cudaError wb_texture_refuse(const char *what);

/* cudaDeviceReset. */
void wb_textures_reset(void);
void wb_surfaces_reset(void);

#endif
