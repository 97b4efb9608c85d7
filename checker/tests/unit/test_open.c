/* SPDX-License-Identifier: MIT
 * The 53 kernels whose counters were measured on one H200 (fixtures/open): the embedded device must
 * count the same at every instruction and give the same bytes. What may differ, and why, is the
 * table `exceptions`; a kernel that is not in it must be equal in everything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 53, BUFFER = 1 << 20, MAX_PC = 4096, STEP_LIMIT = 20000000 };

/* ---- what may differ --------------------------------------------------------------------------
 */

/* Relative differences of a kernel's totals; 0: equal at every instruction. Threads must be equal
 * at every instruction unless anything may differ. */
struct exception {
    const char *kernel;
    double inst, branches, traffic;
    bool any_counter, any_output;
};

static const struct exception exceptions[] = {
    /* The H200 merges groups of lanes that leave a loop at different times: -9, -2, -1. */
    {"o_loops", .inst = 0.01},
    {"o_mandel", .inst = 0.01},
    {"o_cluster2", .inst = 0.01},
    /* It merges groups of a recursion in one measurement and not in the next. */
    {"o_recur", .inst = 0.05, .branches = 0.05, .traffic = 0.13},
    /* It reads local memory that it never wrote. */
    {"o_local", .any_counter = true, .any_output = true},
    /* Its warps race in a compare-and-swap loop: timing. */
    {"o_caswarps", .any_counter = true},
};

static const struct exception equal_in_all = {""};

static const struct exception *exception_of(const char *kernel)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(exceptions); i++) {
        if (strcmp(exceptions[i].kernel, kernel) == 0) {
            return &exceptions[i];
        }
    }
    return &equal_in_all;
}

/* ---- the measured tables ----------------------------------------------------------------------
 */

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    char *launches, *counters; /* open.tsv, open.counters */
};

struct launch {
    char kernel[32], input[8];
    struct wb_dim3 grid, block;
    unsigned dynamic_shared, count, bytes;
    int n, timing;
};

static bool parse_launch(struct launch *l, const char *line)
{
    return sscanf(line, "%31s %u %u %u %u %u %u %u %d %7s %u %u %d", l->kernel, &l->grid.x,
                  &l->grid.y, &l->grid.z, &l->block.x, &l->block.y, &l->block.z, &l->dynamic_shared,
                  &l->n, l->input, &l->count, &l->bytes, &l->timing) == 13;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

/* Counts by pc / 16 and the hash of the output. */
static uint64_t read_counters(struct wb_counts *pcs, const char *table, const char *kernel)
{
    char name[32];
    uint64_t hash = 0;
    memset(pcs, 0, MAX_PC * sizeof *pcs);
    const char *line = table;
    while (line &&
           (sscanf(line, "kernel %31s %" SCNx64, name, &hash) != 2 || strcmp(name, kernel) != 0)) {
        line = next_line(line);
    }
    assert_non_null(line);
    for (line = next_line(line); line && *line != 'k'; line = next_line(line)) {
        char *rest;
        unsigned long first = strtoul(line, &rest, 10), last = strtoul(rest, &rest, 10);
        struct wb_counts counts;
        for (unsigned m = 0; m < WB_METRIC_COUNT; m++) {
            counts.v[m] = strtoull(rest, &rest, 10);
        }
        assert_true(first <= last && last / 16 < MAX_PC);
        for (unsigned long pc = first; pc <= last; pc += 16) {
            pcs[pc / 16] = counts;
        }
    }
    return hash;
}

/* ---- running -----------------------------------------------------------------------------------
 */

/* The measurements' input: a 64-bit LCG; integers are its high word, floats lie in (0.1, 2). */
static void fill(void *out, const char *type, unsigned count, uint64_t state)
{
    for (unsigned i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (strcmp(type, "f32") == 0) {
            double x = 0.1 + 1.9 * ((double)(state >> 41) + 0.5) / 8388608.0;
            ((float *)out)[i] = (float)x;
        } else if (strcmp(type, "f64") == 0) {
            ((double *)out)[i] = 0.1 + 1.9 * ((double)(state >> 11) + 0.5) / 9007199254740992.0;
        } else {
            ((uint32_t *)out)[i] = (uint32_t)(state >> 32);
        }
    }
}

static void fill_constant(struct wb_sim *sim, const char *name, const char *type, unsigned count)
{
    size_t size = 0;
    void *image = wb_sim_variable(sim, name, &size);
    assert_non_null(image);
    assert_int_equal(size, count * 4);
    fill(image, type, count, UINT64_C(0xfedcba987654321));
}

static uint64_t fnv1a(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* How the device is set up for a pass over all kernels. */
struct pass {
    const struct wb_engine *engine;
    bool taken_first;
};

/* Runs a kernel; returns the hash of its output. */
static uint64_t run(struct wb_counters *counters, struct fixture *f, const struct launch *l,
                    const struct pass *pass)
{
    static uint64_t in[BUFFER / 8], out[BUFFER / 8];
    struct wb_status status = {0};
    struct wb_fault fault;
    struct wb_sim *sim;
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = pass->engine;
    sim->taken_first = pass->taken_first;
    assert_true(wb_sim_load(sim, f->cubin, &status));
    fill_constant(sim, "cdata", "u32", 256);
    fill_constant(sim, "cfdata", "f32", 64);
    memset(in, 0, sizeof in);
    memset(out, 0xcd, sizeof out);
    fill(in, l->input, l->count, UINT64_C(0x123456789abcdef));
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, in, sizeof in, "in"), wb_sim_map(sim, out, sizeof out, "out"),
                l->n};
    struct wb_sim_launch launch = {
        .kernel = l->kernel,
        .grid = l->grid,
        .block = l->block,
        .dynamic_shared = l->dynamic_shared,
        .params = &params,
        .param_size = 20,
        .step_limit = STEP_LIMIT,
    };
    assert_true(wb_sim_launch(counters, &fault, &f->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s (%s:%u)", l->kernel, fault.message, fault.file, fault.line);
    }
    wb_sim_destroy(sim);
    return fnv1a((const uint8_t *)out, l->bytes);
}

/* ---- comparing --------------------------------------------------------------------------------
 */

static bool near(uint64_t a, uint64_t b, double part)
{
    double distance = a > b ? (double)(a - b) : (double)(b - a);
    return a == b || distance <= part * (double)b;
}

/* What a counter of a kernel's total may differ by; 0: every instruction is compared instead. */
static double tolerance(const struct exception *e, unsigned metric)
{
    bool branch = metric == WB_METRIC_BRANCH_UNIFORM || metric == WB_METRIC_BRANCH_DIVERGENT;
    bool traffic = metric >= WB_METRIC_SHARED_WAVEFRONTS;
    return metric == WB_METRIC_INST ? e->inst : branch ? e->branches : traffic ? e->traffic : 0;
}

/* The counters at `place`. Returns how many are wrong. */
static unsigned compare(const char *kernel, const char *place, const struct wb_counts *got,
                        const struct wb_counts *want, bool total)
{
    const struct exception *e = exception_of(kernel);
    unsigned wrong = 0;
    for (unsigned m = 0; m < WB_METRIC_COUNT; m++) {
        double part = tolerance(e, m);
        if ((total || part == 0) && !e->any_counter && !near(got->v[m], want->v[m], part)) {
            print_error("%s, %s: %s is %" PRIu64 ", on the H200 %" PRIu64 "\n", kernel, place,
                        wb_metric_name[m], got->v[m], want->v[m]);
            wrong++;
        }
    }
    return wrong;
}

static unsigned check_counters(const struct launch *l, const struct wb_counters *counters,
                               const struct wb_counts *want)
{
    static struct wb_counts got[MAX_PC];
    unsigned wrong = 0;
    memset(got, 0, sizeof got);
    for (size_t i = 0; i < counters->pc_count; i++) {
        assert_in_range(counters->pcs[i].pc / 16, 0, MAX_PC - 1);
        got[counters->pcs[i].pc / 16] = counters->pcs[i].counts;
    }
    struct wb_counts total = {0}, want_total = {0};
    for (uint32_t i = 0; i < MAX_PC; i++) {
        char place[16];
        snprintf(place, sizeof place, "pc 0x%x", i * 16);
        wrong += compare(l->kernel, place, &got[i], &want[i], false);
        wb_counts_add(&total, &got[i]);
        wb_counts_add(&want_total, &want[i]);
    }
    return wrong + compare(l->kernel, "total", &total, &want_total, true);
}

static void check_all(struct fixture *f, const struct pass *pass)
{
    static struct wb_counts want[MAX_PC];
    unsigned kernels = 0, wrong = 0;
    for (const char *line = f->launches; line; line = next_line(line)) {
        struct launch l;
        if (*line == '#' || !parse_launch(&l, line)) {
            continue;
        }
        kernels++;
        if (pass->taken_first && l.timing) {
            continue; /* who spins how often depends on the order */
        }
        uint64_t hash = read_counters(want, f->counters, l.kernel);
        struct wb_counters counters;
        uint64_t output = run(&counters, f, &l, pass);
        wrong += check_counters(&l, &counters, want);
        if (output != hash && !exception_of(l.kernel)->any_output) {
            print_error("%s: the output differs from the H200's\n", l.kernel);
            wrong++;
        }
    }
    assert_int_equal(kernels, KERNELS);
    assert_int_equal(wrong, 0);
}

static void counts_and_computes_as_the_h200(void **state)
{
    check_all(*state, &(struct pass){wb_engine_choose(), false});
}

static void order_of_sides_changes_nothing(void **state)
{
    check_all(*state, &(struct pass){wb_engine_choose(), true});
}

static void same_on_every_machine(void **state)
{
    check_all(*state, &(struct pass){&wb_exec_base_engine, false});
}

/* The comparison itself must be able to fail. */
static void a_wrong_count_is_noticed(void **state)
{
    struct fixture *f = *state;
    static struct wb_counts want[MAX_PC];
    struct launch l = {.kernel = "o_int"};
    struct wb_pc_counts pc = {.pc = 96};
    struct wb_counters counters = {.pcs = &pc, .pc_count = 1};
    read_counters(want, f->counters, l.kernel);
    pc.counts = want[6];
    memset(want + 7, 0, (MAX_PC - 7) * sizeof *want);
    memset(want, 0, 6 * sizeof *want);
    assert_int_equal(check_counters(&l, &counters, want), 0);
    assert_true(near(1000, 1009, 0.01) && !near(1000, 1011, 0.01));
    pc.counts.v[WB_METRIC_THREAD_INST]++;
    pc.counts.v[WB_METRIC_INST]--;
    assert_int_equal(check_counters(&l, &counters, want), 4); /* and in the totals */
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    struct wb_bytes cubin, launches, counters;
    wb_arena_init(&f.arena);
    if (!wb_file_read(&cubin, &f.arena, WB_FIXTURES "/open/open.cubin", 1 << 24, &status) ||
        !wb_file_read(&launches, &f.arena, WB_FIXTURES "/open/open.tsv", 1 << 20, &status) ||
        !wb_file_read(&counters, &f.arena, WB_FIXTURES "/open/open.counters", 1 << 20, &status) ||
        !wb_cubin_parse(&f.cubin, &f.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    f.launches = (char *)launches.data;
    f.counters = (char *)counters.data;
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
        cmocka_unit_test(counts_and_computes_as_the_h200),
        cmocka_unit_test(order_of_sides_changes_nothing),
        cmocka_unit_test(same_on_every_machine),
        cmocka_unit_test(a_wrong_count_is_noticed),
    };
    return cmocka_run_group_tests_name("open", tests, set_up, tear_down);
}
