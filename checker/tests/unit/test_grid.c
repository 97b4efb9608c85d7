/* SPDX-License-Identifier: MIT
 * Blocks, warps and lanes that wait for each other: what goes on, and what is said about what does
 * not. The kernels and the lines that are to be named are in fixtures/sass/grid.cu.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 1 << 16, STEPS = 4000000 };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    const char *source; /* grid.cu */

    struct wb_sim *sim;
    uint64_t out_address;
    int32_t out[WORDS];
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_sim_launch launch; /* what a test changes of the next launch */
};

/* The line of grid.cu that has the mark. */
static unsigned marked_line(const struct fixture *fx, const char *mark)
{
    char text[64];
    snprintf(text, sizeof text, "line: %s ", mark);
    const char *at = strstr(fx->source, text);
    unsigned line = 1;
    assert_non_null(at);
    for (const char *c = fx->source; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

/* A fresh device with `out`, all 0, in its memory. */
static struct fixture *fresh(void **state)
{
    struct fixture *fx = *state;
    struct wb_status status = {0};
    wb_sim_destroy(fx->sim);
    assert_true(wb_sim_create(&fx->sim, &status));
    assert_true(wb_sim_load(fx->sim, fx->cubin, &status));
    memset(fx->out, 0, sizeof fx->out);
    fx->out_address = wb_sim_map(fx->sim, fx->out, sizeof fx->out, "out");
    fx->launch = (struct wb_sim_launch){.step_limit = STEPS};
    return fx;
}

static void launch(struct fixture *fx, const char *kernel, unsigned blocks, unsigned threads, int n)
{
    struct wb_status status = {0};
    struct {
        uint64_t out;
        int n;
    } params = {fx->out_address, n};
    struct wb_sim_launch l = fx->launch;
    l.kernel = kernel;
    l.grid = (struct wb_dim3){blocks, 1, 1};
    l.block = (struct wb_dim3){threads, 1, 1};
    l.params = &params;
    l.param_size = 12;
    assert_true(wb_sim_launch(&fx->counters, &fx->fault, &fx->arena, fx->sim, &l, &status));
}

/* The fault's sentence and its list of places. */
static const char *text_of(struct fixture *fx)
{
    struct wb_str text;
    wb_str_init(&text, &fx->arena);
    wb_str_add(&text, fx->fault.message);
    wb_fault_places(&text, &fx->fault);
    return wb_str_get(&text);
}

static void expect(struct fixture *fx, enum wb_reason kind, const char *mark)
{
    if (fx->fault.kind != WB_REASON_NONE) {
        print_message("# %s\n", text_of(fx));
    }
    assert_string_equal(wb_reason_code[fx->fault.kind], wb_reason_code[kind]);
    if (mark) {
        assert_int_equal(fx->fault.line, marked_line(fx, mark));
    }
}

/* The place of the fault's list that is at a marked line. */
static const struct wb_waiting *place(struct fixture *fx, const char *mark)
{
    for (unsigned i = 0; i < fx->fault.waiting_count; i++) {
        if (fx->fault.waiting[i].line == marked_line(fx, mark)) {
            return &fx->fault.waiting[i];
        }
    }
    fail_msg("no place at `%s` in: %s", mark, text_of(fx));
    return NULL;
}

static void expect_words(struct fixture *fx, const char *words)
{
    if (!strstr(text_of(fx), words)) {
        fail_msg("`%s` is not in: %s", words, text_of(fx));
    }
}

/* ---- cooperative launches ----------------------------------------------------------------------
 */

static void grid_sync_works(void **state)
{
    static const unsigned shapes[][2] = {{1, 1}, {1, 96}, {3, 33}, {132, 64}, {264, 32}};
    for (size_t s = 0; s < WB_ARRAY_LENGTH(shapes); s++) {
        struct fixture *fx = fresh(state);
        int n = (int)(shapes[s][0] * shapes[s][1]);
        fx->launch.cooperative = true;
        for (int again = 0; again < 2; again++) {
            launch(fx, "grid_sync", shapes[s][0], shapes[s][1], n);
            expect(fx, WB_REASON_NONE, NULL);
            for (int i = 0; i < n; i++) {
                assert_int_equal(fx->out[n + i], n - 1 - i);
                assert_int_equal(fx->out[i], 2 * i);
            }
            assert_int_equal(fx->out[2 * n], shapes[s][0]);
        }
    }
}

static void grid_sync_without_cooperative_launch_traps(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "grid_sync", 2, 32, 64);
    expect(fx, WB_REASON_TRAP, "grid_sync");
}

static void grid_sync_that_one_block_misses(void **state)
{
    struct fixture *fx = fresh(state);
    fx->launch.cooperative = true;
    launch(fx, "grid_sync_without_one", 8, 64, 3);
    expect(fx, WB_REASON_DEADLOCK, "waits_for_grid");
    const struct wb_waiting *ended = place(fx, "never_comes");
    assert_int_equal(ended->what, WB_WAITING_ENDED);
    assert_int_equal(ended->threads, 64);
    assert_int_equal(ended->block.x, 3);
    assert_int_equal(ended->warps, 2);
    expect_words(fx, "7 of 8 blocks wait at this barrier of the grid for ever");
    expect_words(fx, "7 threads wait at grid.cu:");
    expect_words(fx, "for the barrier of the grid");
    expect_words(fx, "in 7 blocks");
}

/* 64 registers at most: 1024 threads, 2 blocks an SM; 2048 blocks of a warp are 32 an SM. */
static void cooperative_grid_that_is_too_large(void **state)
{
    struct fixture *fx = fresh(state);
    fx->launch.cooperative = true;
    launch(fx, "grid_sync_without_one", 2 * 132, 1024, 2 * 132);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_NONE);
    launch(fx, "grid_sync_without_one", 2 * 132 + 1, 1024, 0);
    expect(fx, WB_REASON_LAUNCH_FAILED, NULL);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_TOO_LARGE);
    expect_words(fx, "only 264 are resident at once: 2 on each of 132 SMs");
    launch(fx, "grid_sync_without_one", 32 * 132 + 1, 32, 0);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_TOO_LARGE);
    fx->launch.dynamic_shared = 100 * 1024;
    launch(fx, "grid_sync_without_one", 2 * 132 + 1, 32, 0);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_TOO_LARGE);
}

static void blocks_on_an_sm(void **state)
{
    (void)state;
    struct wb_kernel kernel = {.registers = 32};
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 1024, 0), 2);
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 64, 0), 32);
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 1, 0), 32);
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 96, 0), 21);
    kernel.registers = 64;
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 1024, 0), 1);
    kernel.registers = 128;
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 1024, 0), 0);
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 256, 0), 2);
    kernel = (struct wb_kernel){.registers = 16, .static_shared = 48 * 1024};
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 128, 0), 4);
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 128, 179 * 1024), 1);
    assert_int_equal(wb_sim_blocks_per_sm(&kernel, 128, 181 * 1024), 0);
}

/* ---- clusters ----------------------------------------------------------------------------------
 */

static void cluster_size_of_the_launch(void **state)
{
    struct fixture *fx = fresh(state);
    for (unsigned size = 1; size <= 8; size *= 2) {
        fx->launch.cluster = (struct wb_dim3){size, 1, 1};
        launch(fx, "any_cluster", 8, 64, 10);
        expect(fx, WB_REASON_NONE, NULL);
        assert_int_equal(fx->out[8], size);
        for (unsigned b = 0; b < 8; b++) {
            assert_int_equal(fx->out[b], 10 + b / size * size + (b % size + 1) % size);
        }
    }
}

static void cluster_sizes_that_are_refused(void **state)
{
    struct fixture *fx = fresh(state);
    fx->launch.cluster = (struct wb_dim3){2, 1, 1};
    launch(fx, "pairs", 4, 32, 1);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[3], 2);
    launch(fx, "any_cluster", 5, 32, 1);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_CLUSTER);
    fx->launch.cluster = (struct wb_dim3){4, 1, 1};
    launch(fx, "pairs", 4, 32, 1);
    expect(fx, WB_REASON_LAUNCH_FAILED, NULL);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_CLUSTER);
    expect_words(fx, "compiled for 2 x 1 x 1");
    fx->launch.cluster = (struct wb_dim3){32, 1, 1};
    launch(fx, "any_cluster", 32, 32, 1);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_CLUSTER);
    fx->launch.cluster = (struct wb_dim3){1u << 31, 1u << 31, 4};
    launch(fx, "any_cluster", 32, 32, 1);
    assert_int_equal(fx->fault.refusal, WB_REFUSAL_CLUSTER);
}

/* LD.E R3, [RZ.U32+UR4] */
static void cluster_memory_by_uniform_addresses(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "uniform_peers", 4, 32, 10);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[0], 12);
    assert_int_equal(fx->out[1], 12);
    assert_int_equal(fx->out[2], 11);
}

static void cluster_barrier_that_half_misses(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "pairs", 2, 32, 0);
    expect(fx, WB_REASON_BARRIER_DIVERGENCE, "other_barrier");
    assert_int_equal(place(fx, "pairs")->what, WB_WAITING_CLUSTER);
    assert_int_equal(place(fx, "pairs")->threads, 32);
    assert_int_equal(place(fx, "other_barrier")->block.x, 1);
    assert_int_equal(place(fx, "other_barrier")->detail, 2);
}

/* ---- progress ----------------------------------------------------------------------------------
 */

static void barrier_by_hand(void **state)
{
    for (int cooperative = 0; cooperative < 2; cooperative++) {
        struct fixture *fx = fresh(state);
        fx->launch.cooperative = cooperative;
        launch(fx, "counted_barrier", 300, 64, 300);
        expect(fx, WB_REASON_NONE, NULL);
        for (int b = 0; b < 300; b++) {
            assert_int_equal(fx->out[301 + b], 300 - b);
        }
    }
}

static void block_that_waits_for_a_later_one(void **state)
{
    for (unsigned threads = 0; threads < 3; threads++) {
        struct fixture *fx = fresh(state);
        fx->launch.threads = threads;
        launch(fx, "first_waits_for_last", 1000, 32, 1000);
        expect(fx, WB_REASON_NONE, NULL);
        assert_int_equal(fx->out[0], 42);
        assert_int_equal(fx->out[998], 998);
    }
}

/* 132 SMs hold 4224 blocks of a warp, and the one that is waited for cannot begin. */
static void block_that_waits_for_one_that_cannot_begin(void **state)
{
    struct fixture *fx = fresh(state);
    fx->launch.step_limit = 0;
    launch(fx, "counted_barrier", 4300, 32, 4300);
    expect(fx, WB_REASON_DEADLOCK, NULL);
    expect_words(fx, "in 4224 blocks");
    expect_words(fx, "76 blocks can only begin when one of these has ended");
}

static void locks(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "spin_lock", 6, 96, 5);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[0], 6 * 96 * 5);
    launch(fx, "ticket_lock", 2, 64, 1000);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[1001], 128);
    assert_true(fx->out[1002] > 1);
    launch(fx, "warps_in_turns", 1, 64, 500);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[499], 499 * 499);
}

static void flag_that_nobody_sets(void **state)
{
    struct fixture *fx = fresh(state);
    fx->launch.step_limit = 0; /* found without a limit */
    launch(fx, "nobody_sets", 3, 64, 100);
    expect(fx, WB_REASON_DEADLOCK, "nobody_sets");
    assert_int_equal(place(fx, "nobody_sets")->what, WB_WAITING_LOOP);
    assert_int_equal(place(fx, "nobody_sets")->threads, 96);
    assert_int_equal(place(fx, "nobody_sets")->blocks, 3);
    assert_int_equal(place(fx, "left_early")->what, WB_WAITING_ENDED);
    fx->launch.step_limit = STEPS; /* might be a wrong condition as well */
    launch(fx, "nobody_sets", 3, 64, 100);
    expect(fx, WB_REASON_TIMEOUT, "nobody_sets");
    assert_int_equal(place(fx, "nobody_sets")->threads, 96);
}

static void loop_that_does_nothing(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "does_nothing", 1, 32, 0);
    expect(fx, WB_REASON_TIMEOUT, "does_nothing");
}

static void locks_in_opposite_orders(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "two_locks", 1, 64, 100);
    expect(fx, WB_REASON_DEADLOCK, "two_locks");
    assert_int_equal(place(fx, "two_locks")->threads, 2);
    expect_words(fx, "62 threads ended");
}

static void lanes_at_different_barriers(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "lanes_leave", 1, 64, 20);
    expect(fx, WB_REASON_BARRIER_DIVERGENCE, "high_lanes");
    const struct wb_waiting *low = place(fx, "low_lanes"), *high = place(fx, "high_lanes");
    assert_int_equal(low->what, WB_WAITING_WARP);
    assert_int_equal(low->detail, WB_ALL_LANES);
    assert_int_equal(low->threads, 40);
    assert_int_equal(low->lanes, 0xfffff);
    assert_int_equal(high->what, WB_WAITING_BLOCK);
    assert_int_equal(high->detail, 1);
    assert_int_equal(high->threads, 24);
    assert_int_equal(high->warps, 2);
    expect_words(fx, "block (0,0,0), warp 0, lanes 20-31, and 1 more warp");
}

static void barrier_that_a_warp_never_reaches(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "named_barrier", 1, 96, 1);
    expect(fx, WB_REASON_BARRIER_DIVERGENCE, "named_barrier");
    const struct wb_waiting *gone = place(fx, "warp_returns");
    assert_int_equal(gone->what, WB_WAITING_ENDED);
    assert_int_equal(gone->warp, 1);
    assert_int_equal(gone->lanes, WB_ALL_LANES);
    expect_words(fx, "64 threads wait at grid.cu:");
    expect_words(fx, "32 threads ended at grid.cu:");
}

/* Long lists are cut, and say so; names of files are not trusted to be short. */
static void list_with_more_places_than_fit(void **state)
{
    struct fixture *fx = fresh(state);
    fx->fault = (struct wb_fault){.waiting_count = 2, .waiting_more = 7};
    fx->fault.waiting[0] = (struct wb_waiting){.what = WB_WAITING_LOOP,
                                               .pc = 0x40,
                                               .threads = 1,
                                               .warps = 1,
                                               .blocks = 1,
                                               .lanes = 1u << 9};
    fx->fault.waiting[1] = (struct wb_waiting){.what = WB_WAITING_MBARRIER,
                                               .line = 7,
                                               .last_line = 7,
                                               .file = "a/b.cu",
                                               .threads = 40,
                                               .warps = 3,
                                               .blocks = 1,
                                               .lanes = 0x11};
    assert_string_equal(
        text_of(fx),
        "\n- 1 thread runs in the loop at instruction 0x40: block (0,0,0), warp 0, lane 9"
        "\n- 40 threads wait at b.cu:7 for a phase of an mbarrier: block (0,0,0), warp 0, lanes "
        "0x00000011, and 2 more warps"
        "\n- 7 threads are at other places");
}

static void same_on_every_number_of_threads(void **state)
{
    static const char *const kernels[] = {"first_waits_for_last", "counted_barrier", "spin_lock"};
    for (size_t k = 0; k < WB_ARRAY_LENGTH(kernels); k++) {
        uint64_t inst = 0;
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct fixture *fx = fresh(state);
            fx->launch.threads = threads;
            launch(fx, kernels[k], 40, 32, 2000);
            expect(fx, WB_REASON_NONE, NULL);
            inst = threads == 1 ? fx->counters.total.v[WB_METRIC_INST] : inst;
            assert_int_equal(fx->counters.total.v[WB_METRIC_INST], inst);
        }
    }
}

/* ---- malloc ------------------------------------------------------------------------------------
 */

static void tables_of_threads(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "own_table", 40, 96, 100);
    expect(fx, WB_REASON_NONE, NULL);
    for (int i = 0; i < 40 * 96; i++) {
        assert_int_equal(fx->out[i], 99 * 100 / 2 * (i % 96));
    }
    launch(fx, "shapes", 1, 64, 7);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[10], 7);
    assert_int_equal(fx->out[11], 49);
}

static void memory_stays_between_launches(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "keep", 1, 1, 10);
    launch(fx, "use_kept", 1, 10, 1);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[9], 109);
    launch(fx, "use_kept", 1, 11, 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "use_kept");
    expect_words(fx, "thread (10,0,0) of block (0,0,0) reads 4 bytes just past the end of memory "
                     "from malloc in a kernel (40 bytes, 10 elements of 4)");
    launch(fx, "drop_kept", 1, 1, 1);
    expect(fx, WB_REASON_NONE, NULL);
    launch(fx, "use_kept", 1, 1, 1);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "use_kept");
    expect_words(fx, "after it was freed");
}

static void use_after_free_in_one_launch(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "free_then_read", 1, 1, 10);
    expect(fx, WB_REASON_OUT_OF_BOUNDS, "free_then_read");
    expect_words(fx, "after it was freed");
}

static void wrong_frees(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "keep", 1, 1, 10);
    launch(fx, "drop_kept", 1, 1, 2);
    expect(fx, WB_REASON_BAD_FREE, "drop_kept");
    expect_words(fx, "which was freed before");
    launch(fx, "free_wrong", 1, 1, 4);
    expect(fx, WB_REASON_BAD_FREE, "free_wrong");
    expect_words(fx, "which malloc did not return");
    launch(fx, "free_inside", 1, 1, 4);
    expect(fx, WB_REASON_BAD_FREE, NULL);
    expect_words(fx, "not at its start");
    launch(fx, "free_null", 1, 32, 4);
    expect(fx, WB_REASON_NONE, NULL);
}

/* An allocation takes its size, rounded up to 16 bytes, and 16 more. */
static void heap_that_is_full(void **state)
{
    struct fixture *fx = fresh(state);
    launch(fx, "exhaust", 1, 1, 1 << 20);
    expect(fx, WB_REASON_NONE, NULL);
    assert_int_equal(fx->out[0], 7); /* of 8 MiB */
    assert_false(wb_sim_set_heap_size(fx->sim, 1 << 25));
    launch(fx, "own_table", 1, 32, 1 << 20);
    assert_int_equal(fx->out[31], -1);

    fx = fresh(state);
    assert_true(wb_sim_set_heap_size(fx->sim, 1 << 16));
    launch(fx, "exhaust", 1, 1, 100);
    assert_int_equal(fx->out[0], (1 << 16) / (112 + 16));
    fx = fresh(state);
    launch(fx, "exhaust", 1, 1, 0);
    assert_int_equal(fx->out[0], 0);
    launch(fx, "exhaust", 1, 1, -1);
    assert_int_equal(fx->out[0], 0);
}

/* Pieces that are given back in any order join again: the whole heap can be had afterwards. */
static void pieces_join_again(void **state)
{
    struct fixture *fx = fresh(state);
    assert_true(wb_sim_set_heap_size(fx->sim, 1 << 16));
    for (int n = 1; n < 20; n++) {
        launch(fx, "shuffled", 1, 32, n);
        expect(fx, WB_REASON_NONE, NULL);
    }
    launch(fx, "exhaust", 1, 1, (1 << 16) - 16);
    assert_int_equal(fx->out[0], 1);
}

/* ---- main --------------------------------------------------------------------------------------
 */

static int set_up(void **state)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes cubin, source;
    wb_arena_init(&fx.arena);
    if (!wb_file_read(&cubin, &fx.arena, WB_FIXTURES "/sass/grid.cubin", 1 << 24, &status) ||
        !wb_file_read(&source, &fx.arena, WB_FIXTURES "/sass/grid.cu", 1 << 20, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    fx.source = (const char *)source.data;
    *state = &fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_sim_destroy(fx->sim);
    wb_arena_finish(&fx->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_sync_works),
        cmocka_unit_test(grid_sync_without_cooperative_launch_traps),
        cmocka_unit_test(grid_sync_that_one_block_misses),
        cmocka_unit_test(cooperative_grid_that_is_too_large),
        cmocka_unit_test(blocks_on_an_sm),
        cmocka_unit_test(cluster_size_of_the_launch),
        cmocka_unit_test(cluster_sizes_that_are_refused),
        cmocka_unit_test(cluster_memory_by_uniform_addresses),
        cmocka_unit_test(cluster_barrier_that_half_misses),
        cmocka_unit_test(barrier_by_hand),
        cmocka_unit_test(block_that_waits_for_a_later_one),
        cmocka_unit_test(block_that_waits_for_one_that_cannot_begin),
        cmocka_unit_test(locks),
        cmocka_unit_test(flag_that_nobody_sets),
        cmocka_unit_test(loop_that_does_nothing),
        cmocka_unit_test(locks_in_opposite_orders),
        cmocka_unit_test(lanes_at_different_barriers),
        cmocka_unit_test(barrier_that_a_warp_never_reaches),
        cmocka_unit_test(list_with_more_places_than_fit),
        cmocka_unit_test(same_on_every_number_of_threads),
        cmocka_unit_test(tables_of_threads),
        cmocka_unit_test(memory_stays_between_launches),
        cmocka_unit_test(use_after_free_in_one_launch),
        cmocka_unit_test(wrong_frees),
        cmocka_unit_test(heap_that_is_full),
        cmocka_unit_test(pieces_join_again),
    };
    return cmocka_run_group_tests_name("grid", tests, set_up, tear_down);
}
