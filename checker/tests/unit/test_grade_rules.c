/* SPDX-License-Identifier: MIT
 * Criteria that hold a number against a limit: the number, whether it meets the limit, its words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "rules.h"

static struct wb_pc_counts row(const char *opcode, uint64_t warps, uint64_t threads)
{
    struct wb_pc_counts out = {.opcode = opcode};
    out.counts.v[WB_METRIC_INST] = warps;
    out.counts.v[WB_METRIC_THREAD_INST_PRED_ON] = threads;
    return out;
}

/* A launch that did a little of everything. */
static struct wb_measurement launch(void)
{
    static struct wb_pc_counts pcs[4];
    struct wb_measurement out = {.measured = true,
                                 .registers = 40,
                                 .static_shared = 1024,
                                 .dynamic_shared = 512,
                                 .counters = {.pcs = pcs, .pc_count = 4}};
    pcs[0] = row("ATOMG", 10, 300);
    pcs[1] = row("RED", 5, 7);
    pcs[2] = row("REDUX", 1000, 32000);
    pcs[3] = row("LDS", 20, 640);
    out.counters.present = (1u << WB_METRIC_COUNT) - 1;
    uint64_t *v = out.counters.total.v;
    v[WB_METRIC_INST] = 2000; /* some in a function that is called */
    v[WB_METRIC_THREAD_INST_PRED_ON] = 50000;
    v[WB_METRIC_GLOBAL_SECTORS] = 300;
    v[WB_METRIC_GLOBAL_SECTORS_IDEAL] = 100;
    v[WB_METRIC_SHARED_WAVEFRONTS] = 105;
    v[WB_METRIC_SHARED_WAVEFRONTS_IDEAL] = 100;
    v[WB_METRIC_LOCAL_SECTORS] = 8;
    return out;
}

static void each_kind_reads_its_number(void **state)
{
    (void)state;
    static const char atomics[] = "ATOM ATOMG RED";
    static const struct {
        struct wb_criterion criterion;
        double value, limit_met, limit_missed;
    } cases[] = {
        {{.kind = WB_MAX_EXECUTED, .opcodes = atomics}, 15, 15, 14},
        {{.kind = WB_MAX_EXECUTED}, 2000, 2000, 1999},
        {{.kind = WB_MIN_EXECUTED, .opcodes = "LDS"}, 20, 20, 21},
        {{.kind = WB_MIN_EXECUTED, .opcodes = "STS"}, 0, 0, 1},
        {{.kind = WB_MAX_THREAD_EXECUTED, .opcodes = atomics}, 307, 307, 306},
        {{.kind = WB_MAX_GLOBAL_RATIO}, 3, 3, 2.99},
        {{.kind = WB_MAX_GLOBAL_SECTORS}, 300, 300, 299},
        {{.kind = WB_MAX_SHARED_RATIO}, 1.05, 1.05, 1.04},
        {{.kind = WB_MAX_LOCAL_SECTORS}, 8, 8, 0},
        {{.kind = WB_MAX_REGISTERS}, 40, 40, 39},
        {{.kind = WB_MAX_SHARED_BYTES}, 1536, 1536, 1535},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        const struct wb_criterion *criterion = &cases[i].criterion;
        const struct wb_rule *rule = wb_rule(criterion->kind);
        struct wb_measurement measured = launch();
        double value = -1;
        assert_true(wb_rule_counted(rule, &measured, criterion));
        assert_true(rule->value(&value, &measured, criterion));
        assert_true(value > cases[i].value - 1e-9 && value < cases[i].value + 1e-9);
        assert_true(wb_rule_meets(rule, value, cases[i].limit_met));
        assert_false(wb_rule_meets(rule, value, cases[i].limit_missed));
        assert_int_not_equal(rule->reason, WB_REASON_NONE);
    }
}

static void what_is_not_known_is_not_a_number(void **state)
{
    (void)state;
    const struct wb_criterion atomics = {.kind = WB_MAX_EXECUTED, .opcodes = "ATOMG"},
                              ratio = {.kind = WB_MAX_GLOBAL_RATIO};
    struct wb_measurement measured = launch();
    double value;
    measured.counters.pcs[0].opcode = NULL; /* machine code of another device */
    assert_false(wb_rule_counted(wb_rule(atomics.kind), &measured, &atomics));
    measured.counters.present &= ~(1u << WB_METRIC_GLOBAL_SECTORS);
    assert_false(wb_rule_counted(wb_rule(ratio.kind), &measured, &ratio));
    measured = launch();
    measured.counters.total.v[WB_METRIC_GLOBAL_SECTORS_IDEAL] = 0;
    assert_false(wb_rule(ratio.kind)->value(&value, &measured, &ratio));
    assert_null(wb_rule(WB_CORRECT)->name);
}

static void words_name_limit_and_values(void **state)
{
    struct wb_arena *arena = *state;
    const struct wb_criterion atomics = {.kind = WB_MAX_EXECUTED,
                                         .opcodes = "ATOMG RED",
                                         .counted = "atomic instructions",
                                         .limit = 4};
    const struct wb_criterion ratio = {.kind = WB_MAX_SHARED_RATIO, .limit = 1.049};
    const struct wb_measurement yours = launch(), nothing = {0};
    assert_string_equal(
        wb_rule_text(arena, wb_rule(atomics.kind), &atomics, &yours, &yours),
        "atomic instructions executed by warps: reference 15, target at most 4, yours 15");
    assert_string_equal(wb_rule_text(arena, wb_rule(ratio.kind), &ratio, &nothing, &yours),
                        "wavefronts of shared memory / the least possible: target at most 1.049, "
                        "yours 1.05");
}

static int set_up(void **state)
{
    static struct wb_arena arena;
    wb_arena_init(&arena);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    wb_arena_finish(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_reads_its_number),
        cmocka_unit_test(what_is_not_known_is_not_a_number),
        cmocka_unit_test_setup_teardown(words_name_limit_and_values, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
