/* SPDX-License-Identifier: MIT
 * The kernels whose counters were measured on an H200 (fixtures/open, fixtures/probes): the
 * embedded device must count the same at every instruction and give the same bytes. What may
 * differ, and why, is the table `exceptions`; a kernel that is not in it must be equal in
 * everything. To add a corpus: a row of `corpora`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CORPORA = 4 };

static const struct {
    const char *name;
    unsigned kernels;
} corpora[CORPORA] = {
    {"open/open", 53},
    {"probes/constants", 56},
    {"probes/accesses", 62},
    {"probes/sync", 21},
};

/* ---- what may differ --------------------------------------------------------------------------
 */

/* Relative differences of a kernel's totals; 0: equal at every instruction. Threads must be equal
 * at every instruction unless anything may differ. */
struct exception {
    const char *kernel;
    double inst, branches, traffic, wavefronts;
    bool any_counter, any_output;
};

static const struct exception exceptions[] = {
    /* The H200 merges groups of lanes that leave a loop at different times: -9, -2, -1. */
    {"o_loops", .inst = 0.01},
    {"o_mandel", .inst = 0.01},
    {"o_cluster2", .inst = 0.01},
    {"a_float_banks", .inst = 0.01},
    /* It merges groups of a recursion in one measurement and not in the next. */
    {"o_recur", .inst = 0.05, .branches = 0.05, .traffic = 0.13},
    /* It reads local memory that it never wrote. */
    {"o_local", .any_counter = true, .any_output = true},
    /* Its warps race in a compare-and-swap loop: timing. */
    {"o_caswarps", .any_counter = true},
    /* How copies that bypass L1 share wavefronts is known for aligned rows only (traffic.c). */
    {"bypass16", .wavefronts = 0.05},
    {"bypass16_same", .wavefronts = 0.08},
    {"bypass16_skewed", .wavefronts = 0.06},
    /* The driver's own addresses are among the words of constant bank 0. */
    {"bank0", .any_output = true},
    {"bank0_dynamic", .any_output = true},
    {"bank0_cluster", .any_output = true},
    {"bank0_tile", .any_counter = true, .any_output = true}, /* and a warp waits for another */
    /* How often a warp asks before the other arrives is timing. */
    {"mbarrier_wait", .any_counter = true},
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

struct fixture {
    struct wb_arena arena;
    struct corpus corpus[CORPORA];
};

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
    if (metric == WB_METRIC_SHARED_WAVEFRONTS && e->wavefronts > 0) {
        return e->wavefronts;
    }
    return metric == WB_METRIC_INST ? e->inst : branch ? e->branches : traffic ? e->traffic : 0;
}

/* The counters at `place`, those of the bits `known`. Returns how many are wrong. */
static unsigned compare(const char *kernel, const char *place, const struct wb_counts *got,
                        const struct wb_counts *want, uint32_t known, bool total)
{
    const struct exception *e = exception_of(kernel);
    unsigned wrong = 0;
    for (unsigned m = 0; m < WB_METRIC_COUNT; m++) {
        double part = tolerance(e, m);
        bool counts = known >> m & 1 && (total || part == 0) && !e->any_counter;
        if (counts && !near(got->v[m], want->v[m], part)) {
            print_error("%s, %s: %s is %" PRIu64 ", on the H200 %" PRIu64 "\n", kernel, place,
                        wb_metric_name[m], got->v[m], want->v[m]);
            wrong++;
        }
    }
    return wrong;
}

static unsigned check_counters(const char *kernel, const struct corpus_result *got,
                               const struct corpus_result *want)
{
    unsigned wrong = 0;
    for (uint32_t i = 0; i < CORPUS_MAX_INSTRUCTIONS; i++) {
        char place[16];
        snprintf(place, sizeof place, "pc 0x%x", i * 16);
        wrong += compare(kernel, place, &got->pc[i], &want->pc[i], want->at_pc, false);
    }
    return wrong + compare(kernel, "total", &got->total, &want->total, want->in_total, true);
}

/* Returns how many kernels there are. */
static unsigned check_corpus(struct fixture *f, const struct corpus *corpus,
                             const struct corpus_pass *pass, unsigned *wrong)
{
    static struct corpus_result got, want;
    unsigned kernels = 0;
    struct corpus_launch l;
    for (const char *line = corpus->launches; corpus_next(&l, &line);) {
        kernels++;
        if (pass->taken_first && l.timing) {
            continue; /* who spins how often depends on the order */
        }
        struct wb_fault fault;
        assert_true(corpus_measured(&want, corpus, l.kernel));
        if (!corpus_run(&got, &fault, &f->arena, corpus, &l, pass)) {
            fail_msg("%s: %s (%s:%u)", l.kernel, fault.message, fault.file, fault.line);
        }
        *wrong += check_counters(l.kernel, &got, &want);
        if (got.output != want.output && !exception_of(l.kernel)->any_output) {
            print_error("%s: the output differs from the H200's\n", l.kernel);
            ++*wrong;
        }
    }
    return kernels;
}

static void check_all(struct fixture *f, const struct corpus_pass *pass)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < CORPORA; i++) {
        unsigned kernels = check_corpus(f, &f->corpus[i], pass, &wrong);
        assert_int_equal(kernels, corpora[i].kernels);
    }
    assert_int_equal(wrong, 0);
}

static void counts_and_computes_as_the_h200(void **state)
{
    check_all(*state, &(struct corpus_pass){.engine = wb_engine_choose()});
}

static void order_of_sides_changes_nothing(void **state)
{
    check_all(*state, &(struct corpus_pass){.engine = wb_engine_choose(), .taken_first = true});
}

static void same_on_every_machine(void **state)
{
    check_all(*state, &(struct corpus_pass){.engine = &wb_exec_base_engine});
}

/* The comparison itself must be able to fail. */
static void a_wrong_count_is_noticed(void **state)
{
    struct fixture *f = *state;
    static struct corpus_result got, want;
    assert_true(corpus_measured(&want, &f->corpus[0], "o_int"));
    got = want;
    assert_int_equal(check_counters("o_int", &got, &want), 0);
    assert_true(near(1000, 1009, 0.01) && !near(1000, 1011, 0.01));
    got.pc[6].v[WB_METRIC_THREAD_INST]++;
    got.pc[6].v[WB_METRIC_INST]--;
    assert_int_equal(check_counters("o_int", &got, &want), 2);
    got.total.v[WB_METRIC_THREAD_INST]++;
    got.total.v[WB_METRIC_INST]--;
    assert_int_equal(check_counters("o_int", &got, &want), 4); /* and in the totals */
    assert_true(corpus_measured(&want, &f->corpus[1], "w_mod5"));
    got = want;
    got.total.v[WB_METRIC_IDC_REPLAYS]++;
    assert_int_equal(check_counters("w_mod5", &got, &want), 1);
}

static int set_up(void **state)
{
    static struct fixture f;
    struct wb_status status = {0};
    wb_arena_init(&f.arena);
    for (unsigned i = 0; i < CORPORA; i++) {
        if (!corpus_read(&f.corpus[i], &f.arena, corpora[i].name, &status)) {
            print_error("%s\n", status.message);
            return -1;
        }
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
        cmocka_unit_test(counts_and_computes_as_the_h200),
        cmocka_unit_test(order_of_sides_changes_nothing),
        cmocka_unit_test(same_on_every_machine),
        cmocka_unit_test(a_wrong_count_is_noticed),
    };
    return cmocka_run_group_tests_name("open", tests, set_up, tear_down);
}
