/* SPDX-License-Identifier: MIT
 * The disassembler prints what NVIDIA's prints: every different instruction of the 68 kernels that
 * were run on an H200 (fixtures/sass/disasm.txt), to the last character but for blanks. As a row of
 * inst.def says both what is decoded and what is printed, this checks the decoder's table too.
 * `test_disasm ROWS` checks another file of the same form: see disasm-fresh.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disasm.h"
#include "inst_table.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct wb_arena arena;
    char *rows; /* disasm.txt */
};

static const char *rows_path = WB_FIXTURES "/sass/disasm.txt";

static const char *disassemble(struct wb_arena *arena, uint64_t low, uint64_t high, uint32_t pc)
{
    struct wb_str text;
    uint8_t word[16];
    for (int i = 0; i < 8; i++) {
        word[i] = (uint8_t)(low >> 8 * i);
        word[8 + i] = (uint8_t)(high >> 8 * i);
    }
    wb_str_init(&text, arena);
    wb_disassemble(&text, word, pc);
    return wb_str_get(&text);
}

/* Are they the same but for blanks? */
static bool same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || *a == '\0') {
            return *a == *b;
        }
    }
}

static void every_instruction_of_the_corpus(void **state)
{
    struct fixture *f = *state;
    unsigned rows = 0, wrong = 0;
    for (char *save, *line = strtok_r(f->rows, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        unsigned long long low, high;
        unsigned pc;
        int text = 0;
        if (line[0] == '#') {
            continue;
        }
        assert_int_equal(sscanf(line, "%x %llx %llx %n", &pc, &low, &high, &text), 3);
        const char *got = disassemble(&f->arena, low, high, pc);
        if (!same_text(got, line + text)) {
            print_message("# 0x%016llx 0x%016llx: \"%s\", not \"%s\"\n", low, high, got,
                          line + text);
            wrong++;
        }
        struct wb_word left = wb_decode_unexplained((struct wb_word){low, high});
        wrong += (left.low | left.high) != 0;
        rows++;
    }
    print_message("# %u different instructions\n", rows);
    assert_int_equal(wrong, 0);
    assert_true(rows > 0);
}

static void unknown_words_are_a_question_mark(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(disassemble(&f->arena, 0, 0, 0), "?");
    assert_string_equal(disassemble(&f->arena, 0x1ff, 0, 0), "?");
}

static void values_without_a_name(void **state)
{
    struct fixture *f = *state;
    /* MUFU operation 15; S2R of a register without name */
    assert_string_equal(disassemble(&f->arena, 0x0000000000037308, 0x3c00, 0),
                        "MUFU.INVALID15 R3, R0");
    assert_string_equal(disassemble(&f->arena, 0x0000000000057919, 0x4600, 0), "S2R R5, SR70");
}

/* Every word in the texts of inst.def is an operand that disasm.c can print: whatever bits are set,
 * a row prints its name and no part of its own text. */
static void any_bits_print(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 11;
    for (int op = 0; op < WB_OP_COUNT; op++) {
        const struct wb_inst_row *row = &wb_inst_rows[op];
        for (unsigned turn = 0; turn < 64; turn++) {
            uint64_t words[2];
            for (int i = 0; i < 2; i++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                words[i] = seed ^ seed >> 29;
            }
            words[0] = (words[0] & ~UINT64_C(0xfff)) | turn % 8 << 9 | row->base;
            if ((int)wb_inst_find((struct wb_word){words[0], words[1]}) != op) {
                continue;
            }
            const char *text = disassemble(&f->arena, words[0], words[1], 0x40);
            assert_true(strlen(text) > 1);
            assert_null(strchr(text, '?'));
            assert_null(strstr(text, "  "));
        }
    }
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    struct wb_bytes rows;
    wb_arena_init(&f.arena);
    if (!wb_file_read(&rows, &f.arena, rows_path, 1 << 24, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    f.rows = (char *)rows.data;
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    wb_arena_finish(&f->arena);
    return 0;
}

int main(int argc, char **argv)
{
    rows_path = argc > 1 ? argv[1] : rows_path;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_of_the_corpus),
        cmocka_unit_test(unknown_words_are_a_question_mark),
        cmocka_unit_test(values_without_a_name),
        cmocka_unit_test(any_bits_print),
    };
    return cmocka_run_group_tests_name("disasm", tests, set_up, tear_down);
}
