/* SPDX-License-Identifier: MIT
 * The special function unit as an integer model: a table look-up and a quadratic, as Oberman and
 * Siu describe such units, with the truncations of the real one. It was fitted to, and agrees
 * with, the results of an H200 for all 2^32 arguments of every function.
 */
#include "mufu.h"
#include "mufu_tables.h"

#include <stddef.h>

#define SIGN       UINT32_C(0x80000000)
#define INFINITE   UINT32_C(0x7f800000)
#define CANONICAL  UINT32_C(0x7fffffff) /* the NaN that the hardware returns */
#define ONE        UINT32_C(0x3f800000)
#define MIN_NORMAL UINT32_C(0x00800000)

enum { FRACTION_BITS = 23, OFFSET_BITS = 17, BIAS = 127 };
#define FRACTION ((UINT32_C(1) << FRACTION_BITS) - 1)
#define OFFSET   ((UINT32_C(1) << OFFSET_BITS) - 1)

/* ---- the datapath -------------------------------------------------------------------------- */

/* The truncated squarer: of the partial products t_i * t_j the columns below 2^19 are not formed.
 * Of the upper 8 bits among themselves that keeps all but t_9 * t_9, and of bit i with the lower
 * 9 bits those with j >= 18 - i. Result in units of 2^19. */
static int64_t square(uint32_t t)
{
    uint64_t high = t & 0x1fe00, low = t & 0x1ff;
    uint64_t sum = (high * high - ((uint64_t)(t & 0x200) << 9)) >> 19;
    for (unsigned i = 10; i < OFFSET_BITS; i++) {
        sum += t >> i & 1 ? low >> (18 - i) : 0;
    }
    return (int64_t)sum;
}

/* F of the table's formula. */
static int64_t interpolate(const struct wb_mufu_table *table, uint32_t segment, uint32_t t)
{
    const struct wb_mufu_segment *c = &table->segments[segment];
    return (int64_t)c->c0 * (1 << table->c0_shift) + table->bias + (int64_t)c->c1 * t +
           (int64_t)c->c2 * square(t) * (1 << table->c2_shift);
}

/* The segment and offset of a fraction of 23 bits, for the functions with 64 segments. */
static int64_t interpolate_fraction(const struct wb_mufu_table *table, uint32_t first,
                                    uint32_t fraction)
{
    return interpolate(table, first + (fraction >> OFFSET_BITS), fraction & OFFSET);
}

/* value * 2^exponent as a float, truncated; what is too small for a normal one becomes zero. */
static uint32_t pack(uint32_t sign, int64_t value, int exponent)
{
    if (value == 0) {
        return sign;
    }
    int top = 63 - __builtin_clzll((uint64_t)value);
    uint32_t fraction = top > FRACTION_BITS ? (uint32_t)(value >> (top - FRACTION_BITS))
                                            : (uint32_t)value << (FRACTION_BITS - top);
    int biased = top + exponent + BIAS;
    return biased <= 0 ? sign : sign | (uint32_t)biased << FRACTION_BITS | (fraction & FRACTION);
}

static int exponent_of(uint32_t magnitude)
{
    return (int)(magnitude >> FRACTION_BITS) - BIAS;
}

static uint32_t significand_of(uint32_t magnitude)
{
    return (magnitude & FRACTION) | (FRACTION + 1);
}

/* ---- algebraic functions ------------------------------------------------------------------- */

uint32_t wb_mufu_rcp(uint32_t x)
{
    enum { SEGMENT_SHIFT = 16 };
    uint32_t sign = x & SIGN, magnitude = x & ~SIGN, fraction = x & FRACTION;
    if (magnitude > INFINITE) {
        return CANONICAL;
    }
    if (magnitude < MIN_NORMAL) {
        return sign | INFINITE;
    }
    if (magnitude == INFINITE) {
        return sign;
    }
    int64_t f = interpolate(&wb_mufu_rcp_table, fraction >> SEGMENT_SHIFT, fraction << 1 & OFFSET);
    return pack(sign, f, -exponent_of(magnitude) - wb_mufu_rcp_table.unit);
}

/* x = 4^quarter * m with m in [1, 4): the second half of the table is for [2, 4). */
static int64_t interpolate_root(int *quarter, const struct wb_mufu_table *table, uint32_t x)
{
    int exponent = exponent_of(x), odd = exponent & 1;
    *quarter = (exponent - odd) / 2;
    return interpolate_fraction(table, odd ? 64 : 0, x & FRACTION);
}

uint32_t wb_mufu_sqrt(uint32_t x)
{
    uint32_t magnitude = x & ~SIGN;
    if (magnitude < MIN_NORMAL) {
        return x & SIGN;
    }
    if (x > INFINITE) { /* NaN or negative */
        return CANONICAL;
    }
    if (x == INFINITE) {
        return INFINITE;
    }
    int quarter;
    int64_t f = interpolate_root(&quarter, &wb_mufu_sqrt_table, x);
    return pack(0, f, quarter - wb_mufu_sqrt_table.unit);
}

uint32_t wb_mufu_rsq(uint32_t x)
{
    uint32_t magnitude = x & ~SIGN;
    if (magnitude < MIN_NORMAL) {
        return (x & SIGN) | INFINITE;
    }
    if (x > INFINITE) {
        return CANONICAL;
    }
    if (x == INFINITE) {
        return 0;
    }
    int quarter;
    int64_t f = interpolate_root(&quarter, &wb_mufu_rsq_table, x);
    if ((x & FRACTION) == 0 && (exponent_of(x) & 1) == 0) { /* a power of 4 is exact */
        return pack(0, 1, -quarter);
    }
    return pack(0, f, -quarter - wb_mufu_rsq_table.unit);
}

/* ---- the high word of a double ------------------------------------------------------------- */

enum { HIGH_FRACTION_BITS = 20, HIGH_BIAS = 1023 };
#define HIGH_INFINITE   UINT32_C(0x7ff00000)
#define HIGH_MIN_NORMAL UINT32_C(0x00100000)
#define HIGH_FRACTION   (HIGH_MIN_NORMAL - 1)

/* A float with the same fraction, and an exponent of 0 or 1 that is odd where the double's is. */
static uint32_t narrow(uint32_t x, int exponent)
{
    enum { MORE_BITS = FRACTION_BITS - HIGH_FRACTION_BITS };
    return (uint32_t)(BIAS + (exponent & 1)) << FRACTION_BITS | (x & HIGH_FRACTION) << MORE_BITS;
}

/* The float y, times 2^exponent, as the high word of a double. */
static uint32_t widen(uint32_t sign, uint32_t y, int exponent)
{
    enum { MORE_BITS = FRACTION_BITS - HIGH_FRACTION_BITS };
    int biased = exponent_of(y) + exponent + HIGH_BIAS;
    return biased <= 0
               ? sign
               : sign | (uint32_t)biased << HIGH_FRACTION_BITS | (y & FRACTION) >> MORE_BITS;
}

static int high_exponent_of(uint32_t magnitude)
{
    return (int)(magnitude >> HIGH_FRACTION_BITS) - HIGH_BIAS;
}

uint32_t wb_mufu_rcp64h(uint32_t x)
{
    uint32_t sign = x & SIGN, magnitude = x & ~SIGN;
    int exponent = high_exponent_of(magnitude), odd = exponent & 1;
    if (magnitude > HIGH_INFINITE) {
        return CANONICAL;
    }
    if (magnitude < HIGH_MIN_NORMAL) {
        return sign | HIGH_INFINITE;
    }
    if (magnitude == HIGH_INFINITE) {
        return sign;
    }
    return widen(sign, wb_mufu_rcp(narrow(x, exponent)), odd - exponent);
}

uint32_t wb_mufu_rsq64h(uint32_t x)
{
    uint32_t magnitude = x & ~SIGN;
    int exponent = high_exponent_of(magnitude), odd = exponent & 1;
    if (magnitude < HIGH_MIN_NORMAL) {
        return (x & SIGN) | HIGH_INFINITE;
    }
    if (x > HIGH_INFINITE) {
        return CANONICAL;
    }
    if (x == HIGH_INFINITE) {
        return 0;
    }
    return widen(0, wb_mufu_rsq(narrow(x, exponent)), (odd - exponent) / 2);
}

/* ---- exponential and logarithm ------------------------------------------------------------- */

/* Fixed point with 23 fraction bits; a negative number is the one's complement of its truncated
 * magnitude, unless its fraction is zero. For |x| < 256. */
static int32_t fixed_exponent(uint32_t x)
{
    int exponent = exponent_of(x & ~SIGN);
    uint32_t significand = significand_of(x);
    int32_t magnitude = exponent < -FRACTION_BITS ? 0
                        : exponent < 0            ? (int32_t)(significand >> -exponent)
                                                  : (int32_t)(significand << exponent);
    if (!(x & SIGN)) {
        return magnitude;
    }
    return (uint32_t)magnitude & FRACTION ? ~magnitude : -magnitude;
}

uint32_t wb_mufu_ex2(uint32_t x)
{
    const uint32_t limit = UINT32_C(0x43800000); /* 256 */
    uint32_t magnitude = x & ~SIGN;
    if (magnitude > INFINITE) {
        return CANONICAL;
    }
    if (magnitude >= limit) {
        return x & SIGN ? 0 : INFINITE;
    }
    int32_t fixed = fixed_exponent(x);
    uint32_t fraction = (uint32_t)fixed & FRACTION;
    int whole = (fixed - (int32_t)fraction) / (1 << FRACTION_BITS);
    if (whole > BIAS) {
        return INFINITE;
    }
    return pack(0, interpolate_fraction(&wb_mufu_ex2_table, 0, fraction),
                whole - wb_mufu_ex2_table.unit);
}

uint32_t wb_mufu_lg2(uint32_t x)
{
    enum { SUM_UNIT = 36 };
    uint32_t magnitude = x & ~SIGN;
    if (magnitude < MIN_NORMAL) {
        return SIGN | INFINITE;
    }
    if (x > INFINITE) {
        return CANONICAL;
    }
    if (x == INFINITE) {
        return INFINITE;
    }
    if (x == ONE) {
        return 0;
    }
    int64_t f = interpolate_fraction(&wb_mufu_lg2_table, 0, x & FRACTION);
    int64_t sum =
        exponent_of(x) * (INT64_C(1) << SUM_UNIT) + (f >> (wb_mufu_lg2_table.unit - SUM_UNIT));
    return sum < 0 ? pack(SIGN, ~sum, -SUM_UNIT) : pack(0, sum, -SUM_UNIT);
}

/* ---- trigonometric and hyperbolic functions ------------------------------------------------ */

/* |x| revolutions, truncated to 25 fraction bits, without whole revolutions. */
static uint32_t fixed_angle(uint32_t magnitude)
{
    enum { ANGLE_BITS = 25 };
    int shift = exponent_of(magnitude) + ANGLE_BITS - FRACTION_BITS;
    uint32_t significand = significand_of(magnitude);
    if (shift < -FRACTION_BITS || shift >= ANGLE_BITS) {
        return 0;
    }
    return (shift < 0 ? significand >> -shift : significand << shift) &
           ((UINT32_C(1) << ANGLE_BITS) - 1);
}

/* The sine of an angle in the quadrant 0 to 3, `fraction` of 23 bits within it. */
static uint32_t sine(uint32_t sign, uint32_t quadrant, uint32_t fraction)
{
    uint32_t rising = quadrant & 1 ? ~fraction & FRACTION : fraction;
    return pack(sign ^ (quadrant & 2 ? SIGN : 0),
                interpolate_fraction(&wb_mufu_sin_table, 0, rising), -wb_mufu_sin_table.unit);
}

uint32_t wb_mufu_sin(uint32_t x)
{
    uint32_t magnitude = x & ~SIGN, angle = fixed_angle(magnitude);
    return magnitude >= INFINITE ? CANONICAL
                                 : sine(x & SIGN, angle >> FRACTION_BITS, angle & FRACTION);
}

uint32_t wb_mufu_cos(uint32_t x)
{
    uint32_t magnitude = x & ~SIGN, angle = fixed_angle(magnitude);
    return magnitude >= INFINITE ? CANONICAL
                                 : sine(0, (angle >> FRACTION_BITS) + 1, angle & FRACTION);
}

uint32_t wb_mufu_tanh(uint32_t x)
{
    enum { FIRST_EXPONENT = -8, END_EXPONENT = 3 };
    static const struct {
        uint8_t first_segment, segment_bits;
    } binades[END_EXPONENT - FIRST_EXPONENT] = {
        {0, 0}, {1, 0}, {2, 0}, {3, 1}, {5, 1}, {7, 2}, {11, 2}, {15, 2}, {19, 3}, {27, 4}, {43, 3},
    };
    uint32_t magnitude = x & ~SIGN, fraction = x & FRACTION;
    int exponent = exponent_of(magnitude);
    if (magnitude > INFINITE) {
        return CANONICAL;
    }
    if (exponent >= END_EXPONENT) {
        return (x & SIGN) | ONE;
    }
    if (exponent < FIRST_EXPONENT) {
        return x;
    }
    int bits = binades[exponent - FIRST_EXPONENT].segment_bits;
    uint32_t segment =
        binades[exponent - FIRST_EXPONENT].first_segment + (fraction >> (FRACTION_BITS - bits));
    uint32_t t = fraction >> (FRACTION_BITS - OFFSET_BITS - bits) & OFFSET;
    return pack(x & SIGN, interpolate(&wb_mufu_tanh_table, segment, t), -wb_mufu_tanh_table.unit);
}

/* ---- division check ------------------------------------------------------------------------ */

bool wb_fchk(uint32_t a, uint32_t b)
{
    int ea = a >> FRACTION_BITS & 0xff, eb = b >> FRACTION_BITS & 0xff;
    return ea <= 24 || ea == 255 || eb <= 1 || eb >= 252 || ea - eb >= 127 || ea - eb <= -125;
}
