/* SPDX-License-Identifier: MIT
 * The decoder: fields of known words, every word of the fixtures' kernels, bits that nobody knows.
 * The words are ptxas' own, their text is cuobjdump's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine.h"
#include "inst_table.h"

#include <string.h>

struct fixture {
    struct wb_arena arena;
};

/* Decodes one word at instruction 16. */
static const struct wb_insn *decode(struct wb_program *program, struct fixture *f, uint64_t low,
                                    uint64_t high)
{
    uint64_t words[17 * 2] = {[16 * 2] = low, [16 * 2 + 1] = high};
    wb_decode(program, &f->arena, (const uint8_t *)words, sizeof words, wb_exec_base_engine.table);
    return &program->code[16];
}

static uint32_t pool_value(const struct wb_program *program, struct wb_operand operand)
{
    assert_int_equal(operand.space, WB_SPACE_POOL);
    assert_int_equal(program->pool[operand.row][0], program->pool[operand.row][31]);
    return program->pool[operand.row][0];
}

static void known_words(void **state)
{
    static const struct {
        enum wb_op op;
        uint64_t low, high;
    } rows[] = {
        {WB_OP_LDC, 0x00000a00ff017b82, 0x000fe20000000800},       /* LDC R1, c[0x0][0x28] */
        {WB_OP_S2R, 0x0000000000057919, 0x000e220000002500},       /* S2R R5, SR_CTAID.X */
        {WB_OP_BSSY, 0x0000015000007945, 0x000fe20003800000},      /* BSSY B0, 0x190 */
        {WB_OP_IMAD, 0x0000000405057c24, 0x001fe2000f8e0200},      /* IMAD R5, R5, UR4, R0 */
        {WB_OP_ULDC, 0x0000820000047ab9, 0x000fc80000000a00},      /* ULDC.64 UR4, c[0x0][0x208] */
        {WB_OP_ISETP, 0x000000ff0500720c, 0x000fda0003f05270},     /* ISETP.NE.AND P0,PT,R5,RZ,PT */
        {WB_OP_HFMA2_MMA, 0x00000000ff077435, 0x000fe200000001ff}, /* HFMA2.MMA R7,-RZ,RZ,0,0 */
        {WB_OP_LEA_HI, 0x0000000b00007211, 0x000fc800078f28ff},    /* LEA.HI R0, R0, R11, RZ, 0x5 */
        {WB_OP_VIADDMNMX, 0xb96000000d0c7446, 0x000fc8000780090c}, /* VIADDMNMX R12, R13, -R12 .. */
        {WB_OP_WARPSYNC_ALL, 0x0000000000007948, 0x000fea0003800000},
        {WB_OP_BRA_DIV, 0x00000002084c7947, 0x000fea000b800000},
        {WB_OP_BAR_REG, 0x000000040000731d, 0x0001e40000010000},
        {WB_OP_CALL_ABS, 0x000000000a007343, 0x001fea0003c00000},
    };
    struct wb_program program;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        const struct wb_insn *in = decode(&program, *state, rows[i].low, rows[i].high);
        assert_string_equal(wb_op_name(in->op), wb_op_name(rows[i].op));
        assert_int_equal(in->op, rows[i].op);
        assert_ptr_equal(in->exec, wb_exec_base_engine.table[rows[i].op]);
    }
}

/* @!P0 LOP3.LUT with an immediate; then SHF. */
static void operands_and_fields(void **state)
{
    struct wb_program p;
    /* LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT */
    const struct wb_insn *in = decode(&p, *state, 0x0000000100027812, 0x000fe400078ec0ff);
    assert_int_equal(in->d, 2);
    assert_int_equal(in->a.row, 0);
    assert_int_equal(pool_value(&p, in->b), 1);
    assert_int_equal(in->c.row, WB_ROW_ZERO);
    assert_int_equal(in->lut, 0xc0);
    assert_int_equal(in->pd, WB_PRED_TRASH);
    assert_true(in->ps.negate);
    /* @P0 SHF.R.U32.HI R2, RZ, 0x1, R0 */
    in = decode(&p, *state, 0x00000001ff020819, 0x000fc80000011600);
    assert_int_equal(in->guard, 0);
    assert_int_equal(in->guard_flip, 0);
    assert_int_equal(in->type, 3);
    assert_true(in->right && in->high && !in->wrap);
    /* VIADDMNMX R12, R13, -R12, 0xb9600000, !PT: form 2, B is in the third slot */
    in = decode(&p, *state, 0xb96000000d0c7446, 0x000fc8000780090c);
    assert_int_equal(in->b.row, 12);
    assert_int_equal(in->neg, WB_B);
    assert_true(in->is_signed && in->ps.negate);
    assert_int_equal(pool_value(&p, in->c), 0xb9600000);
    /* IMAD R5, R5, UR4, R0 */
    in = decode(&p, *state, 0x0000000405057c24, 0x001fe2000f8e0200);
    assert_int_equal(in->b.row, WB_ROW_UNIFORM + 4);
    /* ULEA UR4, UR5, UR4, 0x18: all uniform, and executed for the warp */
    in = decode(&p, *state, 0x0000000405047291, 0x002fc6000f8ec03f);
    assert_int_equal(in->d, WB_ROW_UNIFORM + 4);
    assert_int_equal(in->a.row, WB_ROW_UNIFORM + 5);
    assert_int_equal(in->amount, 0x18);
    assert_int_equal(in->all_if_any, WB_ALL_LANES);
}

static void branches(void **state)
{
    struct wb_program p;
    /* @P0 BRA 0xe0 at 0x150: the same distance from instruction 16 */
    const struct wb_insn *in = decode(&p, *state, 0xfffffffc00e00947, 0x000fea000383ffff);
    assert_int_equal(in->target, 16 + 0xe - 0x15);
    /* a target outside of the code is the end */
    in = decode(&p, *state, 0x7ffffff000007947, 0x000fea0003800000);
    assert_int_equal(in->target, p.count);
    assert_int_equal(p.code[p.count].op, WB_OP_END);
}

/* f64 immediates are high words; constants of ALU forms are filled in at launch. */
static void pairs(void **state)
{
    struct wb_program p;
    /* DMUL R8, R8, 0.5 */
    const struct wb_insn *in = decode(&p, *state, 0x3fe0000008087828, 0x002fce0000000000);
    assert_int_equal(pool_value(&p, in->b), 0);
    assert_int_equal(p.pool[in->b.row + 1][7], 0x3fe00000);
    /* IADD3 R0, R1, c[0x0][0x160], RZ */
    in = decode(&p, *state, 0x0000580001007a10, 0x000fe40007ffe0ff);
    assert_int_equal(in->op, WB_OP_IADD3);
    assert_int_equal(p.const_count, 1);
    assert_int_equal(p.consts[0].bank, 0);
    assert_int_equal(p.consts[0].offset, 0x160);
    assert_int_equal(p.consts[0].row, in->b.row);
}

static void unknown_words(void **state)
{
    static const struct {
        uint64_t low, high;
    } rows[] = {
        {0, 0},                                             /* no such opcode */
        {0x00000000000001ff, 0},                            /* neither */
        {0x0000000201007221, 0x000fe40001000000},           /* FADD with bit 88 */
        {0x0000000201007221, UINT64_C(0x400fe40000000000)}, /* ... bit 126 */
        {0x0000000100020812, 0x000fe500078ec0ff},           /* LOP3 with bit 104 */
    };
    struct wb_program p;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        const struct wb_insn *in = decode(&p, *state, rows[i].low, rows[i].high);
        assert_int_equal(in->op, WB_OP_UNKNOWN);
        struct wb_word left = wb_decode_unexplained((struct wb_word){rows[i].low, rows[i].high});
        assert_true(left.low | left.high);
    }
    assert_string_equal(wb_op_name(WB_OP_UNKNOWN), "?");
}

/* Tensor cores, textures by a register's handle: known by name, whatever their fields say, and
 * refused when executed. */
static void refused_words(void **state)
{
    struct wb_program p;
    assert_int_equal(decode(&p, *state, 0x000000040c0c723c, 0x000fe200000018ff)->op, WB_OP_HMMA);
    assert_int_equal(decode(&p, *state, 0x2000040804047361, 0x000f6200019e01ff)->op, WB_OP_TEX_B);
}

/* All code that ptxas made for the fixtures is explained to the last bit. */
static void every_word_of_the_fixtures(void **state)
{
    static const char *const files[] = {"first15/first15", "sass/families", "sass/faults",
                                        "sass/textures"};
    struct fixture *f = *state;
    size_t words = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(files); i++) {
        struct wb_status status = {0};
        struct wb_bytes bytes;
        struct wb_cubin *cubin;
        char *path = wb_arena_printf(&f->arena, WB_FIXTURES "/%s.cubin", files[i]);
        assert_true(wb_file_read(&bytes, &f->arena, path, 1 << 24, &status));
        assert_true(wb_cubin_parse(&cubin, &f->arena, bytes.data, bytes.size, &status));
        for (size_t k = 0; k < cubin->kernel_count; k++) {
            for (size_t at = 0; at + 16 <= cubin->kernels[k].code_size; at += 16) {
                struct wb_word word;
                memcpy(&word, cubin->kernels[k].code + at, sizeof word);
                struct wb_word left = wb_decode_unexplained(word);
                if (left.low | left.high) {
                    fail_msg("%s, %s, 0x%zx", files[i], cubin->kernels[k].name, at);
                }
                words++;
            }
        }
    }
    assert_true(words > 5000);
}

/* Any bits decode to something, and registers stay inside a warp's rows. */
static void random_words(void **state)
{
    enum { WORDS = 4096 };
    static uint64_t words[2 * WORDS];
    struct fixture *f = *state;
    struct wb_program p;
    uint64_t seed = 7;
    for (unsigned turn = 0; turn < 20; turn++) {
        for (unsigned i = 0; i < 2 * WORDS; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            words[i] = seed ^ seed >> 29;
            words[i] &= i & 1 ? UINT64_C(0x03fffeffffffffff) : UINT64_MAX;
        }
        wb_decode(&p, &f->arena, (const uint8_t *)words, sizeof words, wb_exec_base_engine.table);
        for (unsigned i = 0; i < p.count; i++) {
            const struct wb_operand *operands[] = {&p.code[i].a, &p.code[i].b, &p.code[i].c};
            for (unsigned k = 0; k < 3; k++) {
                size_t rows = operands[k]->space == WB_SPACE_POOL ? p.pool_count : WB_ROW_COUNT - 4;
                assert_true(operands[k]->row < rows);
            }
            assert_true(p.code[i].d < WB_ROW_COUNT - 4);
            assert_true(p.code[i].target <= p.count);
            assert_non_null(p.code[i].exec);
        }
    }
}

/* Every row of inst.def has a handler in every engine. */
static void every_row_has_a_handler(void **state)
{
    (void)state;
    for (int op = 0; op < WB_OP_ALL; op++) {
        assert_non_null(wb_exec_base_engine.table[op]);
        assert_non_null(wb_engine_choose()->table[op]);
    }
}

/* Marks bits of a word as used; false if one was already. */
static bool claim(uint8_t used[128], unsigned low, unsigned width)
{
    bool free = true;
    for (unsigned i = low; i < low + width; i++) {
        free = free && !used[i];
        used[i] = 1;
    }
    return free;
}

/* No two modifiers of a row share a bit. (Signs of b and c depend on the form: not here.) */
static void modifiers_do_not_overlap(void **state)
{
    (void)state;
    for (int op = 0; op < WB_OP_COUNT; op++) {
        const struct wb_inst_row *row = &wb_inst_rows[op];
        uint8_t used[128] = {0};
        bool ok = true;
        for (int i = 0; i < MAX_MODIFIERS; i++) {
            unsigned m = row->modifiers[i];
            if (m > NO_FIELD && m < FIELD_COUNT) {
                ok = claim(used, wb_inst_fields[m].low, wb_inst_fields[m].width) && ok;
            } else if (m == NA || m == AA) {
                ok = claim(used, m == NA ? 72 : 73, 1) && ok;
            }
        }
        if (row->operands & PS) {
            ok = claim(used, 87, 4) && ok;
        }
        if (row->operands & PT) {
            ok = claim(used, 77, 4) && ok;
        }
        if (row->operands & (PD | UPD)) {
            ok = claim(used, 81, 3) && ok;
        }
        if (row->operands & PE) {
            ok = claim(used, 84, 3) && ok;
        }
        if (!ok) {
            fail_msg("%s: two modifiers share a bit", row->mnemonic);
        }
    }
}

static int set_up(void **state)
{
    static struct fixture f;
    wb_arena_init(&f.arena);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    wb_arena_finish(&f->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_words),
        cmocka_unit_test(operands_and_fields),
        cmocka_unit_test(branches),
        cmocka_unit_test(pairs),
        cmocka_unit_test(unknown_words),
        cmocka_unit_test(refused_words),
        cmocka_unit_test(every_word_of_the_fixtures),
        cmocka_unit_test(random_words),
        cmocka_unit_test(every_row_has_a_handler),
        cmocka_unit_test(modifiers_do_not_overlap),
    };
    return cmocka_run_group_tests_name("decode", tests, set_up, tear_down);
}
