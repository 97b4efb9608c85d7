/* SPDX-License-Identifier: MIT
 * The line table reader: rows of real cubins, and line programs made here byte by byte.
 */
#include "cubin_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"

/* ---- real files ---------------------------------------------------------------------------- */

static void finds_lines_of_real_kernels(void **state)
{
    static const struct {
        const char *cubin, *kernel;
        uint32_t pc;
        const char *file;
        unsigned line;
    } rows[] = {
        {"first15/first15.cubin", "k_collatz", 0x00, "/src/first15.cu", 36},
        {"first15/first15.cubin", "k_collatz", 0x30, "/src/first15.cu", 36},
        {"first15/first15.cubin", "k_collatz", 0x40, "/src/first15.cu", 37},
        {"first15/first15.cubin", "k_collatz", 0xe0, "/src/first15.cu", 38},
        {"first15/first15.cubin", "k_collatz", 0x270, "/src/first15.cu", 43},
        {"first15/first15.cubin", "k_treediv", 0x120, "/src/first15.cu", 23},
        {"first15/first15.cubin", "k_muldiv", 0x1f0, "/src/first15.cu", 2},
        /* __shfl_down_sync is code of a CUDA header: shown at the call */
        {"first15/first15.cubin", "k_shfl", 0xb0, "/src/first15.cu", 33},
        /* the same inside a function of the learner's own file: shown in that function */
        {"cubin/module.cubin", "k_inlined", 0x60, "/src/module.cu", 68},
        {"cubin/module.cubin", "k_inlined", 0x70, "/src/module.cu", 75},
        /* functions that are called lie behind the kernel */
        {"cubin/module.cubin", "k_calls", 0x150, "/src/module.cu", 58},
        {"cubin/module.cubin", "k_calls", 0x170, "/src/module.cu", 57},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        const char *file;
        unsigned line;
        struct wb_cubin *cubin = read_cubin(*state, rows[i].cubin);
        const struct wb_kernel *kernel = wb_cubin_kernel(cubin, rows[i].kernel);
        assert_true(wb_kernel_line(&file, &line, kernel, rows[i].pc));
        assert_string_equal(file, rows[i].file);
        assert_int_equal(line, rows[i].line);
    }
}

static void finds_no_line_outside_the_code(void **state)
{
    const char *file;
    unsigned line;
    struct wb_cubin *cubin = read_cubin(*state, "first15/first15.cubin");
    const struct wb_kernel *kernel = wb_cubin_kernel(cubin, "k_muldiv");
    assert_false(wb_kernel_line(&file, &line, kernel, 0x200));
    assert_null(file);
    assert_int_equal(line, 0);
    assert_false(wb_kernel_line(&file, &line, kernel, UINT32_MAX));
}

/* ---- made files ---------------------------------------------------------------------------- */

enum { CODE_SIZE = 0x100, CODE_SECTION = 1 };

/* A unit under construction. Its program sets addresses with relocations to our one kernel. */
struct unit {
    uint8_t bytes[512];
    size_t size;
    struct wb_elf_rela relas[4];
    size_t rela_count;
    struct wb_elf_symbol symbol;
    struct wb_kernel kernel;
};

static void put(struct unit *unit, const void *bytes, size_t size)
{
    assert_true(unit->size + size <= sizeof unit->bytes);
    memcpy(unit->bytes + unit->size, bytes, size);
    unit->size += size;
}

#define PUT(unit, ...)                                                                             \
    put((unit), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* The header that nvcc writes, with the files /a/own.cu (1) and /b/header.h (2). */
static void start(struct unit *unit, unsigned version)
{
    static const char tables[] = "/a\0/b\0\0own.cu\0\1\0\0header.h\0\2\0\0";
    *unit = (struct unit){.symbol = {.name = "k", .section = CODE_SECTION},
                          .kernel = {.name = "k", .code_size = CODE_SIZE}};
    PUT(unit, 0, 0, 0, 0, (uint8_t)version, 0, 0, 0, 0, 0, 1);
    if (version == 4) {
        PUT(unit, 1);
    }
    PUT(unit, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1);
    put(unit, tables, sizeof tables);
    unit->bytes[6] = (uint8_t)(unit->size - 10);
}

static void set_address(struct unit *unit, uint64_t offset)
{
    PUT(unit, 0, 9, 2);
    unit->relas[unit->rela_count++] =
        (struct wb_elf_rela){.offset = unit->size, .symbol = &unit->symbol, .addend = offset};
    PUT(unit, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* From here on: opcodes as in the DWARF standard. 1 copy; 2 advance pc; 3 advance line; 4 file;
 * 0, 1, 1 end of sequence; 0, 3, 0x90, call, name: inlined. */
static bool finish(struct unit *unit, struct wb_arena *arena, struct wb_status *status)
{
    struct wb_kernel *kernel_of_section[] = {NULL, &unit->kernel};
    uint32_t size = (uint32_t)unit->size - 4;
    memcpy(unit->bytes, &size, sizeof size);
    void *copy = wb_arena_copy(arena, unit->bytes, unit->size);
    struct wb_elf_section section = {.name = ".debug_line", .data = copy, .size = unit->size};
    return wb_lines_read(kernel_of_section, false, arena, &section, unit->relas, unit->rela_count,
                         status);
}

static void check_rows(const struct unit *unit, const struct wb_line_row *expected, size_t count)
{
    assert_int_equal(unit->kernel.line_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct wb_line_row *row = &unit->kernel.lines[i];
        assert_int_equal(row->pc, expected[i].pc);
        assert_int_equal(row->line, expected[i].line);
        if (expected[i].file) {
            assert_string_equal(row->file, expected[i].file);
        } else {
            assert_null(row->file);
        }
    }
}

static void runs_every_opcode(void **state)
{
    static const struct wb_line_row expected[] = {
        {0x00, 5, "/a/own.cu"},   {0x10, 7, "/a/own.cu"},   {0x21, 7, "/a/own.cu"},
        {0x41, 7, "/b/header.h"}, {0xc1, 3, "/b/header.h"}, {0xd1, 0, NULL},
    };
    for (unsigned version = 2; version <= 4; version++) {
        struct wb_status status = {0};
        struct unit unit;
        start(&unit, version);
        set_address(&unit, 0);
        PUT(&unit, 3, 4, 1);              /* line 5 */
        PUT(&unit, 10 + 16 * 14 + 5 + 2); /* special: 16 bytes and 2 lines further */
        PUT(&unit, 8, 1);                 /* as far as special opcode 255: 17 bytes */
        PUT(&unit, 5, 0x81, 0x01, 6, 7,
            10 + 5);                        /* column, statement, basic block: no row of pc 0x21 */
        PUT(&unit, 9, 0x20, 0x00, 4, 2, 1); /* 0x20 bytes, file 2 */
        PUT(&unit, 0, 4, 0x77, 1, 2, 3);    /* unknown: skipped */
        PUT(&unit, 2, 0x80, 0x01, 3, 0x7c, 1); /* 0x80 bytes, 4 lines back */
        PUT(&unit, 2, 0x10, 0, 1, 1);
        assert_true(finish(&unit, *state, &status));
        check_rows(&unit, expected, WB_ARRAY_LENGTH(expected));
    }
}

static void shows_inlined_code_where_the_kernel_calls(void **state)
{
    static const struct wb_line_row expected[] = {
        {0x00, 10, "/a/own.cu"}, {0x10, 20, "/a/own.cu"}, {0x20, 12, "/a/own.cu"}};
    struct wb_status status = {0};
    struct unit unit;
    start(&unit, 2);
    set_address(&unit, 0);
    PUT(&unit, 3, 9, 1);                               /* row 1: the kernel, line 10 */
    PUT(&unit, 2, 0x10, 3, 1, 1);                      /* row 2: line 11 */
    PUT(&unit, 0, 3, 0x90, 2, 0, 3, 9, 1);             /* row 3: own function, line 20 */
    PUT(&unit, 0, 3, 0x90, 3, 0, 4, 2, 3, 0xc0, 0, 1); /* row 4: header called there */
    PUT(&unit, 0, 3, 0x90, 4, 0, 3, 1, 1);             /* row 5: header called by header */
    PUT(&unit, 0, 3, 0x90, 0, 0, 4, 1, 3, 0xb7, 0x7f, 2, 0x10, 1); /* row 6: line 12 */
    PUT(&unit, 2, 0xe0, 0x01, 0, 1, 1);
    assert_true(finish(&unit, *state, &status));
    check_rows(&unit, expected, WB_ARRAY_LENGTH(expected));
}

static void joins_sequences_in_any_order(void **state)
{
    static const struct wb_line_row expected[] = {
        {0x00, 1, "/a/own.cu"}, {0x80, 9, "/a/own.cu"}, {0xc0, 0, NULL}};
    struct wb_status status = {0};
    struct unit unit;
    start(&unit, 2);
    set_address(&unit, 0x80);
    PUT(&unit, 3, 8, 1, 2, 0xc0, 0, 0, 1, 1); /* line 9 from 0x80 to 0xc0 */
    set_address(&unit, 0);
    PUT(&unit, 1, 2, 0x80, 1, 0, 1, 1); /* line 1 from 0 to 0x80 */
    assert_true(finish(&unit, *state, &status));
    check_rows(&unit, expected, WB_ARRAY_LENGTH(expected));
}

static void leaves_out_what_it_cannot_place(void **state)
{
    struct wb_status status = {0};
    struct unit unit;
    start(&unit, 5); /* a version that we do not read */
    set_address(&unit, 0);
    PUT(&unit, 1, 0, 1, 1);
    assert_true(finish(&unit, *state, &status));
    assert_int_equal(unit.kernel.line_count, 0);
    start(&unit, 2);
    set_address(&unit, 0);
    unit.rela_count = 0; /* nothing says whose code it is */
    PUT(&unit, 1, 0, 1, 1);
    assert_true(finish(&unit, *state, &status));
    assert_int_equal(unit.kernel.line_count, 0);
}

/* Each program is wrong in one way. `at` and `byte`: damage in the header, 0: none. */
static void refuses_wrong_programs(void **state)
{
    static const struct {
        size_t at;
        uint8_t byte;
        size_t size;
        uint8_t program[12];
    } wrong[] = {
        {0, 0, 4, {2, 0x81, 0x02, 1}},    /* pc past the code */
        {0, 0, 3, {4, 3, 1}},             /* no file 3 */
        {0, 0, 3, {4, 0, 1}},             /* no file 0 */
        {0, 0, 6, {0, 3, 0x90, 1, 0, 1}}, /* inlined into itself */
        {0, 0, 6, {0, 3, 0x90, 9, 0, 1}}, /* inlined into a row that follows */
        {0, 0, 2, {0, 200}},              /* an extended opcode longer than the unit */
        {0, 0, 2, {0, 0}},                /* an extended opcode without a number */
        {0, 0, 2, {2, 0x80}},             /* a number without an end */
        {0, 0, 3, {0, 2, 0x90}},          /* cut off */
        {13, 0, 1, {1}},                  /* a line range of 0 */
        {14, 0, 1, {1}},                  /* an opcode base of 0 */
        {14, 200, 1, {1}},                /* more opcodes than the header holds */
        {6, 0xff, 1, {1}},                /* a header longer than the unit */
        {38, 9, 1, {1}},                  /* a file in a folder that is not there */
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(wrong); i++) {
        struct wb_status status = {0};
        struct unit unit;
        start(&unit, 2);
        set_address(&unit, 0);
        put(&unit, wrong[i].program, wrong[i].size);
        if (wrong[i].at) {
            unit.bytes[wrong[i].at] = wrong[i].byte;
        }
        if (finish(&unit, *state, &status)) {
            fail_msg("program %zu was accepted", i);
        }
        assert_int_equal(status.code, WB_BAD_INPUT);
        assert_non_null(strstr(status.message, "source lines"));
        assert_int_equal(unit.kernel.line_count, 0);
    }
}

static void refuses_a_length_past_the_section(void **state)
{
    struct wb_status status = {0};
    static const uint8_t bytes[] = {9, 0, 0, 0, 2, 0, 0, 0};
    struct wb_elf_section section = {.name = ".debug_line", .data = bytes, .size = sizeof bytes};
    assert_false(wb_lines_read(NULL, false, *state, &section, NULL, 0, &status));
    section.size = 3;
    assert_false(wb_lines_read(NULL, false, *state, &section, NULL, 0, &status));
    assert_int_equal(status.code, WB_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(finds_lines_of_real_kernels),
        ARENA_TEST(finds_no_line_outside_the_code),
        ARENA_TEST(runs_every_opcode),
        ARENA_TEST(shows_inlined_code_where_the_kernel_calls),
        ARENA_TEST(joins_sequences_in_any_order),
        ARENA_TEST(leaves_out_what_it_cannot_place),
        ARENA_TEST(refuses_wrong_programs),
        ARENA_TEST(refuses_a_length_past_the_section),
    };
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
