/* SPDX-License-Identifier: MIT
 * Occupancy with what the program sets: how much shared memory, how it is divided from L1. Values
 * are those of NVIDIA's cuda_occupancy.h; fixtures/cudart/function_calls.cuh compares with it
 * widely.
 */
#include "occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { KIB = 1024 };

static void blocks(void **state)
{
    (void)state;
    static const struct {
        unsigned registers, static_shared;
        size_t limit;
        int carveout;
        unsigned threads;
        size_t dynamic;
        unsigned want;
    } rows[] = {
        {32, 0, 48 * KIB, -1, 256, 0, 8},
        {32, 0, 48 * KIB, -1, 32, 0, 32},
        {32, 0, 48 * KIB, -1, 256, 48 * KIB, 4},
        {32, 0, 48 * KIB, -1, 256, 48 * KIB + 1, 0},
        {32, 0, 200 * KIB, -1, 256, 200 * KIB, 1},
        {32, 0, 227 * KIB, -1, 256, 227 * KIB, 1},
        {32, 1024, 47 * KIB, -1, 256, 47 * KIB, 4},
        {255, 0, 48 * KIB, -1, 256, 0, 1},
        {255, 0, 48 * KIB, -1, 257, 0, 0},
        {32, 0, 48 * KIB, 0, 1024, 0, 2},
        {32, 0, 48 * KIB, 25, 64, 20 * KIB, 3},
        {32, 0, 48 * KIB, -1, 1025, 0, 0},
        {32, 0, 48 * KIB, -1, 0, 0, 0},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        struct wb_kernel kernel = {.registers = rows[i].registers,
                                   .static_shared = rows[i].static_shared};
        struct wb_occupancy o = {&kernel, rows[i].limit, rows[i].carveout};
        unsigned got = wb_occupancy_blocks(&o, rows[i].threads, rows[i].dynamic);
        if (got != rows[i].want) {
            fail_msg("row %zu: %u blocks, not %u", i, got, rows[i].want);
        }
    }
}

static void available(void **state)
{
    (void)state;
    struct wb_kernel kernel = {.registers = 32, .static_shared = 1024};
    struct wb_occupancy o = {&kernel, 227 * KIB - 1024, -1};
    size_t size = 0;
    assert_true(wb_occupancy_available(&size, &o, 1, 128));
    assert_int_equal(size, 226 * KIB);
    assert_true(wb_occupancy_available(&size, &o, 4, 128));
    assert_int_equal(size, 55 * KIB);
    o.dynamic_limit = 10 * KIB;
    assert_true(wb_occupancy_available(&size, &o, 4, 128));
    assert_int_equal(size, 10 * KIB);
    assert_false(wb_occupancy_available(&size, &o, 17, 128));
    assert_false(wb_occupancy_available(&size, &o, 0, 128));
}

static void threads(void **state)
{
    (void)state;
    static const struct {
        unsigned registers, bounds, want;
    } rows[] = {{32, 0, 1024}, {64, 0, 1024},   {65, 0, 896}, {128, 0, 512},
                {255, 0, 256}, {255, 128, 128}, {16, 96, 96}, {0, 0, 1024}};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        struct wb_kernel kernel = {.registers = rows[i].registers, .max_threads = rows[i].bounds};
        assert_int_equal(wb_occupancy_max_threads(&kernel), rows[i].want);
    }
}

static void clusters(void **state)
{
    (void)state;
    struct wb_kernel kernel = {.registers = 32};
    struct wb_occupancy o = {&kernel, 227 * KIB, -1};
    assert_int_equal(wb_occupancy_clusters(&o, 1024, 0, 1), 2 * 132);
    assert_int_equal(wb_occupancy_clusters(&o, 1024, 200 * KIB, 2), 66);
    assert_int_equal(wb_occupancy_clusters(&o, 1024, 200 * KIB, 16), 8);
    assert_int_equal(wb_occupancy_clusters(&o, 1024, 228 * KIB, 2), 0);
    assert_int_equal(wb_occupancy_clusters(&o, 1024, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks),
        cmocka_unit_test(available),
        cmocka_unit_test(threads),
        cmocka_unit_test(clusters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
