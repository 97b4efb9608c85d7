/* SPDX-License-Identifier: MIT
 * Conditions of fast.def: what must be known of an instruction for a fast handler to do its work.
 */
#include "fast.h"

#include "fpu.h"

/* ---- what they are made of ------------------------------------------------------------------- */

static bool is_zero(struct wb_operand o)
{
    return o.space == WB_SPACE_WARP && o.row == WB_ROW_ZERO;
}

static bool writes_no_predicate(const struct wb_insn *in)
{
    return in->pd == WB_PRED_TRASH && in->pe == WB_PRED_TRASH;
}

/* The constant operand is the same in every launch: an immediate, no constant of a bank. */
static bool is_immediate(const struct wb_program *program, struct wb_operand o)
{
    size_t low = 0, high = program->const_count; /* sorted by row */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (program->consts[middle].row < o.row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return o.space == WB_SPACE_POOL &&
           !(low < program->const_count && program->consts[low].row == o.row);
}

/* Pd = r, Pe = !r: the comparison is joined with nothing. */
static bool joins_nothing(const struct wb_insn *in)
{
    return in->bop == 0 && in->ps.index == WB_PRED_TRUE && !in->ps.negate;
}

/* ---- integer --------------------------------------------------------------------------------- */

bool wb_fast_has_no_signs(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return in->neg == 0 && in->abs == 0;
}

bool wb_fast_adds_three(const struct wb_program *program, const struct wb_insn *in)
{
    return wb_fast_has_no_signs(program, in) && writes_no_predicate(in);
}

bool wb_fast_adds_two(const struct wb_program *program, const struct wb_insn *in)
{
    return wb_fast_adds_three(program, in) && is_zero(in->c);
}

bool wb_fast_copies_c(const struct wb_program *program, const struct wb_insn *in)
{
    return wb_fast_has_no_signs(program, in) && (is_zero(in->a) || is_zero(in->b));
}

bool wb_fast_multiplies_by_1(const struct wb_program *program, const struct wb_insn *in)
{
    return wb_fast_has_no_signs(program, in) && is_immediate(program, in->b) &&
           program->pool[in->b.row][0] == 1;
}

static bool is_lop(const struct wb_insn *in, unsigned lut)
{
    return in->lut == lut && in->pd == WB_PRED_TRASH;
}

bool wb_fast_is_and(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_lop(in, 0xc0);
}

bool wb_fast_is_or(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_lop(in, 0xfc);
}

bool wb_fast_is_xor(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_lop(in, 0x3c);
}

bool wb_fast_is_or_and(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_lop(in, 0xf8);
}

/* Pd = (a & b) != 0, and nothing else. */
bool wb_fast_tests_and(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return in->lut == 0xc0 && in->d == WB_ROW_TRASH && in->pe == WB_PRED_TRASH && !in->flag &&
           in->ps.index == WB_PRED_TRUE && in->ps.negate;
}

/* A shift of one word by an amount that is known and below 32. */
static bool shifts_word(const struct wb_program *program, const struct wb_insn *in, bool right,
                        unsigned type)
{
    return in->type == type && in->right == right && in->high == right &&
           is_immediate(program, in->b) && program->pool[in->b.row][0] < 32;
}

bool wb_fast_shifts_left(const struct wb_program *program, const struct wb_insn *in)
{
    return shifts_word(program, in, false, 3);
}

bool wb_fast_shifts_right(const struct wb_program *program, const struct wb_insn *in)
{
    return shifts_word(program, in, true, 3);
}

bool wb_fast_shifts_signed(const struct wb_program *program, const struct wb_insn *in)
{
    return shifts_word(program, in, true, 2);
}

bool wb_fast_adds_scaled(const struct wb_program *program, const struct wb_insn *in)
{
    return wb_fast_has_no_signs(program, in) && writes_no_predicate(in);
}

bool wb_fast_adds_funnel(const struct wb_program *program, const struct wb_insn *in)
{
    return wb_fast_adds_scaled(program, in) && !in->x && !in->is_signed && in->amount > 0;
}

/* ---- comparisons ------------------------------------------------------------------------------
 * The code of a comparison is a set of outcomes: 1 less, 2 equal, 4 greater, 8 unordered. A fast
 * handler does one and its opposite, the rest of the set. */

static bool compares(const struct wb_insn *in, unsigned outcomes, unsigned all)
{
    return joins_nothing(in) && (in->cmp == outcomes || in->cmp == (all & ~outcomes));
}

bool wb_fast_is_equality(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares(in, 2, 7);
}

bool wb_fast_is_less(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares(in, 1, 7) && !in->is_signed;
}

bool wb_fast_is_less_signed(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares(in, 1, 7) && in->is_signed;
}

bool wb_fast_is_more(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares(in, 4, 7) && !in->is_signed;
}

bool wb_fast_is_more_signed(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares(in, 4, 7) && in->is_signed;
}

static bool compares_floats(const struct wb_insn *in, unsigned outcomes)
{
    return compares(in, outcomes, 15) && !in->ftz && in->neg == 0 && in->abs == 0;
}

bool wb_fast_is_float_eq(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares_floats(in, 2);
}

bool wb_fast_is_float_lt(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares_floats(in, 1);
}

bool wb_fast_is_float_le(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares_floats(in, 3);
}

bool wb_fast_is_float_gt(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares_floats(in, 4);
}

bool wb_fast_is_float_ge(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return compares_floats(in, 6);
}

/* ---- single precision ------------------------------------------------------------------------ */

/* To nearest, with those operands negated and nothing else. */
static bool is_float(const struct wb_insn *in, unsigned negated)
{
    return in->neg == negated && in->abs == 0 && in->rnd == WB_RN && !in->ftz && !in->sat;
}

bool wb_fast_is_plain_float(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_float(in, 0);
}

bool wb_fast_negates_b(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_float(in, WB_B);
}

bool wb_fast_negates_c(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_float(in, WB_C);
}

bool wb_fast_negates_product(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return is_float(in, WB_A) || is_float(in, WB_B);
}

bool wb_fast_rounds_down(const struct wb_program *program, const struct wb_insn *in)
{
    (void)program;
    return in->neg == 0 && in->abs == 0 && in->rnd == WB_RM && !in->ftz && !in->sat;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static wb_exec_fn *choose(const struct wb_program *program, const struct wb_insn *in,
                          const struct wb_engine *engine)
{
    for (size_t i = 0; i < engine->fast_count; i++) {
        const struct wb_fast *row = &engine->fast[i];
        if (row->general == in->exec && row->when(program, in)) {
            return row->exec;
        }
    }
    return in->exec;
}

void wb_program_specialise(struct wb_program *program, const struct wb_engine *engine)
{
    for (uint32_t i = 0; i < program->count; i++) {
        program->code[i].exec = choose(program, &program->code[i], engine);
    }
}
