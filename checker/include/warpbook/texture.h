/* SPDX-License-Identifier: MIT
 * texture: textures and surfaces of the embedded device. A kernel names one by a 64-bit handle that
 * it was given as a parameter; wb_sim_texture_add makes the handle. Where the texels lie is device
 * memory that the caller has mapped (wb_sim_map), row by row.
 */
#ifndef WARPBOOK_TEXTURE_H
#define WARPBOOK_TEXTURE_H

#include <warpbook/sass.h>

enum wb_texture_shape {
    WB_TEXTURE_LINEAR, /* texels in a row that only tex1Dfetch reads */
    WB_TEXTURE_1D,
    WB_TEXTURE_2D,
    WB_TEXTURE_3D,
    WB_TEXTURE_1D_LAYERED,
    WB_TEXTURE_2D_LAYERED,
    WB_TEXTURE_CUBEMAP, /* layers 6n to 6n+5 are the faces +x, -x, +y, -y, +z, -z of cubemap n */
};

enum wb_texel_kind { WB_TEXEL_SIGNED, WB_TEXEL_UNSIGNED, WB_TEXEL_FLOAT };

/* What a coordinate outside the texture means. */
enum wb_address_mode {
    WB_ADDRESS_WRAP,   /* the texture again and again */
    WB_ADDRESS_CLAMP,  /* its edge */
    WB_ADDRESS_MIRROR, /* the texture again and again, every other time mirrored */
    WB_ADDRESS_BORDER, /* the border colour */
};

enum { WB_TEXTURE_LEVELS = 18 };

/* A mipmap level: `height` rows of `width` texels, `depth` slices, layers or faces of them. */
struct wb_texture_level {
    uint64_t address; /* on the device */
    unsigned width, height, depth;
    uint64_t pitch, slice; /* bytes from a row, a slice to the next */
};

struct wb_texture {
    enum wb_texture_shape shape;
    struct wb_texture_level level[WB_TEXTURE_LEVELS];
    unsigned levels; /* at least 1 */

    enum wb_texel_kind kind;
    unsigned components, bits; /* of a texel: 1, 2 or 4 of 8, 16 or 32 bits */
    bool normalized;           /* integers of 8 and 16 bits are read as [0, 1] or [-1, 1] */
    bool srgb;                 /* red, green and blue (8 bits, normalized) are decoded */

    bool unit_coordinates; /* [0, 1) is the whole texture, not [0, its size) */
    bool linear;           /* neighbours are interpolated; else the nearest texel is taken */
    enum wb_address_mode address[3];
    float border[4];

    bool linear_levels; /* between mipmap levels */
    float level_bias, level_min, level_max;
};

/* A handle for kernels, never 0 and never used again. A surface is a texture of which only the
 * shape, the kind of texels and level 0 matter. */
uint64_t wb_sim_texture_add(struct wb_sim *sim, const struct wb_texture *texture);
/* What a handle stands for; NULL if it was never given out or has been removed. */
const struct wb_texture *wb_sim_texture(const struct wb_sim *sim, uint64_t handle);
/* Kernels that still use the handle fault. False if there is no such handle. */
bool wb_sim_texture_remove(struct wb_sim *sim, uint64_t handle);

#endif
