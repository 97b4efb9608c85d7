/* SPDX-License-Identifier: MIT
 * The text side of the build layer, without any compiler: patterns, cleaning, diagnostics,
 * spelling, and troubles of the tool chain.
 */
#include "diagnostics.h"
#include "output.h"
#include "pattern.h"
#include "source.h"
#include "spelling.h"
#include "tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct wb_arena arena;

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    wb_arena_finish(&arena);
    return 0;
}

/* ---- patterns ----------------------------------------------------------------------------- */

static void check_pattern(const char *pattern, const char *text, const char *filled)
{
    struct wb_captures captures = {0};
    bool found = wb_pattern_found(&captures, pattern, text);
    assert_int_equal(found, filled != NULL);
    if (filled) {
        assert_string_equal(wb_pattern_fill(&arena, "[$1|$2|$3|$4]", &captures), filled);
    }
}

static void patterns_match_and_remember(void **state)
{
    (void)state;
    check_pattern("b", "abc", "[$1|$2|$3|$4]");
    check_pattern("x", "abc", NULL);
    check_pattern("", "", "[$1|$2|$3|$4]");
    check_pattern("a", "", NULL);
    check_pattern("\"%\" is", "the \"name\" is here", "[name|$2|$3|$4]");
    check_pattern("(%, %)", "f(one, two) (three, four)", "[one|two|$3|$4]");
    check_pattern("% and %", "this and that", "[this|that|$3|$4]");
    check_pattern("a%b%c", "a1b2b3c", "[1|2b3|$3|$4]");
    check_pattern("a%b", "xxa", NULL);
    check_pattern("%%", "ab", "[|ab|$3|$4]");
    check_pattern("% % % %", "1 2 3 4", "[1|2|3|4]");
    check_pattern("%.%.%.%.%", "a.b.c.d.e", "[a|b|c|d]"); /* one too many is not remembered */
    check_pattern("(% bytes", "(0x10000 bytes", "[65536|$2|$3|$4]");
}

static void models_keep_other_dollars(void **state)
{
    (void)state;
    struct wb_captures captures = {0};
    assert_string_equal(wb_pattern_fill(&arena, "$ $0 $5 $x $", &captures), "$ $0 $5 $x $");
    assert_string_equal(wb_pattern_fill(&arena, "", &captures), "");
}

/* ---- cleaning ----------------------------------------------------------------------------- */

static void check_clean(const char *data, size_t size, const char *clean)
{
    assert_string_equal(wb_output_clean(&arena, data, size, "/tmp/x"), clean);
}

static void output_becomes_printable(void **state)
{
    (void)state;
    check_clean("", 0, "");
    check_clean("a\tb\r\nc", 6, "a\tb\nc");
    check_clean("a\0b\033\177", 5, "a?b??");
    check_clean("\303\244 \342\202\254 \360\237\230\200", 11,
                "\303\244 \342\202\254 \360\237\230\200");
    check_clean("\303", 1, "?");
    check_clean("\303x", 2, "?x");
    check_clean("\342\202", 2, "??");
    check_clean("\300\257", 2, "??");                /* overlong */
    check_clean("\340\200\257", 3, "???");           /* overlong */
    check_clean("\355\240\200", 3, "???");           /* a surrogate */
    check_clean("\364\220\200\200", 4, "????");      /* beyond Unicode */
    check_clean("\365\200\200\200\377", 5, "?????"); /* no UTF-8 at all */
}

static void temporary_names_are_dropped(void **state)
{
    (void)state;
    const char text[] =
        "ptxas /tmp/x/tmpxft_00002acb_00000000-6_k.ptx, line 3; /tmp/x/0.cubin /tmp/xy";
    check_clean(text, strlen(text), "ptxas k.ptx, line 3; 0.cubin /tmp/xy");
    const char cut[] = "/tmp/x/tmpxft_0000";
    check_clean(cut, strlen(cut), "tmpxft_0000");
}

static void paths_are_rebased(void **state)
{
    (void)state;
    assert_string_equal(
        wb_output_rebase(&arena, "/a/b/k.cu(1): \"/a/b/h.h\" /x/a/b/k.cu\n/a/b/", "/a/b/", "e/"),
        "e/k.cu(1): \"e/h.h\" /x/a/b/k.cu\ne/");
    assert_string_equal(wb_output_rebase(&arena, "/a/k.cu", "/a/", ""), "k.cu");
    assert_string_equal(wb_output_rebase(&arena, "text", "", "x"), "text");
    assert_string_equal(wb_output_rebase(&arena, "/k.cu /usr/x", "/", ""), "/k.cu /usr/x");
    assert_string_equal(wb_output_rebase(&arena, "", "/a/", "x"), "");
}

/* ---- diagnostics -------------------------------------------------------------------------- */

static struct wb_diagnostics parse(const char *text)
{
    struct wb_diagnostics d;
    wb_diagnostics_parse(&d, &arena, text, "");
    return d;
}

struct expected {
    const char *text;
    enum wb_severity severity;
    const char *file;
    unsigned line, column;
    const char *message;
};

static void every_form_is_parsed(void **state)
{
    (void)state;
    const struct expected list[] = {
        {"k.cu(12): error: a b\n", WB_SEVERITY_ERROR, "k.cu", 12, 0, "a b"},
        {"k.cu(3): warning #177-D: w", WB_SEVERITY_WARNING, "k.cu", 3, 0, "w"},
        {"k.cu(3): note #3196-D: n\n", WB_SEVERITY_NOTE, "k.cu", 3, 0, "n"},
        {"k.cu(3): Error: e\n", WB_SEVERITY_ERROR, "k.cu", 3, 0, "e"},
        {"k.cu(3): catastrophic error: e\n", WB_SEVERITY_ERROR, "k.cu", 3, 0, "e"},
        {"a (1) b.cu(3): error: e(4): f\n", WB_SEVERITY_ERROR, "a (1) b.cu", 3, 0, "e(4): f"},
        {"At end of source: error: e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
        {"k.cu:7:5: error: e\n", WB_SEVERITY_ERROR, "k.cu", 7, 5, "e"},
        {"k.cu:7: error: e\n", WB_SEVERITY_ERROR, "k.cu", 7, 0, "e"},
        {"a:b.cu:7:5: fatal error: e\n", WB_SEVERITY_ERROR, "a:b.cu", 7, 5, "e"},
        {"k.cu:7:5: warning: w\n", WB_SEVERITY_WARNING, "k.cu", 7, 5, "w"},
        {"cc1plus: fatal error: e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
        {"ptxas error   : e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
        {"ptxas fatal   : e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
        {"ptxas warning : w\n", WB_SEVERITY_WARNING, NULL, 0, 0, "w"},
        {"ptxas k.ptx, line 29; error   : e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
        {"nvcc fatal   : e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
        {"nvcc error   : e\n", WB_SEVERITY_ERROR, NULL, 0, 0, "e"},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(list); i++) {
        struct wb_diagnostics d = parse(list[i].text);
        assert_int_equal(d.count, 1);
        assert_int_equal(d.items[0].severity, list[i].severity);
        assert_int_equal(d.items[0].line, list[i].line);
        assert_int_equal(d.items[0].column, list[i].column);
        assert_string_equal(d.items[0].message, list[i].message);
        assert_string_equal(d.items[0].file ? d.items[0].file : "-",
                            list[i].file ? list[i].file : "-");
    }
}

static void everything_else_is_passed_over(void **state)
{
    (void)state;
    const char *const list[] = {
        "",
        "\n\n",
        "2 errors detected in the compilation of \"k.cu\".\n",
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n",
        "compilation terminated.\n",
        "In file included from k.cu:1,\n                 from b.cu:2:\n",
        "ptxas info    : 0 bytes gmem\n",
        "    1 | error: quoted\n",
        "error\n",
        "error: alone\n",

        "k.cu(1): errors: e\n",
        "k.cu:x: error e\n",
        ":::::\n",
        "((((((\n"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(list); i++) {
        assert_int_equal(parse(list[i]).count, 0);
    }
}

static void continued_messages_are_joined(void **state)
{
    (void)state;
    struct wb_diagnostics d = parse("k.cu(6): error: no instance matches\n"
                                    "            argument types are: (int)\n"
                                    "      out[2] = f(n);\n"
                                    "               ^\n"
                                    "k.cu(1): note #1-D: candidate\n"
                                    "  float f();\n"
                                    "        ^\n"
                                    "\n"
                                    "k.cu(9): error: calling f is not allowed\n"
                                    "\n"
                                    "1 error detected\n");
    assert_int_equal(d.count, 3);
    assert_string_equal(d.items[0].message, "no instance matches argument types are: (int)");
    assert_string_equal(d.items[1].message, "candidate");
    assert_string_equal(d.items[2].message, "calling f is not allowed");
}

static void first_error_is_found_with_its_place(void **state)
{
    (void)state;
    struct wb_diagnostics d = parse("k.cu(1): warning #1-D: w\n\n"
                                    "k.cu(2): error: e\n    if (x)\n    ^\n\n"
                                    "k.cu(3): error: f\n    if (x)\n       ^\n");
    assert_int_equal(d.first_error, 1);
    assert_true(d.at_line_start);
    d = parse("k.cu(3): error: f\n    if (x)\n       ^\nk.cu(2): error: e\n    if (x)\n    ^\n");
    assert_int_equal(d.first_error, 0);
    assert_false(d.at_line_start);
    d = parse("k.cu(1): warning #1-D: w\n");
    assert_int_equal(d.first_error, 1);
    assert_int_equal(d.first_error, d.count);
}

static void long_lists_are_cut_but_keep_the_first_error(void **state)
{
    (void)state;
    struct wb_str text;
    wb_str_init(&text, &arena);
    for (int i = 0; i < 1000; i++) {
        wb_str_printf(&text, "k.cu(%d): warning #1-D: w\n\n", i);
    }
    wb_str_add(&text, "k.cu(7): error: e\n\nk.cu(8): error: f\n");
    struct wb_diagnostics d = parse(wb_str_get(&text));
    assert_int_equal(d.count, WB_MAX_DIAGNOSTICS + 1);
    assert_int_equal(d.items[d.first_error].line, 7);
}

/* ---- spelling ----------------------------------------------------------------------------- */

static void check_guess(const char *word, const char *text, const char *name)
{
    char *guess = wb_spelling_guess(&arena, word, text);
    assert_string_equal(guess ? guess : "-", name);
}

static void misspelt_names_are_guessed(void **state)
{
    (void)state;
    check_guess("threadidx", "", "threadIdx");
    check_guess("threadIDx", "", "threadIdx");
    check_guess("ThreadIdx", NULL, "threadIdx");
    check_guess("blockdim", "", "blockDim");
    check_guess("syncthreads", "", "__syncthreads");
    check_guess("prinft", "", "printf");
    check_guess("totla", "float total = 0; int totals;", "total");
    check_guess("total", "total total", "-"); /* the word itself is no guess */
    check_guess("x", "y", "-");
    check_guess("idx", "id", "-");
    check_guess("nothingLikeIt", "int something;", "-");
    check_guess("", "", "-");
    char *endless = wb_arena_alloc(&arena, 100001);
    memset(endless, 'a', 100000);
    check_guess(endless, endless, "-");
    check_guess("aaaa", endless, "-");
}

/* ---- the tool chain ----------------------------------------------------------------------- */

static void check_tool(const char *output, int code, const char *words)
{
    const struct wb_toolchain nvcc = {.nvcc = "/bin/nvcc", .version = "13.0.88"};
    struct wb_status status = {0};
    bool trouble = wb_tool_has_problem(&status, &arena, output, "/home/k.cu", &nvcc);
    assert_int_equal(trouble, code != WB_OK);
    assert_int_equal(status.code, code);
    if (!strstr(status.message, words)) {
        fail_msg("\"%s\" lacks \"%s\"", status.message, words);
    }
}

static void troubles_of_the_tools_are_recognised(void **state)
{
    (void)state;
    check_tool("gcc: No such file or directory\n"
               "nvcc fatal   : Failed to preprocess host compiler properties.\n",
               WB_TOOL_MISSING, "host compiler g++");
    check_tool("gcc: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\n",
               WB_TOOL_MISSING, "sudo apt install g++");
    check_tool("/usr/local/cuda/include/crt/host_config.h:137:2: error: #error -- unsupported GNU "
               "version! gcc versions later than 15 are not supported! The nvcc flag\n",
               WB_TOOL_MISSING, "Install g++-15");
    check_tool("nvcc fatal   : Unsupported gpu architecture 'sm_999'\n", WB_TOOL_MISSING, "sm_999");
    check_tool("nvcc fatal   : Unknown option '--new'\n", WB_TOOL_MISSING,
               "Unknown option '--new'.");
    check_tool("sh: 1: cicc: not found\n", WB_TOOL_MISSING, "cicc is missing");
    check_tool("sh: line 1: ptxas: command not found\n", WB_TOOL_MISSING, "ptxas is missing");
    check_tool("cicc: error while loading shared libraries: libx.so.1: cannot open\n",
               WB_TOOL_MISSING, "libx.so.1");
    check_tool("cc1plus: fatal error: cuda_runtime.h: No such file or directory\n", WB_TOOL_MISSING,
               "CUDA headers");
    check_tool("cc1plus: fatal error: error writing to /tmp/k.ii: No space left on device\n", WB_IO,
               "disk is full");
    check_tool("nvcc fatal   : Could not open output file '/x'\n", WB_IO, "/x");
}

static void the_learners_words_are_not_believed(void **state)
{
    (void)state;
    check_tool("", WB_OK, "");
    check_tool("/home/k.cu(1): error: expected a \";\"\n", WB_OK, "");
    check_tool("/home/k.cu:1:2: error: #error No space left on device\n"
               "    1 | #error No space left on device\n",
               WB_OK, "");
}

/* ---- sources ------------------------------------------------------------------------------ */

static void line_of_code_before_is_found(void **state)
{
    (void)state;
    char text[] = "int a\n\n  // only words\n\t \n}\n";
    struct wb_source source = {.text = {(uint8_t *)text, strlen(text)}};
    assert_int_equal(wb_source_code_line_before(&source, 5), 1);
    assert_int_equal(wb_source_code_line_before(&source, 2), 1);
    assert_int_equal(wb_source_code_line_before(&source, 1), 0);
    assert_int_equal(wb_source_code_line_before(&source, 99), 5);
    struct wb_source empty = {0};
    assert_int_equal(wb_source_code_line_before(&empty, 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_and_remember),
        cmocka_unit_test(models_keep_other_dollars),
        cmocka_unit_test(output_becomes_printable),
        cmocka_unit_test(temporary_names_are_dropped),
        cmocka_unit_test(paths_are_rebased),
        cmocka_unit_test(every_form_is_parsed),
        cmocka_unit_test(everything_else_is_passed_over),
        cmocka_unit_test(continued_messages_are_joined),
        cmocka_unit_test(first_error_is_found_with_its_place),
        cmocka_unit_test(long_lists_are_cut_but_keep_the_first_error),
        cmocka_unit_test(misspelt_names_are_guessed),
        cmocka_unit_test(troubles_of_the_tools_are_recognised),
        cmocka_unit_test(the_learners_words_are_not_believed),
        cmocka_unit_test(line_of_code_before_is_found),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
