/* SPDX-License-Identifier: MIT
 * Every row of fast.def in every compilation: random instructions for which its condition holds
 * leave the same registers and predicates as the general handler does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fast.h"
#include "warp.h"

#include <string.h>

enum { REGISTERS = 8, POOL = 4, CASES = 400, TRIES = 4000000 };

static uint64_t random_state = 1;

static uint32_t random_word(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

/* Any word, or one that handlers may treat as special. */
static uint32_t random_value(void)
{
    static const uint32_t special[] = {
        0,          1,          31,         32,         0x7fffffff, 0x80000000,
        0xffffffff, 0x7f800000, 0xff800000, 0x7fc00001, 0xffc12345, 0x00000005,
        0x80000005, 0x3f800000, 0xbf800000, 0x00800000, 0x7f7fffff, 0x7f800001,
    };
    uint32_t r = random_word();
    return r % 3 ? random_word() : special[r / 3 % WB_ARRAY_LENGTH(special)];
}

static void fill(uint32_t row[WB_LANES], bool same)
{
    uint32_t value = random_value();
    for (int i = 0; i < WB_LANES; i++) {
        row[i] = same ? value : random_value();
    }
}

static struct wb_operand random_operand(void)
{
    uint32_t r = random_word();
    if (r % 4 == 0) {
        return (struct wb_operand){.row = r / 4 % POOL, .space = WB_SPACE_POOL};
    }
    return (struct wb_operand){.row = r % 4 == 1 ? WB_ROW_ZERO : r / 4 % REGISTERS,
                               .space = WB_SPACE_WARP};
}

/* An instruction whose members may be anything that some word could mean; mostly plain. */
static struct wb_insn random_insn(void)
{
    static const uint8_t luts[] = {0xc0, 0xfc, 0x3c, 0xf8, 0x96, 0xfe, 0x78};
    struct wb_insn in = {.a = random_operand(), .b = random_operand(), .c = random_operand()};
    uint32_t r = random_word(), s = random_word();
    in.d = (uint16_t)(r & 1 ? WB_ROW_TRASH : random_word() % REGISTERS);
    in.pd = r & 2 ? WB_PRED_TRASH : (uint8_t)(random_word() % 7);
    in.pe = r & 4 ? WB_PRED_TRASH : (uint8_t)(random_word() % 7);
    in.ps = (struct wb_pred){.index = r & 8 ? WB_PRED_TRUE : random_word() % 7, .negate = r & 16};
    in.pt = in.pu = (struct wb_pred){.index = WB_PRED_TRUE};
    in.neg = r & 32 ? 0 : random_word() % 8;
    in.abs = r & 64 ? 0 : random_word() % 8;
    in.lut = luts[random_word() % WB_ARRAY_LENGTH(luts)];
    in.cmp = s % 16;
    in.bop = r & 128 ? 0 : random_word() % 3;
    in.type = s >> 4 & 3;
    in.amount = s >> 6 & 31;
    in.rnd = r & 256 ? 0 : random_word() % 4;
    in.right = s >> 11 & 1;
    in.high = r & 512 ? in.right : s >> 12 & 1;
    in.wrap = s >> 13 & 1;
    in.is_signed = s >> 14 & 1;
    in.ftz = (s >> 15 & 3) == 0;
    in.sat = (s >> 17 & 3) == 0;
    in.x = (s >> 19 & 3) == 0;
    in.flag = (s >> 21 & 3) == 0;
    return in;
}

/* Integer comparisons have codes of three bits. */
static bool makes_sense(const struct wb_engine *engine, const struct wb_fast *row,
                        const struct wb_insn *in)
{
    return row->general != engine->table[WB_OP_ISETP] || in->cmp < 8;
}

struct state {
    struct wb_program program;
    uint32_t (*pool)[WB_LANES];
    struct wb_pool_const constant; /* the last row of the pool is no immediate */
    struct wb_warp *warp, *other;
};

/* Runs both handlers from one state, with all lanes or with some. */
static void check(struct state *s, const struct wb_fast *row, struct wb_insn in)
{
    uint32_t on = random_word() % 2 ? WB_ALL_LANES : random_word();
    for (int i = 0; i < REGISTERS; i++) {
        fill(s->warp->reg[i], false);
    }
    for (int i = 0; i < WB_PRED_TRUE; i++) {
        s->warp->pred[i] = random_word();
    }
    s->warp->rows[WB_SPACE_WARP] = (const uint32_t(*)[WB_LANES])s->warp->reg;
    memcpy(s->other, s->warp, sizeof *s->warp);
    s->other->rows[WB_SPACE_WARP] = (const uint32_t(*)[WB_LANES])s->other->reg;
    row->general(s->warp, &in, on);
    row->exec(s->other, &in, on);
    assert_memory_equal(s->warp->reg, s->other->reg, REGISTERS * sizeof s->warp->reg[0]);
    assert_memory_equal(s->warp->pred, s->other->pred, WB_PRED_TRASH * sizeof s->warp->pred[0]);
}

static void check_row(struct state *s, const struct wb_engine *engine, const struct wb_fast *row)
{
    unsigned cases = 0;
    for (int i = 0; i < TRIES && cases < CASES; i++) {
        struct wb_insn in = random_insn();
        if (i % 64 == 0) {
            for (int r = 0; r < POOL; r++) {
                fill(s->pool[r], true);
            }
        }
        if (makes_sense(engine, row, &in) && row->when(&s->program, &in)) {
            check(s, row, in);
            cases++;
        }
    }
    assert_int_equal(cases, CASES);
}

static void fast_handlers_equal_general_ones(void **state)
{
    (void)state;
    const struct wb_engine *engines[] = {&wb_exec_base_engine, wb_engine_choose()};
    static uint32_t pool[POOL][WB_LANES];
    struct state s = {.pool = pool, .constant = {.row = POOL - 1}};
    s.program = (struct wb_program){
        .pool = pool, .pool_count = POOL, .consts = &s.constant, .const_count = 1};
    static struct wb_warp warps[2];
    s.warp = &warps[0];
    s.other = &warps[1];
    s.warp->rows[WB_SPACE_POOL] = (const uint32_t(*)[WB_LANES])pool;
    s.warp->pred[WB_PRED_TRUE] = WB_ALL_LANES;
    for (size_t e = 0; e < WB_ARRAY_LENGTH(engines); e++) {
        for (size_t i = 0; i < engines[e]->fast_count; i++) {
            print_message("# %s, row %zu of fast.def\n", engines[e]->name, i + 1);
            check_row(&s, engines[e], &engines[e]->fast[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_handlers_equal_general_ones)};
    return cmocka_run_group_tests_name("fast", tests, NULL, NULL);
}
