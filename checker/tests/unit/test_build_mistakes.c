/* SPDX-License-Identifier: MIT
 * The table of beginners' mistakes against what nvcc printed for them. Each mistake is a pair of
 * files in fixtures/nvcc: NAME.cu, whose first line says what the learner must be told, and
 * NAME.out, recorded in that folder with
 *   nvcc -cubin -arch=sm_90 -lineinfo -O3 -std=c++17 -x cu -o /dev/null NAME.cu 2> NAME.out
 * and TMPDIR=/tmp (out-of-memory.out: after ulimit -v 150000).
 */
#include "advice.h"
#include "mistakes.h"
#include "output.h"
#include "pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct wb_arena arena;

static bool *used; /* for each row of the table: something in these tests needs it */

static char *expected_summary(const struct wb_source *source)
{
    static const char mark[] = "// expect: ";
    const char *text = (const char *)source->text.data;
    assert_true(wb_starts_with(text, mark));
    text += strlen(mark);
    return wb_arena_strndup(&arena, text, strcspn(text, "\n"));
}

static void mark_used(const char *message)
{
    for (size_t i = 0; i < wb_mistake_count; i++) {
        struct wb_captures captures = {0};
        if (wb_pattern_found(&captures, wb_mistakes[i].pattern, message)) {
            used[i] = true;
        }
    }
}

static void check_mistake(const char *name)
{
    struct wb_source source;
    struct wb_bytes output;
    struct wb_diagnostics diagnostics;
    struct wb_build_result result = {0};
    char *recorded = wb_arena_printf(&arena, "%.*s.out", (int)strlen(name) - 3, name);
    assert_true(wb_source_read(&source, &arena, name, NULL));
    assert_true(wb_file_read(&output, &arena, recorded, 1 << 20, NULL));
    char *text = wb_output_clean(&arena, (char *)output.data, output.size, "/tmp");
    wb_diagnostics_parse(&diagnostics, &arena, text, source.given_folder);
    assert_true(diagnostics.first_error < diagnostics.count);
    wb_advice_give(&result, &arena, &diagnostics, &source);
    assert_string_equal(result.summary, expected_summary(&source));
    assert_null(strstr(result.summary, "$"));
    if (!wb_ends_with(result.advice, ".") && !wb_ends_with(result.advice, ";")) {
        fail_msg("%s: \"%s\" is no whole sentence", name, result.advice);
    }
    mark_used(diagnostics.items[diagnostics.first_error].message);
}

static void recorded_mistakes_are_explained(void **state)
{
    (void)state;
    char **names;
    size_t count, mistakes = 0;
    assert_int_equal(chdir(WB_FIXTURES "/nvcc"), 0);
    assert_true(wb_dir_list(&names, &count, &arena, ".", NULL));
    for (size_t i = 0; i < count; i++) {
        if (wb_ends_with(names[i], ".cu")) {
            check_mistake(names[i]);
            mistakes++;
        }
    }
    assert_true(mistakes >= 70);
}

static struct wb_build_result explain(const char *output, const char *given, const char *text)
{
    struct wb_source source = {.given = given, .text = {(uint8_t *)text, strlen(text)}};
    struct wb_diagnostics diagnostics;
    struct wb_build_result result = {0};
    wb_diagnostics_parse(&diagnostics, &arena, output, "");
    wb_advice_give(&result, &arena, &diagnostics, &source);
    return result;
}

/* Words of other versions of nvcc, or about host code, which a cubin does not have. */
static void other_words_are_known(void **state)
{
    (void)state;
    const char *const list[][2] = {
        {"k.cu(1): error: this declaration has no storage class or type specifier\n",
         "line 1: a word in this declaration is not known"},
        {"nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\n",
         "k.cu: the compiler itself crashed on this file"},
        {"k.cu(9): error: calling a __device__ function(\"f(float)\") from a __host__ "
         "function(\"main\") is not allowed\n",
         "line 9: main calls f(float), which exists only on the device"},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(list); i++) {
        assert_string_equal(explain(list[i][0], "k.cu", "").summary, list[i][1]);
        mark_used(list[i][0]);
    }
}

static void every_row_is_tested(void **state)
{
    (void)state;
    for (size_t i = 0; i < wb_mistake_count; i++) {
        if (!used[i]) {
            fail_msg("no file in fixtures/nvcc provokes: %s", wb_mistakes[i].pattern);
        }
    }
}

static void unknown_messages_are_passed_on(void **state)
{
    (void)state;
    struct wb_build_result r = explain("k.cu(4): error: 100% $1 new\n", "k.cu", "");
    assert_string_equal(r.summary, "line 4: the compiler does not understand this: 100% $1 new");
    assert_int_equal(r.summary_line, 4);
    assert_non_null(strstr(r.advice, "first"));
}

static void errors_in_headers_name_the_header(void **state)
{
    (void)state;
    struct wb_build_result r = explain("sub/h.h(4): error: expected a \")\"\n", "k.cu", "");
    assert_string_equal(r.summary, "h.h, line 4: a ) is missing");
    assert_int_equal(r.summary_line, 0);
}

static void missing_semicolon_is_put_on_the_line_before(void **state)
{
    (void)state;
    const char output[] = "k.cu(4): error: expected a \";\"\n      b = 2;\n      ^\n";
    struct wb_build_result r = explain(output, "k.cu", "{\n    a = 1\n    // b\n    b = 2;\n");
    assert_string_equal(r.summary, "line 2: a semicolon (;) is missing");
    assert_int_equal(r.summary_line, 2);
    r = explain(output, "k.cu", ""); /* the file is gone: what the compiler says */
    assert_int_equal(r.summary_line, 4);
    r = explain("k.cu(1): error: expected a \";\"\n  b\n  ^\n", "k.cu", "b\n");
    assert_int_equal(r.summary_line, 1);
}

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    used = wb_arena_alloc(&arena, wb_mistake_count * sizeof *used);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    wb_arena_finish(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_mistakes_are_explained),
        cmocka_unit_test(other_words_are_known),
        cmocka_unit_test(every_row_is_tested), /* after the two above */
        cmocka_unit_test(unknown_messages_are_passed_on),
        cmocka_unit_test(errors_in_headers_name_the_header),
        cmocka_unit_test(missing_semicolon_is_put_on_the_line_before),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
