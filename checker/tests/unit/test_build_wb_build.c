/* SPDX-License-Identifier: MIT
 * wb_build with pretended compilers: everything that nvcc and a learner's file can do wrong.
 */
#include "test_build_scratch.h"

#include "source.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char kernel[] = "extern \"C\" __global__ void k(int *p) { *p = 1; }\n";

/* ---- a compiler that works ---------------------------------------------------------------- */

static void cubin_and_warnings_arrive(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(
        FAKE_CUBIN
        "echo \"$source(1): warning #177-D: variable \\\"i\\\" was never referenced\" >&2\n");
    scratch_write("k.cu", kernel);
    struct wb_build_result r = build_one(&nvcc, "k.cu", NULL);
    assert_true(r.ok);
    assert_false(r.cached);
    assert_null(r.advice);
    assert_int_equal(r.cubin.size, 64);
    assert_int_equal(r.diagnostic_count, 1);
    assert_int_equal(r.diagnostics[0].severity, WB_SEVERITY_WARNING);
    assert_string_equal(r.diagnostics[0].file, "k.cu");
    assert_int_equal(r.diagnostics[0].line, 1);
    assert_true(r.seconds > 0);
}

static void command_line_and_environment_are_right(void **state)
{
    (void)state;
    setenv("NVCC_APPEND_FLAGS", "-G", 1);
    setenv("CPATH", "/elsewhere", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    char *nvcc_path = scratch_write("nvcc", "#!/bin/sh\nexit 9\n");
    struct wb_toolchain nvcc = fake_nvcc("");
    char *text = wb_arena_printf(&arena,
                                 "#!/bin/sh\necho \"$*\" $LC_ALL \"[$NVCC_APPEND_FLAGS]\" "
                                 "\"$TMPDIR${CPATH+bad}\" > %s/said\nexit 1\n",
                                 scratch);
    scratch_write("nvcc", text);
    assert_int_equal(chmod(nvcc_path, 0755), 0);
    scratch_write("k.cu", kernel);
    build_fails(&nvcc, "k.cu");
    char *said = scratch_read(scratch_path("said"));
    assert_true(wb_starts_with(said, "-cubin -arch=sm_90 -lineinfo -O3 -std=c++17 "));
    assert_non_null(
        strstr(said, wb_arena_printf(&arena, " %s/k.cu C [] %s/tmp/warpbook-", scratch, scratch)));
    assert_null(strstr(said, "bad"));
    unsetenv("NVCC_APPEND_FLAGS");
    unsetenv("CPATH");
    unsetenv("LC_ALL");
}

static void several_are_built_at_once(void **state)
{
    (void)state;
    /* Each waits until the other two that go well have started. */
    struct wb_toolchain nvcc =
        fake_nvcc("case \"$source\" in *bad*) echo \"$source(7): error: no\" >&2; exit 1;; esac\n"
                  "touch \"$source.started\"\n"
                  "while [ $(ls | grep -c started) -lt 3 ]; do sleep 0.02; done\n" FAKE_CUBIN);
    const char *names[] = {"a.cu", "bad.cu", "c.cu", "d.cu"};
    struct wb_build_request requests[4];
    for (int i = 0; i < 4; i++) {
        scratch_write(names[i], kernel);
        requests[i] = (struct wb_build_request){names[i], "sm_90"};
    }
    struct wb_build_result r[4];
    struct wb_limits limits = short_limits();
    limits.wall_s = 20;
    assert_true(wb_build_all(r, requests, 4, &nvcc, NULL, &limits, &arena, NULL));
    assert_true(r[0].ok && !r[1].ok && r[2].ok && r[3].ok);
    assert_int_equal(r[1].summary_line, 7);
}

static void paths_are_shown_as_given(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc("echo \"$source(3): error: expected a \\\")\\\"\" >&2\n"
                                         "echo \"$(dirname $source)/h.h(4): note: there\" >&2\n"
                                         "echo \"/usr/include/x.h(5): note: noise\" >&2\n"
                                         "exit 2\n");
    assert_true(wb_dir_make("sub/er", NULL));
    char *full = scratch_write("sub/er/k.cu", kernel);
    const char *given[] = {"sub/er/k.cu", "./sub/../sub/er/k.cu", full};
    for (int i = 0; i < 3; i++) {
        struct wb_build_result r = build_one(&nvcc, given[i], NULL);
        assert_false(r.ok);
        assert_int_equal(r.diagnostic_count, 2); /* not the toolkit's */
        assert_string_equal(r.diagnostics[0].file, given[i]);
        assert_true(wb_ends_with(r.diagnostics[1].file, "sub/er/h.h"));
        assert_true(wb_starts_with(r.output, given[i]));
        assert_string_equal(r.summary, "line 3: a ) is missing");
        assert_non_null(r.advice);
    }
}

/* ---- a compiler that does not ------------------------------------------------------------- */

static struct wb_build_result build_within(double seconds, const char *script)
{
    struct wb_toolchain nvcc = fake_nvcc(script);
    struct wb_build_request request = {"k.cu", "sm_90"};
    struct wb_limits limits = short_limits();
    limits.wall_s = seconds;
    struct wb_build_result r;
    struct wb_status status = {0};
    scratch_write("k.cu", kernel);
    if (!wb_build_all(&r, &request, 1, &nvcc, NULL, &limits, &arena, &status)) {
        fail_msg("%s", status.message);
    }
    return r;
}

static void hang_is_ended(void **state)
{
    (void)state;
    struct wb_build_result r = build_within(1, "trap '' TERM; sleep 100 & sleep 100\n");
    assert_false(r.ok);
    assert_string_equal(r.summary, "k.cu: the compiler did not come to an end within 1 seconds");
    assert_non_null(r.advice);
    assert_true(r.seconds < 10);
}

static void endless_output_is_ended(void **state)
{
    (void)state;
    struct wb_build_result r = build_within(1, "yes 'k.cu(1): error: y'\n");
    assert_false(r.ok);
    assert_true(strlen(r.output) <= short_limits().output);
    assert_true(r.diagnostic_count <= 201);
    assert_string_equal(r.summary, "k.cu: the compiler printed messages without end");
}

static void forked_children_are_ended(void **state)
{
    (void)state;
    struct wb_build_result r =
        build_within(20, "for i in 1 2 3 4 5; do sleep 100 & done\n" FAKE_CUBIN "exit 0\n");
    assert_true(r.ok);
    assert_true(r.seconds < 10);
}

static void crash_is_reported(void **state)
{
    (void)state;
    struct wb_build_result r = build_within(20, "kill -SEGV $$\n");
    assert_false(r.ok);
    assert_string_equal(r.summary, "k.cu: the compiler crashed (signal 11, Segmentation fault)");
    /* A program behind nvcc: its shell says so, and its exit code. */
    r = build_within(20, "echo Segmentation fault >&2; exit 139\n");
    assert_string_equal(r.summary, "k.cu: the compiler crashed (signal 11, Segmentation fault)");
}

static void garbage_is_made_printable(void **state)
{
    (void)state;
    struct wb_build_result r =
        build_within(20, "printf 'a\\000b\\033[31m\\377\\303\\251\\n' >&2\n"
                         "printf 'k.cu(2): error: \\200x\\001\\n' >&2\nexit 1\n");
    assert_false(r.ok);
    assert_string_equal(r.output, "a?b?[31m?\303\251\nk.cu(2): error: ?x?\n");
    assert_string_equal(r.diagnostics[0].message, "?x?");
}

static void check_broken(const char *script, enum wb_code code, const char *words)
{
    scratch_write("k.cu", kernel);
    struct wb_toolchain nvcc = fake_nvcc(script);
    struct wb_status status = build_fails(&nvcc, "k.cu");
    assert_int_equal(status.code, code);
    if (!strstr(status.message, words)) {
        fail_msg("\"%s\" lacks \"%s\"", status.message, words);
    }
}

static void broken_compilers_are_our_failure(void **state)
{
    (void)state;
    check_broken("exit 0\n", WB_TOOL_MISSING, "wrote no file");
    check_broken(": > \"$out\"\n", WB_IO, "damaged");
    check_broken("head -c 63 good.cubin > \"$out\"\n", WB_IO, "damaged");
    check_broken("echo no ELF file, but long enough for the head of one, as it seems > \"$out\"\n",
                 WB_IO, "damaged");
    check_broken("mkdir \"$out\"\n", WB_TOOL_MISSING, "wrote no file");
    check_broken("exit 3\n", WB_TOOL_MISSING, "code 3");
    check_broken("echo What now; exit 3\n", WB_TOOL_MISSING, "What now");
    check_broken("head -c 300000000 /dev/zero > \"$out\" || { echo Too large; exit 1; }\n",
                 WB_TOOL_MISSING, "Too large");
}

static void missing_compiler_is_our_failure(void **state)
{
    (void)state;
    scratch_write("k.cu", kernel);
    struct wb_toolchain nvcc = {.nvcc = "/nowhere/nvcc", .version = "13.0"};
    assert_int_equal(build_fails(&nvcc, "k.cu").code, WB_TOOL_MISSING);
}

static void temporary_folder_may_be_missing(void **state)
{
    (void)state;
    const char *const bad[] = {"/nowhere", "", "relative", "/tmp/$(false)"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(bad); i++) {
        setenv("TMPDIR", bad[i], 1);
        assert_true(build_within(20, FAKE_CUBIN "echo $TMPDIR > where\n").ok);
        assert_true(wb_starts_with(scratch_read(scratch_path("where")), "/tmp/warpbook-"));
    }
}

/* ---- sources ------------------------------------------------------------------------------ */

static void missing_sources_are_our_failure(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    assert_int_equal(build_fails(&nvcc, "nothing.cu").code, WB_NOT_FOUND);
    assert_int_equal(build_fails(&nvcc, ".").code, WB_BAD_INPUT);
    assert_int_equal(build_fails(&nvcc, "/dev/null").code, WB_BAD_INPUT);
    assert_int_equal(build_fails(&nvcc, "").code, WB_NOT_FOUND);
    assert_int_equal(fake_calls(), 0);
}

static void paths_that_a_shell_would_run_are_refused(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    const char *const names[] = {"$(touch run).cu", "`touch run`.cu", "\".cu", "a\\b.cu",
                                 "a\nb.cu"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(names); i++) {
        scratch_write(names[i], kernel);
        struct wb_status status = build_fails(&nvcc, names[i]);
        assert_int_equal(status.code, WB_BAD_INPUT);
        assert_non_null(strstr(status.message, "Rename"));
    }
    assert_int_equal(fake_calls(), 0);
    scratch_write("-ugly name; it's (a) test & more.cu", kernel);
    assert_true(build_one(&nvcc, "-ugly name; it's (a) test & more.cu", NULL).ok);
}

static void empty_file_is_compiled(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    scratch_write("k.cu", "");
    assert_true(build_one(&nvcc, "k.cu", NULL).ok);
}

static void file_that_is_no_text_is_the_learners(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    assert_true(wb_file_write("k.cu", "int i;\nint\0j;\n", 14, NULL));
    struct wb_build_result r = build_one(&nvcc, "k.cu", NULL);
    assert_false(r.ok);
    assert_string_equal(r.summary, "line 2: there is a zero byte, so k.cu is not plain text");
    assert_int_equal(r.summary_line, 2);
    assert_int_equal(fake_calls(), 0);
}

static void foreign_files_are_not_included(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    const char alone[] = "line 2: only files beside yours can be included";
    const char pipe[] = "line 2: pipe, which is to be included, is not a file";
    const char zero[] = "line 2: /dev/zero, which is to be included, is not a file";
    const struct {
        const char *line, *summary; /* NULL: allowed */
    } rows[] = {{"#include \"../out.h\"", alone},
                {"#include \"in.h\"", "in.h, line 1: only files beside yours can be included"},
                {"#inc\\\nlude \"link.h\"", alone},
                {"#import <../nowhere.h>", alone},
                {"#include \"pipe\"", pipe},
                {"#include \"/dev/zero\"", zero},
                {"#include </dev/zero>", zero},
                {"#include \"more/up.h\"", NULL},
                {"#include <cuda_runtime.h>", NULL}};
    assert_true(wb_dir_make("own/more", NULL));
    scratch_write("out.h", "int out;\n");
    scratch_write("own/in.h", "#include \"../out.h\"\n");
    scratch_write("own/more/up.h", "#include \"../fine.h\"\n");
    scratch_write("own/fine.h", "");
    assert_true(symlink("../out.h", "own/link.h") == 0 && mkfifo("own/pipe", 0600) == 0);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        scratch_write("own/k.cu", wb_arena_printf(&arena, "\n%s\n", rows[i].line));
        struct wb_build_result r = build_one(&nvcc, "own/k.cu", NULL);
        assert_true(r.ok == !rows[i].summary);
        if (rows[i].summary) {
            assert_string_equal(r.summary, rows[i].summary);
            assert_non_null(r.advice);
        }
    }
    assert_int_equal(fake_calls(), 2);
}

static void long_names_are_refused(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    char name[152];
    memset(name, 'k', sizeof name);
    name[151] = '\0';
    scratch_write(name, kernel);
    struct wb_status status = build_fails(&nvcc, name);
    assert_int_equal(status.code, WB_BAD_INPUT);
    assert_non_null(strstr(status.message, "at most 150 characters"));
    name[150] = '\0';
    scratch_write(name, kernel);
    assert_true(build_one(&nvcc, name, NULL).ok);
}

static void stale_folders_are_removed(void **state)
{
    (void)state;
    pid_t dead = fork();
    if (dead == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    const struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    char *stale = wb_arena_printf(&arena, "tmp/warpbook-%d-abcdef", (int)dead);
    char *young = wb_arena_printf(&arena, "tmp/warpbook-%d-ghijkl", (int)dead);
    char *owned = wb_arena_printf(&arena, "tmp/warpbook-%d-abcdef", (int)getpid());
    assert_true(mkdir(stale, 0700) == 0 && mkdir(young, 0700) == 0 && mkdir(owned, 0700) == 0);
    scratch_write(wb_path_join(&arena, stale, "file"), "");
    assert_int_equal(utimensat(AT_FDCWD, stale, long_ago, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, owned, long_ago, 0), 0);
    assert_true(build_within(20, FAKE_CUBIN).ok);
    assert_false(wb_dir_exists(stale));
    assert_true(wb_dir_exists(young) && wb_dir_exists(owned));
    assert_true(rmdir(young) == 0 && rmdir(owned) == 0);
}

static void too_large_file_is_the_learners(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(FAKE_CUBIN);
    scratch_write("k.cu", kernel);
    assert_int_equal(truncate("k.cu", WB_SOURCE_MAX_SIZE + 1), 0);
    struct wb_build_result r = build_one(&nvcc, "k.cu", NULL);
    assert_false(r.ok);
    assert_string_equal(r.summary,
                        "k.cu: the file has 1048577 bytes; at most 1048576 are compiled");
    assert_int_equal(fake_calls(), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cubin_and_warnings_arrive),
        TEST(command_line_and_environment_are_right),
        TEST(several_are_built_at_once),
        TEST(paths_are_shown_as_given),
        TEST(hang_is_ended),
        TEST(endless_output_is_ended),
        TEST(forked_children_are_ended),
        TEST(crash_is_reported),
        TEST(garbage_is_made_printable),
        TEST(broken_compilers_are_our_failure),
        TEST(missing_compiler_is_our_failure),
        TEST(temporary_folder_may_be_missing),
        TEST(missing_sources_are_our_failure),
        TEST(paths_that_a_shell_would_run_are_refused),
        TEST(empty_file_is_compiled),
        TEST(file_that_is_no_text_is_the_learners),
        TEST(foreign_files_are_not_included),
        TEST(long_names_are_refused),
        TEST(stale_folders_are_removed),
        TEST(too_large_file_is_the_learners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
