/* SPDX-License-Identifier: MIT
 * How undefined sources make undefined results, a function for each word of enum spread. Values of
 * defined sources are looked at where they decide: the chosen side of a select, a factor of zero,
 * the bits that a mask lets through. To add one: a word in undefined_table.h, a row at the end.
 */
#include "undefined_table.h"

#include <string.h>

/* Undefined lanes of an instruction's sources, of those that execute. */
struct sources {
    uint32_t a, b, c, ps, pt, pu;
};

typedef void spread_fn(struct wb_undefined_result *result, struct wb_warp *w,
                       const struct wb_insn *in, uint32_t on, const struct sources *from);

static const uint32_t *words(const struct wb_warp *w, struct wb_operand o)
{
    return w->rows[o.space][o.row];
}

static uint32_t computed_lanes(const struct wb_warp *w, struct wb_operand o)
{
    return o.space == WB_SPACE_WARP ? w->undefined->computed[o.row] : 0;
}

static uint32_t zero_lanes(const uint32_t *row)
{
    uint32_t zeros = 0;
    for (int i = 0; i < WB_LANES; i++) {
        zeros |= (uint32_t)(row[i] == 0) << i;
    }
    return zeros;
}

static uint32_t value_of(const struct wb_warp *w, struct wb_pred p)
{
    return w->pred[p.index] ^ (p.negate ? WB_ALL_LANES : 0);
}

static void defines(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                    uint32_t on, const struct sources *from)
{
    (void)result, (void)w, (void)in, (void)on, (void)from;
}

static void moves(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                  uint32_t on, const struct sources *from)
{
    (void)on;
    result->d = from->b;
    result->computed = computed_lanes(w, in->b);
}

static void computes(struct wb_undefined_result *result, struct wb_warp *w,
                     const struct wb_insn *in, uint32_t on, const struct sources *from)
{
    (void)w, (void)in, (void)on;
    uint32_t any = from->a | from->b | from->c | from->ps | from->pt | from->pu;
    result->d = result->computed = result->pd = result->pe = any;
}

static void selects(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                    uint32_t on, const struct sources *from)
{
    (void)on;
    uint32_t ps = value_of(w, in->ps);
    result->d = (from->a & ps) | (from->b & ~ps) | from->ps;
    result->computed =
        (computed_lanes(w, in->a) & ps) | (computed_lanes(w, in->b) & ~ps) | from->ps;
}

/* PRMT: selectors 0 to 3 are bytes of a, 4 to 7 of c. The other modes are rare: any source. */
static void permutes(struct wb_undefined_result *result, struct wb_warp *w,
                     const struct wb_insn *in, uint32_t on, const struct sources *from)
{
    uint32_t takes_a = 0, takes_c = 0;
    const uint32_t *selectors = words(w, in->b);
    (void)on;
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint32_t far = selectors[i] & 0x4444;
        takes_a |= (uint32_t)(far != 0x4444) << i;
        takes_c |= (uint32_t)(far != 0) << i;
    }
    if (in->sub != 0) {
        takes_a = takes_c = WB_ALL_LANES;
    }
    uint32_t computed = computed_lanes(w, in->a) | computed_lanes(w, in->c);
    result->d = (from->a & takes_a) | (from->c & takes_c) | from->b;
    result->computed = computed | from->b;
}

static bool is_zero_row(struct wb_operand o)
{
    return o.space == WB_SPACE_WARP && o.row == WB_ROW_ZERO;
}

static void multiplies(struct wb_undefined_result *result, struct wb_warp *w,
                       const struct wb_insn *in, uint32_t on, const struct sources *from)
{
    uint32_t factors = 0;
    (void)on;
    if (from->a | from->b) {
        uint32_t zero_a = zero_lanes(words(w, in->a)) & ~from->a;
        uint32_t zero_b = zero_lanes(words(w, in->b)) & ~from->b;
        factors = (from->a & ~zero_b) | (from->b & ~zero_a);
    }
    bool copies = is_zero_row(in->a) || is_zero_row(in->b);
    result->d = result->pd = factors | from->c | from->ps;
    result->computed = copies ? computed_lanes(w, in->c) | from->ps : result->d;
}

/* The value of a truth table of three inputs, index x * 4 + y * 2 + z. */
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

/* The bits of a truth table's value that change when undefined inputs (masks) do. */
static uint32_t depends(unsigned lut, const uint32_t value[3], const uint32_t undefined[3])
{
    uint32_t r = truth(lut, value[0], value[1], value[2]), differs = 0;
    for (unsigned flips = 1; flips < 8; flips++) {
        uint32_t x = flips & 4 ? undefined[0] : 0, y = flips & 2 ? undefined[1] : 0,
                 z = flips & 1 ? undefined[2] : 0;
        differs |= r ^ truth(lut, value[0] ^ x, value[1] ^ y, value[2] ^ z);
    }
    return differs;
}

/* A predicate of two joined parts, r not known yet: where one part alone decides, the other may be
 * anything. */
static uint32_t joined(unsigned bop, uint32_t r, uint32_t undefined_ps, uint32_t ps)
{
    uint32_t decides = bop == 0 ? ~ps : bop == 1 ? ps : 0;
    return (r & ~(decides & ~undefined_ps)) | undefined_ps;
}

static void logic(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                  uint32_t on, const struct sources *from)
{
    const uint32_t *a = words(w, in->a), *b = words(w, in->b), *c = words(w, in->c);
    (void)on;
    for (uint32_t rest = from->a | from->b | from->c; rest; rest &= rest - 1) {
        unsigned i = wb_lowest_lane(rest);
        uint32_t value[3] = {a[i], b[i], c[i]};
        uint32_t undefined[3] = {0 - (from->a >> i & 1), 0 - (from->b >> i & 1),
                                 0 - (from->c >> i & 1)};
        result->d |= depends(in->lut, value, undefined) ? UINT32_C(1) << i : 0;
    }
    result->computed = result->d;
    result->pd = joined(in->flag ? 0 : 1, result->d, from->ps, value_of(w, in->ps));
}

static void truths(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                   uint32_t on, const struct sources *from)
{
    uint32_t value[3] = {value_of(w, in->ps), value_of(w, in->pt), value_of(w, in->pu)};
    uint32_t undefined[3] = {from->ps, from->pt, from->pu};
    result->pd = depends(in->lut, value, undefined) & on;
    result->pe = depends(in->lut2, value, undefined) & on;
}

/* Where only Ps is undefined: does the result change with it? The handler itself knows. */
static void compare_twice(struct wb_undefined_result *result, struct wb_warp *w,
                          const struct wb_insn *in, uint32_t on, uint32_t lanes)
{
    uint32_t saved[WB_PRED_COUNT];
    memcpy(saved, w->pred, sizeof saved);
    in->exec(w, in, on);
    uint32_t pd = w->pred[in->pd], pe = w->pred[in->pe];
    memcpy(w->pred, saved, sizeof saved);
    w->pred[in->ps.index] ^= lanes;
    in->exec(w, in, on);
    result->pd |= (pd ^ w->pred[in->pd]) & lanes;
    result->pe |= (pe ^ w->pred[in->pe]) & lanes;
    memcpy(w->pred, saved, sizeof saved);
}

static void compares(struct wb_undefined_result *result, struct wb_warp *w,
                     const struct wb_insn *in, uint32_t on, const struct sources *from)
{
    uint32_t compared = from->a | from->b | from->pu;
    bool joins = in->op != WB_OP_DSETP || (in->cmp != 0 && in->cmp != 15); /* not .MIN, .MAX */
    uint32_t open = joined(in->bop, compared, from->ps, value_of(w, in->ps)) & compared;
    result->pd = result->pe = joins ? open : compared;
    if (from->ps & ~compared) {
        compare_twice(result, w, in, on, from->ps & ~compared);
    }
}

static void lowest(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                   uint32_t on, const struct sources *from)
{
    bool first = on && from->a >> wb_lowest_lane(on) & 1;
    uint32_t before = in->flag ? w->undefined->pred[in->pd] & on : 0; /* .OR: Pd as it was */
    result->d = result->computed = first ? WB_ALL_LANES : 0;
    result->pd = first ? on : from->a | before;
}

/* P2R: predicate p matters in lanes whose mask b has bit p. */
static void packs(struct wb_undefined_result *result, struct wb_warp *w, const struct wb_insn *in,
                  uint32_t on, const struct sources *from)
{
    const uint32_t *b = words(w, in->b);
    const struct wb_undefined *u = w->undefined;
    uint32_t lanes = from->a | from->b;
    for (unsigned p = 0; p < WB_PRED_TRUE; p++) {
        unsigned place = p + (in->all_if_any ? WB_PRED_UNIFORM : 0);
        for (uint32_t rest = u->pred[place] & on; rest; rest &= rest - 1) {
            unsigned i = wb_lowest_lane(rest);
            if (b[i] >> p & 1) {
                lanes |= UINT32_C(1) << i;
                result->origin = u->pred_origin[place];
            }
        }
    }
    result->d = result->computed = lanes;
}

static spread_fn *const functions[SPREADS] = {
    [DEFINES] = defines,   [MOVES] = moves,           [COMPUTES] = computes, [SELECTS] = selects,
    [PERMUTES] = permutes, [MULTIPLIES] = multiplies, [LOGIC] = logic,       [COMPARES] = compares,
    [TRUTH] = truths,      [LOWEST] = lowest,         [PACKS] = packs,
};

/* An operand's undefined lanes; the origin of the first operand that has any is the result's. */
static uint32_t look(struct wb_undefined_result *result, bool *found, const struct wb_warp *w,
                     struct wb_operand o, unsigned rows, uint32_t on)
{
    uint32_t lanes = wb_undefined_lanes(w, o, rows) & on;
    if (lanes && !*found) {
        *found = true;
        result->origin = wb_undefined_origin_of(w, o, rows, on);
    }
    return lanes;
}

static uint32_t look_at_pred(struct wb_undefined_result *result, bool *found,
                             const struct wb_warp *w, struct wb_pred p, uint32_t on)
{
    uint32_t lanes = w->undefined->pred[p.index] & on;
    if (lanes && !*found) {
        *found = true;
        result->origin = w->undefined->pred_origin[p.index];
    }
    return lanes;
}

struct wb_undefined_result wb_undefined_spread(struct wb_warp *w, const struct wb_insn *in,
                                               uint32_t on)
{
    const struct wb_undefined_row *row = wb_undefined_row(in->op);
    struct wb_undefined_result result = {0};
    bool found = false;
    if (row->spread == DEFINES) {
        return result;
    }
    struct sources from = {
        .a = look(&result, &found, w, in->a, wb_undefined_width(in, row->a), on),
        .b = look(&result, &found, w, in->b, wb_undefined_width(in, row->b), on),
        .c = look(&result, &found, w, in->c, wb_undefined_width(in, row->c), on),
        .ps = look_at_pred(&result, &found, w, in->ps, on),
        .pt = look_at_pred(&result, &found, w, in->pt, on),
        .pu = look_at_pred(&result, &found, w, in->pu, on),
    };
    if (found || row->spread == PACKS || row->spread == LOWEST) {
        functions[row->spread](&result, w, in, on, &from);
    }
    return result;
}
