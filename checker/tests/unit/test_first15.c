/* SPDX-License-Identifier: MIT
 * The 15 kernels whose counters were measured on one H200 (fixtures/first15): the embedded device
 * must count the same, and compute what C computes. Both orders of the sides of a divergent branch
 * and both compilations of the handlers are run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 16384, BLOCK = 256 };

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    char *table; /* first15.txt */
};

static float input(int i)
{
    return (float)(i * 7919 % 1000) / 1000 + 0.1f;
}

/* ---- what C computes --------------------------------------------------------------------------
 */

/* Result of thread i before reductions; `v` is its input. */
static double oracle(const char *kernel, int i, float v)
{
    int t = i % BLOCK;
    if (strcmp(kernel, "k_muldiv") == 0) {
        return t % 2 == 0 ? v * 2.0f : v / 2.0f;
    }
    if (strcmp(kernel, "k_explog") == 0) {
        return i % 2 == 0 ? exp(v) : log(v);
    }
    if (strcmp(kernel, "k_third") == 0) {
        return t & 1 ? (float)i * 3 : (float)i / 3;
    }
    if (strcmp(kernel, "k_third_arith") == 0) {
        float third = 1.0f / 3, scale = third + (float)(t & 1) * (3 - third);
        return (float)i * scale;
    }
    if (strcmp(kernel, "k_explog_block") == 0) {
        return i / BLOCK % 2 == 0 ? exp(v) : log(v);
    }
    if (strcmp(kernel, "k_explog_warp") == 0) {
        return t / 32 % 2 == 0 ? exp(v) : log(v);
    }
    if (strcmp(kernel, "k_triploop") == 0 || strcmp(kernel, "k_uniloop") == 0) {
        double x = v;
        int turns = kernel[2] == 't' ? i % 32 : 32;
        for (int k = 0; k < turns; k++) {
            x = x * 1.01f + sin(x);
        }
        return x;
    }
    if (strcmp(kernel, "k_guard") == 0) {
        return i >= N - 7 ? v : v * 2.0f + 1.0f;
    }
    if (strcmp(kernel, "k_switch") == 0) {
        const double all[] = {sqrt(v), exp(v), log(v), tanh(v), v / 3.7f, atan(v), erf(v), cbrt(v)};
        return all[t % 8];
    }
    if (strcmp(kernel, "k_stride") == 0) {
        return v * 2.0f;
    }
    unsigned x = (unsigned)i + 1, c = 0; /* k_collatz */
    for (; x != 1; c++) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
    }
    return c;
}

/* Sum over `count` inputs in the kernel's order, at thread `first`. */
static float tree_sum(int first, int count, bool down)
{
    float s[BLOCK];
    for (int t = 0; t < count; t++) {
        s[t] = input(first + t);
    }
    for (int d = down ? count / 2 : 1; down ? d > 0 : d < count; d = down ? d / 2 : d * 2) {
        for (int t = 0; t + d < count; t++) {
            if (down ? t < d : t % (2 * d) == 0) {
                s[t] += s[t + d];
            }
        }
    }
    return s[0];
}

static double expected_result(const char *kernel, int i)
{
    bool seq = strcmp(kernel, "k_treeseq") == 0;
    if (strcmp(kernel, "k_treediv") == 0 || seq) {
        return i % BLOCK == 0 ? tree_sum(i, BLOCK, seq) : input(i);
    }
    if (strcmp(kernel, "k_shfl") == 0) {
        return i % 32 == 0 ? tree_sum(i, 32, true) : input(i);
    }
    return oracle(kernel, i, input(i));
}

/* Relative error that the kernel may have: the library's functions 2 ulp, __sinf much more. */
static double tolerance(const char *kernel)
{
    if (strcmp(kernel, "k_uniloop") == 0) {
        return 2e-4;
    }
    return strcmp(kernel, "k_triploop") == 0 ? 1e-4 : 3e-7;
}

/* ---- running -----------------------------------------------------------------------------------
 */

static void run(struct wb_counters *counters, float *data, struct fixture *f, const char *kernel,
                bool taken_first, const struct wb_engine *engine)
{
    struct wb_status status = {0};
    struct wb_fault fault;
    struct wb_sim *sim;
    assert_true(wb_sim_create(&sim, &status));
    sim->taken_first = taken_first;
    sim->engine = engine;
    for (int i = 0; i < N; i++) {
        data[i] = input(i);
    }
    assert_true(wb_sim_load(sim, f->cubin, &status));
    struct {
        uint64_t data;
        int n;
    } params = {wb_sim_map(sim, data, N * sizeof *data, "data"), N};
    struct wb_sim_launch launch = {
        .kernel = kernel,
        .grid = {strcmp(kernel, "k_stride") == 0 ? 13 : N / BLOCK, 1, 1},
        .block = {BLOCK, 1, 1},
        .params = &params,
        .param_size = 12,
    };
    assert_true(wb_sim_launch(counters, &fault, &f->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s (%s:%u)", kernel, fault.message, fault.file, fault.line);
    }
    wb_sim_destroy(sim);
}

/* One row of first15.txt. */
struct measured {
    char kernel[32];
    unsigned long long uniform, divergent, targets, inst;
    double thread, pred_on; /* averages, two decimals */
};

static void check_counters(const struct wb_counters *counters, const struct measured *m)
{
    const uint64_t *v = counters->total.v;
    assert_int_equal(v[WB_METRIC_BRANCH_UNIFORM], m->uniform);
    assert_int_equal(v[WB_METRIC_BRANCH_DIVERGENT], m->divergent);
    if (strcmp(m->kernel, "k_collatz") == 0) {
        /* 17 groups of lanes merge early on the hardware; its averages belong to another counter */
        assert_in_range(v[WB_METRIC_INST], m->inst - m->inst / 10000, m->inst + m->inst / 10000);
        assert_int_equal(v[WB_METRIC_THREAD_INST], 12085202);
        assert_int_equal(v[WB_METRIC_THREAD_INST_PRED_ON], 11565662);
        return;
    }
    char text[2][16], want[2][16];
    double inst = (double)v[WB_METRIC_INST];
    assert_int_equal(v[WB_METRIC_INST], m->inst);
    snprintf(text[0], sizeof text[0], "%.2f", (double)v[WB_METRIC_THREAD_INST] / inst);
    snprintf(text[1], sizeof text[1], "%.2f", (double)v[WB_METRIC_THREAD_INST_PRED_ON] / inst);
    snprintf(want[0], sizeof want[0], "%.2f", m->thread);
    snprintf(want[1], sizeof want[1], "%.2f", m->pred_on);
    assert_string_equal(text[0], want[0]);
    assert_string_equal(text[1], want[1]);
}

/* Memory traffic, worked out by hand. A warp's 32 floats are 4 sectors; all kernels load and store
 * them once but those in the table. */
static void check_traffic(const struct wb_counters *counters, const char *kernel)
{
    enum { WARPS = N / 32, BLOCKS = N / BLOCK };
    static const struct {
        const char *kernel;
        uint64_t sectors, wavefronts;
    } others[] = {
        {"k_third", 4 * WARPS, 0},
        {"k_third_arith", 4 * WARPS, 0},
        {"k_collatz", 4 * WARPS, 0},
        {"k_shfl", (4 + 1) * WARPS, 0}, /* lane 0 stores */
        /* A block of 8 warps stores to shared memory, and thread 0 loads the sum. A step has two
         * loads and a store in each warp that takes part: 8, 8, 8, 8, 8, 4, 2, 1 warps, or 4, 2,
         * and then 1 six times. No two lanes want one bank. */
        {"k_treediv", 4 * WARPS + BLOCKS, BLOCKS * (8 + 3 * 47 + 1)},
        {"k_treeseq", 4 * WARPS + BLOCKS, BLOCKS * (8 + 3 * 12 + 1)},
    };
    uint64_t sectors = (4 + 4) * WARPS, wavefronts = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(others); i++) {
        if (strcmp(others[i].kernel, kernel) == 0) {
            sectors = others[i].sectors;
            wavefronts = others[i].wavefronts;
        }
    }
    const uint64_t *v = counters->total.v;
    assert_int_equal(v[WB_METRIC_GLOBAL_SECTORS], sectors);
    assert_int_equal(v[WB_METRIC_GLOBAL_SECTORS_IDEAL], sectors);
    assert_int_equal(v[WB_METRIC_SHARED_WAVEFRONTS], wavefronts);
    assert_int_equal(v[WB_METRIC_SHARED_WAVEFRONTS_IDEAL], wavefronts);
    assert_int_equal(v[WB_METRIC_LOCAL_SECTORS], 0);
    assert_int_equal(counters->present, (1u << WB_METRIC_COUNT) - 1);
}

static void check_results(const char *kernel, const float *data)
{
    double tol = tolerance(kernel);
    for (int i = 0; i < N; i++) {
        double want = expected_result(kernel, i), error = fabs(data[i] - want);
        if (!(error <= tol * fabs(want) || error <= tol)) {
            fail_msg("%s: element %d is %.9g, not %.9g", kernel, i, data[i], want);
        }
    }
}

/* Every row of the table, with one order of branches and one engine. */
static void check_all(struct fixture *f, bool taken_first, const struct wb_engine *engine)
{
    static float data[N];
    unsigned rows = 0;
    for (const char *line = f->table; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        struct measured m;
        if (sscanf(line, "%31s %llu %llu %llu %lf %lf %llu", m.kernel, &m.uniform, &m.divergent,
                   &m.targets, &m.thread, &m.pred_on, &m.inst) != 7) {
            continue;
        }
        struct wb_counters counters;
        run(&counters, data, f, m.kernel, taken_first, engine);
        print_message("# %s: %llu uniform, %llu divergent, %llu instructions\n", m.kernel,
                      (unsigned long long)counters.total.v[WB_METRIC_BRANCH_UNIFORM],
                      (unsigned long long)counters.total.v[WB_METRIC_BRANCH_DIVERGENT],
                      (unsigned long long)counters.total.v[WB_METRIC_INST]);
        check_counters(&counters, &m);
        check_traffic(&counters, m.kernel);
        check_results(m.kernel, data);
        rows++;
    }
    assert_int_equal(rows, 15);
}

static void counts_as_the_h200(void **state)
{
    check_all(*state, false, wb_engine_choose());
}

static void order_of_sides_changes_nothing(void **state)
{
    check_all(*state, true, wb_engine_choose());
}

static void same_on_every_machine(void **state)
{
    check_all(*state, false, &wb_exec_base_engine);
}

static void every_engine_gives_the_same_bits(void **state)
{
    static float fast[N], base[N];
    struct fixture *f = *state;
    struct wb_counters counters;
    for (size_t k = 0; k < f->cubin->kernel_count; k++) {
        run(&counters, fast, f, f->cubin->kernels[k].name, false, wb_engine_choose());
        run(&counters, base, f, f->cubin->kernels[k].name, false, &wb_exec_base_engine);
        assert_memory_equal(fast, base, sizeof base);
    }
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    struct wb_bytes cubin, table;
    wb_arena_init(&f.arena);
    if (!wb_file_read(&cubin, &f.arena, WB_FIXTURES "/first15/first15.cubin", 1 << 24, &status) ||
        !wb_file_read(&table, &f.arena, WB_FIXTURES "/first15/first15.txt", 1 << 20, &status) ||
        !wb_cubin_parse(&f.cubin, &f.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    f.table = (char *)table.data;
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
        cmocka_unit_test(counts_as_the_h200),
        cmocka_unit_test(order_of_sides_changes_nothing),
        cmocka_unit_test(same_on_every_machine),
        cmocka_unit_test(every_engine_gives_the_same_bits),
    };
    return cmocka_run_group_tests_name("first15", tests, set_up, tear_down);
}
