/* SPDX-License-Identifier: MIT
 * Metrics and reasons: the lists are complete, the graded ratios are right at their edges.
 */
#include <warpbook/base.h>
#include <warpbook/metrics.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_metric_has_its_own_names(void **state)
{
    (void)state;
    for (int i = 0; i < WB_METRIC_COUNT; i++) {
        bool sass = i < WB_SASS_METRIC_COUNT;
        assert_true(wb_starts_with(wb_metric_cupti[i], sass ? "smsp__sass_" : "sm__idc_"));
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(wb_metric_name[i], wb_metric_name[k]);
            assert_string_not_equal(wb_metric_cupti[i], wb_metric_cupti[k]);
        }
    }
}

static void every_reason_is_found_by_its_code(void **state)
{
    (void)state;
    for (int i = 0; i < WB_REASON_COUNT; i++) {
        assert_int_equal(wb_reason_find(wb_reason_code[i]), i);
        assert_true(strlen(wb_reason_text[i]) > 0);
        assert_true(i == WB_REASON_NONE || wb_ends_with(wb_reason_advice[i], "."));
    }
    assert_int_equal(wb_reason_find("no-such-code"), WB_REASON_COUNT);
    assert_int_equal(wb_reason_find(""), WB_REASON_COUNT);
}

static void present_metrics_are_told_from_absent_ones(void **state)
{
    (void)state;
    struct wb_counters counters = {.present = 1u << WB_METRIC_INST};
    for (int i = 0; i < WB_METRIC_COUNT; i++) {
        assert_int_equal(wb_counters_have(&counters, (enum wb_metric)i), i == WB_METRIC_INST);
    }
}

static struct wb_counts branches(uint64_t uniform, uint64_t divergent)
{
    struct wb_counts counts = {{0}};
    counts.v[WB_METRIC_BRANCH_UNIFORM] = uniform;
    counts.v[WB_METRIC_BRANCH_DIVERGENT] = divergent;
    return counts;
}

static void branch_efficiency_is_a_percentage(void **state)
{
    (void)state;
    double percent = -1;
    struct wb_counts counts = branches(0, 0);
    assert_false(wb_branch_efficiency(&percent, &counts)); /* no branch is not 0 % */
    assert_true(percent == -1);
    const struct {
        uint64_t uniform, divergent;
        double percent;
    } list[] = {{7, 1, 87.5}, {0, 5, 0}, {5, 0, 100}, {1ULL << 60, 1ULL << 60, 50}};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(list); i++) {
        counts = branches(list[i].uniform, list[i].divergent);
        assert_true(wb_branch_efficiency(&percent, &counts));
        assert_true(percent == list[i].percent);
    }
}

static void lanes_are_an_average(void **state)
{
    (void)state;
    double lanes = -1;
    struct wb_counts counts = {{0}};
    assert_false(wb_lanes(&lanes, &counts));
    counts.v[WB_METRIC_INST] = 4;
    counts.v[WB_METRIC_THREAD_INST] = 128; /* not this one */
    counts.v[WB_METRIC_THREAD_INST_PRED_ON] = 66;
    assert_true(wb_lanes(&lanes, &counts));
    assert_true(lanes == 16.5);
}

static void counts_are_added(void **state)
{
    (void)state;
    struct wb_counts sum = {{0}}, one;
    for (int i = 0; i < WB_METRIC_COUNT; i++) {
        one.v[i] = (uint64_t)i + 1;
    }
    wb_counts_add(&sum, &one);
    wb_counts_add(&sum, &one);
    for (int i = 0; i < WB_METRIC_COUNT; i++) {
        assert_int_equal(sum.v[i], 2 * (i + 1));
    }
}

static struct wb_pc_counts at(uint32_t pc, const char *file, unsigned line, uint64_t count)
{
    struct wb_pc_counts result = {.pc = pc, .line = line, .file = file};
    result.counts.v[WB_METRIC_INST] = count;
    return result;
}

static void instructions_are_summed_by_line(void **state)
{
    (void)state;
    struct wb_arena arena;
    wb_arena_init(&arena);
    char same_name[] = "b.cu"; /* equal text at another address */
    struct wb_pc_counts pcs[] = {at(0, "b.cu", 9, 1),      at(16, same_name, 7, 2),
                                 at(32, NULL, 0, 4),       at(48, "a.cu", 8, 8),
                                 at(64, same_name, 9, 16), at(80, NULL, 0, 32)};
    struct wb_counters counters = {.pcs = pcs, .pc_count = WB_ARRAY_LENGTH(pcs)};
    size_t count;
    struct wb_pc_counts *lines = wb_counters_by_line(&arena, &count, &counters);
    const struct {
        const char *file;
        unsigned line;
        uint64_t sum;
    } expected[] = {{"", 0, 36}, {"a.cu", 8, 8}, {"b.cu", 7, 2}, {"b.cu", 9, 17}};
    assert_int_equal(count, WB_ARRAY_LENGTH(expected));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(lines[i].file ? lines[i].file : "", expected[i].file);
        assert_int_equal(lines[i].line, expected[i].line);
        assert_int_equal(lines[i].counts.v[WB_METRIC_INST], expected[i].sum);
        assert_int_equal(lines[i].pc, 0);
    }
    assert_int_equal(pcs[1].pc, 16); /* the counters themselves are unchanged */
    assert_int_equal(pcs[0].counts.v[WB_METRIC_INST], 1);
    counters.pc_count = 0;
    counters.pcs = NULL;
    wb_counters_by_line(&arena, &count, &counters);
    assert_int_equal(count, 0);
    wb_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_metric_has_its_own_names),
        cmocka_unit_test(every_reason_is_found_by_its_code),
        cmocka_unit_test(present_metrics_are_told_from_absent_ones),
        cmocka_unit_test(branch_efficiency_is_a_percentage),
        cmocka_unit_test(lanes_are_an_average),
        cmocka_unit_test(counts_are_added),
        cmocka_unit_test(instructions_are_summed_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
