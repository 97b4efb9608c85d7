/* SPDX-License-Identifier: MIT
 * Filters: the nearest texel, or a mean of its neighbours in one to three dimensions, each with a
 * weight in 1/256; and the same between two mipmap levels.
 */
#include "texture.h"

#include <math.h>
#include <string.h>

/* A coordinate in each dimension of a level; those that it does not have are 0 of 1. */
struct place {
    struct wb_place1 in[3];
    unsigned size[3];
    unsigned level;
    unsigned layer; /* which slice, where z is no coordinate */
};

static bool is_3d(const struct wb_texture *t)
{
    return t->shape == WB_TEXTURE_3D;
}

/* A texture of one dimension is one of two with one row, and its machine code asks for row 0.0. */
static bool has_rows(const struct wb_texture *t)
{
    return t->shape != WB_TEXTURE_1D_LAYERED && t->shape != WB_TEXTURE_LINEAR;
}

static unsigned at_most(unsigned value, unsigned most)
{
    return value < most ? value : most;
}

static void find_place(struct place *p, const struct wb_texture *t, const struct wb_texture_at *at,
                       unsigned level, bool linear)
{
    const struct wb_texture_level *l = &t->level[level];
    float x = at->x, y = at->y;
    unsigned layer = at->layer;
    if (at->cube) {
        unsigned face = wb_place_face(&x, &y, at->x, at->y, at->z);
        layer = 6 * at_most(layer, l->depth / 6 - 1) + face;
    }
    *p = (struct place){.size = {l->width, 1, 1}, .level = level};
    p->in[0] = wb_place_texel(t, x, l->width, linear);
    if (has_rows(t)) {
        p->size[1] = l->height;
        p->in[1] = wb_place_texel(t, y, l->height, linear);
    }
    if (is_3d(t)) {
        p->size[2] = l->depth;
        p->in[2] = wb_place_texel(t, at->z, l->depth, linear);
    } else {
        p->layer = at_most(layer, l->depth - 1);
    }
}

/* The texel at the place, or (`next`, a bit a dimension) the one behind it. */
static bool read_at(struct wb_texel *out, struct wb_fetch *fetch, const struct place *p,
                    unsigned next)
{
    const struct wb_texture *t = fetch->texture;
    int64_t i[3];
    for (unsigned k = 0; k < 3; k++) {
        i[k] = wb_place_inside(wb_place_mode(t, k), p->in[k].first + (next >> k & 1), p->size[k]);
        if (i[k] == WB_PLACE_OUTSIDE) {
            wb_texel_border(out, t);
            return true;
        }
    }
    unsigned z = is_3d(t) ? (unsigned)i[2] : p->layer;
    return wb_texel_read(out, fetch, p->level, (unsigned)i[0], (unsigned)i[1], z);
}

/* Weights in 1/256 of the (up to) 8 texels around a place, which add up to 256: x and z are split
 * first, then y. Products of two weights are rounded; of halves, those of the second x go up. (An
 * H200 does the same in two dimensions; in three, one sample of ten has weights 1/256 apart.) */
static void find_weights(unsigned weight[8], const struct place *p)
{
    unsigned x = p->in[0].weight, y = p->in[1].weight, z = p->in[2].weight;
    unsigned xz = (x * z + 128) / 256;
    const unsigned plane[4] = {256 - x - z + xz, x - xz, z - xz, xz};
    for (unsigned i = 0; i < 4; i++) {
        unsigned at = (i & 1) | (i & 2) << 1, far = (plane[i] * y + 127 + (i & 1)) / 256;
        weight[at | 2] = far;
        weight[at] = plane[i] - far;
    }
}

/* The mean of the 2, 4 or 8 texels around the place. */
static bool interpolate(struct wb_texel *out, struct wb_fetch *fetch, const struct place *p)
{
    double sum[4] = {0};
    unsigned weight[8];
    find_weights(weight, p);
    for (unsigned next = 0; next < 8; next++) {
        struct wb_texel texel;
        if (weight[next] == 0) {
            continue;
        }
        if (!read_at(&texel, fetch, p, next)) {
            return false;
        }
        for (unsigned c = 0; c < 4; c++) {
            sum[c] += weight[next] * wb_texel_for_filter(fetch->texture, texel.word[c]);
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        out->word[c] = wb_texel_from_filter(fetch->texture, sum[c] / 256);
    }
    return true;
}

static bool sample_level(struct wb_texel *out, struct wb_fetch *fetch,
                         const struct wb_texture_at *at, unsigned level)
{
    const struct wb_texture *t = fetch->texture;
    bool linear = t->linear && wb_texel_is_float(t);
    struct place p;
    find_place(&p, t, at, level, linear);
    return linear ? interpolate(out, fetch, &p) : read_at(out, fetch, &p, 0);
}

/* Two levels and the weight of the second, in 1/256. */
static unsigned find_level(unsigned *weight, const struct wb_texture *t, float lod)
{
    double most = t->levels - 1, v = (double)lod + (double)t->level_bias;
    v = v > (double)t->level_max ? (double)t->level_max : v;
    v = v > (double)t->level_min ? v : (double)t->level_min;
    v = v > most ? most : v > 0 ? v : 0;
    if (!t->linear_levels) {
        *weight = 0;
        return (unsigned)floor(v + 0.5);
    }
    unsigned fixed = (unsigned)floor(v * 256);
    *weight = fixed & 255;
    return fixed >> 8;
}

bool wb_texture_sample(struct wb_texel *out, struct wb_fetch *fetch, const struct wb_texture_at *at)
{
    struct wb_texel other;
    unsigned weight, level = find_level(&weight, fetch->texture, at->lod);
    if (!sample_level(out, fetch, at, level)) {
        return false;
    }
    if (weight == 0 || !wb_texel_is_float(fetch->texture)) {
        return true;
    }
    if (!sample_level(&other, fetch, at, level + 1)) {
        return false;
    }
    for (unsigned c = 0; c < 4; c++) {
        double a = wb_texel_for_filter(fetch->texture, out->word[c]);
        double b = wb_texel_for_filter(fetch->texture, other.word[c]);
        out->word[c] =
            wb_texel_from_filter(fetch->texture, (a * (256 - weight) + b * weight) / 256);
    }
    return true;
}

bool wb_texture_gather(struct wb_texel *out, struct wb_fetch *fetch, const struct wb_texture_at *at,
                       unsigned component)
{
    static const unsigned corner[4] = {2, 3, 1, 0};
    struct place p;
    find_place(&p, fetch->texture, at, 0, true);
    for (unsigned i = 0; i < 4; i++) {
        struct wb_texel texel;
        if (!read_at(&texel, fetch, &p, corner[i])) {
            return false;
        }
        out->word[i] = texel.word[component];
    }
    return true;
}

bool wb_texture_load(struct wb_texel *out, struct wb_fetch *fetch, const int32_t at[3],
                     unsigned level)
{
    const struct wb_texture *t = fetch->texture;
    const struct wb_texture_level *l = &t->level[at_most(level, t->levels - 1)];
    if (at[0] < 0 || at[1] < 0 || at[2] < 0 || (unsigned)at[0] >= l->width ||
        (unsigned)at[1] >= l->height || (unsigned)at[2] >= l->depth) {
        memset(out, 0, sizeof *out);
        return true;
    }
    return wb_texel_read(out, fetch, at_most(level, t->levels - 1), (unsigned)at[0],
                         (unsigned)at[1], (unsigned)at[2]);
}

float wb_texture_lod(const struct wb_texture *t, const float dx[2], const float dy[2])
{
    float scale[2] = {1, 1};
    if (t->unit_coordinates) {
        scale[0] = (float)t->level[0].width;
        scale[1] = (float)t->level[0].height;
    }
    float x = hypotf(dx[0] * scale[0], dx[1] * scale[1]);
    float y = hypotf(dy[0] * scale[0], dy[1] * scale[1]);
    float longest = x > y ? x : y;
    return longest > 0 ? log2f(longest) : -32;
}
