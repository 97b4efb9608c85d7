/* SPDX-License-Identifier: MIT
 * Handlers: integer comparison, minimum and maximum, bit counts and bit fields.
 */
#include "exec.h"

/* What a comparison finds in each lane, as masks. The code of a comparison is a set of outcomes:
 * 1 less, 2 equal, 4 greater (8, for floating point, unordered). */
struct outcome {
    uint32_t less, equal;
};

static struct outcome compare(struct wb_warp *w, const struct wb_insn *in)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t flip = in->is_signed ? UINT32_C(0x80000000) : 0;
    alignas(16) uint32_t less[WB_LANES], equal[WB_LANES];
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        less[i] = all_ones_if((a[i] ^ flip) < (b[i] ^ flip));
        equal[i] = all_ones_if(a[i] == b[i]);
    }
    return (struct outcome){.less = lanes_set(less), .equal = lanes_set(equal)};
}

/* Pd = (a cmp b) bop Ps, Pe = !(a cmp b) bop Ps. */
void WB_EXEC(isetp)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct outcome o = compare(w, in);
    uint32_t r = (o.less & all_ones_if(in->cmp & 1)) | (o.equal & all_ones_if(in->cmp & 2)) |
                 (~(o.less | o.equal) & all_ones_if(in->cmp & 4));
    set_compared(w, in, r, on);
}

/* The high words of a 64-bit comparison: if they are equal, Pu, the result of the low words,
 * decides. */
void WB_EXEC(isetp_ex)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    struct outcome o = compare(w, in);
    uint32_t r = (o.less & all_ones_if(in->cmp & 1)) | (o.equal & pred(w, in->pu)) |
                 (~(o.less | o.equal) & all_ones_if(in->cmp & 4));
    if (in->cmp == 0 || in->cmp == 7) { /* F, T */
        r = all_ones_if(in->cmp == 7);
    }
    set_compared(w, in, r, on);
}

static inline uint32_t min_or_max(uint32_t a, uint32_t b, uint32_t flip, bool min)
{
    return ((a ^ flip) < (b ^ flip)) == min ? a : b;
}

/* Minimum or maximum of words, or (.16x2) of each half; .RELU: never below 0. */
static uint32_t select_extreme(const struct wb_insn *in, uint32_t a, uint32_t b, bool min)
{
    uint32_t r;
    if (!in->f32) {
        r = min_or_max(a, b, in->is_signed ? UINT32_C(0x80000000) : 0, min);
        return in->relu && (int32_t)r < 0 ? 0 : r;
    }
    r = 0;
    for (unsigned shift = 0; shift < 32; shift += 16) {
        uint32_t half =
            min_or_max(a >> shift & 0xffff, b >> shift & 0xffff, in->is_signed ? 0x8000 : 0, min);
        r |= (in->relu && half & 0x8000 ? 0 : half) << shift;
    }
    return r;
}

/* d = Ps ? min(a, b) : max(a, b). */
void WB_EXEC(vimnmx)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = select_extreme(in, a[i], b[i], ps >> i & 1);
    }
    commit(w, in, on, 1);
}

static uint32_t add_words_or_halves(const struct wb_insn *in, uint32_t a, uint32_t b)
{
    if (!in->f32) {
        return a + b;
    }
    return ((a + b) & 0xffff) | (((a >> 16) + (b >> 16)) << 16);
}

/* d = Ps ? min(a + b, c) : max(a + b, c); the sum wraps. */
void WB_EXEC(viaddmnmx)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t nb = neg_all(in, WB_B), nc = neg_all(in, WB_C);
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t sum = add_words_or_halves(in, a[i], (b[i] ^ nb) - nb);
        d[i] = select_extreme(in, sum, (c[i] ^ nc) - nc, ps >> i & 1);
    }
    commit(w, in, on, 1);
}

/* d = minimum (Ps) or maximum of a, b and c. */
void WB_EXEC(vimnmx3)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        bool min = ps >> i & 1;
        d[i] = select_extreme(in, select_extreme(in, a[i], b[i], min), c[i], min);
    }
    commit(w, in, on, 1);
}

/* d = |b|; INT_MIN stays. */
void WB_EXEC(iabs)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t sign = 0 - (b[i] >> 31);
        d[i] = (b[i] ^ sign) - sign;
    }
    commit(w, in, on, 1);
}

/* d = |a - b| + c. */
void WB_EXEC(vabsdiff)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t flip = in->is_signed ? UINT32_C(0x80000000) : 0, *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = a[i] ^ flip, y = b[i] ^ flip;
        d[i] = (x > y ? x - y : y - x) + c[i];
    }
    commit(w, in, on, 1);
}

/* Each byte of d = |a - b|, of the bytes of a and b. .ACC: d = their sum + c. */
void WB_EXEC(vabsdiff4)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t flip = in->is_signed ? UINT32_C(0x80808080) : 0, *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t r = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            uint32_t x = (a[i] ^ flip) >> shift & 0xff, y = (b[i] ^ flip) >> shift & 0xff;
            r += (x > y ? x - y : y - x) << (in->flag ? 0 : shift);
        }
        d[i] = r + (in->flag ? c[i] : 0);
    }
    commit(w, in, on, 1);
}

/* d = index of the highest bit that is 1 (signed: that differs from the sign), all ones if there
 * is none; .SH: 31 - index. */
void WB_EXEC(flo)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t invert = neg_all(in, WB_B), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = b[i] ^ invert;
        x = in->is_signed ? x ^ (0 - (x >> 31)) : x;
        uint32_t above = x ? (uint32_t)__builtin_clz(x) : 0;
        d[i] = x == 0 ? WB_ALL_LANES : in->high ? above : 31 - above;
    }
    commit(w, in, on, 1);
}

/* d = b with its 32 bits in reverse order. */
void WB_EXEC(brev)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t invert = neg_all(in, WB_B), *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = b[i] ^ invert;
        x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
        x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
        x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
        x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
        d[i] = x >> 16 | x << 16;
    }
    commit(w, in, on, 1);
}

/* d = number of bits of b that are 1. */
void WB_EXEC(popc)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t invert = neg_all(in, WB_B), *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = (uint32_t)__builtin_popcount(b[i] ^ invert);
    }
    commit(w, in, on, 1);
}

/* d = the low b bits of a, extended; 32 and more (without .W) keep all. */
void WB_EXEC(sgxt)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t width = in->wrap ? b[i] & 31 : b[i];
        uint32_t drop = width < 32 ? 32 - width : 0;
        uint64_t top = (uint64_t)a[i] << drop;
        d[i] = in->is_signed ? (uint32_t)((int64_t)(int32_t)top >> drop)
                             : (uint32_t)((uint64_t)(uint32_t)top >> drop);
    }
    commit(w, in, on, 1);
}

/* d = b ones from bit a on; both clamped to 32, with .W modulo 32. */
void WB_EXEC(bmsk)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t position = in->wrap ? a[i] & 31 : a[i] < 32 ? a[i] : 32;
        uint32_t width = in->wrap ? b[i] & 31 : b[i] < 32 ? b[i] : 32;
        d[i] = (uint32_t)(((UINT64_C(1) << width) - 1) << position);
    }
    commit(w, in, on, 1);
}
