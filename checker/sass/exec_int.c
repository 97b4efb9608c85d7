/* SPDX-License-Identifier: MIT
 * Handlers: integer addition, multiplication, shifts, logic. Comparison and the rest of integer
 * arithmetic are in exec_int2.c. The uniform datapath uses the same handlers: its registers are
 * rows whose lanes are equal.
 */
#include "exec.h"

__extension__ typedef unsigned __int128 wb_wide;

/* d = a + b + c. A negated source is ~x + 1; Pd and Pe say that the sum of the 32-bit words, with
 * those + 1, passes 2^32 and 2 * 2^32. `carry` (0 or 1 a lane) comes in. */
static void add3(struct wb_warp *w, const struct wb_insn *in, uint32_t on, uint32_t ones,
                 uint32_t carry_a, uint32_t carry_b)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t na = neg_all(in, WB_A), nb = neg_all(in, WB_B), nc = neg_all(in, WB_C);
    uint32_t *d = *result(w, in, on);
    alignas(16) uint32_t one[WB_LANES], two[WB_LANES];
    for (int i = 0; i < WB_LANES; i++) {
        uint64_t sum = (uint64_t)(a[i] ^ na) + (b[i] ^ nb) + (c[i] ^ nc) + ones +
                       (carry_a >> i & 1) + (carry_b >> i & 1);
        d[i] = (uint32_t)sum;
        one[i] = all_ones_if(sum >> 32 >= 1);
        two[i] = all_ones_if(sum >> 32 >= 2);
    }
    commit(w, in, on, 1);
    set_pred(w, in->pd, lanes_set(one), on);
    set_pred(w, in->pe, lanes_set(two), on);
}

/* d = a + b + c, carries to Pd and Pe. */
void WB_EXEC(iadd3)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (in->pd != WB_PRED_TRASH || in->pe != WB_PRED_TRASH) {
        add3(w, in, on, (uint32_t)__builtin_popcount(in->neg), 0, 0);
        return;
    }
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t na = neg_all(in, WB_A), nb = neg_all(in, WB_B), nc = neg_all(in, WB_C);
    uint32_t *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = ((a[i] ^ na) - na) + ((b[i] ^ nb) - nb) + ((c[i] ^ nc) - nc);
    }
    commit(w, in, on, 1);
}

/* The same with carries in from Ps and Pt; a negated source is ~x alone. */
void WB_EXEC(iadd3_x)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    add3(w, in, on, 0, pred(w, in->ps), pred(w, in->pt));
}

/* The same in 64 bits: pairs of uniform registers. A carry is one out of bit 63. */
void WB_EXEC(iadd3_64)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a), *c = source(w, in->c);
    const wb_row *b = source(w, in->b);
    bool immediate = in->b.space == WB_SPACE_POOL;
    wb_row *d = result(w, in, on);
    uint32_t one = 0, two = 0;
    for (int i = 0; i < WB_LANES; i++) {
        uint64_t y = immediate ? (uint64_t)(int64_t)(int32_t)b[0][i] : pair(b[0][i], b[1][i]);
        uint64_t na = pair(neg_all(in, WB_A), neg_all(in, WB_A)), x = pair(a[0][i], a[1][i]);
        uint64_t nb = pair(neg_all(in, WB_B), neg_all(in, WB_B)), z = pair(c[0][i], c[1][i]);
        uint64_t nc = pair(neg_all(in, WB_C), neg_all(in, WB_C));
        wb_wide sum =
            (wb_wide)(x ^ na) + (y ^ nb) + (z ^ nc) + (unsigned)__builtin_popcount(in->neg);
        d[0][i] = (uint32_t)sum;
        d[1][i] = (uint32_t)(sum >> 32);
        one |= (uint32_t)(sum >> 64 >= 1) << i;
        two |= (uint32_t)(sum >> 64 >= 2) << i;
    }
    commit(w, in, on, 2);
    set_pred(w, in->pd, one, on);
    set_pred(w, in->pe, two, on);
}

/* d = a + b. */
void WB_EXEC(viadd)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t na = neg_all(in, WB_A), nb = neg_all(in, WB_B), *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = ((a[i] ^ na) - na) + ((b[i] ^ nb) - nb);
    }
    commit(w, in, on, 1);
}

/* The same in each half. */
void WB_EXEC(viadd_16x2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t na = neg_all(in, WB_A), nb = neg_all(in, WB_B), *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t low = (a[i] ^ na) - na + ((b[i] ^ nb) - nb);
        uint32_t high = ((a[i] >> 16 ^ na) - na) + ((b[i] >> 16 ^ nb) - nb);
        d[i] = high << 16 | (low & 0xffff);
    }
    commit(w, in, on, 1);
}

/* d = low word of a * b + c. */
void WB_EXEC(imad)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t nc = neg_all(in, WB_C), *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = a[i] * b[i] + ((c[i] ^ nc) - nc);
    }
    commit(w, in, on, 1);
}

/* d = low word of a * b + c + Ps; a negated c is ~c. */
void WB_EXEC(imad_x)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t nc = neg_all(in, WB_C), *d = *result(w, in, on);
    uint32_t carry = pred(w, in->ps);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = a[i] * b[i] + (c[i] ^ nc) + (carry & wb_lane_bit[i] ? 1 : 0);
    }
    commit(w, in, on, 1);
}

/* One lane of a 32 x 32 bit product plus a pair. */
struct wide_sum {
    uint64_t sum;
    bool carry; /* out of bit 63 */
};

static inline struct wide_sum multiply_add(const struct wb_insn *in, uint32_t a, uint32_t b,
                                           uint64_t c, uint32_t carry_in)
{
    uint64_t product =
        in->is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
    uint64_t addend = in->neg & WB_C ? ~c : c;
    uint64_t extra = in->x ? carry_in : in->neg & WB_C ? 1 : 0;
    uint64_t partial = product + addend, sum = partial + extra;
    return (struct wide_sum){.sum = sum, .carry = partial < product || sum < partial};
}

static void multiply_wide(struct wb_warp *w, const struct wb_insn *in, uint32_t on, bool high)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    const wb_row *c = source(w, in->c);
    wb_row *d = result(w, in, on);
    uint32_t ps = pred(w, in->ps), carry = 0;
    for (int i = 0; i < WB_LANES; i++) {
        struct wide_sum r = multiply_add(in, a[i], b[i], pair(c[0][i], c[1][i]), ps >> i & 1);
        carry |= (uint32_t)r.carry << i;
        if (high) {
            d[0][i] = (uint32_t)(r.sum >> 32);
        } else {
            d[0][i] = (uint32_t)r.sum;
            d[1][i] = (uint32_t)(r.sum >> 32);
        }
    }
    commit(w, in, on, high ? 1 : 2);
    set_pred(w, in->pd, carry, on);
}

/* d pair = a * b + c pair; Pd = carry out of bit 63; .X adds Ps. */
void WB_EXEC(imad_wide)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (in->x || in->pd != WB_PRED_TRASH || in->neg) {
        multiply_wide(w, in, on, false);
        return;
    }
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    const wb_row *c = source(w, in->c);
    wb_row *d = result(w, in, on);
    uint32_t top = in->is_signed ? WB_ALL_LANES : 0;
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint64_t product = (uint64_t)a[i] * b[i]; /* signed: less 2^32 (b if a < 0, a if b < 0) */
        uint32_t less = (b[i] & (0 - (a[i] >> 31))) + (a[i] & (0 - (b[i] >> 31)));
        uint64_t sum = product + pair(c[0][i], c[1][i]) - ((uint64_t)(less & top) << 32);
        d[0][i] = (uint32_t)sum;
        d[1][i] = (uint32_t)(sum >> 32);
    }
    commit(w, in, on, 2);
}

/* d = high word of a * b + c pair; Pd = carry out of bit 63. */
void WB_EXEC(imad_hi)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    multiply_wide(w, in, on, true);
}

static uint32_t byte_of(uint32_t word, unsigned byte, bool is_signed)
{
    uint32_t value = word >> 8 * byte & 0xff;
    return is_signed ? (uint32_t)(int8_t)value : value;
}

/* d = c + a dot product: four bytes by four bytes, or (.2A) two halves of a by two bytes of b. */
void WB_EXEC(idp)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t sum = c[i];
        for (unsigned k = 0; k < (in->f32 ? 2u : 4u); k++) {
            uint32_t half = a[i] >> 16 * (k & 1) & 0xffff;
            uint32_t x = !in->f32        ? byte_of(a[i], k, in->is_signed)
                         : in->is_signed ? (uint32_t)(int16_t)half
                                         : half;
            sum += x * byte_of(b[i], in->f32 && in->high ? k + 2 : k, in->is_signed_b);
        }
        d[i] = sum;
    }
    commit(w, in, on, 1);
}

/* d = (a << amount) + b; Pd = carry out of that addition. */
void WB_EXEC(lea)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t na = neg_all(in, WB_A), nb = neg_all(in, WB_B), *d = *result(w, in, on);
    alignas(16) uint32_t carry[WB_LANES];
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t shifted = a[i] << in->amount, y = b[i];
        uint32_t x = (shifted ^ na) - na, sum = x + ((y ^ nb) - nb);
        d[i] = sum;
        carry[i] = nb   ? all_ones_if(x >= y)
                   : na ? all_ones_if(y >= shifted) /* also of -0 */
                        : all_ones_if(sum < x);
    }
    commit(w, in, on, 1);
    set_pred(w, in->pd, lanes_set(carry), on);
}

/* d = high word of ({c:a} << amount) + b (+ Ps with .X); .SX32: the shifted value is a, signed. */
void WB_EXEC(lea_hi)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t na = neg_all(in, WB_A), nb = neg_all(in, WB_B), *d = *result(w, in, on);
    uint32_t extra_lanes = in->x ? pred(w, in->ps) : nb; /* where 1 is added */
    uint32_t use_sign = all_ones_if(in->is_signed), amount = in->amount;
    alignas(16) uint32_t carry[WB_LANES];
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t sign = 0 - (a[i] >> 31);
        uint64_t value = pair(a[i], (sign & use_sign) | (c[i] & ~use_sign));
        value = (value ^ pair(na, na)) - pair(na, na);
        uint32_t high = (uint32_t)(value << amount >> 32), addend = b[i] ^ nb;
        uint32_t partial = high + addend;
        uint32_t sum = partial + (extra_lanes & wb_lane_bit[i] ? 1 : 0);
        d[i] = sum;
        carry[i] = partial < high || sum < partial ? WB_ALL_LANES : 0;
    }
    commit(w, in, on, 1);
    set_pred(w, in->pd, lanes_set(carry), on);
}

/* One bit column of LOP3: `hi` where x is 1, `lo` where it is 0. */
static inline uint32_t mux(uint32_t x, uint32_t hi, uint32_t lo)
{
    return lo ^ (x & (hi ^ lo));
}

/* d = f(a, b, c) bit by bit, f by truth table. */
static void lop3_any(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                     unsigned lut)
{
    uint32_t t[8];
    for (unsigned i = 0; i < 8; i++) {
        t[i] = all_ones_if(lut >> i & 1);
    }
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = a[i], y = b[i], z = c[i];
        uint32_t b0 = mux(y, mux(z, t[3], t[2]), mux(z, t[1], t[0]));
        uint32_t b1 = mux(y, mux(z, t[7], t[6]), mux(z, t[5], t[4]));
        d[i] = mux(x, b1, b0);
    }
}

/* d = f(a, b, c) bit by bit, f by truth table; Pd = (d != 0) or Ps (.PAND: and Ps). */
void WB_EXEC(lop3)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    if (in->lut == 0xc0) { /* the most frequent table: a & b */
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = a[i] & b[i];
        }
    } else {
        lop3_any(d, a, b, c, in->lut);
    }
    if (in->pd != WB_PRED_TRASH) {
        alignas(16) uint32_t nonzero[WB_LANES];
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            nonzero[i] = all_ones_if(d[i] != 0);
        }
        uint32_t ps = pred(w, in->ps), any = lanes_set(nonzero);
        set_pred(w, in->pd, in->flag ? any & ps : any | ps, on);
    }
    commit(w, in, on, 1);
}

enum { SHF_S64, SHF_U64, SHF_S32, SHF_U32 };

/* One lane of a funnel shift of {high:low}. */
static uint32_t shift_lane(const struct wb_insn *in, uint32_t low, uint32_t amount, uint32_t high)
{
    bool is_64 = in->type <= SHF_U64, is_signed = in->type == SHF_S64 || in->type == SHF_S32;
    uint32_t limit = is_64 ? 64 : 32;
    uint32_t n = in->wrap ? amount % limit : amount < limit ? amount : limit;
    uint64_t value = pair(low, high);
    if (!in->right) {
        uint64_t shifted = n < 64 ? value << n : 0;
        return (uint32_t)(in->high ? shifted >> 32 : shifted);
    }
    if (in->high) {
        if (is_signed) {
            return (uint32_t)((int32_t)high >> (n < 31 ? n : 31));
        }
        return n < 32 ? high >> n : 0;
    }
    if (is_signed) {
        return (uint32_t)((int64_t)value >> (n < 63 ? n : 63));
    }
    return n < 64 ? (uint32_t)(value >> n) : 0;
}

/* Funnel shift: word 0 or (.HI) 1 of {c:a} << b; right: word 0 of {c:a} >> b, or c >> b. Amounts
 * past 32 (64) count as 32 (64), with .W modulo it. */
void WB_EXEC(shf)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    if (in->type == SHF_U32 && !in->wrap && !in->right && !in->high) { /* plain << */
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = b[i] < 32 ? a[i] << (b[i] & 31) : 0;
        }
    } else if (in->type == SHF_U32 && !in->wrap && in->right && in->high) { /* plain >> */
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = b[i] < 32 ? c[i] >> (b[i] & 31) : 0;
        }
    } else {
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = shift_lane(in, a[i], b[i], c[i]);
        }
    }
    commit(w, in, on, 1);
}
