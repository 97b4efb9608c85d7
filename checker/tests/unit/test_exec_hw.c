/* SPDX-License-Identifier: MIT
 * Kernels of fixtures/sass against the results of an H200 (NAME.tsv): hardware.cu has roundings,
 * NaNs, half precision, conversions, warp operations, atomics and asynchronous copies, values.cu
 * whole families of PTX instructions near the limits of their formats. To add a file: a row of
 * `names`.
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

enum { N = 4096, BLOCK = 128, FILES = 2 };

static const char *const names[FILES] = {"hardware", "values"};

struct fixture {
    struct wb_arena arena;
    struct file {
        struct wb_cubin *cubin;
        const char *table;
    } files[FILES];
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

static uint64_t run(struct fixture *f, const struct wb_cubin *cubin, const char *kernel,
                    const struct wb_engine *engine)
{
    static uint64_t out[N];
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_sim *sim;
    memset(out, 0xcd, sizeof out);
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = engine;
    assert_true(wb_sim_load(sim, cubin, &status));
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

static void check_file(struct fixture *f, const struct file *file, const struct wb_engine *engine)
{
    unsigned rows = 0;
    for (const char *line = file->table; *line; line += strcspn(line, "\n") + 1) {
        char kernel[64];
        unsigned long long want;
        if (sscanf(line, "%63s %llx", kernel, &want) == 2) {
            uint64_t got = run(f, file->cubin, kernel, engine);
            if (got != want) {
                fail_msg("%s gives %016llx, the H200 gave %016llx", kernel, (unsigned long long)got,
                         want);
            }
            rows++;
        }
    }
    assert_int_equal(rows, file->cubin->kernel_count);
}

static void check(struct fixture *f, const struct wb_engine *engine)
{
    for (unsigned i = 0; i < FILES; i++) {
        check_file(f, &f->files[i], engine);
    }
}

static void results_of_an_h200(void **state)
{
    check(*state, wb_engine_choose());
}

static void the_same_without_avx2(void **state)
{
    check(*state, &wb_exec_base_engine);
}

static bool read_file(struct wb_bytes *out, struct fixture *f, const char *name, const char *ending,
                      struct wb_status *status)
{
    char path[256];
    snprintf(path, sizeof path, WB_FIXTURES "/sass/%s%s", name, ending);
    return wb_file_read(out, &f->arena, path, 1 << 24, status);
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    wb_arena_init(&f.arena);
    fill_operands(f.in, WB_ARRAY_LENGTH(f.in));
    for (unsigned i = 0; i < FILES; i++) {
        struct wb_bytes cubin, table;
        struct file *file = &f.files[i];
        if (!read_file(&cubin, &f, names[i], ".cubin", &status) ||
            !read_file(&table, &f, names[i], ".tsv", &status) ||
            !wb_cubin_parse(&file->cubin, &f.arena, cubin.data, cubin.size, &status)) {
            print_error("%s\n", status.message);
            return -1;
        }
        file->table = (const char *)table.data;
    }
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
