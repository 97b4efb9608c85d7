/* SPDX-License-Identifier: MIT
 * Handlers: half precision (f16 and bf16), two numbers a register. A swizzle picks which halves of
 * a source the two computations see.
 */
#include "exec.h"
#include "fpu.h"

/* Half `h` (0 or 1) of a source's word, after the swizzle. */
static uint16_t swizzled(const struct wb_insn *in, uint32_t word, unsigned operand, unsigned h)
{
    unsigned swizzle = in->swizzle[operand >> 1];
    unsigned from = swizzle == WB_H0_H0 ? 0 : swizzle == WB_H1_H1 ? 1 : h;
    return (uint16_t)(word >> 16 * from);
}

/* The same, after the sign modifiers too. */
static uint16_t half_of(const struct wb_insn *in, uint32_t word, unsigned operand, unsigned h)
{
    uint16_t x = swizzled(in, word, operand, h);
    x = in->abs & operand ? x & 0x7fff : x;
    return in->neg & operand ? x ^ 0x8000 : x;
}

static enum wb_format format_of(const struct wb_insn *in)
{
    return in->bf16 ? WB_BF16 : WB_F16;
}

static bool is_nan(enum wb_format format, uint16_t x)
{
    return (x & 0x7fff) > (format == WB_BF16 ? 0x7f80 : 0x7c00);
}

/* .RELU: never below +0; a NaN stays. */
static uint16_t finish(const struct wb_insn *in, uint64_t r)
{
    bool negative = r & 0x8000 && !is_nan(format_of(in), (uint16_t)r);
    return in->relu && negative ? 0 : (uint16_t)r;
}

/* d = a + b in each half; .F32: the low half's sum as single precision. */
void WB_EXEC(hadd2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    enum wb_format format = format_of(in);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t r = 0;
        if (in->f32) {
            uint64_t x = wb_float_convert(WB_F32, format, half_of(in, a[i], WB_A, 0), WB_RN, 0, 0);
            uint64_t y = wb_float_convert(WB_F32, format, half_of(in, b[i], WB_B, 0), WB_RN, 0, 0);
            r = wb_f32_add((uint32_t)x, (uint32_t)y, WB_RN, in->ftz, in->sat);
        } else {
            for (unsigned h = 0; h < 2; h++) {
                uint64_t sum = wb_float_add(format, half_of(in, a[i], WB_A, h),
                                            half_of(in, b[i], WB_B, h), WB_RN, in->ftz, in->sat);
                r |= (uint32_t)finish(in, sum) << 16 * h;
            }
        }
        d[i] = r;
    }
    commit(w, in, on, 1);
}

/* d = a * b in each half. */
void WB_EXEC(hmul2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t r = 0;
        for (unsigned h = 0; h < 2; h++) {
            uint64_t product = wb_float_mul(format_of(in), half_of(in, a[i], WB_A, h),
                                            half_of(in, b[i], WB_B, h), WB_RN, in->ftz, in->sat);
            r |= (uint32_t)finish(in, product) << 16 * h;
        }
        d[i] = r;
    }
    commit(w, in, on, 1);
}

/* -0 * 0 + immediate is how ptxas loads a constant: the result is the immediate, unless that is
 * a NaN. */
static bool is_constant_load(const struct wb_insn *in, uint32_t immediate)
{
    bool zero = in->a.row == WB_ROW_ZERO && in->b.row == WB_ROW_ZERO &&
                in->a.space == WB_SPACE_WARP && in->b.space == WB_SPACE_WARP;
    return zero && in->c.space == WB_SPACE_POOL && in->neg == WB_A && !in->sat && !in->relu &&
           !in->ftz && !is_nan(format_of(in), (uint16_t)immediate) &&
           !is_nan(format_of(in), (uint16_t)(immediate >> 16));
}

/* The NaN that a tensor copy leaves for what lies out of bounds, in both formats. */
static bool is_out_of_bounds(uint16_t x)
{
    return (x & 0x7fff) == 0x7ff7;
}

static uint16_t multiply_add(const struct wb_insn *in, uint16_t a, uint16_t b, uint16_t c, bool oob)
{
    if (oob && (is_out_of_bounds(a) || is_out_of_bounds(b))) {
        return 0;
    }
    return finish(in, wb_float_fma(format_of(in), a, b, c, WB_RN, in->ftz, in->sat));
}

static void multiply_add_halves(struct wb_warp *w, const struct wb_insn *in, uint32_t on, bool oob)
{
    if (in->f32) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    if (is_constant_load(in, c[0])) {
        blend_row(w->reg[in->d], c, on);
        return;
    }
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t r = 0;
        for (unsigned h = 0; h < 2; h++) {
            uint16_t x = half_of(in, a[i], WB_A, h), y = half_of(in, b[i], WB_B, h);
            uint16_t sum = multiply_add(in, x, y, half_of(in, c[i], WB_C, h), oob);
            r |= (uint32_t)sum << 16 * h;
        }
        d[i] = r;
    }
    commit(w, in, on, 1);
}

/* d = a * b + c in each half, rounded once. */
void WB_EXEC(hfma2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    multiply_add_halves(w, in, on, false);
}

/* .OOB: 0 where a or b is out of bounds. */
void WB_EXEC(hfma2_oob)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    multiply_add_halves(w, in, on, true);
}

/* .FTZ, of float16: a subnormal number counts as 0. */
static uint16_t flush(const struct wb_insn *in, uint16_t x)
{
    return in->ftz && !(x & 0x7c00) ? x & 0x8000 : x;
}

/* Does `a cmp b` hold? The code is a set of outcomes: 1 less, 2 equal, 4 greater, 8 unordered. */
static bool compares(const struct wb_insn *in, uint16_t a, uint16_t b)
{
    enum wb_format format = in->bf16 ? WB_BF16 : WB_F16;
    float x = as_f32((uint32_t)wb_float_convert(WB_F32, format, flush(in, a), WB_RN, false, false));
    float y = as_f32((uint32_t)wb_float_convert(WB_F32, format, flush(in, b), WB_RN, false, false));
    unsigned outcome = x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
    return (in->cmp & outcome) != 0;
}

/* The comparison of half h in every lane. */
static uint32_t compare(const struct wb_warp *w, const struct wb_insn *in, unsigned h)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t r = 0;
    for (int i = 0; i < WB_LANES; i++) {
        bool holds = compares(in, half_of(in, a[i], WB_A, h), half_of(in, b[i], WB_B, h));
        r |= (uint32_t)holds << i;
    }
    return r;
}

/* Pd: the low halves, Pe: the high halves; .H_AND: Pd = both, Pe = not both. */
void WB_EXEC(hsetp2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t low = compare(w, in, 0), high = compare(w, in, 1), ps = pred(w, in->ps);
    if (in->flag) {
        low &= high;
        high = ~low;
    }
    set_pred(w, in->pd, join(low, ps, in->bop), on);
    set_pred(w, in->pe, join(high, ps, in->bop), on);
}

/* Each half of d: all ones, or with .BF 1.0, if the comparison holds. */
void WB_EXEC(hset2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    uint32_t low = join(compare(w, in, 0), ps, in->bop);
    uint32_t high = join(compare(w, in, 1), ps, in->bop);
    uint32_t yes = !in->flag ? 0xffff : in->bf16 ? 0x3f80 : 0x3c00;
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = (low >> i & 1 ? yes : 0) | (high >> i & 1 ? yes << 16 : 0);
    }
    commit(w, in, on, 1);
}

/* Each half of d: minimum (Ps) or maximum. */
void WB_EXEC(hmnmx2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t r = 0;
        for (unsigned h = 0; h < 2; h++) {
            uint16_t x = half_of(in, a[i], WB_A, h), y = half_of(in, b[i], WB_B, h);
            uint16_t signs = swizzled(in, a[i], WB_A, h) ^ swizzled(in, b[i], WB_B, h);
            uint16_t sign = in->xorsign ? signs & 0x8000 : 0, keep = in->xorsign ? 0x7fff : 0xffff;
            uint64_t m = ps >> i & 1
                             ? wb_float_min(format_of(in), x & keep, y & keep, in->ftz, in->nan)
                             : wb_float_max(format_of(in), x & keep, y & keep, in->ftz, in->nan);
            sign = is_nan(format_of(in), (uint16_t)m) ? 0 : sign;
            r |= (uint32_t)((uint16_t)m | sign) << 16 * h;
        }
        d[i] = r;
    }
    commit(w, in, on, 1);
}
