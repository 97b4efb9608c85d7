/* SPDX-License-Identifier: MIT
 * mipmap: cudaMipmappedArray.
 */
#ifndef WB_CUDART_MIPMAP_H
#define WB_CUDART_MIPMAP_H

#include "array.h"

#include <warpbook/texture.h>

struct wb_mipmap {
    cudaArray_t level[WB_TEXTURE_LEVELS];
    unsigned levels;
    unsigned flags;
};

/* The mipmapped array that a handle names, or NULL. */
struct wb_mipmap *wb_mipmap_find(cudaMipmappedArray_const_t handle);
/* cudaDeviceReset. */
void wb_mipmaps_reset(void);

#endif
