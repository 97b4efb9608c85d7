/* SPDX-License-Identifier: MIT
 * Exact arithmetic in 128-bit integers, then one rounding: the same code for every format. To add
 * a format, give it a line in wb_format and in `formats`.
 */
#include "real.h"

#include <stddef.h>

static const struct layout {
    int exponent_bits, fraction_bits;
} layouts[] = {
    [WB_F16] = {5, 10},
    [WB_BF16] = {8, 7},
    [WB_F32] = {8, 23},
    [WB_F64] = {11, 52},
};

static int bias_of(const struct layout *layout)
{
    return (1 << (layout->exponent_bits - 1)) - 1;
}

static uint64_t sign_of(const struct layout *layout)
{
    return UINT64_C(1) << (layout->exponent_bits + layout->fraction_bits);
}

/* The bits of +infinity: the largest finite number is one below. */
static uint64_t infinity_of(const struct layout *layout)
{
    return ((UINT64_C(1) << layout->exponent_bits) - 1) << layout->fraction_bits;
}

static uint64_t one_of(const struct layout *layout)
{
    return (uint64_t)bias_of(layout) << layout->fraction_bits;
}

/* ---- taking apart, putting together --------------------------------------------------------- */

struct wb_real wb_real_unpack(enum wb_format format, uint64_t bits, bool ftz)
{
    const struct layout *layout = &layouts[format];
    uint64_t sign = sign_of(layout), magnitude = bits & (sign - 1);
    uint64_t hidden = UINT64_C(1) << layout->fraction_bits;
    int biased = (int)(magnitude >> layout->fraction_bits);
    struct wb_real real = {.kind = WB_REAL_FINITE, .negative = bits & sign};
    if (magnitude > infinity_of(layout)) {
        real.kind = WB_REAL_NAN;
        real.keeps_payload = format == WB_F64;
        real.significand = magnitude << (64 - layout->fraction_bits) & UINT64_MAX;
    } else if (magnitude == infinity_of(layout)) {
        real.kind = WB_REAL_INFINITE;
    } else if (magnitude == 0 || (ftz && biased == 0)) {
        real.kind = WB_REAL_ZERO;
    } else {
        real.significand = (magnitude & (hidden - 1)) | (biased ? hidden : 0);
        real.exponent = (biased ? biased : 1) - bias_of(layout) - layout->fraction_bits;
    }
    return real;
}

static int top_bit(wb_u128 value)
{
    uint64_t high = (uint64_t)(value >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
}

/* value >> count; what falls out, if not zero, sets the lowest bit. */
static wb_u128 shift_right_sticky(wb_u128 value, int count)
{
    if (count >= 128) {
        return value != 0;
    }
    wb_u128 rest = count ? value << (128 - count) : 0;
    return value >> count | (rest != 0);
}

struct wb_real wb_real_round(struct wb_real real, int exponent, enum wb_round mode)
{
    enum { QUARTERS = 2 };
    int shift = exponent - real.exponent;
    if (real.kind != WB_REAL_FINITE) {
        return real;
    }
    if (shift <= 0) {
        real.significand <<= -shift;
    } else {
        /* the two lowest bits: the half, and whether there is more */
        wb_u128 quarters = shift >= QUARTERS
                               ? shift_right_sticky(real.significand, shift - QUARTERS)
                               : real.significand << (QUARTERS - shift);
        unsigned rest = (unsigned)quarters & 3, odd = (unsigned)(quarters >> QUARTERS) & 1;
        bool up = mode == WB_RN   ? rest + odd > 2
                  : mode == WB_RM ? rest && real.negative
                                  : mode == WB_RP && rest && !real.negative;
        real.significand = (quarters >> QUARTERS) + up;
    }
    real.exponent = exponent;
    real.kind = real.significand ? WB_REAL_FINITE : WB_REAL_ZERO;
    return real;
}

static uint64_t pack_overflow(const struct layout *layout, bool negative, enum wb_round mode)
{
    bool away = mode == WB_RN || mode == (negative ? WB_RM : WB_RP);
    return infinity_of(layout) - !away;
}

/* The magnitude of a finite number, rounded. */
static uint64_t pack_finite(const struct layout *layout, struct wb_real real, enum wb_round mode,
                            bool ftz)
{
    int min_exponent = 1 - bias_of(layout) - layout->fraction_bits;
    int exponent = real.exponent + top_bit(real.significand) - layout->fraction_bits;
    exponent = exponent < min_exponent ? min_exponent : exponent;
    if (exponent - min_exponent >= 1 << layout->exponent_bits) {
        return pack_overflow(layout, real.negative, mode);
    }
    /* A carry out of the fraction, or into the normal numbers, is one in the exponent: add. */
    uint64_t magnitude = ((uint64_t)(exponent - min_exponent) << layout->fraction_bits) +
                         (uint64_t)wb_real_round(real, exponent, mode).significand;
    if (ftz && magnitude >> layout->fraction_bits == 0) {
        return 0;
    }
    return magnitude >= infinity_of(layout) ? pack_overflow(layout, real.negative, mode)
                                            : magnitude;
}

/* The canonical NaN has all bits but the sign. Double precision has none: there, and in conversions
 * from it, the sign and the payload of the operand remain, and the quiet bit is set. */
static uint64_t pack_nan(enum wb_format format, struct wb_real real)
{
    const struct layout *layout = &layouts[format];
    if (format != WB_F64 && !real.keeps_payload) {
        return sign_of(layout) - 1;
    }
    uint64_t fraction = (uint64_t)real.significand | UINT64_C(1) << 63;
    return (real.negative ? sign_of(layout) : 0) | infinity_of(layout) |
           fraction >> (64 - layout->fraction_bits);
}

uint64_t wb_real_pack(enum wb_format format, struct wb_real real, enum wb_round mode, bool ftz,
                      bool sat)
{
    const struct layout *layout = &layouts[format];
    uint64_t magnitude = 0;
    if (real.kind == WB_REAL_NAN) {
        return sat ? 0 : pack_nan(format, real);
    }
    if (real.kind == WB_REAL_INFINITE) {
        magnitude = infinity_of(layout);
    } else if (real.kind == WB_REAL_FINITE) {
        magnitude = pack_finite(layout, real, mode, ftz);
    }
    if (sat) {
        return real.negative ? 0 : magnitude < one_of(layout) ? magnitude : one_of(layout);
    }
    return magnitude | (real.negative ? sign_of(layout) : 0);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* What an operation makes of operands without a meaning, as infinity - infinity. */
static const struct wb_real invalid = {.kind = WB_REAL_NAN, .negative = true};

static struct wb_real multiply(struct wb_real a, struct wb_real b)
{
    struct wb_real larger = a.kind > b.kind ? a : b, smaller = a.kind > b.kind ? b : a;
    if (larger.kind == WB_REAL_NAN) {
        return larger;
    }
    if (larger.kind == WB_REAL_INFINITE && smaller.kind == WB_REAL_ZERO) {
        return invalid;
    }
    struct wb_real product = smaller.kind == WB_REAL_ZERO ? smaller : larger;
    product.negative = a.negative != b.negative;
    if (product.kind == WB_REAL_FINITE) {
        product.exponent = a.exponent + b.exponent;
        product.significand = a.significand * b.significand;
    }
    return product;
}

/* Moves the highest bit to bit 126, which leaves one for a carry. */
static struct wb_real normalize(struct wb_real real)
{
    int shift = 126 - top_bit(real.significand);
    real.significand <<= shift;
    real.exponent -= shift;
    return real;
}

/* The sum of two finite numbers of at most 106 bits: where bits of the smaller one fall out, it is
 * so much smaller that no more than one bit cancels. */
static struct wb_real add_finite(struct wb_real a, struct wb_real b, enum wb_round mode)
{
    a = normalize(a);
    b = normalize(b);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        struct wb_real swap = a;
        a = b;
        b = swap;
    }
    wb_u128 smaller = shift_right_sticky(b.significand, a.exponent - b.exponent);
    if (a.negative == b.negative) {
        a.significand += smaller;
    } else {
        a.significand -= smaller;
        if (a.significand == 0) {
            a.kind = WB_REAL_ZERO;
            a.negative = mode == WB_RM;
        }
    }
    return a;
}

static struct wb_real add(struct wb_real a, struct wb_real b, enum wb_round mode)
{
    struct wb_real sum = a.kind > b.kind ? a : b;
    if (sum.kind == WB_REAL_FINITE && a.kind == b.kind) {
        return add_finite(a, b, mode);
    }
    if (a.kind == b.kind && a.negative != b.negative) {
        if (sum.kind == WB_REAL_INFINITE) {
            return invalid;
        }
        if (sum.kind == WB_REAL_ZERO) {
            sum.negative = mode == WB_RM;
        }
    }
    return sum;
}

uint64_t wb_float_add(enum wb_format format, uint64_t a, uint64_t b, enum wb_round mode, bool ftz,
                      bool sat)
{
    struct wb_real sum = add(wb_real_unpack(format, a, ftz), wb_real_unpack(format, b, ftz), mode);
    return wb_real_pack(format, sum, mode, ftz, sat);
}

uint64_t wb_float_mul(enum wb_format format, uint64_t a, uint64_t b, enum wb_round mode, bool ftz,
                      bool sat)
{
    struct wb_real product =
        multiply(wb_real_unpack(format, a, ftz), wb_real_unpack(format, b, ftz));
    return wb_real_pack(format, product, mode, ftz, sat);
}

uint64_t wb_float_fma(enum wb_format format, uint64_t a, uint64_t b, uint64_t c, enum wb_round mode,
                      bool ftz, bool sat)
{
    struct wb_real factor = wb_real_unpack(format, b, ftz);
    struct wb_real product = multiply(wb_real_unpack(format, a, ftz), factor);
    struct wb_real sum = add(product, wb_real_unpack(format, c, ftz), mode);
    if (factor.kind == WB_REAL_NAN) { /* goes before the payload of c */
        sum = factor;
    }
    return wb_real_pack(format, sum, mode, ftz, sat);
}

/* ---- minimum and maximum -------------------------------------------------------------------- */

/* An integer that orders numbers of a format, -0 below +0. */
static int64_t order(const struct layout *layout, uint64_t bits)
{
    uint64_t sign = sign_of(layout);
    int64_t magnitude = (int64_t)(bits & (sign - 1));
    return bits & sign ? -1 - magnitude : magnitude;
}

static uint64_t flush(const struct layout *layout, uint64_t bits, bool ftz)
{
    return ftz && !(bits & infinity_of(layout)) ? bits & sign_of(layout) : bits;
}

static bool is_nan(const struct layout *layout, uint64_t bits)
{
    return (bits & (sign_of(layout) - 1)) > infinity_of(layout);
}

static uint64_t choose(enum wb_format format, uint64_t a, uint64_t b, bool ftz, bool nan,
                       bool want_less)
{
    const struct layout *layout = &layouts[format];
    a = flush(layout, a, ftz);
    b = flush(layout, b, ftz);
    bool a_is_nan = is_nan(layout, a), b_is_nan = is_nan(layout, b);
    if (a_is_nan || b_is_nan) {
        return nan || (a_is_nan && b_is_nan) ? sign_of(layout) - 1 : a_is_nan ? b : a;
    }
    return (order(layout, a) < order(layout, b)) == want_less ? a : b;
}

uint64_t wb_float_min(enum wb_format format, uint64_t a, uint64_t b, bool ftz, bool nan)
{
    return choose(format, a, b, ftz, nan, true);
}

uint64_t wb_float_max(enum wb_format format, uint64_t a, uint64_t b, bool ftz, bool nan)
{
    return choose(format, a, b, ftz, nan, false);
}
