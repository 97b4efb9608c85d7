/* SPDX-License-Identifier: MIT
 * The special function unit against results recorded on an H200.
 */
#include "cubin_fixture.h"

#include <string.h>

#include "mufu.h"

static uint32_t bits(float value)
{
    uint32_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static uint32_t from_1(uint32_t i)
{
    return UINT32_C(0x3f800000) + i;
}

static uint32_t from_half(uint32_t i)
{
    return UINT32_C(0x3f000000) + i;
}

static uint32_t fraction(uint32_t i)
{
    return bits((float)i / 16777216.0F);
}

static uint32_t fraction_of_16(uint32_t i)
{
    return bits((float)i / 1048576.0F);
}

static uint32_t high_from_1(uint32_t i)
{
    return UINT32_C(0x3ff00000) + i;
}

/* Over one period of each function: the arguments argument(0), argument(5), ... of `count`, and
 * the hash (XXH3-128) of the words that the hardware returned for them. */
static const struct {
    const char *name;
    uint32_t (*function)(uint32_t);
    size_t column; /* in random.bin, 0: none */
    uint32_t (*argument)(uint32_t);
    uint32_t count;
    const char *hash;
} functions[] = {
    {"rcp", wb_mufu_rcp, 1, from_1, 1 << 23, "cb33047a4a447c55a451968b23964043"},
    {"rsq", wb_mufu_rsq, 2, from_1, 1 << 24, "0a4733f3519ac0cbc4020db58c05b067"},
    {"sqrt", wb_mufu_sqrt, 3, from_1, 1 << 24, "a7450e7e17d91ee24666164400c93fba"},
    {"lg2", wb_mufu_lg2, 4, from_half, 1 << 24, "ac1c0714bae76a86fc982cb53400a3d0"},
    {"ex2", wb_mufu_ex2, 5, fraction, 1 << 24, "3795c8ec790401a73f9b1f80296cd9d5"},
    {"sin", wb_mufu_sin, 6, fraction, 1 << 24, "f4ebb5ed415f69b3d6476d67fe64efbe"},
    {"cos", wb_mufu_cos, 7, fraction, 1 << 24, "d7f479f35f95c8c6988b31cb5f0a3a70"},
    {"tanh", wb_mufu_tanh, 8, fraction_of_16, 1 << 24, "f09390a9afab41a479539baaa38c106c"},
    {"rcp64h", wb_mufu_rcp64h, 0, high_from_1, 1 << 20, "5bedb3c18b9f3727a27f7e20bcb712c0"},
    {"rsq64h", wb_mufu_rsq64h, 0, high_from_1, 1 << 21, "b2dd8d9580c0bf3a98a4e7a1ad260668"},
};

static void equals_the_hardware_on_random_arguments(void **state)
{
    enum { COLUMNS = 9 };
    struct wb_bytes file = read_fixture(*state, "mufu/random.bin");
    size_t rows = file.size / (COLUMNS * sizeof(uint32_t));
    assert_int_equal(rows, 4018);
    for (size_t row = 0; row < rows; row++) {
        uint32_t words[COLUMNS];
        memcpy(words, file.data + row * sizeof words, sizeof words);
        for (size_t i = 0; i < WB_ARRAY_LENGTH(functions); i++) {
            uint32_t result = functions[i].function(words[0]);
            if (functions[i].column && result != words[functions[i].column]) {
                fail_msg("%s(%08x) is %08x, the hardware returns %08x", functions[i].name, words[0],
                         result, words[functions[i].column]);
            }
        }
    }
}

static void equals_the_hardware_over_a_period(void **state)
{
    enum { STRIDE = 5 };
    uint32_t *words = wb_arena_alloc(*state, ((1 << 24) / STRIDE + 1) * sizeof *words);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(functions); i++) {
        char hash[33];
        size_t count = 0;
        for (uint32_t at = 0; at < functions[i].count; at += STRIDE) {
            words[count++] = functions[i].function(functions[i].argument(at));
        }
        wb_hash_hex(hash, words, count * sizeof *words);
        if (strcmp(hash, functions[i].hash) != 0) {
            fail_msg("%s differs from the hardware somewhere in its period", functions[i].name);
        }
    }
}

static void takes_the_high_words_of_all_doubles(void **state)
{
    static const struct {
        uint32_t x, rcp, rsq;
    } cases[] = {
        {0x00000000, 0x7ff00000, 0x7ff00000}, {0x80000000, 0xfff00000, 0xfff00000},
        {0x000fffff, 0x7ff00000, 0x7ff00000}, {0x7fe10000, 0x00000000, 0x1ff5f3aa},
        {0x7ff00000, 0x00000000, 0x00000000}, {0xfff00000, 0x80000000, 0x7fffffff},
        {0x7ff10000, 0x7fffffff, 0x7fffffff}, {0xc0000000, 0xbfe00000, 0x7fffffff},
        {0x40100000, 0x3fd00000, 0x3fe00000},
    };
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        assert_int_equal(wb_mufu_rcp64h(cases[i].x), cases[i].rcp);
        assert_int_equal(wb_mufu_rsq64h(cases[i].x), cases[i].rsq);
    }
}

static void checks_divisions_by_exponent(void **state)
{
    static const struct {
        unsigned a, b; /* biased exponents */
        bool slow;
    } cases[] = {
        {127, 127, false}, {24, 127, true},  {25, 127, false},  {254, 200, false}, {255, 127, true},
        {127, 1, true},    {127, 2, false},  {200, 251, false}, {200, 252, true},  {200, 73, true},
        {200, 74, false},  {100, 225, true}, {100, 224, false}, {0, 127, true},    {127, 0, true},
    };
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        for (uint32_t rest = 0; rest < 4; rest++) { /* sign and fraction do not matter */
            uint32_t other = (rest & 1) << 31 | (rest & 2 ? 0x7fffff : 0);
            assert_int_equal(wb_fchk(cases[i].a << 23 | other, cases[i].b << 23), cases[i].slow);
            assert_int_equal(wb_fchk(cases[i].a << 23, cases[i].b << 23 | other), cases[i].slow);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(equals_the_hardware_on_random_arguments),
        ARENA_TEST(equals_the_hardware_over_a_period),
        cmocka_unit_test(takes_the_high_words_of_all_doubles),
        cmocka_unit_test(checks_divisions_by_exponent),
    };
    return cmocka_run_group_tests_name("mufu", tests, NULL, NULL);
}
