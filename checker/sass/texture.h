/* SPDX-License-Identifier: MIT
 * texture: what the instructions TEX, TLD, TLD4, TXD, SULD and SUST do, apart from where their
 * operands come from (exec_texture.c, exec_surface.c). Handles are in texture.c, texels in
 * texture_texel.c, coordinates in texture_place.c, filters in texture_filter.c.
 */
#ifndef WB_SASS_TEXTURE_H
#define WB_SASS_TEXTURE_H

#include "memory.h"

#include <warpbook/texture.h>

/* The textures of a device: number n has handle n + 1. */
struct wb_textures {
    struct wb_texture **list; /* NULL: removed */
    size_t count, capacity;
    uint64_t removed; /* how many were */
};

void wb_textures_finish(struct wb_textures *textures);

/* Texels and border colours on their way: 4 words, which are floats or integers. */
struct wb_texel {
    uint32_t word[4];
};

/* Is what a texel gives a float? */
static inline bool wb_texel_is_float(const struct wb_texture *t)
{
    return t->kind == WB_TEXEL_FLOAT || (t->normalized && t->bits < 32);
}

/* One lane's coordinates. */
struct wb_texture_at {
    float x, y, z;
    unsigned layer; /* of a layered texture; the cubemap of a layered cubemap */
    bool cube;      /* x, y, z is a direction; its longest component is 1 or -1 */
    float lod;
};

/* Where a fetch gets its texels from. */
struct wb_fetch {
    const struct wb_texture *texture;
    struct wb_access access; /* the instruction that reads */
    unsigned lane;
};

/* ---- texture_texel.c: all return false after a fault --------------------------------------------
 */

/* The texel at [z][y][x] of a level, which must be inside, converted. */
bool wb_texel_read(struct wb_texel *out, struct wb_fetch *fetch, unsigned level, unsigned x,
                   unsigned y, unsigned z);
/* What a place outside of it gives, by the border colour; by zeros where that is not used. */
void wb_texel_border(struct wb_texel *out, const struct wb_texture *texture);
/* What a filter calculates with, and its result (in the same unit) as a word. */
double wb_texel_for_filter(const struct wb_texture *texture, uint32_t word);
uint32_t wb_texel_from_filter(const struct wb_texture *texture, double sum);
/* Bytes. */
unsigned wb_texel_size(const struct wb_texture *texture);

/* ---- texture_place.c
 * ----------------------------------------------------------------------------- */

/* A coordinate in one dimension, as the filters want it. */
struct wb_place1 {
    int64_t first; /* number of the texel, which may be outside; the filter's second is behind it */
    unsigned weight; /* of the second, in 1/256 */
};

enum { WB_PLACE_OUTSIDE = -1 };

/* The texel that `coordinate` lies in, or (linear) the two that it lies between. */
struct wb_place1 wb_place_texel(const struct wb_texture *texture, float coordinate, unsigned size,
                                bool linear);
/* The address mode's answer for texel number `i` of `size`: another number, or WB_PLACE_OUTSIDE. */
int64_t wb_place_inside(enum wb_address_mode mode, int64_t i, unsigned size);
/* The mode that counts: without unit coordinates nothing is repeated. */
enum wb_address_mode wb_place_mode(const struct wb_texture *texture, unsigned dimension);
/* Turns a direction into the face (0 to 5) and the unit coordinates in it. */
unsigned wb_place_face(float *s, float *t, float x, float y, float z);

/* ---- texture_filter.c: return false after a fault
 * ------------------------------------------------ */

/* TEX: filtered as the texture says. */
bool wb_texture_sample(struct wb_texel *out, struct wb_fetch *fetch,
                       const struct wb_texture_at *at);
/* TLD4: one component of the four texels that a linear filter would read: (x0,y1), (x1,y1),
 * (x1,y0), (x0,y0). */
bool wb_texture_gather(struct wb_texel *out, struct wb_fetch *fetch, const struct wb_texture_at *at,
                       unsigned component);
/* TLD: the texel with these numbers, zeros outside. */
bool wb_texture_load(struct wb_texel *out, struct wb_fetch *fetch, const int32_t at[3],
                     unsigned level);
/* TXD: the level of detail for these steps of the coordinates to the next pixel. */
float wb_texture_lod(const struct wb_texture *texture, const float dx[2], const float dy[2]);

#endif
