/* SPDX-License-Identifier: MIT
 * The cubin reader: what real files hold, and that no damaged file does harm.
 */
#include "cubin_fixture.h"

#include <stdlib.h>
#include <string.h>

/* ---- real files ---------------------------------------------------------------------------- */

/* first15.cubin as `cuobjdump --dump-resource-usage` and the disassembly show it. */
static const struct {
    const char *name;
    unsigned registers, code_size, shared;
} first15[] = {
    {"k_collatz", 10, 640, 0},      {"k_stride", 10, 512, 0},        {"k_shfl", 12, 512, 0},
    {"k_treeseq", 14, 1280, 1024},  {"k_treediv", 14, 1280, 1024},   {"k_switch", 14, 5248, 0},
    {"k_guard", 8, 512, 0},         {"k_uniloop", 11, 1920, 0},      {"k_triploop", 24, 2816, 0},
    {"k_explog_warp", 12, 1024, 0}, {"k_explog_block", 12, 1024, 0}, {"k_third_arith", 10, 512, 0},
    {"k_third", 13, 2304, 0},       {"k_explog", 12, 1024, 0},       {"k_muldiv", 8, 512, 0},
};

static void reads_first15(void **state)
{
    struct wb_cubin *cubin = read_cubin(*state, "first15/first15.cubin");
    assert_int_equal(cubin->arch, 90);
    assert_int_equal(cubin->kernel_count, WB_ARRAY_LENGTH(first15));
    for (size_t i = 0; i < WB_ARRAY_LENGTH(first15); i++) {
        const struct wb_kernel *kernel = wb_cubin_kernel(cubin, first15[i].name);
        assert_non_null(kernel);
        assert_ptr_equal(kernel->cubin, cubin);
        assert_int_equal(kernel->registers, first15[i].registers);
        assert_int_equal(kernel->code_size, first15[i].code_size);
        assert_int_equal(kernel->static_shared, first15[i].shared);
        assert_int_equal(kernel->local_bytes, 0);
        assert_int_equal(kernel->max_threads, 0);
        assert_int_equal(kernel->cluster[0], 0);
        assert_int_equal(kernel->param_base, 0x210);
        assert_int_equal(kernel->param_size, 12);
        assert_int_equal(kernel->param_count, 2);
        assert_int_equal(kernel->params[0].offset, 0);
        assert_int_equal(kernel->params[0].size, 8);
        assert_int_equal(kernel->params[1].offset, 8);
        assert_int_equal(kernel->params[1].size, 4);
        assert_int_equal(kernel->bank[0].size, 0x210 + 12);
        assert_null(kernel->bank[3].data);
        assert_int_equal(kernel->bank[4].size, 8);
    }
    assert_null(wb_cubin_kernel(cubin, "k_shf"));
}

/* The table of 2 / pi that sinf needs, as its words are known from the published algorithm. */
static void reads_global_variables_of_first15(void **state)
{
    static const uint8_t two_over_pi[] = {0x41, 0x90, 0x43, 0x3c}; /* lowest word, 0x3c439041 */
    struct wb_cubin *cubin = read_cubin(*state, "first15/first15.cubin");
    assert_int_equal(cubin->variable_count, 1);
    assert_string_equal(cubin->variables[0].name, "__cudart_i2opi_f");
    assert_int_equal(cubin->variables[0].bank, -1);
    assert_int_equal(cubin->variables[0].size, 24);
    assert_int_equal(cubin->global_size, 24);
    assert_int_equal(cubin->global_init_size, 24);
    assert_memory_equal(cubin->global_init, two_over_pi, sizeof two_over_pi);
    assert_int_equal(cubin->relocation_count, 1);
    assert_int_equal(cubin->relocations[0].bank, 4);
    assert_int_equal(cubin->relocations[0].target_bank, -1);
}

static void reads_parameters_of_all_sizes(void **state)
{
    static const struct wb_kernel_param expected[] = {{0, 8}, {8, 4}, {12, 1}, {16, 40}, {56, 2}};
    struct wb_cubin *cubin = read_cubin(*state, "cubin/module.cubin");
    const struct wb_kernel *params = wb_cubin_kernel(cubin, "k_params");
    assert_int_equal(params->param_count, WB_ARRAY_LENGTH(expected));
    assert_int_equal(params->param_size, 58);
    assert_memory_equal(params->params, expected, sizeof expected);
    const struct wb_kernel *huge = wb_cubin_kernel(cubin, "k_huge");
    assert_int_equal(huge->param_size, 20008);
    assert_int_equal(huge->params[0].size, 20000);
    assert_int_equal(huge->params[1].offset, 20000);
}

static void reads_launch_bounds_clusters_and_memory(void **state)
{
    struct wb_cubin *cubin = read_cubin(*state, "cubin/module.cubin");
    const struct wb_kernel *memory = wb_cubin_kernel(cubin, "k_memory");
    assert_int_equal(wb_cubin_kernel(cubin, "k_print")->max_threads, 128);
    assert_int_equal(memory->max_threads, 0);
    assert_int_equal(memory->cluster[0], 2);
    assert_int_equal(memory->cluster[1], 1);
    assert_int_equal(memory->cluster[2], 1);
    assert_int_equal(memory->static_shared, 400);
    assert_int_equal(memory->bank[3].size, 72);
    assert_memory_equal(memory->bank[3].data, ((uint32_t[]){1, 2, 3, 0}), 16);
    assert_int_equal(wb_cubin_kernel(cubin, "k_local")->local_bytes, 256);
    assert_int_equal(wb_cubin_kernel(cubin, "k_calls")->bank[2].size, 24);
    assert_null(memory->bank[2].data);
}

static const struct wb_variable *find_variable(const struct wb_cubin *cubin, const char *name)
{
    for (size_t i = 0; i < cubin->variable_count; i++) {
        if (strcmp(cubin->variables[i].name, name) == 0) {
            return &cubin->variables[i];
        }
    }
    fail_msg("no variable %s", name);
    return NULL;
}

static void lays_out_variables(void **state)
{
    struct wb_cubin *cubin = read_cubin(*state, "cubin/module.cubin");
    const struct wb_variable *values = find_variable(cubin, "g_values");
    const struct wb_variable *zero = find_variable(cubin, "g_zero");
    const struct wb_variable *constant = find_variable(cubin, "c_values");
    assert_int_equal(values->bank, -1);
    assert_int_equal(values->size, 16);
    assert_memory_equal(cubin->global_init + values->offset, ((uint32_t[]){7, 8, 9, 0}), 16);
    assert_int_equal(zero->bank, -1);
    assert_int_equal(zero->size, 800);
    assert_true(zero->offset >= cubin->global_init_size && zero->offset % 8 == 0);
    assert_int_equal(cubin->global_size, zero->offset + 800);
    assert_int_equal(constant->bank, 3);
    assert_int_equal(constant->size, 64);
}

/* The relocation of a symbol's address in the image `bank`. */
static const struct wb_relocation *find_relocation(const struct wb_cubin *cubin, int bank,
                                                   const char *symbol)
{
    for (size_t i = 0; i < cubin->relocation_count; i++) {
        const struct wb_relocation *relocation = &cubin->relocations[i];
        if (relocation->bank == bank && strcmp(relocation->symbol, symbol) == 0) {
            return relocation;
        }
    }
    fail_msg("no relocation of %s in bank %d", symbol, bank);
    return NULL;
}

static void reads_relocations(void **state)
{
    struct wb_cubin *cubin = read_cubin(*state, "cubin/module.cubin");
    uint64_t values = find_variable(cubin, "g_values")->offset;
    const struct wb_relocation *print = find_relocation(cubin, 4, "vprintf");
    const struct wb_relocation *zero = find_relocation(cubin, 4, "g_zero");
    const struct wb_relocation *in_global = find_relocation(cubin, -1, "g_values");
    const struct wb_relocation *in_constant = find_relocation(cubin, 3, "g_values");
    assert_false(print->defined);
    assert_false(find_relocation(cubin, 4, "__assertfail")->defined);
    assert_true(zero->defined);
    assert_int_equal(zero->target_bank, -1);
    assert_int_equal(zero->target_offset, find_variable(cubin, "g_zero")->offset);
    assert_int_equal(in_global->offset, find_variable(cubin, "g_pointer")->offset);
    assert_int_equal(in_global->target_offset, values + 4); /* &g_values[1] */
    assert_int_equal(in_constant->offset, find_variable(cubin, "c_pointer")->offset);
    assert_int_equal(in_constant->target_offset, values + 8);
}

/* ---- damaged files ------------------------------------------------------------------------- */

/* Bytes of what variables and slots lie in: a loader relies on it. */
static uint64_t image_size(const struct wb_cubin *cubin, int bank, bool initialised)
{
    if (bank >= 0) {
        return cubin->kernel_count ? cubin->kernels[0].bank[bank].size : UINT64_MAX;
    }
    return initialised ? cubin->global_init_size : cubin->global_size;
}

/* Touches all that the reader returned, so that a sanitizer sees a wrong pointer. */
static unsigned use_everything(const struct wb_cubin *cubin)
{
    unsigned sum = 0;
    for (size_t i = 0; i < cubin->kernel_count; i++) {
        const struct wb_kernel *kernel = &cubin->kernels[i];
        const char *file;
        unsigned line;
        sum += (unsigned)strlen(kernel->name) + kernel->code[kernel->code_size - 1];
        for (int bank = 0; bank < 8; bank++) {
            const struct wb_const_bank *image = &kernel->bank[bank];
            sum += image->data && image->size ? image->data[image->size - 1] : 0;
        }
        for (size_t pc = 0; pc < kernel->code_size; pc += 16) {
            sum += wb_kernel_line(&file, &line, kernel, (uint32_t)pc) ? (unsigned)strlen(file) : 1;
        }
    }
    for (size_t i = 0; i < cubin->variable_count; i++) {
        const struct wb_variable *variable = &cubin->variables[i];
        sum += (unsigned)strlen(variable->name);
        assert_true(variable->offset + variable->size <= image_size(cubin, variable->bank, false));
    }
    for (size_t i = 0; i < cubin->relocation_count; i++) {
        const struct wb_relocation *relocation = &cubin->relocations[i];
        sum += (unsigned)strlen(relocation->symbol);
        assert_true(relocation->offset + 8 <= image_size(cubin, relocation->bank, true));
    }
    return sum + (cubin->global_init_size ? cubin->global_init[cubin->global_init_size - 1] : 0);
}

/* Parses a copy in a block of exactly its size. True if it was accepted; a refusal has a reason. */
static bool survives(const void *data, size_t size)
{
    struct wb_arena arena;
    struct wb_cubin *cubin;
    struct wb_status status = {0};
    void *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    wb_arena_init(&arena);
    bool done = wb_cubin_parse(&cubin, &arena, copy, size, &status);
    if (done) {
        use_everything(cubin);
    } else {
        assert_null(cubin);
        assert_true(status.code == WB_BAD_INPUT || status.code == WB_UNSUPPORTED);
        assert_true(strlen(status.message) > 20);
    }
    wb_arena_finish(&arena);
    free(copy);
    return done;
}

/* Behind the section headers lie program headers, which we do not read. */
static size_t end_of_sections(struct wb_bytes file)
{
    uint64_t at;
    uint16_t count;
    memcpy(&at, file.data + 40, sizeof at);
    memcpy(&count, file.data + 60, sizeof count);
    return (size_t)at + count * 64U;
}

static void refuses_every_truncation(void **state)
{
    struct wb_bytes tiny = read_fixture(*state, "cubin/tiny.cubin");
    struct wb_bytes first = read_fixture(*state, "first15/first15.cubin");
    assert_true(survives(tiny.data, tiny.size));
    for (size_t size = 0; size < end_of_sections(tiny); size++) {
        assert_false(survives(tiny.data, size));
    }
    for (size_t size = 0; size < end_of_sections(first); size += 61) {
        assert_false(survives(first.data, size));
    }
}

/* Moves one section after the other to the end of the file, where it does not fit. */
static void refuses_sections_outside_the_file(void **state)
{
    enum { HEADER_SIZE = 64, TYPE_AT = 4, OFFSET_AT = 24, SIZE_AT = 32, NOBITS = 8 };
    struct wb_bytes tiny = read_fixture(*state, "cubin/tiny.cubin");
    unsigned moved = 0;
    uint64_t at;
    memcpy(&at, tiny.data + 40, sizeof at);
    for (; at < end_of_sections(tiny); at += HEADER_SIZE) {
        uint8_t *header = tiny.data + at;
        uint64_t offset, size, outside = tiny.size - 1;
        memcpy(&offset, header + OFFSET_AT, sizeof offset);
        memcpy(&size, header + SIZE_AT, sizeof size);
        if (size > 1 && header[TYPE_AT] != NOBITS) {
            memcpy(header + OFFSET_AT, &outside, sizeof outside);
            assert_false(survives(tiny.data, tiny.size));
            memcpy(header + OFFSET_AT, &offset, sizeof offset);
            moved++;
        }
    }
    assert_true(moved > 10);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

/* Flips 1 to 8 bits of a file, many times. */
static void flip_bits(struct wb_bytes file, unsigned rounds, uint64_t seed)
{
    for (unsigned round = 0; round < rounds; round++) {
        uint32_t at[8], count = 1 + next_random(&seed) % 8;
        for (uint32_t i = 0; i < count; i++) {
            at[i] = next_random(&seed) % (uint32_t)(file.size * 8);
            file.data[at[i] / 8] ^= (uint8_t)(1 << at[i] % 8);
        }
        survives(file.data, file.size);
        for (uint32_t i = 0; i < count; i++) {
            file.data[at[i] / 8] ^= (uint8_t)(1 << at[i] % 8);
        }
    }
}

static void survives_flipped_bits(void **state)
{
    flip_bits(read_fixture(*state, "cubin/tiny.cubin"), 30000, 1);
    flip_bits(read_fixture(*state, "cubin/module.cubin"), 3000, 2);
    flip_bits(read_fixture(*state, "first15/first15.cubin"), 3000, 3);
}

/* Writes numbers that are often wrong over every field of the headers, one after the other. */
static void survives_absurd_fields(void **state)
{
    static const uint64_t absurd[] = {0,          1,         0x7fff,     0xffff,         0x7fffffff,
                                      UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 15};
    struct wb_bytes tiny = read_fixture(*state, "cubin/tiny.cubin");
    for (size_t at = 0; at + 8 <= tiny.size; at += 4) {
        for (size_t i = 0; i < WB_ARRAY_LENGTH(absurd); i++) {
            for (size_t width = 2; width <= 8; width *= 2) {
                uint8_t before[8];
                memcpy(before, tiny.data + at, sizeof before);
                memcpy(tiny.data + at, &absurd[i], width);
                survives(tiny.data, tiny.size);
                memcpy(tiny.data + at, before, sizeof before);
            }
        }
    }
}

static void names_what_is_not_a_cubin(void **state)
{
    struct wb_status status = {0};
    struct wb_cubin *cubin;
    struct wb_bytes tiny = read_fixture(*state, "cubin/tiny.cubin");
    assert_false(wb_cubin_parse(&cubin, *state, "int main;", 9, &status));
    assert_non_null(strstr(status.message, "not a cubin"));
    tiny.data[18] = 62; /* x86-64 */
    assert_false(wb_cubin_parse(&cubin, *state, tiny.data, tiny.size, &status));
    assert_non_null(strstr(status.message, "its machine is 62"));
    tiny.data[18] = 190;
    tiny.data[16] = 1; /* ET_REL */
    assert_false(wb_cubin_parse(&cubin, *state, tiny.data, tiny.size, &status));
    assert_non_null(strstr(status.message, "-rdc=true"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(reads_first15),
        ARENA_TEST(reads_global_variables_of_first15),
        ARENA_TEST(reads_parameters_of_all_sizes),
        ARENA_TEST(reads_launch_bounds_clusters_and_memory),
        ARENA_TEST(lays_out_variables),
        ARENA_TEST(reads_relocations),
        ARENA_TEST(refuses_every_truncation),
        ARENA_TEST(refuses_sections_outside_the_file),
        ARENA_TEST(survives_flipped_bits),
        ARENA_TEST(survives_absurd_fields),
        ARENA_TEST(names_what_is_not_a_cubin),
    };
    return cmocka_run_group_tests_name("cubin", tests, NULL, NULL);
}
