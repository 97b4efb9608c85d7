/* SPDX-License-Identifier: MIT
 * The build layer with the nvcc of this machine; skipped where there is none. The mistakes are
 * files of fixtures/nvcc, see test_build_mistakes.c.
 */
#include "test_build_scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct wb_toolchain nvcc;

static const char kernel[] = "extern \"C\" __global__ void k(int *p)\n{\n    int unused = 3;\n"
                             "    *p = 1;\n}\n";

static struct wb_build_result build(const char *source, const char *cache)
{
    struct wb_build_request request = {source, "sm_90"};
    struct wb_build_result result;
    struct wb_status status = {0};
    if (!wb_build(&result, &request, 1, &nvcc, cache, &arena, &status)) {
        fail_msg("%s", status.message);
    }
    return result;
}

static void kernel_is_compiled_and_cached(void **state)
{
    (void)state;
    scratch_write("k.cu", kernel);
    struct wb_build_result cold = build("k.cu", "cache");
    assert_true(cold.ok && !cold.cached);
    assert_memory_equal(cold.cubin.data, "\177ELF", 4);
    assert_int_equal(cold.diagnostic_count, 1);
    assert_int_equal(cold.diagnostics[0].line, 3);
    assert_string_equal(cold.diagnostics[0].message,
                        "variable \"unused\" was declared but never referenced");
    struct wb_build_result warm = build("k.cu", "cache");
    assert_true(warm.ok && warm.cached);
    assert_int_equal(warm.cubin.size, cold.cubin.size);
    assert_memory_equal(warm.cubin.data, cold.cubin.data, cold.cubin.size);
    assert_string_equal(warm.output, cold.output);
    assert_true(warm.seconds < cold.seconds);
    /* The line table leads to the source, not to a temporary folder. */
    assert_non_null(memmem(cold.cubin.data, cold.cubin.size, scratch, strlen(scratch)));
    const char *temporary = scratch_path("tmp/");
    assert_null(memmem(cold.cubin.data, cold.cubin.size, temporary, strlen(temporary)));
}

static void ugly_paths_and_a_bare_environment_work(void **state)
{
    (void)state;
    char *home = getenv("HOME") ? wb_arena_strdup(&arena, getenv("HOME")) : NULL;
    char *path = wb_arena_strdup(&arena, getenv("PATH"));
    assert_true(wb_dir_make("a folder; it's (mine) & yours", NULL));
    scratch_write("a folder; it's (mine) & yours/-a k.txt", kernel);
    unsetenv("HOME");
    unsetenv("PATH");
    struct wb_build_result r = build("a folder; it's (mine) & yours/-a k.txt", NULL);
    setenv("PATH", path, 1);
    if (home) {
        setenv("HOME", home, 1);
    }
    assert_true(r.ok);
    assert_string_equal(r.diagnostics[0].file, "a folder; it's (mine) & yours/-a k.txt");
}

static void missing_host_compiler_is_our_failure(void **state)
{
    (void)state;
    struct wb_build_request request = {"k.cu", "sm_90"};
    struct wb_build_result result;
    struct wb_status status = {0};
    char *path = wb_arena_strdup(&arena, getenv("PATH"));
    scratch_write("k.cu", kernel);
    setenv("PATH", "/nowhere", 1);
    bool ok = wb_build(&result, &request, 1, &nvcc, NULL, &arena, &status);
    setenv("PATH", path, 1);
    assert_false(ok);
    assert_int_equal(status.code, WB_TOOL_MISSING);
    assert_non_null(strstr(status.message, "host compiler g++"));
}

static void unknown_architecture_is_our_failure(void **state)
{
    (void)state;
    struct wb_build_request request = {"k.cu", "sm_999"};
    struct wb_build_result result;
    struct wb_status status = {0};
    scratch_write("k.cu", kernel);
    assert_false(wb_build(&result, &request, 1, &nvcc, NULL, &arena, &status));
    assert_int_equal(status.code, WB_TOOL_MISSING);
    assert_non_null(strstr(status.message, "sm_999"));
}

static void empty_file_gives_an_empty_cubin(void **state)
{
    (void)state;
    scratch_write("k.cu", "");
    assert_true(build("k.cu", NULL).ok);
}

/* One of each kind; what nvcc printed for all the others is recorded. */
static void mistakes_are_explained(void **state)
{
    (void)state;
    const char *const names[] = {"semicolon",     "brace-open",      "threadidx",
                                 "host-function", "include-missing", "shared-too-large"};
    enum { COUNT = WB_ARRAY_LENGTH(names) };
    struct wb_build_request requests[COUNT];
    struct wb_build_result results[COUNT];
    struct wb_status status = {0};
    for (int i = 0; i < COUNT; i++) {
        requests[i] = (struct wb_build_request){
            .source = wb_arena_printf(&arena, "%s/nvcc/%s.cu", WB_FIXTURES, names[i]),
            .arch = "sm_90",
        };
    }
    if (!wb_build(results, requests, COUNT, &nvcc, NULL, &arena, &status)) {
        fail_msg("%s", status.message);
    }
    for (int i = 0; i < COUNT; i++) {
        assert_false(results[i].ok);
        assert_true(wb_starts_with(scratch_read(requests[i].source),
                                   wb_arena_printf(&arena, "// expect: %s\n", results[i].summary)));
    }
}

int main(void)
{
    struct wb_arena own;
    wb_arena_init(&own);
    struct wb_status status = {0};
    if (!wb_toolchain_find(&nvcc, &own, NULL, WB_TREE, &status)) {
        printf("1..0 # SKIP %s\n", status.message);
        wb_arena_finish(&own);
        return 0;
    }
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(kernel_is_compiled_and_cached),        TEST(ugly_paths_and_a_bare_environment_work),
        TEST(missing_host_compiler_is_our_failure), TEST(unknown_architecture_is_our_failure),
        TEST(empty_file_gives_an_empty_cubin),      TEST(mistakes_are_explained),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wb_arena_finish(&own);
    return failed;
}
