/* SPDX-License-Identifier: MIT
 * The first line of a wrong attempt, good and bad, and whether a result meets it.
 */
#include "test_grade_fake.h"

#include <stdio.h>
#include <string.h>

static bool read_text(struct wb_expectation *out, struct wb_arena *arena, const char *text,
                      struct wb_status *status)
{
    const char *path = "expectation.tmp";
    assert_true(wb_file_write(path, text, strlen(text), status));
    bool ok = wb_expectation_read(out, arena, path, status);
    remove(path);
    return ok;
}

static void reads_good_lines(void **state)
{
    static const struct {
        const char *text;
        enum wb_verdict verdict;
        const char *criterion;
        enum wb_reason reason, on_gpu; /* NONE: the same */
    } rows[] = {
        {"// expect: passed\nint x;\n", WB_PASSED, NULL, WB_REASON_NONE},
        {"// expect: passed", WB_PASSED, NULL, WB_REASON_NONE},
        {"// expect: failed correct nan\r\n", WB_FAILED, "correct", WB_REASON_NAN},
        {"// expect:\tfailed  lanes   low-lane-efficiency \nx", WB_FAILED, "lanes",
         WB_REASON_LOW_LANE_EFFICIENCY},
        {"// expect: failed correct out-of-bounds nan\n", WB_FAILED, "correct",
         WB_REASON_OUT_OF_BOUNDS, WB_REASON_NAN},
        {"// expect: error unsupported\n", WB_ERROR, NULL, WB_REASON_UNSUPPORTED},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        struct wb_expectation expected;
        struct wb_status status = {WB_OK};
        assert_true(read_text(&expected, *state, rows[i].text, &status));
        assert_int_equal(expected.verdict, rows[i].verdict);
        assert_int_equal(expected.reason, rows[i].reason);
        if (rows[i].verdict != WB_PASSED) {
            assert_int_equal(expected.reason_on_gpu,
                             rows[i].on_gpu ? rows[i].on_gpu : rows[i].reason);
        }
        if (rows[i].criterion) {
            assert_string_equal(expected.criterion, rows[i].criterion);
        } else {
            assert_null(expected.criterion);
        }
    }
}

static void refuses_bad_lines(void **state)
{
    static const char *const rows[] = {
        "",
        "\n// expect: passed\n",
        "// expects: passed\n",
        "//expect: passed\n",
        "// expect: \n",
        "// expect: passed correct\n",
        "// expect: failed\n",
        "// expect: failed correct\n",
        "// expect: failed correct wrong-answer please\n",
        "// expect: failed correct wrong-answer nan nan\n",
        "// expect: failed correct no-such-reason\n",
        "// expect: error\n",
        "// expect: error nonsense\n",
        "// expect: skipped correct nan\n",
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        struct wb_expectation expected;
        struct wb_status status = {WB_OK};
        if (read_text(&expected, *state, rows[i], &status)) {
            fail_msg("accepted: %s", rows[i]);
        }
        assert_int_equal(status.code, WB_BAD_INPUT);
        assert_contains(status.message, "expectation.tmp");
    }
    struct wb_expectation expected;
    struct wb_status status = {WB_OK};
    assert_false(wb_expectation_read(&expected, *state, "no/such/file.cu", &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
}

static void compares_with_results(void **state)
{
    static struct wb_criterion_result criteria[] = {
        {.id = "correct", .verdict = WB_PASSED},
        {.id = "lanes", .verdict = WB_FAILED, .reason = WB_REASON_LOW_LANE_EFFICIENCY},
        {.id = "branches", .verdict = WB_SKIPPED, .message = "Not measured."}};
    const struct wb_result failed = {.verdict = WB_FAILED,
                                     .reason = WB_REASON_LOW_LANE_EFFICIENCY,
                                     .criteria = criteria,
                                     .criterion_count = WB_ARRAY_LENGTH(criteria)};
    const struct wb_result passed = {.verdict = WB_PASSED};
    struct wb_result on_gpu = failed;
    on_gpu.device.kind = WB_DEVICE_GPU;
    struct wb_result guarded = on_gpu;
    guarded.device.major = 9;
    const struct wb_result error = {
        .verdict = WB_ERROR, .reason = WB_REASON_UNSUPPORTED, .message = "No."};
    char correct[] = "correct", lanes[] = "lanes", branches[] = "branches", other[] = "other";
    const struct {
        struct wb_expectation expected;
        const struct wb_result *result;
        const char *why; /* NULL: met */
    } rows[] = {
        {{WB_PASSED, NULL, WB_REASON_NONE}, &passed, NULL},
        {{WB_PASSED, NULL, WB_REASON_NONE}, &failed, "failed (low-lane-efficiency)"},
        {{WB_FAILED, lanes, WB_REASON_LOW_LANE_EFFICIENCY}, &failed, NULL},
        {{WB_FAILED, lanes, WB_REASON_NAN}, &failed, "low-lane-efficiency"},
        {{WB_FAILED, lanes, WB_REASON_NAN, WB_REASON_LOW_LANE_EFFICIENCY}, &on_gpu, NULL},
        {{WB_FAILED, lanes, WB_REASON_LOW_LANE_EFFICIENCY, WB_REASON_NAN}, &on_gpu, "(nan)"},
        {{WB_FAILED, lanes, WB_REASON_LOW_LANE_EFFICIENCY, WB_REASON_NAN}, &guarded, NULL},
        {{WB_FAILED, correct, WB_REASON_NAN}, &failed, "it got passed"},
        {{WB_FAILED, correct, WB_REASON_RACE, WB_REASON_RACE}, &failed, "it got passed"},
        {{WB_FAILED, correct, WB_REASON_RACE, WB_REASON_RACE}, &on_gpu, NULL},
        {{WB_FAILED, lanes, WB_REASON_RACE, WB_REASON_RACE}, &on_gpu, "(low-lane-efficiency)"},
        {{WB_FAILED, correct, WB_REASON_RACE, WB_REASON_RACE}, &guarded, NULL},
        {{WB_FAILED, correct, WB_REASON_CLUSTER_EXIT, WB_REASON_CLUSTER_EXIT}, &on_gpu, NULL},
        {{WB_FAILED, correct, WB_REASON_CLUSTER_EXIT, WB_REASON_CLUSTER_EXIT},
         &guarded,
         "it got passed"},
        {{WB_FAILED, correct, WB_REASON_LEAK, WB_REASON_LEAK}, &on_gpu, "it got passed"},
        {{WB_FAILED, branches, WB_REASON_NAN}, &failed, "skipped (none): Not measured."},
        {{WB_FAILED, other, WB_REASON_NAN}, &failed, "no criterion `other`"},
        {{WB_FAILED, correct, WB_REASON_NAN}, &error, "no criterion `correct`"},
        {{WB_ERROR, NULL, WB_REASON_UNSUPPORTED}, &error, NULL},
        {{WB_ERROR, NULL, WB_REASON_NAN}, &error, "error (unsupported): No."},
        {{WB_PASSED, NULL, WB_REASON_NONE}, &error, "error (unsupported): No."},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        char *why = NULL;
        bool met = wb_expectation_met(&why, *state, &rows[i].expected, rows[i].result);
        assert_int_equal(met, rows[i].why == NULL);
        if (rows[i].why) {
            assert_contains(why, rows[i].why);
        } else {
            assert_null(why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(reads_good_lines),
        ARENA_TEST(refuses_bad_lines),
        ARENA_TEST(compares_with_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
