/* SPDX-License-Identifier: MIT
 * Texture coordinates: which texels they mean. What is done here was found by asking an H200: unit
 * coordinates are cut off behind 21 bits of fraction before they are multiplied by the size, and
 * what a linear filter wants is rounded to 8 bits of fraction.
 */
#include "texture.h"

#include <float.h>
#include <math.h>

/* Far outside of every texture, and safe to calculate with. */
#define FAR 1e9

static double bounded(float f)
{
    double v = (double)f;
    if (isnan(f) || fabsf(f) < FLT_MIN) {
        return 0;
    }
    return v <= -FAR ? -FAR : v < FAR ? v : FAR;
}

struct wb_place1 wb_place_texel(const struct wb_texture *texture, float coordinate, unsigned size,
                                bool linear)
{
    const double unit = 1 << 21;
    double v = bounded(coordinate);
    if (texture->unit_coordinates) {
        v = floor(v * unit) * size / unit;
    }
    if (!linear) {
        return (struct wb_place1){.first = (int64_t)floor(v)};
    }
    int64_t fixed = (int64_t)floor((v - 0.5) * 256 + 0.5);
    return (struct wb_place1){.first = fixed >> 8, .weight = (unsigned)(fixed & 255)};
}

enum wb_address_mode wb_place_mode(const struct wb_texture *texture, unsigned dimension)
{
    enum wb_address_mode mode = texture->address[dimension];
    bool repeats = mode == WB_ADDRESS_WRAP || mode == WB_ADDRESS_MIRROR;
    return repeats && !texture->unit_coordinates ? WB_ADDRESS_CLAMP : mode;
}

static int64_t modulo(int64_t i, int64_t size)
{
    int64_t rest = i % size;
    return rest < 0 ? rest + size : rest;
}

int64_t wb_place_inside(enum wb_address_mode mode, int64_t i, unsigned size)
{
    int64_t n = size;
    if (i >= 0 && i < n) {
        return i;
    }
    switch (mode) {
    case WB_ADDRESS_WRAP:
        return modulo(i, n);
    case WB_ADDRESS_MIRROR:
        i = modulo(i, 2 * n);
        return i < n ? i : 2 * n - 1 - i;
    case WB_ADDRESS_BORDER:
        return WB_PLACE_OUTSIDE;
    default:
        return i < 0 ? 0 : n - 1;
    }
}

/* Faces: which component is the longest, and what s and t are made of (CUDA's table of cubemaps).
 */
unsigned wb_place_face(float *s, float *t, float x, float y, float z)
{
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m;
    unsigned face;
    if (az >= ax && az >= ay) {
        face = z < 0 ? 5 : 4;
        m = az;
        *s = z < 0 ? -x : x;
        *t = -y;
    } else if (ay >= ax) {
        face = y < 0 ? 3 : 2;
        m = ay;
        *s = x;
        *t = y < 0 ? -z : z;
    } else {
        face = x < 0 ? 1 : 0;
        m = ax;
        *s = x < 0 ? z : -z;
        *t = -y;
    }
    m = m > 0 ? m : 1;
    *s = (*s / m + 1) / 2;
    *t = (*t / m + 1) / 2;
    return face;
}
