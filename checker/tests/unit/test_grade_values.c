/* SPDX-License-Identifier: MIT
 * Seeded numbers, the comparison, sizes in words, and the place of an element.
 */
#include "cases.h"
#include "cubin_fixture.h"
#include "values.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- random ------------------------------------------------------------------------------- */

static void random_is_splitmix64(void **state)
{
    (void)state;
    /* The first numbers of the published generator for seed 1234567. */
    struct wb_random random = {1234567};
    assert_true(wb_random_next(&random) == UINT64_C(6457827717110365317));
    assert_true(wb_random_next(&random) == UINT64_C(3203168211198807973));
    assert_true(wb_random_next(&random) == UINT64_C(9817491932198370423));
}

static void uniform_stays_in_its_range(void **state)
{
    (void)state;
    struct wb_random random = {1};
    double least = 3, most = -1, sum = 0;
    for (int i = 0; i < 100000; i++) {
        double value = wb_random_uniform(&random, -1, 3);
        assert_true(value >= -1 && value < 3);
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
    }
    assert_true(least < -0.999 && most > 2.999 && fabs(sum / 100000 - 1) < 0.02);
    assert_true(wb_random_uniform(&random, 7, 7) == 7);
    double next = nextafter(1, 2); /* rounding must not reach the upper end */
    for (int i = 0; i < 100; i++) {
        assert_true(wb_random_uniform(&random, 1, next) == 1);
    }
}

static void streams_differ(void **state)
{
    (void)state;
    const struct wb_size size = {33, 2, 1}, other = {33, 1, 2};
    struct wb_random base = wb_random_for(1, 0, size, 0);
    uint64_t first = wb_random_next(&base);
    struct wb_random again = wb_random_for(1, 0, size, 0);
    assert_true(wb_random_next(&again) == first);
    struct wb_random others[] = {wb_random_for(2, 0, size, 0), wb_random_for(1, 1, size, 0),
                                 wb_random_for(1, 0, other, 0), wb_random_for(1, 0, size, 1)};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(others); i++) {
        assert_false(wb_random_next(&others[i]) == first);
    }
}

/* ---- values ------------------------------------------------------------------------------- */

static void compares_values(void **state)
{
    (void)state;
    static const struct {
        double got, want, absolute, relative;
        bool right;
    } rows[] = {
        {1, 1, 0, 0, true},
        {0.0, -0.0, 0, 0, true},
        {1, 2, 0, 0, false},
        {1.5, 1, 0.5, 0, true},
        {1.5, 1, 0.49, 0, false},
        {110, 100, 0, 0.1, true},
        {111, 100, 0, 0.1, false},
        {-110, -100, 0, 0.1, true},
        {111, 100, 1, 0.1, true},
        {NAN, 1, 1e9, 1e9, false},
        {1, NAN, 1e9, 1e9, false},
        {NAN, NAN, 0, 0, true},
        {INFINITY, INFINITY, 0, 0, true},
        {INFINITY, -INFINITY, 1, 1, false},
        {INFINITY, 1, 1, 1, false},
        {DBL_MAX, INFINITY, 1, 1, false}, /* |want| * relative is infinite, and yet wrong */
        {0, INFINITY, 0, 0, false},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        bool right = wb_value_right(rows[i].got, rows[i].want, rows[i].absolute, rows[i].relative);
        if (right != rows[i].right) {
            fail_msg("row %zu: %g against %g", i, rows[i].got, rows[i].want);
        }
    }
}

static void texts_tell_values_apart(void **state)
{
    (void)state;
    char got[WB_VALUE_TEXT], want[WB_VALUE_TEXT];
    wb_value_texts(got, want, WB_F32, 1.5, 2);
    assert_string_equal(got, "1.5");
    assert_string_equal(want, "2");
    wb_value_texts(got, want, WB_F32, (double)1.0f, (double)nextafterf(1, 2));
    assert_string_not_equal(got, want);
    wb_value_texts(got, want, WB_F64, 1.0, nextafter(1, 2));
    assert_string_not_equal(got, want);
    wb_value_texts(got, want, WB_I32, INT32_MIN, INT32_MAX);
    assert_string_equal(got, "-2147483648");
    assert_string_equal(want, "2147483647");
    wb_value_texts(got, want, WB_F32, NAN, INFINITY);
    assert_string_equal(got, "NaN");
    assert_string_equal(want, "inf");
    wb_value_texts(got, want, WB_F32, -(double)NAN, 1);
    assert_string_equal(got, "NaN");
    wb_value_texts(got, want, WB_F64, -DBL_MAX, -DBL_MIN); /* the longest fit */
}

static void pattern_is_no_number(void **state)
{
    (void)state;
    double data[4];
    wb_unwritten_fill(data, sizeof data);
    for (size_t i = 0; i < 4; i++) {
        assert_true(isnan(wb_value_get(WB_F64, data, i)));
        assert_true(wb_unwritten_at(WB_F64, data, i));
    }
    for (size_t i = 0; i < 8; i++) {
        assert_true(isnan(wb_value_get(WB_F32, data, i)));
        assert_true(wb_value_get(WB_I32, data, i) == 2147243947);
        assert_true(wb_unwritten_at(WB_I32, data, i));
    }
    uint32_t canonical = 0x7FFFFFFF; /* what a GPU writes for NaN */
    memcpy(data, &canonical, sizeof canonical);
    assert_false(wb_unwritten_at(WB_F32, data, 0));
    assert_true(wb_unwritten_at(WB_F32, data, 1));
}

static void every_type_round_trips(void **state)
{
    (void)state;
    static const double values[] = {
        [WB_I32] = -2147483648.0, [WB_U32] = 4294967295.0, [WB_F32] = -0.15625, [WB_F64] = 0.1};
    for (unsigned type = 0; type < WB_ARRAY_LENGTH(values); type++) {
        uint64_t data[2] = {0};
        wb_value_set(type, data, 1, values[type]);
        assert_true(wb_value_get(type, data, 1) == values[type]);
        assert_true(wb_value_get(type, data, 0) == 0);
    }
}

/* ---- cases -------------------------------------------------------------------------------- */

static size_t one_per_warp(struct wb_size size)
{
    return (size.x + 31) / 32;
}

static void fill_with_seven(void *data, size_t count, struct wb_size size, struct wb_random *random)
{
    (void)random;
    assert_int_equal(count, wb_size_count(size));
    for (size_t i = 0; i < count; i++) {
        ((float *)data)[i] = 7;
    }
}

static const struct wb_param params[] = {
    {WB_IN("in", WB_I32, -2, 2)},
    {WB_OUT("sums", WB_F64), .count = one_per_warp},
    {WB_N("n")},
    {.name = "filled", .kind = WB_PARAM_INOUT, .type = WB_F32, .fill = fill_with_seven},
    {WB_HEIGHT("h")},
    {WB_VALUE("factor", WB_F64, 2.5)},
};
static const struct wb_size sizes[] = {{100, 3, 1}};
static const struct wb_task tasks[] = {{.params = params,
                                        .param_count = WB_ARRAY_LENGTH(params),
                                        .sizes = sizes,
                                        .size_count = 1,
                                        .block = {32, 2, 1}}};
static const struct wb_lesson lesson = {.tasks = tasks, .task_count = 1};

static void makes_arrays(void **state)
{
    struct wb_case made, again, other;
    wb_case_make(&made, *state, &lesson, 0, sizes[0], 1);
    wb_case_make(&again, *state, &lesson, 0, sizes[0], 1);
    wb_case_make(&other, *state, &lesson, 0, sizes[0], 2);
    assert_int_equal(made.count[0], 300);
    assert_int_equal(made.count[1], 4);
    assert_null(made.data[2]);
    assert_memory_equal(made.data[0], again.data[0], 300 * 4);
    assert_memory_not_equal(made.data[0], other.data[0], 300 * 4);
    bool seen[5] = {false};
    for (size_t i = 0; i < 300; i++) {
        int value = ((int *)made.data[0])[i];
        assert_in_range(value + 2, 0, 4);
        seen[value + 2] = true;
        assert_true(((float *)made.data[3])[i] == 7);
    }
    assert_true(seen[0] && seen[4]); /* integers reach both ends */
    assert_true(wb_unwritten_at(WB_F64, made.data[1], 3));
}

static void makes_launches(void **state)
{
    struct wb_case made;
    struct wb_device_case launch;
    wb_case_make(&made, *state, &lesson, 0, sizes[0], 1);
    wb_case_launch(&launch, *state, &tasks[0], &made);
    assert_int_equal(launch.grid.x, 4);
    assert_int_equal(launch.grid.y, 2);
    assert_int_equal(launch.grid.z, 1);
    assert_int_equal(launch.buffer_count, 3);
    assert_string_equal(launch.buffers[1].name, "sums");
    assert_int_equal(launch.buffers[1].size, 4 * 8);
    assert_ptr_equal(launch.buffers[2].data, made.data[3]);
    assert_ptr_equal(wb_case_buffer(&launch, &tasks[0], 3), &launch.buffers[2]);
    assert_int_equal(launch.arg_count, 6);
    assert_int_equal(launch.args[3].buffer, 2);
    assert_int_equal(launch.args[2].buffer, -1);
    assert_int_equal(launch.args[2].value[0], 100);
    assert_int_equal(launch.args[4].value[0], 3);
    assert_int_equal(launch.args[5].size, 8);
    double factor;
    memcpy(&factor, launch.args[5].value, sizeof factor);
    assert_true(factor == 2.5);
    assert_string_equal(wb_size_text(*state, &tasks[0], sizes[0]), "n = 100, h = 3");
    assert_string_equal(
        wb_task_declaration(*state,
                            &(struct wb_task){.kernel = "k", .params = params, .param_count = 6}),
        "extern \"C\" __global__ void k(const int *in, double *sums, int n, float "
        "*filled, int h, double factor)");
}

static void empty_case_has_one_block(void **state)
{
    struct wb_case made;
    struct wb_device_case launch;
    wb_case_make(&made, *state, &lesson, 0, (struct wb_size){0, 3, 1}, 1);
    wb_case_launch(&launch, *state, &tasks[0], &made);
    assert_int_equal(launch.grid.x, 1);
    assert_int_equal(launch.buffers[0].size, 0);
    assert_non_null(launch.buffers[0].data);
}

/* ---- places ------------------------------------------------------------------------------- */

static void finds_places(void **state)
{
    static const struct wb_param outs[] = {{WB_OUT("out", WB_F32)},
                                           {WB_OUT("turned", WB_F32), .transposed = true}};
    static const struct {
        struct wb_size size;
        struct wb_dim3 grid, block;
        unsigned param;
        size_t count, index;
        const char *element, *thread;
    } rows[] = {
        {{100, 1, 1}, {4, 1, 1}, {32, 1, 1}, 0, 100, 33, "out[33]", "block 1, thread 1"},
        {{100, 1, 1}, {1, 1, 1}, {32, 1, 1}, 0, 100, 33, "out[33]", "block 0, thread 1"},
        {{100, 1, 1}, {4, 1, 1}, {32, 1, 1}, 0, 4, 3, "out[3]", ""},
        {{33, 65, 1},
         {3, 9, 1},
         {16, 8, 1},
         0,
         33 * 65,
         33 * 9 + 17,
         "out[314] (row 9, column 17)",
         "block (x 1, y 1), thread (x 1, y 1)"},
        {{33, 65, 1},
         {9, 1, 1},
         {256, 1, 1},
         0,
         33 * 65,
         314,
         "out[314] (row 9, column 17)",
         "block 1, thread 58"},
        /* turned[17][9] is what the thread of column 17, row 9 writes */
        {{33, 65, 1},
         {3, 9, 1},
         {16, 8, 1},
         1,
         33 * 65,
         65 * 17 + 9,
         "turned[1114] (row 17, column 9)",
         "block (x 1, y 1), thread (x 1, y 1)"},
        {{5, 4, 3},
         {3, 2, 3},
         {2, 2, 1},
         0,
         60,
         20 + 5 + 2,
         "out[27] (x 2, y 1, z 1)",
         "block (x 1, y 0, z 1), thread (x 0, y 1, z 0)"},
        {{5, 4, 3},
         {3, 2, 3},
         {2, 2, 1},
         0,
         20,
         5 + 2,
         "out[7] (row 1, column 2)",
         "block (x 1, y 0), thread (x 0, y 1)"},
        {{5, 4, 3}, {0, 0, 0}, {0, 0, 0}, 0, 60, 0, "out[0] (x 0, y 0, z 0)", ""},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        struct wb_task task = {
            .params = outs, .param_count = 2, .sizes = &rows[i].size, .size_count = 1};
        struct wb_device_case launch = {.grid = rows[i].grid, .block = rows[i].block};
        struct wb_place place =
            wb_place_of(&task, rows[i].param, rows[i].size, &launch, rows[i].count, rows[i].index);
        assert_string_equal(
            wb_place_element(*state, outs[rows[i].param].name, &place, rows[i].index),
            rows[i].element);
        assert_string_equal(wb_place_thread(*state, &place), rows[i].thread);
    }
}

/* Some points and coefficients: each array has a length of its own, and none has rows. */
static void arrays_of_their_own_length_are_lists(void **state)
{
    struct wb_param out = {WB_OUT("y", WB_F32)};
    const struct wb_size shapes[] = {{5, 1, 1}, {5, 8, 1}};
    const struct wb_task task = {
        .params = &out, .param_count = 1, .sizes = shapes, .size_count = 2};
    const struct wb_device_case launch = {.grid = {1, 1, 1}, .block = {256, 1, 1}};
    assert_false(wb_task_is_list(&task));
    struct wb_place place = wb_place_of(&task, 0, shapes[0], &launch, 5, 4);
    assert_string_equal(wb_place_element(*state, "y", &place, 4), "y[4] (row 0, column 4)");
    out.count = wb_count_dim3;
    assert_true(wb_task_is_list(&task));
    place = wb_place_of(&task, 0, shapes[0], &launch, 5, 4);
    assert_string_equal(wb_place_element(*state, "y", &place, 4), "y[4]");
}

static void counts_have_separators(void **state)
{
    static const struct {
        uint64_t count;
        const char *text;
    } rows[] = {{0, "0"},
                {999, "999"},
                {1000, "1,000"},
                {12345678, "12,345,678"},
                {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        assert_string_equal(wb_count_text(*state, rows[i].count), rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_is_splitmix64),
        cmocka_unit_test(uniform_stays_in_its_range),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(compares_values),
        cmocka_unit_test(texts_tell_values_apart),
        cmocka_unit_test(pattern_is_no_number),
        cmocka_unit_test(every_type_round_trips),
        ARENA_TEST(makes_arrays),
        ARENA_TEST(makes_launches),
        ARENA_TEST(empty_case_has_one_block),
        ARENA_TEST(finds_places),
        ARENA_TEST(arrays_of_their_own_length_are_lists),
        ARENA_TEST(counts_have_separators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
