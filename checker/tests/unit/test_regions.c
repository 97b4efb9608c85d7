/* SPDX-License-Identifier: MIT
 * Regions of global memory at addresses of the caller's choice, and those that were taken away.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

enum { MANY = 20000 };

static int setup(void **state)
{
    struct wb_status status = {0};
    return wb_sim_create((struct wb_sim **)state, &status) ? 0 : -1;
}

static int teardown(void **state)
{
    wb_sim_destroy(*state);
    return 0;
}

static void regions_do_not_overlap(void **state)
{
    struct wb_sim *sim = *state;
    static uint8_t bytes[1000];
    assert_true(wb_sim_map_at(sim, 5000, bytes, 1000, "a"));
    assert_false(wb_sim_map_at(sim, 5000, bytes, 1000, "b"));
    assert_false(wb_sim_map_at(sim, 5999, bytes, 1, "b"));
    assert_false(wb_sim_map_at(sim, 4000, bytes, 1001, "b"));
    assert_false(wb_sim_map_at(sim, 4000, bytes, 5000, "b"));
    assert_true(wb_sim_map_at(sim, 6000, bytes, 1000, "b"));
    assert_true(wb_sim_map_at(sim, 4000, bytes, 1000, "c"));
    assert_false(wb_sim_map_at(sim, UINT64_MAX - 10, bytes, 100, "d"));
    assert_false(wb_sim_map_at(sim, WB_SHARED_WINDOW - 10, bytes, 100, "d"));
}

static void they_are_sorted(void **state)
{
    struct wb_sim *sim = *state;
    static uint8_t bytes[16];
    for (uint64_t i = 0; i < 100; i++) {
        assert_true(wb_sim_map_at(sim, 1000 + i * 37 % 100 * 16, bytes, 16, "x"));
    }
    const struct wb_memory *memory = wb_sim_memory(sim);
    for (size_t i = 1; i < memory->count; i++) {
        assert_true(memory->regions[i - 1].address < memory->regions[i].address);
    }
    assert_int_equal(wb_memory_region(memory, 1000 + 55)->address, 1000 + 48);
    assert_null(wb_memory_region(memory, 999));
}

static void what_was_taken_away_is_remembered(void **state)
{
    struct wb_sim *sim = *state;
    static uint8_t bytes[64];
    assert_false(wb_sim_unmap(sim, 5000));
    assert_true(wb_sim_map_at(sim, 5000, bytes, 64, "gone"));
    assert_false(wb_sim_unmap(sim, 5001));
    assert_true(wb_sim_unmap(sim, 5000));
    assert_false(wb_sim_unmap(sim, 5000));
    const struct wb_region *r = wb_memory_region(wb_sim_memory(sim), 5010);
    assert_true(r->freed);
    assert_string_equal(r->name, "gone");
    assert_true(wb_sim_map_at(sim, 4990, bytes, 64, "new")); /* takes its place */
    r = wb_memory_region(wb_sim_memory(sim), 5010);
    assert_false(r->freed);
    assert_string_equal(r->name, "new");
}

static void the_list_stays_small(void **state)
{
    struct wb_sim *sim = *state;
    static uint8_t bytes[64];
    assert_true(wb_sim_map_at(sim, 500, bytes, 64, "first"));
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(wb_sim_map_at(sim, 1000 + 100 * i, bytes, 64, "x"));
        assert_true(wb_sim_unmap(sim, 1000 + 100 * i));
    }
    const struct wb_memory *memory = wb_sim_memory(sim);
    assert_true(memory->count < MANY / 2);
    assert_string_equal(wb_memory_region(memory, 1000 + 100 * (MANY - 1))->name, "x");
    assert_string_equal(wb_memory_region(memory, 510)->name, "first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        SIM_TEST(regions_do_not_overlap),
        SIM_TEST(they_are_sorted),
        SIM_TEST(what_was_taken_away_is_remembered),
        SIM_TEST(the_list_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
