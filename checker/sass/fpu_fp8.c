/* SPDX-License-Identifier: MIT
 * The 8-bit formats. E5M2 is float16 without its low byte; E4M3 has no infinity, and one NaN, 0x7f,
 * above its largest number, 448.
 */
#include "real.h"

enum { SIGN = 0x80, NAN8 = 0x7f };

static const struct layout {
    int fraction_bits, min_exponent; /* of the lowest bit of a subnormal number */
    uint8_t largest, beyond;         /* the largest number, and what overflow is without limit */
} layouts[] = {
    [WB_E4M3] = {3, -9, 0x7e, NAN8},
    [WB_E5M2] = {2, -16, 0x7b, 0x7c},
};

uint8_t wb_fp8_pack(enum wb_fp8 to, enum wb_format from, uint64_t a, bool satfinite)
{
    const struct layout *layout = &layouts[to];
    struct wb_real real = wb_real_unpack(from, a, false);
    uint8_t sign = real.negative ? SIGN : 0, beyond = satfinite ? layout->largest : layout->beyond;
    if (real.kind == WB_REAL_NAN) {
        return NAN8;
    }
    if (real.kind == WB_REAL_INFINITE) {
        return sign | beyond;
    }
    if (real.kind == WB_REAL_ZERO) {
        return sign;
    }
    int top = 63 - __builtin_clzll((uint64_t)real.significand);
    int exponent = real.exponent + top - layout->fraction_bits;
    exponent = exponent < layout->min_exponent ? layout->min_exponent : exponent;
    real = wb_real_round(real, exponent, WB_RN);
    /* a carry out of the fraction, or into the normal numbers, is one in the exponent: add */
    uint64_t magnitude = (uint64_t)(exponent - layout->min_exponent) << layout->fraction_bits;
    magnitude += (uint64_t)real.significand;
    return (uint8_t)(sign | (magnitude > layout->largest ? beyond : magnitude));
}

uint64_t wb_fp8_unpack(enum wb_format to, enum wb_fp8 from, uint8_t a)
{
    const struct layout *layout = &layouts[from];
    uint64_t hidden = UINT64_C(1) << layout->fraction_bits;
    unsigned magnitude = a & (SIGN - 1), biased = magnitude >> layout->fraction_bits;
    struct wb_real real = {.kind = WB_REAL_FINITE, .negative = a & SIGN};
    if (magnitude > layout->largest) {
        real.kind = magnitude == layout->beyond && from == WB_E5M2 ? WB_REAL_INFINITE : WB_REAL_NAN;
    } else if (magnitude == 0) {
        real.kind = WB_REAL_ZERO;
    } else {
        real.significand = (magnitude & (hidden - 1)) | (biased ? hidden : 0);
        real.exponent = (int)(biased ? biased - 1 : 0) + layout->min_exponent;
    }
    return wb_real_pack(to, real, WB_RN, false, false);
}
