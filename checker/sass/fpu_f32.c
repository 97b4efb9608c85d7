/* SPDX-License-Identifier: MIT
 * Single precision in the directed rounding modes, quickly: expf and its like need them all the
 * time. The product of two floats is exact in a double, and the error of a sum of doubles is a
 * double as well, so it is known on which side of the nearest float the exact result lies. (A
 * compiler that fuses the product with the sum changes nothing.) The host rounds to nearest.
 */
#include "fpu.h"

#include <math.h>
#include <string.h>

static const uint32_t sign_bit = UINT32_C(0x80000000), infinite = UINT32_C(0x7f800000);
static const uint32_t canonical_nan = UINT32_C(0x7fffffff), one = UINT32_C(0x3f800000);

static uint32_t flush(uint32_t bits, bool ftz)
{
    return ftz && !(bits & infinite) ? bits & sign_bit : bits;
}

static double widen(uint32_t bits, bool ftz)
{
    float value;
    bits = flush(bits, ftz);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds sum + rest, where `rest` is less than half of the last bit of `sum`. */
static uint32_t round_sum(double sum, double rest, enum wb_round mode)
{
    float nearest = (float)sum;
    double above = sum - nearest; /* exact, and not less than the rest unless it is zero */
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    bool is_less = above < 0 || (above == 0 && rest < 0);
    bool is_more = above > 0 || (above == 0 && rest > 0);
    bool negative = bits & sign_bit;
    bool inwards = negative ? is_more : is_less, outwards = negative ? is_less : is_more;
    if (inwards && mode != (negative ? WB_RM : WB_RP)) {
        return bits - 1;
    }
    return outwards && mode == (negative ? WB_RM : WB_RP) ? bits + 1 : bits;
}

static uint32_t finish(uint32_t bits, bool ftz, bool sat)
{
    if ((bits & ~sign_bit) > infinite) {
        return sat ? 0 : canonical_nan;
    }
    bits = flush(bits, ftz);
    return !sat ? bits : bits & sign_bit ? 0 : bits < one ? bits : one;
}

/* a + b of doubles that came from floats. */
static uint32_t add(double a, double b, enum wb_round mode)
{
    double sum = a + b, from_b = sum - a;
    double rest = (a - (sum - from_b)) + (b - from_b);
    if (sum == 0 && mode == WB_RM && !signbit(a) != !signbit(b)) {
        return sign_bit;
    }
    return round_sum(sum, rest, mode);
}

uint32_t wb_f32_add(uint32_t a, uint32_t b, enum wb_round mode, bool ftz, bool sat)
{
    if (mode == WB_RN) {
        return (uint32_t)wb_float_add(WB_F32, a, b, mode, ftz, sat);
    }
    return finish(add(widen(a, ftz), widen(b, ftz), mode), ftz, sat);
}

uint32_t wb_f32_mul(uint32_t a, uint32_t b, enum wb_round mode, bool ftz, bool sat)
{
    if (mode == WB_RN) {
        return (uint32_t)wb_float_mul(WB_F32, a, b, mode, ftz, sat);
    }
    return finish(round_sum(widen(a, ftz) * widen(b, ftz), 0, mode), ftz, sat);
}

uint32_t wb_f32_fma(uint32_t a, uint32_t b, uint32_t c, enum wb_round mode, bool ftz, bool sat)
{
    if (mode == WB_RN) {
        return (uint32_t)wb_float_fma(WB_F32, a, b, c, mode, ftz, sat);
    }
    return finish(add(widen(a, ftz) * widen(b, ftz), widen(c, ftz), mode), ftz, sat);
}
