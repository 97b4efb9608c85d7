/* SPDX-License-Identifier: MIT
 * fpu.h against other ways to the same result: the host's arithmetic under fesetround, a search in
 * the sorted list of all numbers of a small format, results recorded on an H200, cases by hand.
 */
#include "cubin_fixture.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fpu.h"

__extension__ typedef __float128 quad;

static const int host_mode[] = {
    [WB_RN] = FE_TONEAREST, [WB_RM] = FE_DOWNWARD, [WB_RP] = FE_UPWARD, [WB_RZ] = FE_TOWARDZERO};
static const char *const mode_name[] = {"RN", "RM", "RP", "RZ"};

/* The library's functions: what a compiler puts in their place may expect round to nearest. */
static float (*volatile host_rintf)(float) = rintf;
static double (*volatile host_rint)(double) = rint;
static double (*volatile host_fma)(double, double, double) = fma;

enum { MODES = 4, F32_CASES = 200000, F64_CASES = 100000 };

#define F32_NAN UINT32_C(0x7fffffff)
#define F64_NAN UINT64_C(0xfff8000000000000)

/* ---- numbers -------------------------------------------------------------------------------- */

static float f32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? F32_NAN : bits;
}

static double f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t f64_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? F64_NAN : bits;
}

static uint64_t seed;

static uint64_t next_random(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 32 | seed << 32;
}

/* Which NaN comes out of double precision is compared with recorded hardware, not with the host. */
static uint64_t any_nan(uint64_t bits)
{
    return f64_bits(f64(bits));
}

/* Any bits; or few bits set, an exponent near the middle, or near an end. */
static uint64_t next_number(unsigned exponent_bits, unsigned fraction_bits)
{
    uint64_t bits = next_random(), kind = next_random() >> 7;
    uint64_t sign = UINT64_C(1) << (exponent_bits + fraction_bits);
    uint64_t one = (UINT64_C(1) << (exponent_bits - 1)) - 1;
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t exponent = bits >> fraction_bits & (2 * one + 1);
    if (kind & 1) {
        fraction &= next_random() & next_random() & next_random();
    }
    switch (kind >> 1 & 7) {
    case 0:
        exponent = 0;
        break;
    case 1:
        exponent = 2 * one + (kind >> 4 & 1);
        break;
    case 2:
    case 3:
    case 4:
        exponent = one + (kind >> 4 & 7) - 4;
        break;
    default:
        break;
    }
    return (next_random() & sign) | exponent << fraction_bits | fraction;
}

static uint32_t next_f32(void)
{
    return (uint32_t)next_number(8, 23);
}

static uint64_t next_f64(void)
{
    return next_number(11, 52);
}

/* ---- single precision against the host ------------------------------------------------------ */

static float host_add(float a, float b, float c)
{
    (void)c;
    return a + b;
}

static float host_mul(float a, float b, float c)
{
    (void)c;
    return a * b;
}

static uint32_t our_add(uint32_t a, uint32_t b, uint32_t c, enum wb_round mode, bool ftz, bool sat)
{
    (void)c;
    return wb_f32_add(a, b, mode, ftz, sat);
}

static uint32_t our_mul(uint32_t a, uint32_t b, uint32_t c, enum wb_round mode, bool ftz, bool sat)
{
    (void)c;
    return wb_f32_mul(a, b, mode, ftz, sat);
}

static const struct {
    const char *name;
    float (*host)(float, float, float);
    uint32_t (*ours)(uint32_t, uint32_t, uint32_t, enum wb_round, bool, bool);
} f32_operations[] = {
    {"add", host_add, our_add},
    {"mul", host_mul, our_mul},
    {"fma", fmaf, wb_f32_fma},
};

static uint32_t flush_f32(uint32_t bits, bool ftz)
{
    return ftz && (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static uint32_t saturate_f32(uint32_t bits, bool sat)
{
    float value = f32(bits);
    return !sat ? bits : !(value > 0) ? 0 : value > 1 ? 0x3f800000 : bits;
}

static void f32_equals_the_host(void **state)
{
    (void)state;
    seed = 1;
    for (unsigned i = 0; i < F32_CASES; i++) {
        size_t operation = next_random() % WB_ARRAY_LENGTH(f32_operations);
        enum wb_round mode = next_random() >> 9 & 3;
        bool ftz = next_random() >> 5 & 1, sat = (next_random() >> 5 & 3) == 0;
        uint32_t a = next_f32(), b = next_f32(), c = next_f32();
        volatile float x = f32(flush_f32(a, ftz)), y = f32(flush_f32(b, ftz)),
                       z = f32(flush_f32(c, ftz));
        fesetround(host_mode[mode]);
        volatile float result = f32_operations[operation].host(x, y, z);
        fesetround(FE_TONEAREST);
        uint32_t expected = saturate_f32(flush_f32(f32_bits(result), ftz), sat);
        uint32_t ours = f32_operations[operation].ours(a, b, c, mode, ftz, sat);
        if (ours != expected) {
            fail_msg("f32 %s.%s%s%s of %08x %08x %08x is %08x, not %08x",
                     f32_operations[operation].name, mode_name[mode], ftz ? ".FTZ" : "",
                     sat ? ".SAT" : "", a, b, c, ours, expected);
        }
    }
}

/* ---- double precision against the host ------------------------------------------------------ */

static void check_f64(const char *name, enum wb_round mode, uint64_t ours, double host, uint64_t a,
                      uint64_t b, uint64_t c)
{
    if (any_nan(ours) != f64_bits(host)) {
        fail_msg("f64 %s.%s of %016lx %016lx %016lx is %016lx, not %016lx", name, mode_name[mode],
                 (unsigned long)a, (unsigned long)b, (unsigned long)c, (unsigned long)ours,
                 (unsigned long)f64_bits(host));
    }
}

static void f64_equals_the_host(void **state)
{
    (void)state;
    seed = 2;
    for (unsigned i = 0; i < F64_CASES; i++) {
        enum wb_round mode = next_random() >> 9 & 3;
        uint64_t a = next_f64(), b = next_f64(), c = next_f64();
        if (i % 4 == 0) { /* nearly cancels */
            c = f64_bits(f64(a) * f64(b)) ^ UINT64_C(1) << 63;
        }
        volatile double x = f64(a), y = f64(b), z = f64(c);
        fesetround(host_mode[mode]);
        volatile double sum = x + y, product = x * y, fused = host_fma(x, y, z);
        fesetround(FE_TONEAREST);
        check_f64("add", mode, wb_f64_add(a, b, mode), sum, a, b, 0);
        check_f64("mul", mode, wb_f64_mul(a, b, mode), product, a, b, 0);
        check_f64("fma", mode, wb_f64_fma(a, b, c, mode), fused, a, b, c);
    }
}

static void converts_between_f32_and_f64_as_the_host(void **state)
{
    (void)state;
    seed = 3;
    for (unsigned i = 0; i < F64_CASES; i++) {
        enum wb_round mode = next_random() >> 9 & 3;
        bool ftz = next_random() >> 5 & 1;
        /* an f64, or one that lies near an f32 */
        uint64_t a = i & 1 ? next_f64() : f64_bits(f32(next_f32())) + next_random() % 3 - 1;
        uint32_t b = next_f32();
        volatile double x = f64(a);
        fesetround(host_mode[mode]);
        volatile float narrow = (float)x;
        fesetround(FE_TONEAREST);
        uint64_t ours = wb_float_convert(WB_F32, WB_F64, a, mode, ftz, false);
        assert_int_equal(f32_bits(f32((uint32_t)ours)), flush_f32(f32_bits(narrow), ftz));
        ours = wb_float_convert(WB_F64, WB_F32, b, mode, ftz, false);
        assert_true(any_nan(ours) == f64_bits(f32(flush_f32(b, ftz))));
    }
}

/* ---- integers against the host -------------------------------------------------------------- */

static void makes_floats_of_integers_as_the_host(void **state)
{
    (void)state;
    seed = 4;
    for (unsigned i = 0; i < F64_CASES; i++) {
        enum wb_round mode = next_random() >> 9 & 3;
        bool is_signed = next_random() >> 5 & 1;
        uint64_t value = next_random();
        value = is_signed ? (uint64_t)((int64_t)value >> next_random() % 64)
                          : value >> next_random() % 64;
        volatile uint64_t input = value;
        fesetround(host_mode[mode]);
        volatile float single = is_signed ? (float)(int64_t)input : (float)input;
        volatile double wide = is_signed ? (double)(int64_t)input : (double)input;
        fesetround(FE_TONEAREST);
        /* the host may round +0 as -0 downwards; there is only one integer 0 */
        uint32_t expected = value ? f32_bits(single) : 0;
        uint64_t expected_wide = value ? f64_bits(wide) : 0;
        assert_int_equal(wb_float_from_int(WB_F32, is_signed, value, mode), expected);
        assert_true(wb_float_from_int(WB_F64, is_signed, value, mode) == expected_wide);
    }
}

/* The integer nearest to an f64, by way of long double, which holds every 64-bit integer. */
static uint64_t host_to_int(double value, unsigned width, bool is_signed, enum wb_round mode)
{
    long double low = is_signed ? -ldexpl(1, (int)width - 1) : 0;
    long double high = ldexpl(1, is_signed ? (int)width - 1 : (int)width) - 1;
    volatile double input = value;
    fesetround(host_mode[mode]);
    volatile double rounded = host_rint(input);
    fesetround(FE_TONEAREST);
    long double result = rounded < low ? low : rounded > high ? high : rounded;
    uint64_t bits = result < 0 ? 0 - (uint64_t)-result : (uint64_t)result;
    return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

static void makes_integers_of_floats_as_the_host(void **state)
{
    static const unsigned widths[] = {8, 16, 32, 64};
    (void)state;
    seed = 5;
    for (unsigned i = 0; i < F64_CASES; i++) {
        enum wb_round mode = next_random() >> 9 & 3;
        bool is_signed = next_random() >> 5 & 1;
        unsigned width = widths[next_random() >> 3 & 3];
        double scale = ldexp(1, (int)(next_random() % 70));
        uint64_t a = i & 1 ? next_f64() : f64_bits(f64(next_f64() >> 2) * scale);
        a = i & 2 ? f64_bits((double)(int64_t)(next_random() >> next_random() % 64) / 2) : a;
        if (f64(a) != f64(a)) {
            continue;
        }
        uint64_t expected = host_to_int(f64(a), width, is_signed, mode);
        uint64_t ours = wb_float_to_int(width, is_signed, WB_F64, a, mode, false, true);
        if (ours != expected) {
            fail_msg("F2I.%s of %016lx to %u bits is %016lx, not %016lx", mode_name[mode],
                     (unsigned long)a, width, (unsigned long)ours, (unsigned long)expected);
        }
        uint32_t b = next_f32();
        if (f32(b) == f32(b)) {
            assert_true(wb_float_to_int(width, is_signed, WB_F32, b, mode, true, true) ==
                        host_to_int(f32(flush_f32(b, true)), width, is_signed, mode));
        }
    }
}

static void rounds_to_integral_values_as_the_host(void **state)
{
    (void)state;
    seed = 6;
    for (unsigned i = 0; i < F64_CASES; i++) {
        enum wb_round mode = next_random() >> 9 & 3;
        uint32_t a = next_f32();
        uint64_t b = next_f64();
        volatile float x = f32(a);
        volatile double y = f64(b);
        fesetround(host_mode[mode]);
        volatile float single = host_rintf(x);
        volatile double wide = host_rint(y);
        fesetround(FE_TONEAREST);
        assert_int_equal(wb_float_integral(WB_F32, a, mode, false), f32_bits(single));
        assert_true(any_nan(wb_float_integral(WB_F64, b, mode, false)) == f64_bits(wide));
    }
}

/* ---- small formats by search ---------------------------------------------------------------- */

/* The value of a finite number, or 2^max for what stands where infinity is. */
static quad small_value(enum wb_format format, uint64_t bits)
{
    int fraction_bits = format == WB_F16 ? 10 : 7, bias = format == WB_F16 ? 15 : 127;
    int exponent = (int)((bits & 0x7fff) >> fraction_bits);
    int fraction = (int)bits & ((1 << fraction_bits) - 1);
    int significand = exponent ? fraction | 1 << fraction_bits : fraction;
    double value = ldexp(significand, (exponent ? exponent : 1) - bias - fraction_bits);
    return bits & 0x8000 ? -value : value;
}

/* The positive numbers of a format are sorted as their bits are: find the neighbours. */
static uint64_t round_by_search(enum wb_format format, quad value, enum wb_round mode)
{
    uint64_t infinity = format == WB_F16 ? 0x7c00 : 0x7f80, below = 0, above = infinity;
    bool negative = value < 0;
    quad magnitude = negative ? -value : value;
    while (above - below > 1) {
        uint64_t middle = (below + above) / 2;
        if (small_value(format, middle) <= magnitude) {
            below = middle;
        } else {
            above = middle;
        }
    }
    quad to_below = magnitude - small_value(format, below);
    quad to_above = small_value(format, above) - magnitude;
    bool nearer = to_below > to_above || (to_below == to_above && (below & 1));
    bool up = mode == WB_RN ? nearer : mode == (negative ? WB_RM : WB_RP);
    uint64_t result = to_below > 0 && up ? above : below;
    return result | (negative ? 0x8000 : 0);
}

static bool is_finite_small(enum wb_format format, uint64_t bits)
{
    uint64_t infinity = format == WB_F16 ? 0x7c00 : 0x7f80;
    return (bits & infinity) != infinity;
}

static void converts_every_small_number_to_f32_and_back(void **state)
{
    (void)state;
    for (enum wb_format format = WB_F16; format <= WB_BF16; format++) {
        for (uint64_t bits = 0; bits < 0x10000; bits++) {
            uint64_t wide = wb_float_convert(WB_F32, format, bits, WB_RN, false, false);
            if (is_finite_small(format, bits)) {
                assert_int_equal(wide, f32_bits((float)small_value(format, bits)) |
                                           (bits == 0x8000 ? 0x80000000 : 0));
                assert_int_equal(wb_float_convert(format, WB_F32, wide, WB_RZ, false, false), bits);
            } else if ((bits & 0x7fff) == (format == WB_F16 ? 0x7c00 : 0x7f80)) {
                assert_int_equal(wide, 0x7f800000 | (bits & 0x8000) << 16);
            } else {
                assert_int_equal(wide, F32_NAN);
            }
        }
    }
}

/* Between each number and the next: just above the first, the middle and around it. */
static void narrows_f32_as_a_search_does(void **state)
{
    (void)state;
    for (enum wb_format format = WB_F16; format <= WB_BF16; format++) {
        uint64_t infinity = format == WB_F16 ? 0x7c00 : 0x7f80;
        for (uint64_t bits = 0; bits < infinity; bits++) {
            uint32_t low = f32_bits((float)small_value(format, bits));
            uint32_t high = f32_bits((float)small_value(format, bits + 1)), half = (high - low) / 2;
            uint32_t at[] = {low, low + 1, low + half - 1, low + half, low + half + 1, high - 1};
            for (size_t i = 0; i < WB_ARRAY_LENGTH(at) * MODES * 2; i++) {
                enum wb_round mode = i & 3;
                uint32_t a = at[i / (MODES * 2)] | (i & 4) << 29;
                uint64_t expected = round_by_search(format, (quad)f32(a), mode);
                expected |= a >> 16 & 0x8000; /* the sign of a zero */
                assert_int_equal(wb_float_convert(format, WB_F32, a, mode, false, false), expected);
            }
        }
    }
}

/* Sums of products of halves are exact in a quad. */
static void computes_in_f16_as_a_search_does(void **state)
{
    (void)state;
    seed = 7;
    for (unsigned i = 0; i < F64_CASES; i++) {
        enum wb_round mode = next_random() >> 9 & 3;
        uint64_t a = next_number(5, 10), b = next_number(5, 10), c = next_number(5, 10);
        if (!is_finite_small(WB_F16, a) || !is_finite_small(WB_F16, b) ||
            !is_finite_small(WB_F16, c)) {
            continue;
        }
        quad x = small_value(WB_F16, a), y = small_value(WB_F16, b), z = small_value(WB_F16, c);
        if (x * y + z != 0) {
            assert_int_equal(wb_float_fma(WB_F16, a, b, c, mode, false, false),
                             round_by_search(WB_F16, x * y + z, mode));
        }
        if (x + y != 0) {
            assert_int_equal(wb_float_add(WB_F16, a, b, mode, false, false),
                             round_by_search(WB_F16, x + y, mode));
        }
        if (x * y != 0) {
            assert_int_equal(wb_float_mul(WB_F16, a, b, mode, false, false),
                             round_by_search(WB_F16, x * y, mode));
        }
    }
}

/* ---- recorded hardware ----------------------------------------------------------------------- */

enum { ROWS = 48, INTEGERS = WB_F64 + 1, KINDS = INTEGERS + 1, OPERANDS = 3 };

/* A line of fixtures/fpu/h200.txt. */
struct operation {
    char words[4][16];
    enum wb_round mode;
    bool ftz, sat, nan;
};

static struct operation parse_operation(const char *line)
{
    struct operation operation = {0};
    int count = sscanf(line, "%15s %15s %15s %15s", operation.words[0], operation.words[1],
                       operation.words[2], operation.words[3]);
    assert_true(count >= 2);
    for (unsigned mode = 0; mode < MODES; mode++) {
        if (wb_starts_with(operation.words[count - 1],
                           (const char *[]){"rn", "rm", "rp", "rz"}[mode])) {
            operation.mode = mode;
        }
    }
    operation.ftz = strstr(line, ".ftz");
    operation.sat = strstr(line, ".sat");
    operation.nan = strstr(line, ".NaN");
    return operation;
}

/* The format that a word names; INTEGERS for any other word. */
static int kind_of(const char *word)
{
    static const char *const names[] = {"f16", "bf16", "f32", "f64"};
    int kind = 0;
    while (kind < INTEGERS && strcmp(names[kind], word) != 0) {
        kind++;
    }
    return kind;
}

static unsigned width_of(const char *integer)
{
    return (unsigned)atoi(integer + 1);
}

static uint64_t low_bits(uint64_t value, unsigned width)
{
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static uint64_t extend(uint64_t value, const char *integer)
{
    unsigned width = width_of(integer);
    uint64_t low = low_bits(value, width);
    return integer[0] == 's' && low >> (width - 1) ? low | ~low_bits(UINT64_MAX, width) : low;
}

/* What the hardware returned, without bits that do not belong to the result. */
static uint64_t cut_result(const struct operation *operation, uint64_t result)
{
    static const unsigned widths[] = {16, 16, 32, 64};
    bool converts = kind_of(operation->words[0]) == INTEGERS;
    const char *type = !converts                                  ? operation->words[0]
                       : strcmp(operation->words[0], "frnd") == 0 ? operation->words[1]
                                                                  : operation->words[2];
    int kind = kind_of(type);
    return low_bits(result, kind == INTEGERS ? width_of(type) : widths[kind]);
}

static uint64_t compute(const struct operation *operation, const uint64_t operands[OPERANDS])
{
    const char *first = operation->words[0], *second = operation->words[1];
    const char *third = operation->words[2];
    enum wb_round mode = operation->mode;
    enum wb_format format = kind_of(first), from = kind_of(second), to = kind_of(third);
    uint64_t a = operands[0], b = operands[1], c = operands[2];
    bool ftz = operation->ftz, sat = operation->sat;
    if (strcmp(first, "cvt") == 0) {
        return wb_float_convert(to, from, a, mode, ftz, sat);
    }
    if (strcmp(first, "frnd") == 0) {
        return wb_float_integral(from, a, mode, ftz);
    }
    if (strcmp(first, "i2f") == 0) {
        return wb_float_from_int(to, second[0] == 's', extend(a, second), mode);
    }
    if (strcmp(first, "f2i") == 0) { /* the 64-bit instruction has no .NTZ */
        bool nan_to_zero = from != WB_F64 && width_of(third) != 64;
        return wb_float_to_int(width_of(third), third[0] == 's', from, a, mode, ftz, nan_to_zero);
    }
    return wb_starts_with(second, "min")   ? wb_float_min(format, a, b, ftz, operation->nan)
           : wb_starts_with(second, "max") ? wb_float_max(format, a, b, ftz, operation->nan)
           : wb_starts_with(second, "add") ? wb_float_add(format, a, b, mode, ftz, sat)
           : wb_starts_with(second, "mul") ? wb_float_mul(format, a, b, mode, ftz, sat)
                                           : wb_float_fma(format, a, b, c, mode, ftz, sat);
}

/* The word of a column in h200.bin. */
static uint64_t recorded(struct wb_bytes words, size_t column, size_t row)
{
    uint64_t word;
    size_t at = (column * ROWS + row) * sizeof word;
    assert_true(at + sizeof word <= words.size);
    memcpy(&word, words.data + at, sizeof word);
    return word;
}

static void equals_the_recorded_hardware(void **state)
{
    struct wb_bytes words = read_fixture(*state, "fpu/h200.bin");
    char *text = (char *)read_fixture(*state, "fpu/h200.txt").data;
    size_t count = 0;
    for (char *rest, *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        struct operation operation = parse_operation(line);
        int kind = kind_of(operation.words[0]);
        kind = kind == INTEGERS ? kind_of(operation.words[1]) : kind;
        for (size_t row = 0; row < ROWS; row++) {
            uint64_t operands[OPERANDS];
            for (size_t i = 0; i < OPERANDS; i++) {
                operands[i] = recorded(words, (size_t)kind * OPERANDS + i, row);
            }
            uint64_t expected =
                cut_result(&operation, recorded(words, KINDS * OPERANDS + count, row));
            uint64_t ours = compute(&operation, operands);
            if (ours != expected) {
                fail_msg("%s of %016lx %016lx %016lx is %lx, the hardware returns %lx", line,
                         (unsigned long)operands[0], (unsigned long)operands[1],
                         (unsigned long)operands[2], (unsigned long)ours, (unsigned long)expected);
            }
        }
        count++;
    }
    assert_int_equal(count, 360);
    assert_int_equal(words.size, (KINDS * OPERANDS + count) * ROWS * sizeof(uint64_t));
}

/* ---- cases by hand -------------------------------------------------------------------------- */

static void follows_the_rules_for_zeros_and_nans(void **state)
{
    enum { POSITIVE = 0, ONE = 0x3f800000, INFINITE = 0x7f800000, TINY = 1 };
    const uint32_t negative = 0x80000000, payload = 0x7f812345;
    (void)state;
    assert_int_equal(wb_f32_add(ONE, ONE | negative, WB_RN, false, false), POSITIVE);
    assert_int_equal(wb_f32_add(ONE, ONE | negative, WB_RM, false, false), negative);
    assert_int_equal(wb_f32_add(POSITIVE, negative, WB_RP, false, false), POSITIVE);
    assert_int_equal(wb_f32_add(POSITIVE, negative, WB_RM, false, false), negative);
    assert_int_equal(wb_f32_add(negative, negative, WB_RP, false, false), negative);
    assert_int_equal(wb_f32_mul(negative, ONE, WB_RN, false, false), negative);
    assert_int_equal(wb_f32_mul(negative, ONE, WB_RN, false, true), POSITIVE);
    assert_int_equal(wb_f32_mul(negative, INFINITE, WB_RN, false, false), F32_NAN);
    assert_int_equal(wb_f32_fma(POSITIVE, INFINITE, payload, WB_RZ, false, false), F32_NAN);
    assert_int_equal(wb_f32_add(payload, ONE, WB_RN, false, true), POSITIVE);
    assert_int_equal(wb_f32_add(INFINITE, INFINITE | negative, WB_RN, false, false), F32_NAN);
    assert_int_equal(wb_f32_add(TINY, TINY, WB_RN, true, false), POSITIVE);
    assert_int_equal(wb_f32_add(TINY | negative, TINY | negative, WB_RM, true, false), negative);
    assert_int_equal(wb_f32_add(0x7f7fffff, 0x7f7fffff, WB_RZ, false, false), 0x7f7fffff);
    assert_int_equal(wb_f32_mul(TINY, TINY, WB_RP, false, false), TINY);
    assert_int_equal(wb_float_add(WB_BF16, 0x7fc0, 0, WB_RN, false, false), 0x7fff);
    assert_int_equal(wb_float_mul(WB_BF16, 0x4000, 0x4040, WB_RN, false, false), 0x40c0);
}

static void orders_zeros_and_skips_nans(void **state)
{
    const uint32_t negative = 0x80000000, one = 0x3f800000, payload = 0x7f812345;
    (void)state;
    assert_int_equal(wb_float_min(WB_F32, 0, negative, false, false), negative);
    assert_int_equal(wb_float_max(WB_F32, negative, 0, false, false), 0);
    assert_int_equal(wb_float_min(WB_F32, one, one | negative, false, false), one | negative);
    assert_int_equal(wb_float_max(WB_F32, 0xff800000, one | negative, false, false),
                     one | negative);
    assert_int_equal(wb_float_min(WB_F32, payload, one, false, false), one);
    assert_int_equal(wb_float_max(WB_F32, one, payload, false, false), one);
    assert_int_equal(wb_float_max(WB_F32, one, payload, false, true), F32_NAN);
    assert_int_equal(wb_float_min(WB_F32, payload, payload, false, false), F32_NAN);
    assert_int_equal(wb_float_max(WB_F32, negative | 1, negative | 5, true, false), negative);
    assert_int_equal(wb_float_min(WB_F16, 0x3c00, 0xbc00, false, false), 0xbc00);
}

static void saturates_integers_and_nans(void **state)
{
    const uint32_t nan = 0xffc00000, infinite = 0x7f800000, minus_infinite = 0xff800000;
    (void)state;
    assert_int_equal(wb_float_to_int(32, true, WB_F32, nan, WB_RZ, false, true), 0);
    assert_int_equal(wb_float_to_int(32, true, WB_F32, nan, WB_RZ, false, false), 0x80000000);
    assert_int_equal(wb_float_to_int(32, true, WB_F32, infinite, WB_RZ, false, true), INT32_MAX);
    assert_int_equal(wb_float_to_int(32, true, WB_F32, minus_infinite, WB_RZ, false, true),
                     0x80000000);
    assert_int_equal(wb_float_to_int(32, false, WB_F32, minus_infinite, WB_RZ, false, true), 0);
    assert_true(wb_float_to_int(64, false, WB_F32, infinite, WB_RZ, false, true) == UINT64_MAX);
    assert_int_equal(wb_float_to_int(8, true, WB_F32, 0xc3800000, WB_RN, false, true), 0x80);
    assert_int_equal(wb_float_to_int(32, true, WB_F32, 1, WB_RP, false, true), 1);
    assert_int_equal(wb_float_to_int(32, true, WB_F32, 1, WB_RP, true, true), 0);
}

/* Each code of an 8-bit format but its NaNs is a float16, and comes back from there and from single
 * precision. */
static void unpacks_every_8_bit_number_and_back(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 256; code++) {
        unsigned magnitude = code & 0x7f;
        for (int format = WB_E4M3; format <= WB_E5M2; format++) {
            bool e5m2 = format == WB_E5M2, nan = magnitude > (e5m2 ? 0x7c : 0x7e);
            uint64_t half = wb_fp8_unpack(WB_F16, format, (uint8_t)code);
            uint64_t single = wb_float_convert(WB_F32, WB_F16, half, WB_RN, false, false);
            assert_int_equal(wb_fp8_pack(format, WB_F16, half, false), nan ? 0x7f : code);
            assert_int_equal(wb_fp8_pack(format, WB_F32, single, false), nan ? 0x7f : code);
            if (e5m2 && !nan) {
                assert_int_equal(half, code << 8);
            }
        }
    }
    assert_int_equal(wb_fp8_unpack(WB_F16, WB_E4M3, 0x38), 0x3c00); /* 1 */
    assert_int_equal(wb_fp8_unpack(WB_F16, WB_E4M3, 0x7e), 0x5f00); /* 448 */
    assert_int_equal(wb_fp8_unpack(WB_F16, WB_E4M3, 0x81), 0x9800); /* -2^-9 */
    assert_int_equal(wb_fp8_unpack(WB_F16, WB_E4M3, 0xff), 0x7fff);
}

static void rounds_to_8_bits(void **state)
{
    const uint32_t infinite = 0x7f800000, large = 0x43e80000 /* 464 */, above = large + 1;
    (void)state;
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, 0x3f880000, true), 0x38); /* 1.0625, a tie: 1 */
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, 0x3f980000, true), 0x3a); /* 1.1875: 1.25 */
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, 0x3f880001, true), 0x39);
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, large, false), 0x7e);
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, above, false), 0x7f);
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, above, true), 0x7e);
    assert_int_equal(wb_fp8_pack(WB_E4M3, WB_F32, 0x80000000 | infinite, true), 0xfe);
    assert_int_equal(wb_fp8_pack(WB_E5M2, WB_F32, 0x80000000 | infinite, true), 0xfb);
    assert_int_equal(wb_fp8_pack(WB_E5M2, WB_F32, infinite, false), 0x7c);
    assert_int_equal(wb_fp8_pack(WB_E5M2, WB_F32, 0xffc00000, true), 0x7f);
    assert_int_equal(wb_fp8_pack(WB_E5M2, WB_F32, 0x37000000, true), 0); /* 2^-17, a tie */
    assert_int_equal(wb_fp8_pack(WB_E5M2, WB_F32, 0xb7000001, true), 0x81);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_equals_the_host),
        cmocka_unit_test(f64_equals_the_host),
        cmocka_unit_test(converts_between_f32_and_f64_as_the_host),
        cmocka_unit_test(makes_floats_of_integers_as_the_host),
        cmocka_unit_test(makes_integers_of_floats_as_the_host),
        cmocka_unit_test(rounds_to_integral_values_as_the_host),
        cmocka_unit_test(converts_every_small_number_to_f32_and_back),
        cmocka_unit_test(narrows_f32_as_a_search_does),
        cmocka_unit_test(computes_in_f16_as_a_search_does),
        ARENA_TEST(equals_the_recorded_hardware),
        cmocka_unit_test(follows_the_rules_for_zeros_and_nans),
        cmocka_unit_test(orders_zeros_and_skips_nans),
        cmocka_unit_test(saturates_integers_and_nans),
        cmocka_unit_test(unpacks_every_8_bit_number_and_back),
        cmocka_unit_test(rounds_to_8_bits),
    };
    return cmocka_run_group_tests_name("fpu", tests, NULL, NULL);
}
