/* SPDX-License-Identifier: MIT
 * Fast handlers: the special cases in fast.def, each a function of one lane. What an instruction
 * means is told at its general handler.
 */
#include "map.h"

/* ---- integer --------------------------------------------------------------------------------- */

/* LANE(name, expression in a, b, c, k): the handler wb_exec_..._fast_name. */
#define LANE(name, expression)                                                                     \
    static inline uint32_t name##_lane(uint32_t a, uint32_t b, uint32_t c, uint32_t k)             \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)k;                                                        \
        return expression;                                                                         \
    }                                                                                              \
    void WB_EXEC(fast_##name)(struct wb_warp * w, const struct wb_insn *in, uint32_t on)           \
    {                                                                                              \
        wb_map(w, in, on, name##_lane);                                                            \
    }

LANE(add2, a + b)
LANE(add3, a + b + c)
LANE(add_ac, a + c)
LANE(copy_c, c)
LANE(imad, (a * b) + c)
LANE(and, (a & b))
LANE(or, a | b)
LANE(or_and, a | (b & c))
LANE(xor, a ^ b)
LANE(shift_left, a << (b & 31))
LANE(shift_right, c >> (b & 31))
LANE(shift_signed, (uint32_t)((int32_t)c >> (b & 31)))
LANE(add_scaled, (a << k) + b)
LANE(add_funnel, (c << k | a >> (32 - k)) + b)

/* ---- single precision: a NaN result is always the same --------------------------------------- */

static inline uint32_t one_nan(float r)
{
    return r != r ? UINT32_C(0x7fffffff) : f32_bits(r);
}

LANE(fadd, one_nan(as_f32(a) + as_f32(b)))
LANE(fmul, one_nan(as_f32(a) * as_f32(b)))
LANE(fsub, one_nan(as_f32(a) - as_f32(b)))
LANE(ffma, one_nan(__builtin_fmaf(as_f32(a), as_f32(b), as_f32(c))))
LANE(ffms, one_nan(__builtin_fmaf(as_f32(a), as_f32(b), -as_f32(c))))
LANE(fnma, one_nan(__builtin_fmaf(-as_f32(a), as_f32(b), as_f32(c))))

/* Rounded down, as fpu_f32.c does it: `above` and `rest` tell on which side of the nearest float
 * the exact result lies. A sum of zeros with different signs is -0. */
static inline uint32_t round_down(uint32_t a, uint32_t b, uint32_t c)
{
    double product = (double)as_f32(a) * as_f32(b), addend = as_f32(c);
    double sum = product + addend, from_addend = sum - product;
    double rest = (product - (sum - from_addend)) + (addend - from_addend);
    float nearest = (float)sum;
    double above = sum - nearest;
    uint32_t bits = f32_bits(nearest), sign = bits & UINT32_C(0x80000000);
    uint32_t opposite = (uint32_t)((f64_bits(product) ^ f64_bits(addend)) >> 63);
    uint32_t down = sign ? bits + 1 : bits - 1;
    bits = (above < 0) | ((above == 0) & (rest < 0)) ? down : bits;
    bits = ((sum == 0) & (opposite != 0)) ? UINT32_C(0x80000000) : bits;
    return nearest != nearest ? UINT32_C(0x7fffffff) : bits;
}

LANE(ffma_down, round_down(a, b, c))

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Pd = r, Pe = !r; r is turned round if the instruction asks for the opposite comparison. */
WB_INLINE void set_test(struct wb_warp *w, const struct wb_insn *in, uint32_t on, wb_lane_test *f,
                        unsigned outcomes)
{
    uint32_t r = wb_lanes_where(w, in, f) ^ all_ones_if(in->cmp != outcomes);
    set_pred(w, in->pd, r, on);
    set_pred(w, in->pe, ~r, on);
}

/* TEST(name, outcomes that `expression` in a, b stands for, expression) */
#define TEST(name, outcomes, expression)                                                           \
    static inline bool name##_lane(uint32_t a, uint32_t b)                                         \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    void WB_EXEC(fast_##name)(struct wb_warp * w, const struct wb_insn *in, uint32_t on)           \
    {                                                                                              \
        set_test(w, in, on, name##_lane, outcomes);                                                \
    }

TEST(isetp_equal, 2, a == b)
TEST(isetp_less_u, 1, a < b)
TEST(isetp_less_s, 1, (int32_t)a < (int32_t)b)
TEST(isetp_more_u, 4, a > b)
TEST(isetp_more_s, 4, (int32_t)a > (int32_t)b)
TEST(fsetp_eq, 2, as_f32(a) == as_f32(b))
TEST(fsetp_lt, 1, as_f32(a) < as_f32(b))
TEST(fsetp_le, 3, as_f32(a) <= as_f32(b))
TEST(fsetp_gt, 4, as_f32(a) > as_f32(b))
TEST(fsetp_ge, 6, as_f32(a) >= as_f32(b))

/* Pd = (a & b) != 0. */
static inline bool test_and_lane(uint32_t a, uint32_t b)
{
    return (a & b) != 0;
}

void WB_EXEC(fast_test_and)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_pred(w, in->pd, wb_lanes_where(w, in, test_and_lane), on);
}
