/* SPDX-License-Identifier: MIT
 * Texels: from memory to the four words that a texture instruction gives. To add a format: its
 * conversion in `component`.
 */
#include "texture.h"

#include <float.h>
#include <math.h>
#include <string.h>

unsigned wb_texel_size(const struct wb_texture *texture)
{
    return texture->components * texture->bits / 8;
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* ---- one component -----------------------------------------------------------------------------
 */

static uint32_t half_to_float(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31) {
        return sign | 0x7f800000 | fraction << 13;
    }
    if (exponent == 0) {
        return sign | float_bits(ldexpf((float)fraction, -24));
    }
    return sign | (exponent + 112) << 23 | fraction << 13;
}

static int32_t sign_extend(uint32_t value, unsigned bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

/* Unsigned ones to [0, 1], signed ones to [-1, 1], where the lowest two are both -1. */
static float normalize(const struct wb_texture *t, uint32_t raw)
{
    if (t->kind == WB_TEXEL_UNSIGNED) {
        return (float)raw / (float)((UINT32_C(1) << t->bits) - 1);
    }
    float value = (float)sign_extend(raw, t->bits) / (float)((UINT32_C(1) << (t->bits - 1)) - 1);
    return value < -1 ? -1 : value;
}

static float srgb_to_linear(float v)
{
    return v <= 0.04045f ? v / 12.92f : (float)pow(((double)v + 0.055) / 1.055, 2.4);
}

static uint32_t component(const struct wb_texture *t, uint32_t raw, unsigned which)
{
    if (t->kind == WB_TEXEL_FLOAT) {
        return t->bits == 16 ? half_to_float(raw) : raw;
    }
    if (t->normalized && t->bits < 32) {
        float value = normalize(t, raw);
        return float_bits(t->srgb && which < 3 ? srgb_to_linear(value) : value);
    }
    return t->kind == WB_TEXEL_SIGNED ? (uint32_t)sign_extend(raw, t->bits) : raw;
}

/* ---- texels ------------------------------------------------------------------------------------
 */

static uint32_t raw_component(const uint8_t *texel, unsigned bytes, unsigned which)
{
    uint32_t raw = 0;
    for (unsigned i = 0; i < bytes; i++) {
        raw |= (uint32_t)texel[which * bytes + i] << 8 * i;
    }
    return raw;
}

bool wb_texel_read(struct wb_texel *out, struct wb_fetch *fetch, unsigned level, unsigned x,
                   unsigned y, unsigned z)
{
    const struct wb_texture *t = fetch->texture;
    const struct wb_texture_level *l = &t->level[level];
    fetch->access.size = wb_texel_size(t);
    uint64_t address = l->address + z * l->slice + y * l->pitch + (uint64_t)x * fetch->access.size;
    const uint8_t *texel = wb_memory_global(&fetch->access, fetch->lane, address);
    if (!texel) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        bool is_there = i < t->components; /* the others are 0 */
        out->word[i] = is_there ? component(t, raw_component(texel, t->bits / 8, i), i) : 0;
    }
    return true;
}

/* A colour is four floats. Integers have the lowest bits of these; what is normalized has at most
 * 1, and at least 0 or -1. */
void wb_texel_border(struct wb_texel *out, const struct wb_texture *t)
{
    float least = t->kind == WB_TEXEL_UNSIGNED ? 0 : -1;
    for (unsigned i = 0; i < 4; i++) {
        float colour = i < t->components ? t->border[i] : 0;
        uint32_t raw = float_bits(colour);
        if (t->kind != WB_TEXEL_FLOAT && wb_texel_is_float(t)) {
            raw = float_bits(colour < least ? least : colour > 1 ? 1 : colour);
        } else if (t->kind != WB_TEXEL_FLOAT && t->bits < 32) {
            raw &= (UINT32_C(1) << t->bits) - 1;
            raw = t->kind == WB_TEXEL_SIGNED ? (uint32_t)sign_extend(raw, t->bits) : raw;
        }
        out->word[i] = raw;
    }
}

/* ---- filters ------------------------------------------------------------------------------------
 * An H200 filters normalized integers as integers of 16 bits, and half precision gives half
 * precision. */

/* `value` rounded to `bits` significant bits, halves away from zero. */
static double round_to(double value, int bits)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    return ldexp(round(ldexp(fraction, bits)), exponent - bits);
}

static double largest_of_16_bits(const struct wb_texture *t)
{
    return t->kind == WB_TEXEL_UNSIGNED ? 65535 : 32767;
}

double wb_texel_for_filter(const struct wb_texture *t, uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    if (t->kind == WB_TEXEL_FLOAT || t->srgb) {
        return fabsf(value) < FLT_MIN ? 0 : (double)value;
    }
    return round((double)value * largest_of_16_bits(t));
}

uint32_t wb_texel_from_filter(const struct wb_texture *t, double sum)
{
    if (isnan(sum)) {
        return UINT32_C(0x7fffffff);
    }
    if (t->kind != WB_TEXEL_FLOAT && !t->srgb) {
        return float_bits((float)(round(sum) / largest_of_16_bits(t)));
    }
    if (fabs(sum) < (double)FLT_MIN) {
        return signbit(sum) ? UINT32_C(0x80000000) : 0;
    }
    return float_bits((float)round_to(sum, t->bits == 16 ? 11 : 24));
}
