/* SPDX-License-Identifier: MIT
 * wb_grade from the file to the sum of points, with a compiler and a device that are not real; and
 * the questions.
 */
#include "test_grade_fake.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char attempt_path[] = "test-grade-attempt.cu";

static const struct wb_criterion criteria[] = {
    {"correct", "Right", WB_CORRECT, 0, 0, 60},
    {"answers", "Answered", WB_ANSWERS, 0, 0, 40},
};
static const struct wb_question questions[] = {
    {"answer_int", WB_I32, 5, 0, "Count."},
    {"answer_float", WB_F32, 0.5, 0.001, "Divide."},
    {"answer_unsigned", WB_U32, 4000000000.0, 0, "Do not overflow."},
    {"answer_double", WB_F64, 2.5, 0, "Add."},
};

static struct wb_lesson lesson_with(const struct wb_question *list, unsigned count)
{
    struct wb_lesson lesson = lesson_of(scale_lesson.tasks, criteria, 2);
    lesson.name = "07-scale";
    lesson.questions = list;
    lesson.question_count = count;
    return lesson;
}

/* Grades attempt_path, which exists unless a test removed it. */
static void grade(struct wb_result *out, struct wb_arena *arena, const struct wb_lesson *lesson)
{
    struct wb_grade_options options = {.attempt = attempt_path,
                                       .shown = "exercises/07-scale.cu",
                                       .reference = "lessons/07-scale/reference.cu",
                                       .title = "Scale",
                                       .device = &fake_device,
                                       .info = &fake_info,
                                       .seed = 42};
    wb_grade(out, arena, lesson, &options);
}

static int setup(void **state)
{
    struct wb_status status;
    arena_setup(state);
    fake_reset();
    struct wb_bytes cubin = read_fixture(*state, "grade/kernels.cubin");
    fake.built = fake.built_reference = (struct wb_build_result){.ok = true, .cubin = cubin};
    return wb_file_write(attempt_path, "// x\n", 5, &status) ? 0 : -1;
}

static int teardown(void **state)
{
    unlink(attempt_path);
    return arena_teardown(state);
}

/* ---- points --------------------------------------------------------------------------------- */

static void everything_right(void **state)
{
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_true(result.points == 100 && result.max_points == 100);
    assert_string_equal(result.lesson, "07-scale");
    assert_string_equal(result.title, "Scale");
    assert_string_equal(result.attempt, "exercises/07-scale.cu");
    assert_string_equal(result.device.name, "fake");
    assert_string_equal(result.criteria[1].message, "4 of 4 answers are right.");
    assert_true(result.seed == 42);
    assert_true(result.duration_ms > 0);
    assert_null(result.message);
}

static void answers_give_part_of_the_points(void **state)
{
    static const struct wb_question mixed[] = {
        {"answer_int", WB_I32, 5, 0, "Count."},
        {"answer_float", WB_F32, 0.6, 0.05, "Divide again."},
        {"answer_zero", WB_I32, 1, 0, NULL},
        {"answer_open", WB_I32, 7, 0, "Think."},
        {"answer_open_float", WB_F32, 7, 0, "Think."},
        {"answer_open_unsigned", WB_U32, 7, 0, "Think."},
        {"answer_gone", WB_I32, 7, 0, "Think."},
        {"answer_double", WB_F32, 2.5, 0, "Add."},
        {"answer_device", WB_I32, 7, 0, "It may lie in global memory."},
        {"answer_device_zero", WB_I32, 0, 0, "Also as zero."},
    };
    static const struct {
        const char *message, *advice;
    } findings[] = {
        {"`answer_float` is not the right answer.", "Divide again."},
        {"`answer_zero` is not the right answer.", "Read the chapter again."},
        {"`answer_double` has another type than float.",
         "Declare it as `__constant__ float answer_double`."},
        {"Not answered yet: `answer_open`, `answer_open_float`, `answer_open_unsigned`.",
         "Write your answer in the place of -1."},
        {"The file does not define: `answer_gone`.",
         "Copy the lines that begin with `__constant__` from the lesson's exercise.cu, and answer "
         "there."},
    };
    struct wb_lesson lesson = lesson_with(mixed, WB_ARRAY_LENGTH(mixed));
    struct wb_result result;
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_WRONG_ANSWER);
    assert_true(result.criteria[1].points == 12 && result.points == 72);
    assert_string_equal(result.criteria[1].message, "3 of 10 answers are right.");
    assert_int_equal(result.finding_count, WB_ARRAY_LENGTH(findings));
    for (size_t i = 0; i < WB_ARRAY_LENGTH(findings); i++) {
        assert_string_equal(result.findings[i].message, findings[i].message);
        assert_string_equal(result.findings[i].advice, findings[i].advice);
        assert_string_equal(result.findings[i].file, "exercises/07-scale.cu");
    }
}

/* Wherever their criterion stands: a line that lost points is found first. */
static void answers_are_found_last(void **state)
{
    static const struct wb_criterion answers_first[] = {
        {"answers", "Answered", WB_ANSWERS, 0, 0, 40},
        {"divergence", "Together", WB_MAX_DIVERGENT, 0, 0, 60},
    };
    static const struct wb_question gone[] = {{"answer_a", WB_I32, 5, 0, "Count."},
                                              {"answer_b", WB_F32, 5, 0, "Count."}};
    struct wb_lesson lesson = lesson_with(gone, 2);
    struct wb_result result;
    struct wb_pc_counts pc = {
        0x10, 3, attempt_path, {.v = {[WB_METRIC_BRANCH_DIVERGENT] = 7, [WB_METRIC_INST] = 7}}};
    lesson.criteria = answers_first;
    fake.attempt =
        (struct wb_counters){.present = UINT32_MAX, .total = pc.counts, .pcs = &pc, .pc_count = 1};
    grade(&result, *state, &lesson);
    assert_string_equal(result.criteria[0].message, "0 of 2 answers are right.");
    assert_int_equal(result.finding_count, 2);
    assert_int_equal(result.findings[0].kind, WB_REASON_DIVERGENT_BRANCHES);
    assert_string_equal(result.findings[1].message,
                        "The file does not define: `answer_a`, `answer_b`.");
}

/* ---- files and compilers -------------------------------------------------------------------- */

static void missing_attempt(void **state)
{
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    unlink(attempt_path);
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_int_equal(result.reason, WB_REASON_NONE);
    assert_string_equal(
        result.message,
        "exercises/07-scale.cu is not there. `./warpbook reset 07` puts the stub back.");
    assert_int_equal(result.criteria[1].verdict, WB_SKIPPED);
    assert_non_null(result.criteria[1].message);
    assert_int_equal(fake.jobs, 0);
}

static void unreadable_attempt(void **state)
{
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    struct wb_status status;
    unlink(attempt_path);
    assert_true(wb_dir_make(attempt_path, &status));
    grade(&result, *state, &lesson);
    rmdir(attempt_path);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_contains(result.message, "is not a regular file");
}

static void compile_errors(void **state)
{
    char own[] = "/build/test-grade-attempt.cu", other[] = "/usr/include/x.h";
    char warning[] = "unused variable", first[] = "expected a ';'", second[] = "x is undefined";
    char summary[] = "A semicolon is missing.", advice[] = "Put it there.";
    struct wb_diagnostic diagnostics[] = {{WB_SEVERITY_WARNING, own, 3, 1, warning},
                                          {WB_SEVERITY_ERROR, own, 7, 2, first},
                                          {WB_SEVERITY_ERROR, other, 9, 0, second}};
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    fake.built = (struct wb_build_result){
        .diagnostics = diagnostics, .diagnostic_count = 3, .summary = summary, .advice = advice};
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_FAILED);
    assert_int_equal(result.reason, WB_REASON_COMPILE_ERROR);
    assert_true(result.points == 0 && result.max_points == 100);
    assert_int_equal(result.criteria[0].verdict, WB_FAILED);
    assert_string_equal(result.criteria[0].message, summary);
    assert_int_equal(result.criteria[1].verdict, WB_SKIPPED);
    assert_string_equal(result.criteria[1].message, "Not reached: the file does not compile.");
    assert_int_equal(result.finding_count, 2);
    assert_string_equal(result.findings[0].file, "exercises/07-scale.cu");
    assert_int_equal(result.findings[0].line, 7);
    assert_string_equal(result.findings[0].message, summary);
    assert_string_equal(result.findings[0].advice, advice);
    assert_string_equal(result.findings[1].file, other);
    assert_string_equal(result.findings[1].message, second);
    assert_int_equal(result.diagnostic_count, 3);
    assert_string_equal(result.diagnostics[0].file, "exercises/07-scale.cu");
    assert_int_equal(fake.jobs, 0);
}

static void unexplained_compile_error(void **state)
{
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    fake.built = (struct wb_build_result){.ok = false};
    grade(&result, *state, &lesson);
    assert_int_equal(result.reason, WB_REASON_COMPILE_ERROR);
    assert_int_equal(result.finding_count, 1);
}

static void warnings_do_not_fail(void **state)
{
    char own[] = "test-grade-attempt.cu", warning[] = "unused variable";
    struct wb_diagnostic diagnostics[] = {{WB_SEVERITY_WARNING, own, 3, 1, warning}};
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    fake.built.diagnostics = diagnostics;
    fake.built.diagnostic_count = 1;
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_PASSED);
    assert_int_equal(result.diagnostic_count, 1);
    assert_int_equal(result.finding_count, 0);
}

static void our_failures_are_errors(void **state)
{
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result result;
    uint8_t junk[] = "junk";
    struct wb_build_result good = fake.built;

    fake.built_reference.ok = false;
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_int_equal(result.reason, WB_REASON_CHECKER_ERROR);
    assert_contains(result.message, "The reference lessons/07-scale/reference.cu does not compile");

    fake.built_reference = good;
    fake.built.cubin = (struct wb_bytes){junk, sizeof junk};
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_contains(result.message, "The compiled file cannot be read");

    fake.no_compiler = true;
    grade(&result, *state, &lesson);
    assert_int_equal(result.verdict, WB_ERROR);
    assert_string_equal(result.message, "There is no nvcc here.");
    assert_true(result.points == 0);
}

/* ---- the same again ------------------------------------------------------------------------- */

static void off_now_and_then(struct wb_device_case *c)
{
    fake_scale(c);
    for (int i = 0; i < fake_int_arg(c, 2); i += 7) {
        fake_floats(c, 1)[i] *= 1 + fake_floats(c, 0)[i];
    }
}

static void two_runs_are_equal(void **state)
{
    struct wb_lesson lesson = lesson_with(questions, 4);
    struct wb_result one, two;
    fake.kernel = off_now_and_then;
    grade(&one, *state, &lesson);
    grade(&two, *state, &lesson);
    assert_true(one.points == two.points);
    for (size_t i = 0; i < one.criterion_count; i++) {
        assert_string_equal(one.criteria[i].message, two.criteria[i].message);
    }
    assert_int_equal(one.finding_count, two.finding_count);
    assert_int_equal(one.finding_count, 1);
    assert_string_equal(one.findings[0].message, two.findings[0].message);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(everything_right),          TEST(answers_give_part_of_the_points),
        TEST(answers_are_found_last),    TEST(missing_attempt),
        TEST(unreadable_attempt),        TEST(compile_errors),
        TEST(unexplained_compile_error), TEST(warnings_do_not_fail),
        TEST(our_failures_are_errors),   TEST(two_runs_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
