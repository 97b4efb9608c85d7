/* SPDX-License-Identifier: MIT
 * Kernels under every order of blocks, warps and lanes: right ones write the same, those with a
 * race do not. The kernels are in fixtures/sass/schedule.cu, and all that were measured on an H200.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apart.h"
#include "corpus.h"
#include "schedule.h"

#include <string.h>

enum { WORDS = 4096, THREADS = 256, STEPS = 1 << 22, SEEDS = 12 };

struct order {
    enum wb_schedule schedule;
    uint64_t seed;
};

/* Each schedule, and the random one with several seeds. */
enum { ORDERS = WB_SCHEDULE_COUNT - 1 + SEEDS };

static struct order order_at(unsigned i)
{
    struct order random = {WB_SCHEDULE_RANDOM, i - WB_SCHEDULE_RANDOM + 1};
    return i < WB_SCHEDULE_RANDOM ? (struct order){(enum wb_schedule)i, 0} : random;
}

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    uint32_t in[THREADS], out[WORDS];
    struct wb_counters counters;
};

/* ---- the list of instructions -----------------------------------------------------------------
 */

static void every_instruction_is_in_one_list(void **state)
{
    (void)state;
    unsigned listed[WB_OP_ALL] = {0};
#define ALONE(name)  listed[WB_OP_##name]++;
#define BRANCH(name) listed[WB_OP_##name]++;
#define LEAVE(name)  listed[WB_OP_##name]++;
#define MEET(name)   listed[WB_OP_##name]++;
#include "apart.def"
#undef ALONE
#undef BRANCH
#undef LEAVE
#undef MEET
    for (unsigned op = 0; op < WB_OP_COUNT; op++) {
        if (listed[op] != 1) {
            fail_msg("`%s` is in %u of the lists of apart.def", wb_op_name((enum wb_op)op),
                     listed[op]);
        }
    }
    assert_int_equal(wb_apart_meeting(WB_OP_UNKNOWN), WB_MEET);
    assert_int_equal(wb_apart_meeting(WB_OP_END), WB_MEET);
}

/* ---- orders -----------------------------------------------------------------------------------
 */

static void an_order_has_every_number_once(void **state)
{
    (void)state;
    enum { MOST = 70 };
    for (unsigned i = 0; i < ORDERS; i++) {
        struct wb_sim_launch launch = {.schedule = order_at(i).schedule,
                                       .schedule_seed = order_at(i).seed};
        struct wb_run run = {.launch = &launch};
        for (uint64_t count = 1; count < MOST; count++) {
            struct wb_sequence order = wb_schedule_order(&run, count);
            bool seen[MOST] = {false};
            for (uint64_t n = 0; n < count; n++) {
                uint64_t place = wb_sequence_at(&order, n);
                assert_true(place < count && !seen[place]);
                seen[place] = true;
            }
        }
    }
}

static void random_numbers_are_the_same_everywhere(void **state)
{
    (void)state;
    struct wb_sim_launch launch = {.schedule_seed = 1};
    struct wb_run run = {.launch = &launch};
    static const unsigned expected[] = {957, 633, 954, 690, 633, 93};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(expected); i++) {
        assert_int_equal(wb_schedule_draw(&run, 1000), expected[i]);
    }
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* Runs a kernel on fresh memory; out holds what it wrote. */
static void run(struct fixture *fx, const char *kernel, unsigned blocks, struct order order)
{
    struct wb_status status = {0};
    struct wb_fault fault;
    struct wb_sim *sim;
    for (unsigned i = 0; i < THREADS; i++) {
        fx->in[i] = (i + 1) * 2654435761u >> 7;
    }
    memset(fx->out, 0, sizeof fx->out);
    assert_true(wb_sim_create(&sim, &status));
    assert_true(wb_sim_load(sim, fx->cubin, &status));
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, fx->in, sizeof fx->in, "in"),
                wb_sim_map(sim, fx->out, sizeof fx->out, "out"), THREADS};
    struct wb_sim_launch launch = {
        .kernel = kernel,
        .grid = {blocks, 1, 1},
        .block = {THREADS, 1, 1},
        .params = &params,
        .param_size = 20,
        .step_limit = STEPS,
        .schedule = order.schedule,
        .schedule_seed = order.seed,
    };
    assert_true(wb_sim_launch(&fx->counters, &fault, &fx->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s, order %s %u: %s (line %u)", kernel, wb_schedule_name[order.schedule],
                 (unsigned)order.seed, fault.message, fault.line);
    }
    wb_sim_destroy(sim);
}

/* Under how many orders does the kernel write something else than by default? `which` is a bit for
 * each. */
static unsigned differences(struct fixture *fx, const char *kernel, unsigned blocks)
{
    uint32_t first[WORDS];
    unsigned which = 0;
    run(fx, kernel, blocks, order_at(0));
    memcpy(first, fx->out, sizeof first);
    for (unsigned i = 1; i < ORDERS; i++) {
        run(fx, kernel, blocks, order_at(i));
        which |= (memcmp(first, fx->out, sizeof first) != 0) << i;
    }
    return which;
}

static void right_kernels_write_the_same(void **state)
{
    static const char *const kernels[] = {
        "right_syncwarp",      "right_syncwarp_loop", "right_syncwarp_divergent",
        "right_volatile_tree", "right_leader",        "right_tree",
        "right_shuffles",      "right_masks",         "right_tiles",
        "right_lock",          "right_flags",         "right_recursion",
        "right_uniform",       "right_atomics",       "right_some_leave",
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(kernels); i++) {
        unsigned which = differences(*state, kernels[i], 1);
        if (which) {
            fail_msg("%s: another result under the orders 0x%x", kernels[i], which);
        }
    }
}

/* The schedules that must show a race, a bit each. Of the random ones, seed 1 or 2 must. */
static void races_show(void **state)
{
    static const struct {
        const char *kernel;
        unsigned blocks, must;
    } kernels[] = {
        {"race_warps", 1, 1u << WB_SCHEDULE_REVERSE},
        {"race_blocks", 8, 1u << WB_SCHEDULE_REVERSE},
        {"race_one_barrier", 1, 0},
        {"race_volatile_tree", 1, 1u << WB_SCHEDULE_LANES},
        {"race_volatile_loop", 1, 1u << WB_SCHEDULE_LANES},
        {"race_leader", 1, 1u << WB_SCHEDULE_LANES},
        {"race_last_lane", 1, 0},
        {"race_before_the_end", 1, 1u << WB_SCHEDULE_LANES},
        {"race_neighbours", 1, 1u << WB_SCHEDULE_LANES},
    };
    enum { SEED_1_OR_2 = 3u << WB_SCHEDULE_RANDOM };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(kernels); i++) {
        unsigned which = differences(*state, kernels[i].kernel, kernels[i].blocks);
        if ((which & kernels[i].must) != kernels[i].must || !(which & SEED_1_OR_2)) {
            fail_msg("%s: another result under the orders 0x%x only", kernels[i].kernel, which);
        }
    }
}

static void a_seed_repeats_itself(void **state)
{
    struct fixture *fx = *state;
    uint32_t first[WORDS];
    run(fx, "race_one_barrier", 1, (struct order){WB_SCHEDULE_RANDOM, 7});
    memcpy(first, fx->out, sizeof first);
    uint64_t inst = fx->counters.total.v[WB_METRIC_INST];
    run(fx, "race_one_barrier", 1, (struct order){WB_SCHEDULE_RANDOM, 7});
    assert_memory_equal(first, fx->out, sizeof first);
    assert_int_equal(inst, fx->counters.total.v[WB_METRIC_INST]);
    run(fx, "race_one_barrier", 1, (struct order){WB_SCHEDULE_RANDOM, 8});
    assert_true(inst != fx->counters.total.v[WB_METRIC_INST]);
}

/* Lanes apart execute a warp instruction once each, and no thread more or less than together. */
static void lanes_run_one_by_one(void **state)
{
    struct fixture *fx = *state;
    run(fx, "race_warps", 1, order_at(WB_SCHEDULE_DEFAULT));
    struct wb_counts together = fx->counters.total;
    run(fx, "race_warps", 1, order_at(WB_SCHEDULE_LANES));
    struct wb_counts apart = fx->counters.total;
    assert_int_equal(together.v[WB_METRIC_THREAD_INST], apart.v[WB_METRIC_THREAD_INST]);
    assert_true(apart.v[WB_METRIC_INST] > 8 * together.v[WB_METRIC_INST]);
    run(fx, "race_warps", 1, order_at(WB_SCHEDULE_REVERSE));
    assert_int_equal(together.v[WB_METRIC_INST], fx->counters.total.v[WB_METRIC_INST]);
}

/* ---- kernels that were measured ----------------------------------------------------------------
 */

/* The output of bank0... has addresses of the driver. In probes/accesses lanes use random places,
 * so that it depends on the order what an atomic returns and who stores last. */
static bool has_one_output(const char *corpus, const char *kernel)
{
    return strcmp(corpus, "probes/accesses") != 0 && strncmp(kernel, "bank0", 5) != 0;
}

static unsigned check_corpus(struct fixture *fx, const char *name, struct order order)
{
    static struct corpus_result got, want;
    struct wb_status status = {0};
    struct corpus corpus;
    struct corpus_launch l;
    unsigned wrong = 0;
    assert_true(corpus_read(&corpus, &fx->arena, name, &status));
    for (const char *line = corpus.launches; corpus_next(&l, &line);) {
        struct corpus_pass pass = {
            .engine = wb_engine_choose(), .schedule = order.schedule, .schedule_seed = order.seed};
        struct wb_fault fault;
        assert_true(corpus_measured(&want, &corpus, l.kernel));
        if (!corpus_run(&got, &fault, &fx->arena, &corpus, &l, &pass)) {
            print_error("%s: %s (%s:%u)\n", l.kernel, fault.message, fault.file, fault.line);
            wrong++;
        } else if (has_one_output(name, l.kernel) && got.output != want.output) {
            print_error("%s: other output\n", l.kernel);
            wrong++;
        }
    }
    return wrong;
}

static void measured_kernels_write_the_same(void **state)
{
    static const char *const names[] = {"open/open", "probes/constants", "probes/accesses",
                                        "probes/sync"};
    enum { SOME = WB_SCHEDULE_RANDOM + 2 };
    unsigned wrong = 0;
    for (unsigned i = 1; i < SOME; i++) {
        for (size_t n = 0; n < WB_ARRAY_LENGTH(names); n++) {
            unsigned bad = check_corpus(*state, names[n], order_at(i));
            if (bad) {
                print_error("under the order %s: %u of %s\n",
                            wb_schedule_name[order_at(i).schedule], bad, names[n]);
            }
            wrong += bad;
        }
    }
    assert_int_equal(wrong, 0);
}

static int set_up(void **state)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes cubin;
    wb_arena_init(&fx.arena);
    if (!wb_file_read(&cubin, &fx.arena, WB_FIXTURES "/sass/schedule.cubin", 1 << 24, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, cubin.data, cubin.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    *state = &fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_arena_finish(&fx->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_is_in_one_list),
        cmocka_unit_test(an_order_has_every_number_once),
        cmocka_unit_test(random_numbers_are_the_same_everywhere),
        cmocka_unit_test(right_kernels_write_the_same),
        cmocka_unit_test(races_show),
        cmocka_unit_test(a_seed_repeats_itself),
        cmocka_unit_test(lanes_run_one_by_one),
        cmocka_unit_test(measured_kernels_write_the_same),
    };
    return cmocka_run_group_tests_name("schedule", tests, set_up, tear_down);
}
