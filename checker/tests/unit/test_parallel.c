/* SPDX-License-Identifier: MIT
 * Blocks on several host threads: results, counters and faults are those of one thread, whatever
 * the blocks do to each other (fixtures/sass/parallel.cu), and for the kernels of first15.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <string.h>

enum { N = 16384, BLOCK = 256, STEP_LIMIT = 1000000 };

static const unsigned thread_counts[] = {2, 3, 5};

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *first15, *parallel;
};

/* Everything that a launch leaves behind. */
struct outcome {
    uint32_t data[N];
    struct wb_counters counters;
    struct wb_fault fault;
};

static void run(struct outcome *out, struct fixture *f, const struct wb_cubin *cubin,
                const char *kernel, unsigned threads)
{
    struct wb_status status = {0};
    struct wb_sim *sim;
    assert_true(wb_sim_create(&sim, &status));
    assert_true(wb_sim_load(sim, cubin, &status));
    for (uint32_t i = 0; i < N; i++) { /* floats near 1, for first15 */
        out->data[i] = UINT32_C(0x3f800000) + i * 7919 % 1000 * 256;
    }
    struct {
        uint64_t data;
        int n;
    } params = {wb_sim_map(sim, out->data, sizeof out->data, "data"), N};
    struct wb_sim_launch launch = {
        .kernel = kernel,
        .grid = {strcmp(kernel, "common_input") == 0 ? N / BLOCK - 1 : N / BLOCK, 1, 1},
        .block = {strcmp(kernel, "atomics") == 0 ? BLOCK - 1 : BLOCK, 1, 1},
        .params = &params,
        .param_size = 12,
        .step_limit = STEP_LIMIT,
        .threads = threads,
    };
    assert_true(wb_sim_launch(&out->counters, &out->fault, &f->arena, sim, &launch, &status));
    wb_sim_destroy(sim);
}

static void compare(const struct outcome *one, const struct outcome *many)
{
    assert_memory_equal(one->data, many->data, sizeof one->data);
    assert_memory_equal(&one->counters.total, &many->counters.total, sizeof one->counters.total);
    assert_int_equal(one->counters.pc_count, many->counters.pc_count);
    for (size_t i = 0; i < one->counters.pc_count; i++) {
        const struct wb_pc_counts *a = &one->counters.pcs[i], *b = &many->counters.pcs[i];
        assert_int_equal(a->pc, b->pc);
        assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
    }
    assert_int_equal(one->fault.kind, many->fault.kind);
    assert_int_equal(one->fault.pc, many->fault.pc);
    assert_string_equal(one->fault.message, many->fault.message);
}

static void compare_all(struct fixture *f, const struct wb_cubin *cubin)
{
    static struct outcome one, many;
    for (size_t k = 0; k < cubin->kernel_count; k++) {
        const char *kernel = cubin->kernels[k].name;
        run(&one, f, cubin, kernel, 1);
        assert_true(one.counters.total.v[WB_METRIC_INST] > 0);
        for (size_t i = 0; i < WB_ARRAY_LENGTH(thread_counts); i++) {
            print_message("# %s, %u threads\n", kernel, thread_counts[i]);
            run(&many, f, cubin, kernel, thread_counts[i]);
            compare(&one, &many);
        }
    }
}

static void first15_is_the_same(void **state)
{
    struct fixture *f = *state;
    compare_all(f, f->first15);
}

static void conflicts_and_faults_are_the_same(void **state)
{
    struct fixture *f = *state;
    compare_all(f, f->parallel);
}

/* What does not fit into the claims and the lists of old words: 10 MiB, few blocks. */
static void large_arrays_are_the_same(void **state)
{
    enum { WORDS = 10 << 18, BLOCKS = 5 };
    static uint32_t words[2][WORDS];
    static const char *const kernels[] = {"spread", "everywhere"};
    struct fixture *f = *state;
    struct wb_status status = {0};
    for (size_t k = 0; k < WB_ARRAY_LENGTH(kernels); k++) {
        struct wb_counters counters[2];
        for (unsigned i = 0; i < 2; i++) {
            struct wb_sim *sim;
            struct wb_fault fault;
            assert_true(wb_sim_create(&sim, &status));
            assert_true(wb_sim_load(sim, f->parallel, &status));
            memset(words[i], 1, sizeof words[i]);
            struct {
                uint64_t data;
                int n;
            } params = {wb_sim_map(sim, words[i], sizeof words[i], "data"), WORDS};
            struct wb_sim_launch launch = {.kernel = kernels[k],
                                           .grid = {BLOCKS, 1, 1},
                                           .block = {BLOCK, 1, 1},
                                           .params = &params,
                                           .param_size = 12,
                                           .threads = i + 1};
            assert_true(wb_sim_launch(&counters[i], &fault, &f->arena, sim, &launch, &status));
            assert_int_equal(fault.kind, WB_REASON_NONE);
            wb_sim_destroy(sim);
        }
        assert_memory_equal(words[0], words[1], sizeof words[0]);
        assert_memory_equal(&counters[0].total, &counters[1].total, sizeof counters[0].total);
    }
}

/* That a fault is the first one in the order of blocks, and that nothing behind it has happened. */
static void the_first_fault_wins(void **state)
{
    static struct outcome one, many;
    struct fixture *f = *state;
    run(&one, f, f->parallel, "apart", 1);
    run(&many, f, f->parallel, "fault", 3);
    assert_int_equal(many.fault.kind, WB_REASON_OUT_OF_BOUNDS);
    assert_int_equal(many.fault.block.x, 20);
    assert_memory_equal(one.data, many.data, 20 * BLOCK * sizeof *one.data);
    for (uint32_t i = 21 * BLOCK; i < N; i++) {
        assert_int_equal(many.data[i], UINT32_C(0x3f800000) + i * 7919 % 1000 * 256);
    }
    run(&many, f, f->parallel, "endless", 3);
    assert_int_equal(many.fault.kind, WB_REASON_TIMEOUT);
    assert_int_equal(many.fault.block.x, 5);
}

static bool load(struct wb_cubin **out, struct fixture *f, const char *path)
{
    struct wb_status status = {0};
    struct wb_bytes bytes;
    bool ok = wb_file_read(&bytes, &f->arena, path, 1 << 24, &status) &&
              wb_cubin_parse(out, &f->arena, bytes.data, bytes.size, &status);
    if (!ok) {
        print_error("%s\n", status.message);
    }
    return ok;
}

static int set_up(void **state)
{
    static struct fixture f;
    wb_arena_init(&f.arena);
    *state = &f;
    bool ok = load(&f.first15, &f, WB_FIXTURES "/first15/first15.cubin") &&
              load(&f.parallel, &f, WB_FIXTURES "/sass/parallel.cubin");
    return ok ? 0 : -1;
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
        cmocka_unit_test(first15_is_the_same),
        cmocka_unit_test(conflicts_and_faults_are_the_same),
        cmocka_unit_test(large_arrays_are_the_same),
        cmocka_unit_test(the_first_fault_wins),
    };
    return cmocka_run_group_tests_name("parallel", tests, set_up, tear_down);
}
