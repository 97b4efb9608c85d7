/* SPDX-License-Identifier: MIT
 * Kernels of fixtures/sass/hardware.cu against the results of an H200 (hardware.tsv): roundings,
 * NaNs, half precision, conversions, warp operations, atomics, asynchronous copies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "operands.h"
#include "sim.h"

#include <stdio.h>
#include <string.h>

enum { N = 4096, BLOCK = 128 };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    const char *table;
    uint32_t in[3 * N];
};

static uint64_t hash_of(const void *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t run(struct fixture *f, const char *kernel, const struct wb_engine *engine)
{
    static uint64_t out[N];
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_sim *sim;
    memset(out, 0xcd, sizeof out);
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = engine;
    assert_true(wb_sim_load(sim, f->cubin, &status));
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, f->in, sizeof f->in, "in"), wb_sim_map(sim, out, sizeof out, "out"),
                N};
    struct wb_sim_launch launch = {.kernel = kernel,
                                   .grid = {N / BLOCK, 1, 1},
                                   .block = {BLOCK, 1, 1},
                                   .params = &params,
                                   .param_size = 20};
    assert_true(wb_sim_launch(&counters, &fault, &f->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s", kernel, fault.message);
    }
    wb_sim_destroy(sim);
    return hash_of(out, sizeof out);
}

static void check(struct fixture *f, const struct wb_engine *engine)
{
    unsigned rows = 0;
    for (const char *line = f->table; *line; line += strcspn(line, "\n") + 1) {
        char kernel[64];
        unsigned long long want;
        if (sscanf(line, "%63s %llx", kernel, &want) == 2) {
            uint64_t got = run(f, kernel, engine);
            if (got != want) {
                fail_msg("%s gives %016llx, the H200 gave %016llx", kernel, (unsigned long long)got,
                         want);
            }
            rows++;
        }
    }
    assert_int_equal(rows, f->cubin->kernel_count);
}

static void results_of_an_h200(void **state)
{
    check(*state, wb_engine_choose());
}

static void the_same_without_avx2(void **state)
{
    check(*state, &wb_exec_base_engine);
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    struct wb_bytes cubin, table;
    wb_arena_init(&f.arena);
    fill_operands(f.in, WB_ARRAY_LENGTH(f.in));
    if (!wb_file_read(&cubin, &f.arena, WB_FIXTURES "/sass/hardware.cubin", 1 << 24, &status) ||
        !wb_file_read(&table, &f.arena, WB_FIXTURES "/sass/hardware.tsv", 1 << 20, &status) ||
        !wb_cubin_parse(&f.cubin, &f.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    f.table = (const char *)table.data;
    *state = &f;
    return 0;
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
        cmocka_unit_test(results_of_an_h200),
        cmocka_unit_test(the_same_without_avx2),
    };
    return cmocka_run_group_tests_name("exec_hw", tests, set_up, tear_down);
}
