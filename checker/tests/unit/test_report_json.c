/* SPDX-License-Identifier: MIT
 * The JSON report: it parses, says what the tree says, and leaves out what is not known. Its form
 * is checked against docs/report-schema.json by tests/cli/report-schema.py.
 */
#include "report_trees.h"

#include <jansson.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static json_t *render(const char *name)
{
    struct wb_arena arena;
    struct wb_str out;
    struct wb_result result;
    json_error_t error;
    wb_arena_init(&arena);
    wb_str_init(&out, &arena);
    report_tree_make(&result, &arena, name, NULL);
    wb_report_json.render(&out, &result, NULL);
    json_t *report = json_loads(wb_str_get(&out), JSON_REJECT_DUPLICATES, &error);
    if (!report) {
        fail_msg("%s: line %d: %s", name, error.line, error.text);
    }
    wb_arena_finish(&arena);
    return report;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    assert_non_null(value);
    return value;
}

static void test_every_tree_parses(void **state)
{
    (void)state;
    for (size_t i = 0; i < report_tree_count; i++) {
        json_t *report = render(report_trees[i].name);
        assert_string_equal(text(report, "schema"), "warpbook-report/1");
        json_decref(report);
    }
}

static void test_failed(void **state)
{
    json_t *report = render("failed");
    (void)state;
    assert_string_equal(text(report, "lesson"), "07-warp-aligned-branch");
    assert_string_equal(text(report, "title"), "Warp-aligned branch");
    assert_string_equal(text(report, "attempt"), "exercises/07-warp-aligned-branch.cu");
    assert_string_equal(text(report, "verdict"), "failed");
    assert_string_equal(text(report, "reason"), "divergent-branches");
    assert_true(json_is_null(json_object_get(report, "message")));
    assert_int_equal((int)json_number_value(json_object_get(report, "points")), 40);
    assert_int_equal(json_integer_value(json_object_get(report, "seed")), 20260101);
    const json_t *device = json_object_get(report, "device");
    assert_string_equal(text(device, "kind"), "sim");
    assert_string_equal(text(device, "compute_capability"), "9.0");
    assert_string_equal(text(device, "counters"), "sim");
    const json_t *criterion = json_array_get(json_object_get(report, "criteria"), 1);
    assert_string_equal(text(criterion, "id"), "divergence");
    assert_string_equal(text(criterion, "verdict"), "failed");
    assert_string_equal(text(criterion, "reason"), "divergent-branches");
    const json_t *finding = json_array_get(json_object_get(report, "findings"), 0);
    assert_string_equal(text(finding, "kind"), "divergent-branches");
    assert_int_equal(json_integer_value(json_object_get(finding, "line")), 8);
    const json_t *diagnostic = json_array_get(json_object_get(report, "diagnostics"), 0);
    assert_string_equal(text(diagnostic, "severity"), "warning");
    assert_int_equal(json_integer_value(json_object_get(diagnostic, "column")), 9);
    json_decref(report);
}

static void test_counters(void **state)
{
    json_t *report = render("failed");
    (void)state;
    const json_t *attempt = json_object_get(json_object_get(report, "counters"), "attempt");
    assert_string_equal(text(attempt, "schema"), "warpbook-counters/1");
    const json_t *launch = json_array_get(json_object_get(attempt, "launches"), 0);
    assert_string_equal(text(launch, "kernel"), "explog");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(launch, "grid"), 0)), 64);
    const json_t *total = json_object_get(launch, "counters");
    assert_int_equal(json_integer_value(json_object_get(total, "branch_targets_divergent")), 512);
    assert_null(json_object_get(total, "shared_wavefronts")); /* unknown, not 0 */
    const json_t *lines = json_object_get(launch, "lines");
    assert_int_equal(json_array_size(lines), 5);
    json_int_t sum = 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        sum += json_integer_value(json_object_get(json_array_get(lines, i), "inst_executed"));
    }
    assert_int_equal(sum, json_integer_value(json_object_get(total, "inst_executed")));
    json_decref(report);
}

static void test_nothing_is_null(void **state)
{
    json_t *report = render("error");
    (void)state;
    const json_t *counters = json_object_get(report, "counters");
    assert_true(json_is_null(json_object_get(counters, "reference")));
    assert_true(json_is_null(json_object_get(counters, "attempt")));
    assert_true(json_is_null(json_object_get(report, "output")));
    assert_true(json_is_null(json_object_get(report, "title")));
    assert_string_equal(text(report, "message"), "No nvcc was found.");
    assert_int_equal(json_array_size(json_object_get(report, "criteria")), 0);
    json_decref(report);
}

static void test_hostile_strings_come_through(void **state)
{
    json_t *report = render("hostile");
    (void)state;
    const char *output = text(report, "output");
    assert_non_null(strstr(output, "\033]0;owned\007")); /* JSON can say it: readers must escape */
    assert_non_null(strstr(output, "\"'\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\u202e"
                                   "evil\r\n%s%n"));
    json_decref(report);
}

/* docs/report-schema.json lists the reasons by hand; it must list all of them. */
static void test_schema_knows_every_reason(void **state)
{
    json_error_t error;
    json_t *schema = json_load_file(WB_DOCS "/report-schema.json", 0, &error);
    (void)state;
    assert_non_null(schema);
    const json_t *reason = json_object_get(json_object_get(schema, "$defs"), "reason");
    const json_t *list = json_object_get(reason, "enum");
    assert_int_equal(json_array_size(list), WB_REASON_COUNT);
    for (int i = 0; i < WB_REASON_COUNT; i++) {
        assert_string_equal(json_string_value(json_array_get(list, (size_t)i)), wb_reason_code[i]);
    }
    json_decref(schema);
}

/* The same for metrics, which stand there twice. */
static void test_schema_knows_every_metric(void **state)
{
    json_error_t error;
    json_t *schema = json_load_file(WB_DOCS "/counters-schema.json", 0, &error);
    (void)state;
    assert_non_null(schema);
    const json_t *defs = json_object_get(schema, "$defs");
    const json_t *whole = json_object_get(json_object_get(defs, "counters"), "properties");
    const json_t *line = json_object_get(json_object_get(defs, "line"), "properties");
    assert_int_equal(json_object_size(whole), WB_METRIC_COUNT);
    assert_int_equal(json_object_size(line), WB_METRIC_COUNT + 2);
    for (int i = 0; i < WB_METRIC_COUNT; i++) {
        assert_non_null(json_object_get(whole, wb_metric_name[i]));
        assert_non_null(json_object_get(line, wb_metric_name[i]));
    }
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tree_parses),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_nothing_is_null),
        cmocka_unit_test(test_hostile_strings_come_through),
        cmocka_unit_test(test_schema_knows_every_reason),
        cmocka_unit_test(test_schema_knows_every_metric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
