/* SPDX-License-Identifier: MIT
 * Handlers: moves, selects, permutation, special registers, predicate logic.
 */
#include "exec.h"
#include "guard.h"
#include "special.h"

/* d = b. */
void WB_EXEC(mov)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = b[i];
    }
    commit(w, in, on, 1);
}

/* d = Ps ? a : b. */
void WB_EXEC(sel)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = ps & wb_lane_bit[i] ? a[i] : b[i];
    }
    commit(w, in, on, 1);
}

/* d = Ps ? a : b after sign modifiers; .FTZ makes a denormal result zero. */
void WB_EXEC(fsel)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    uint32_t ps = pred(w, in->ps), *d = *result(w, in, on);
    uint32_t aa = abs_keep(in, WB_A), na = neg_sign(in, WB_A);
    uint32_t ab = abs_keep(in, WB_B), nb = neg_sign(in, WB_B);
    uint32_t exponent = in->ftz ? UINT32_C(0x7f800000) : 0, zero = in->ftz ? 0 : 1;
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t r = wb_keep(ps, i, (a[i] & aa) ^ na, (b[i] & ab) ^ nb);
        d[i] = (r & exponent) == zero ? r & UINT32_C(0x80000000) : r;
    }
    commit(w, in, on, 1);
}

/* Selector of PRMT's mode for result byte `byte`: an index into the 8 bytes {c, a}. Modes 1 to 6
 * are those of PTX prmt and look at the two low bits of the selector. */
static unsigned prmt_index(unsigned mode, uint32_t selector, unsigned byte)
{
    unsigned s = selector & 3;
    switch (mode) {
    case 1: /* F4E: four bytes forward from s */
        return s + byte;
    case 2: /* B4E: backward */
        return (s - byte) & 7;
    case 3: /* RC8: byte s replicated */
        return s;
    case 4: /* ECL: edge clamp left */
        return byte > s ? byte : s;
    case 5: /* ECR: edge clamp right */
        return byte < s ? byte : s;
    case 6: /* RC16: half s replicated */
        return (s & 1) * 2 + (byte & 1);
    default:
        return selector >> 4 * byte & 15;
    }
}

/* Each byte of d is one of the bytes 0..3 of a, 4..7 of c; bit 3 of its selector replicates the
 * sign of that byte. */
void WB_EXEC(prmt)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint64_t bytes = pair(a[i], c[i]);
        uint32_t selector = b[i], r = 0;
        for (unsigned byte = 0; byte < 4; byte++) {
            unsigned index = prmt_index(in->sub, selector, byte);
            uint32_t value = bytes >> 8 * (index & 7) & 0xff;
            if (index & 8) {
                value = value & 0x80 ? 0xff : 0;
            }
            r |= value << 8 * byte;
        }
        d[i] = r;
    }
    commit(w, in, on, 1);
}

/* d = special register; CS2R of 64 bits fills a pair. */
void WB_EXEC(s2r)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    wb_row *d = result(w, in, on);
    unsigned rows = in->wide ? 2 : 1;
    for (unsigned r = 0; r < rows; r++) {
        wb_special_read(d[r], w, in->lut, r);
    }
    commit(w, in, on, rows);
}

/* Uniform register = special register of the lowest executing lane. */
void WB_EXEC(s2ur)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (on) {
        wb_special_read(w->scratch[0], w, in->lut, 0);
        set_uniform(w, in, w->scratch[0][wb_lowest_lane(on)]);
    }
}

/* Uniform register = a of the lowest executing lane; Pd = this lane's a differs from it, with .OR
 * (for the second word of a pair) or Pd. */
void WB_EXEC(r2ur)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (!on) {
        return;
    }
    const uint32_t *a = *source(w, in->a);
    uint32_t value = a[wb_lowest_lane(on)], differs = 0;
    for (int i = 0; i < WB_LANES; i++) {
        differs |= a[i] != value ? wb_lane_bit[i] : 0;
    }
    set_uniform(w, in, value);
    set_pred(w, in->pd, in->flag ? differs | w->pred[in->pd] : differs, on);
}

/* The first predicate of the instruction's kind: P0 or UP0. */
static unsigned first_predicate(const struct wb_insn *in)
{
    return in->all_if_any ? WB_PRED_UNIFORM : 0;
}

/* d = a, but the bits of mask b are the predicates P0..P6. Bits and mask are those of one byte. */
void WB_EXEC(p2r)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    const uint32_t *predicates = &w->pred[first_predicate(in)];
    uint32_t *d = *result(w, in, on);
    unsigned shift = 8u * in->amount;
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t bits = 0;
        for (int p = 0; p < WB_PRED_TRUE; p++) {
            bits |= (predicates[p] >> i & 1) << p;
        }
        d[i] = (a[i] & ~(b[i] << shift)) | (bits & b[i]) << shift;
    }
    commit(w, in, on, 1);
}

/* For each bit p of mask b: Pp = bit p of a byte of a. */
void WB_EXEC(r2p)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b);
    for (unsigned p = 0; p < WB_PRED_TRUE; p++) {
        uint32_t value = 0, wanted = 0;
        for (int i = 0; i < WB_LANES; i++) {
            value |= (a[i] >> (8u * in->amount + p) & 1) << i;
            wanted |= (b[i] >> p & 1) << i;
        }
        set_pred(w, (uint8_t)(first_predicate(in) + p), value, on & wanted);
    }
}

/* The function of three bits that an 8-bit truth table gives, index x * 4 + y * 2 + z. */
static uint32_t truth(unsigned lut, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t r = 0;
    for (unsigned index = 0; index < 8; index++) {
        if (lut >> index & 1) {
            r |= (index & 4 ? x : ~x) & (index & 2 ? y : ~y) & (index & 1 ? z : ~z);
        }
    }
    return r;
}

/* The signs of a register as a predicate. */
static uint32_t signs_of(const struct wb_warp *w, struct wb_operand operand)
{
    const uint32_t *words = *source(w, operand);
    uint32_t signs = 0;
    for (int i = 0; i < WB_LANES; i++) {
        signs |= words[i] >> 31 << i;
    }
    return signs;
}

static void set_both(struct wb_warp *w, const struct wb_insn *in, uint32_t on, uint32_t x,
                     uint32_t y, uint32_t z)
{
    uint32_t pd = truth(in->lut, x, y, z), pe = truth(in->lut2, x, y, z);
    set_pred(w, in->pd, pd, on);
    set_pred(w, in->pe, pe, on);
}

/* Pd and Pe are functions of three predicates. */
void WB_EXEC(plop3)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_both(w, in, on, pred(w, in->ps), pred(w, in->pt), pred(w, in->pu));
}

/* The same with the sign of a register in the middle, */
void WB_EXEC(plop3_sign1)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_both(w, in, on, pred(w, in->ps), signs_of(w, in->b), pred(w, in->pu));
}

/* with those of two registers, */
void WB_EXEC(plop3_sign2)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_both(w, in, on, pred(w, in->ps), signs_of(w, in->b), signs_of(w, in->c));
}

/* with those of three. */
void WB_EXEC(plop3_sign)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    set_both(w, in, on, signs_of(w, in->a), signs_of(w, in->b), signs_of(w, in->c));
}

/* What the compiler leaves of a __syncwarp() that all lanes reach together; also a filler. */
void WB_EXEC(syncs_lanes)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)in;
    if (w->guard && on) {
        wb_guard_syncwarp(w, in, on);
    }
}

/* LDGDEPBAR: the asynchronous copies so far are a group. */
void WB_EXEC(ldgdepbar)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)in;
    if (w->guard && on) {
        wb_async_commit(w);
    }
}

/* DEPBAR.LE: waits until at most so many groups are left. */
void WB_EXEC(depbar)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    if (w->guard && on) {
        wb_async_wait(w, in->amount);
    }
}

/* MEMBAR: what was written before can be seen by others before what is written after. */
void WB_EXEC(membar)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)in;
    if (w->guard && on) {
        wb_guard_fence(w);
    }
}

/* What has no meaning here: cache control, commit groups of copies. */
void WB_EXEC(nop)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    (void)w;
    (void)in;
    (void)on;
}
