/* SPDX-License-Identifier: MIT
 * Handlers: double precision, in register pairs. Round to nearest is the host's arithmetic; the
 * directed roundings, and NaNs with their payloads, go through fpu.h.
 */
#include "exec.h"
#include "fpu.h"

#include <math.h>

#define F64_SIGN UINT64_C(0x8000000000000000)

/* One lane of a source, after its sign modifiers, which leave a NaN alone. */
static inline uint64_t value(const struct wb_insn *in, const wb_row *rows, unsigned operand,
                             unsigned lane)
{
    uint64_t x = pair(rows[0][lane], rows[1][lane]);
    if (as_f64(x) != as_f64(x)) {
        return x;
    }
    x = in->abs & operand ? x & ~F64_SIGN : x;
    return in->neg & operand ? x ^ F64_SIGN : x;
}

static inline void put(wb_row *d, unsigned lane, uint64_t bits)
{
    d[0][lane] = (uint32_t)bits;
    d[1][lane] = (uint32_t)(bits >> 32);
}

/* d = a + c: the second source is in slot C. */
void WB_EXEC(dadd)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a), *c = source(w, in->c);
    wb_row *d = result(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t x = value(in, a, WB_A, i), y = value(in, c, WB_C, i);
        double sum = as_f64(x) + as_f64(y);
        bool fast = in->rnd == WB_RN && sum == sum;
        put(d, i, fast ? f64_bits(sum) : wb_f64_add(x, y, in->rnd));
    }
    commit(w, in, on, 2);
}

/* d = a * b. */
void WB_EXEC(dmul)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a), *b = source(w, in->b);
    wb_row *d = result(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t x = value(in, a, WB_A, i), y = value(in, b, WB_B, i);
        double product = as_f64(x) * as_f64(y);
        bool fast = in->rnd == WB_RN && product == product;
        put(d, i, fast ? f64_bits(product) : wb_f64_mul(x, y, in->rnd));
    }
    commit(w, in, on, 2);
}

/* d = a * b + c with one rounding. */
void WB_EXEC(dfma)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a), *b = source(w, in->b), *c = source(w, in->c);
    wb_row *d = result(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t x = value(in, a, WB_A, i), y = value(in, b, WB_B, i), z = value(in, c, WB_C, i);
        double sum = __builtin_fma(as_f64(x), as_f64(y), as_f64(z));
        bool fast = in->rnd == WB_RN && sum == sum;
        put(d, i, fast ? f64_bits(sum) : wb_f64_fma(x, y, z, in->rnd));
    }
    commit(w, in, on, 2);
}

enum { CMP_MIN = 0, CMP_MAX = 15 };

/* Pd = (a cmp b) bop Ps, Pe = !(a cmp b) bop Ps. MIN and MAX: Pd = a is chosen (-0 is less than
 * +0), Pe = b is chosen because it is a NaN that must be made quiet. */
void WB_EXEC(dsetp)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *a = source(w, in->a), *b = source(w, in->b);
    uint32_t less = 0, equal = 0, greater = 0, b_nan = 0, a_nan = 0, a_minus = 0, b_minus = 0;
    for (unsigned i = 0; i < WB_LANES; i++) {
        double x = as_f64(value(in, a, WB_A, i)), y = as_f64(value(in, b, WB_B, i));
        less |= (uint32_t)(x < y) << i;
        equal |= (uint32_t)(x == y) << i;
        greater |= (uint32_t)(x > y) << i;
        a_nan |= (uint32_t)(x != x) << i;
        b_nan |= (uint32_t)(y != y) << i;
        a_minus |= (uint32_t)(signbit(x) != 0) << i;
        b_minus |= (uint32_t)(signbit(y) != 0) << i;
    }
    if (in->cmp == CMP_MIN || in->cmp == CMP_MAX) {
        uint32_t chosen = in->cmp == CMP_MIN ? less | (equal & a_minus & ~b_minus)
                                             : greater | (equal & b_minus & ~a_minus);
        set_pred(w, in->pd, (chosen | b_nan) & ~(a_nan & b_nan), on);
        set_pred(w, in->pe, a_nan & b_nan, on);
        return;
    }
    uint32_t unordered = ~(less | equal | greater);
    uint32_t r = (less & all_ones_if(in->cmp & 1)) | (equal & all_ones_if(in->cmp & 2)) |
                 (greater & all_ones_if(in->cmp & 4)) | (unordered & all_ones_if(in->cmp & 8));
    set_compared(w, in, r, on);
}
