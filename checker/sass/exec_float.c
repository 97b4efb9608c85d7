/* SPDX-License-Identifier: MIT
 * Handlers: single precision. Round-to-nearest, with or without .FTZ and .SAT, is vector code on
 * the host's IEEE arithmetic; the directed roundings go through fpu.h lane by lane. A NaN result
 * is always 0x7fffffff, whatever payloads came in.
 */
#include "exec.h"
#include "fpu.h"
#include "mufu.h"

#include <math.h>

#define F32_NAN  UINT32_C(0x7fffffff)
#define F32_SIGN UINT32_C(0x80000000)
#define F32_EXP  UINT32_C(0x7f800000)
#define F32_MIN  UINT32_C(0x00800000) /* the smallest normal number */
#define F32_ONE  UINT32_C(0x3f800000)

/* A denormal becomes zero of its sign if `ftz` is all ones, nothing happens if it is 0. */
static inline uint32_t flush(uint32_t x, uint32_t ftz)
{
    return (x & ~F32_SIGN) < (ftz & F32_MIN) ? x & F32_SIGN : x;
}

/* What follows the arithmetic: one NaN, flush, clamp to [0, 1]. In integers, so that it becomes
 * vector code. */
static inline uint32_t finish(float r, uint32_t ftz, uint32_t sat)
{
    uint32_t bits = f32_bits(r), magnitude = bits & ~F32_SIGN;
    uint32_t negative = 0 - (bits >> 31);
    bits = magnitude > F32_EXP ? F32_NAN : bits;
    bits = magnitude < (ftz & F32_MIN) ? bits & F32_SIGN : bits;
    uint32_t clamped = magnitude > F32_EXP ? 0 : bits & ~negative;
    clamped = clamped > F32_ONE ? F32_ONE : clamped;
    return (clamped & sat) | (bits & ~sat);
}

/* The same without .FTZ and .SAT. */
static inline uint32_t finish_plain(float r)
{
    uint32_t bits = f32_bits(r);
    return (bits & ~F32_SIGN) > F32_EXP ? F32_NAN : bits;
}

static bool is_plain(const struct wb_insn *in)
{
    return in->rnd == WB_RN && !in->ftz && !in->sat;
}

/* A source after its sign modifiers. */
struct signs {
    uint32_t keep, flip;
};

static struct signs signs_of(const struct wb_insn *in, unsigned operand)
{
    return (struct signs){.keep = abs_keep(in, operand), .flip = neg_sign(in, operand)};
}

static inline uint32_t with_signs(uint32_t x, struct signs s)
{
    return (x & s.keep) ^ s.flip;
}

/* d = a + b. */
void WB_EXEC(fadd)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    struct signs sa = signs_of(in, WB_A), sb = signs_of(in, WB_B);
    uint32_t ftz = all_ones_if(in->ftz), *d = *result(w, in, on);
    uint32_t sat = all_ones_if(in->sat);
    if (is_plain(in)) {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = finish_plain(as_f32(with_signs(a[i], sa)) + as_f32(with_signs(b[i], sb)));
        }
    } else if (in->rnd != WB_RN) {
        for (uint32_t rest = on; rest; rest &= rest - 1) {
            unsigned i = wb_lowest_lane(rest);
            d[i] =
                wb_f32_add(with_signs(a[i], sa), with_signs(b[i], sb), in->rnd, in->ftz, in->sat);
        }
    } else {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            float x = as_f32(flush(with_signs(a[i], sa), ftz));
            float y = as_f32(flush(with_signs(b[i], sb), ftz));
            d[i] = finish(x + y, ftz, sat);
        }
    }
    commit(w, in, on, 1);
}

/* d = a * b. */
void WB_EXEC(fmul)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    struct signs sa = signs_of(in, WB_A), sb = signs_of(in, WB_B);
    uint32_t ftz = all_ones_if(in->ftz), *d = *result(w, in, on);
    uint32_t sat = all_ones_if(in->sat);
    if (is_plain(in)) {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = finish_plain(as_f32(with_signs(a[i], sa)) * as_f32(with_signs(b[i], sb)));
        }
    } else if (in->rnd != WB_RN) {
        for (uint32_t rest = on; rest; rest &= rest - 1) {
            unsigned i = wb_lowest_lane(rest);
            d[i] =
                wb_f32_mul(with_signs(a[i], sa), with_signs(b[i], sb), in->rnd, in->ftz, in->sat);
        }
    } else {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            float x = as_f32(flush(with_signs(a[i], sa), ftz));
            float y = as_f32(flush(with_signs(b[i], sb), ftz));
            d[i] = finish(x * y, ftz, sat);
        }
    }
    commit(w, in, on, 1);
}

/* d = a * b + c with one rounding. */
void WB_EXEC(ffma)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    struct signs sa = signs_of(in, WB_A), sb = signs_of(in, WB_B), sc = signs_of(in, WB_C);
    uint32_t ftz = all_ones_if(in->ftz), *d = *result(w, in, on);
    uint32_t sat = all_ones_if(in->sat);
    if (is_plain(in)) {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = finish_plain(__builtin_fmaf(as_f32(with_signs(a[i], sa)),
                                               as_f32(with_signs(b[i], sb)),
                                               as_f32(with_signs(c[i], sc))));
        }
    } else if (in->rnd != WB_RN) {
        for (uint32_t rest = on; rest; rest &= rest - 1) {
            unsigned i = wb_lowest_lane(rest);
            d[i] = wb_f32_fma(with_signs(a[i], sa), with_signs(b[i], sb), with_signs(c[i], sc),
                              in->rnd, in->ftz, in->sat);
        }
    } else {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            float x = as_f32(flush(with_signs(a[i], sa), ftz));
            float y = as_f32(flush(with_signs(b[i], sb), ftz));
            float z = as_f32(flush(with_signs(c[i], sc), ftz));
            d[i] = finish(__builtin_fmaf(x, y, z), ftz, sat);
        }
    }
    commit(w, in, on, 1);
}

static bool is_nan(uint32_t x)
{
    return (x & ~F32_SIGN) > F32_EXP;
}

/* An integer that orders floats as numbers, -0 below +0. */
static int32_t order_key(uint32_t x)
{
    return (int32_t)(x ^ ((0 - (x >> 31)) & ~F32_SIGN));
}

/* d = Ps ? min(a, b) : max(a, b). One NaN gives the other operand, with .NAN a NaN; .XORSIGN: the
 * sign is that of a * b, whatever |a| and |b| say. */
void WB_EXEC(fmnmx)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    struct signs sa = signs_of(in, WB_A), sb = signs_of(in, WB_B);
    uint32_t ftz = all_ones_if(in->ftz), ps = pred(w, in->ps), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = flush(with_signs(a[i], sa), ftz), y = flush(with_signs(b[i], sb), ftz);
        uint32_t sign = in->xorsign ? (a[i] ^ b[i]) & F32_SIGN : 0;
        x = in->xorsign ? x & ~F32_SIGN : x;
        y = in->xorsign ? y & ~F32_SIGN : y;
        uint32_t r = (order_key(x) < order_key(y)) == (ps >> i & 1) ? x : y;
        if (is_nan(x) || is_nan(y)) {
            bool both = is_nan(x) && is_nan(y);
            r = both || in->nan ? F32_NAN : is_nan(x) ? y : x;
        }
        d[i] = is_nan(r) ? F32_NAN : r | sign;
    }
    commit(w, in, on, 1);
}

/* Lanes for which a cmp b holds; the code of a comparison is a set of outcomes: 1 less, 2 equal,
 * 4 greater, 8 unordered. */
static uint32_t compare(const struct wb_warp *w, const struct wb_insn *in)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    struct signs sa = signs_of(in, WB_A), sb = signs_of(in, WB_B);
    uint32_t ftz = all_ones_if(in->ftz);
    alignas(16) uint32_t less[WB_LANES], equal[WB_LANES], greater[WB_LANES];
    for (int i = 0; i < WB_LANES; i++) {
        float x = as_f32(flush(with_signs(a[i], sa), ftz));
        float y = as_f32(flush(with_signs(b[i], sb), ftz));
        less[i] = x < y ? WB_ALL_LANES : 0;
        equal[i] = x == y ? WB_ALL_LANES : 0;
        greater[i] = x > y ? WB_ALL_LANES : 0;
    }
    uint32_t lt = lanes_set(less), eq = lanes_set(equal), gt = lanes_set(greater);
    return (lt & all_ones_if(in->cmp & 1)) | (eq & all_ones_if(in->cmp & 2)) |
           (gt & all_ones_if(in->cmp & 4)) | (~(lt | eq | gt) & all_ones_if(in->cmp & 8));
}

/* Pd = (a cmp b) bop Ps, Pe = !(a cmp b) bop Ps. */
void WB_EXEC(fsetp)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_compared(w, in, compare(w, in), on);
}

/* d = (a cmp b) bop Ps ? 1.0 : 0. */
void WB_EXEC(fset)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    uint32_t r = join(compare(w, in), pred(w, in->ps), in->bop), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = r >> i & 1 ? UINT32_C(0x3f800000) : 0;
    }
    commit(w, in, on, 1);
}

/* Pd = the short sequence for a / b is not safe with these operands. */
void WB_EXEC(fchk)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t r = 0;
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned i = wb_lowest_lane(rest);
        r |= (uint32_t)wb_fchk(a[i], b[i]) << i;
    }
    set_pred(w, in->pd, r, on);
}

enum {
    MUFU_COS,
    MUFU_SIN,
    MUFU_EX2,
    MUFU_LG2,
    MUFU_RCP,
    MUFU_RSQ,
    MUFU_RCP64H,
    MUFU_RSQ64H,
    MUFU_SQRT,
    MUFU_TANH,
    MUFU_COUNT
};

static uint32_t (*const mufu_functions[MUFU_COUNT])(uint32_t) = {
    [MUFU_COS] = wb_mufu_cos,       [MUFU_SIN] = wb_mufu_sin,       [MUFU_EX2] = wb_mufu_ex2,
    [MUFU_LG2] = wb_mufu_lg2,       [MUFU_RCP] = wb_mufu_rcp,       [MUFU_RSQ] = wb_mufu_rsq,
    [MUFU_RCP64H] = wb_mufu_rcp64h, [MUFU_RSQ64H] = wb_mufu_rsq64h, [MUFU_SQRT] = wb_mufu_sqrt,
    [MUFU_TANH] = wb_mufu_tanh,
};

/* d = approximation of a function of b, bit for bit the hardware's. */
void WB_EXEC(mufu)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (in->sub >= MUFU_COUNT) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    const uint32_t *b = *source(w, in->b);
    struct signs sb = signs_of(in, WB_B);
    uint32_t *d = *result(w, in, on);
    for (uint32_t rest = on; rest; rest &= rest - 1) {
        unsigned i = wb_lowest_lane(rest);
        d[i] = mufu_functions[in->sub](with_signs(b[i], sb));
    }
    commit(w, in, on, 1);
}

/* The same of a half of b, truncated to a half; too large a number is infinity. */
void WB_EXEC(mufu_half)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { F16_LIMIT = 0x47800000 /* 2^16 */, F16_INFINITY = 0x7c00 };
    if (in->sub != MUFU_EX2 && in->sub != MUFU_TANH) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    const uint32_t *b = *source(w, in->b);
    struct signs sb = signs_of(in, WB_B);
    uint32_t *d = *result(w, in, on);
    enum wb_format format = in->bf16 ? WB_BF16 : WB_F16;
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t half = b[i] >> 16 * (in->half & 1) & 0xffff;
        uint32_t x = (uint32_t)wb_float_convert(WB_F32, format, half, WB_RN, false, false);
        uint32_t y = mufu_functions[in->sub](with_signs(x, sb));
        bool is_large = !in->bf16 && y >= F16_LIMIT && y <= F32_EXP;
        d[i] = is_large ? F16_INFINITY
                        : (uint32_t)wb_float_convert(format, WB_F32, y, WB_RZ, false, false);
    }
    commit(w, in, on, 1);
}
