/* SPDX-License-Identifier: MIT
 * The compile cache: what is found again, what is not, and every way to damage it.
 */
#include "test_build_scratch.h"

#include "cache.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char kernel[] = "extern \"C\" __global__ void k(int *p) { *p = 1; }\n";
static const char warns[] = FAKE_CUBIN "echo \"$source(1): warning #1-D: careful\" >&2\n";

/* Builds k.cu and says whether the result came from the cache. */
static bool is_cached(const struct wb_toolchain *nvcc)
{
    unsigned before = fake_calls();
    struct wb_build_result r = build_one(nvcc, "k.cu", "cache");
    assert_true(r.ok);
    assert_int_equal(r.cubin.size, 64);
    assert_memory_equal(r.cubin.data, "\177ELF", 4);
    assert_int_equal(r.diagnostic_count, 1);
    assert_string_equal(r.diagnostics[0].message, "careful");
    assert_string_equal(r.diagnostics[0].file, "k.cu");
    assert_int_equal(fake_calls(), before + !r.cached);
    return r.cached;
}

/* The one entry of the cache. */
static char *entry_path(void)
{
    char **names;
    size_t count;
    assert_true(wb_dir_list(&names, &count, &arena, "cache/cubin", NULL));
    assert_int_equal(count, 1);
    return wb_arena_printf(&arena, "cache/cubin/%s", names[0]);
}

static void second_build_is_cached(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    assert_false(is_cached(&nvcc));
    assert_true(is_cached(&nvcc));
    assert_true(is_cached(&nvcc));
    /* Another way to write the same path is the same file, and is shown as it was written. */
    struct wb_build_result r = build_one(&nvcc, scratch_path("k.cu"), "cache");
    assert_true(r.cached);
    assert_string_equal(r.diagnostics[0].file, scratch_path("k.cu"));
}

static void errors_are_not_cached(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc("echo \"$source(1): error: no\" >&2\nexit 1\n");
    scratch_write("k.cu", kernel);
    assert_false(build_one(&nvcc, "k.cu", "cache").ok);
    assert_false(build_one(&nvcc, "k.cu", "cache").cached);
    assert_int_equal(fake_calls(), 2);
}

static void whatever_matters_makes_a_new_entry(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    assert_false(is_cached(&nvcc));
    scratch_write("k.cu", "// changed\n");
    assert_false(is_cached(&nvcc));
    assert_true(is_cached(&nvcc));
    nvcc.version = "13.1.0";
    assert_false(is_cached(&nvcc));
    setenv("NVCC_CCBIN", "g++-99", 1);
    assert_false(is_cached(&nvcc));
    unsetenv("NVCC_CCBIN");
    assert_true(is_cached(&nvcc));
    struct wb_build_request request = {"k.cu", "sm_100"};
    struct wb_build_result r;
    assert_true(wb_build(&r, &request, 1, &nvcc, "cache", &arena, NULL));
    assert_false(r.cached);
    scratch_write("same.cu", "// changed\n"); /* the line table names the file */
    assert_false(build_one(&nvcc, "same.cu", "cache").cached);
}

static void included_files_matter(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    assert_true(wb_dir_make("more", NULL));
    scratch_write("k.cu", "  #  include  \"more/a.h\"\n#include <cuda_runtime.h>\n");
    assert_false(is_cached(&nvcc)); /* a.h is not there yet, which the fake does not mind */
    scratch_write("more/a.h", "#include \"b.h\"\n#include \"a.h\"\n");
    assert_false(is_cached(&nvcc));
    assert_true(is_cached(&nvcc));
    scratch_write("more/b.h", "int b;\n"); /* beside a.h, not beside k.cu */
    assert_false(is_cached(&nvcc));
    assert_true(is_cached(&nvcc));
    scratch_write("more/b.h", "int c;\n");
    assert_false(is_cached(&nvcc));
    scratch_write("b.h", "int d;\n");
    assert_true(is_cached(&nvcc));
}

static void disguised_includes_are_followed(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    const char *const sources[] = {
        "/* */ #include \"a.h\"\n", "#inc\\\nlude \"a.h\"\n",          "%:include \"a.h\"\n",
        "#import \"a.h\"\n",        "# /*\n*/ include /**/ \"a.h\"\n", "/*\n*/ #include \"a.h\"\n",
        "#inc\\ \r\nlude\"a.h\"\n"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sources); i++) {
        scratch_write("a.h", wb_arena_printf(&arena, "int a%zu;\n", i));
        scratch_write("k.cu", sources[i]);
        assert_false(is_cached(&nvcc));
        assert_true(is_cached(&nvcc));
        scratch_write("a.h", wb_arena_printf(&arena, "int b%zu;\n", i));
        assert_false(is_cached(&nvcc));
    }
}

static void what_cannot_be_followed_is_not_cached(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    const char *const sources[] = {"#define H \"a.h\"\n#include H\n",
                                   "#include\n",
                                   "#include \"a.h\n",
                                   "#if __has_include(\"a.h\")\n#endif\n",
                                   "#include_next \"a.h\"\n",
                                   "int i; /*\n*/ #include \"a.h\"\n",
                                   "/*\n/* */ #include \"a.h\"\n#include H\n",
                                   "?\?=include \"a.h\"\n",
                                   "int i = \n#embed \"a.h\"\n;\n"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sources); i++) {
        scratch_write("k.cu", sources[i]);
        assert_false(is_cached(&nvcc));
        assert_false(is_cached(&nvcc));
    }
    assert_int_equal(scratch_count("cache/cubin"), 0);
}

static void source_changed_meanwhile_is_not_cached(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(
        FAKE_CUBIN "echo \"$source(1): warning #1-D: careful\" >&2\necho // more >> k.cu\n");
    scratch_write("k.cu", kernel);
    assert_false(is_cached(&nvcc));
    assert_int_equal(scratch_count("cache/cubin"), 0);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void damaged_entries_are_made_anew(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    assert_false(is_cached(&nvcc));
    char *path = entry_path();
    struct wb_bytes whole;
    assert_true(wb_file_read(&whole, &arena, path, 1 << 20, NULL));
    for (size_t i = 0; i < whole.size; i++) { /* each byte: magic, sizes, hash, cubin, output */
        whole.data[i] ^= 0x40;
        assert_true(wb_file_write(path, whole.data, whole.size, NULL));
        struct wb_cache_entry entry;
        assert_false(wb_cache_load(&entry, &arena, "cache", wb_path_base(path)));
        assert_false(wb_file_exists(path)); /* discarded */
        whole.data[i] ^= 0x40;
    }
    const size_t sizes[] = {0, 1, 8, 55, 56, whole.size / 2, whole.size - 1};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sizes); i++) {
        assert_true(wb_file_write(path, whole.data, sizes[i], NULL));
        assert_false(is_cached(&nvcc));
        assert_true(is_cached(&nvcc));
    }
    assert_true(wb_file_write(path, whole.data, whole.size + 1, NULL)); /* a byte too many */
    assert_false(is_cached(&nvcc));
}

static void cache_that_cannot_be_used_is_no_error(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    scratch_write("file", "");
    const char *const folders[] = {"file", "file/below", "/proc/nowhere", "/dev/null", ""};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(folders); i++) {
        assert_true(build_one(&nvcc, "k.cu", folders[i]).ok);
        assert_false(build_one(&nvcc, "k.cu", folders[i]).cached);
    }
    assert_true(wb_dir_make("cache", NULL));
    scratch_write("cache/cubin", "not a folder");
    assert_false(is_cached(&nvcc));
    assert_false(is_cached(&nvcc));
}

static void folder_in_place_of_an_entry_is_no_error(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    assert_false(is_cached(&nvcc));
    char *path = entry_path();
    assert_true(unlink(path) == 0 && mkdir(path, 0755) == 0);
    assert_false(is_cached(&nvcc));
    assert_int_equal(scratch_count("cache/cubin"), 1); /* no temporary file is left */
}

/* A limit on file sizes fails like a full disk: in the middle of a write. */
static void full_disk_is_no_error(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    struct rlimit before;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit full = {.rlim_cur = 100, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    struct wb_build_result r = build_one(&nvcc, "k.cu", "cache");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, old);
    assert_true(r.ok);
    assert_int_equal(scratch_count("cache/cubin"), 0);
    assert_false(is_cached(&nvcc));
    assert_true(is_cached(&nvcc));
}

/* ---- size --------------------------------------------------------------------------------- */

static void oldest_entries_are_removed(void **state)
{
    (void)state;
    struct wb_toolchain nvcc = fake_nvcc(warns);
    scratch_write("k.cu", kernel);
    assert_false(is_cached(&nvcc));
    char *path = entry_path();
    struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
    assert_true(is_cached(&nvcc)); /* makes it young again */
    for (int i = 0; i < WB_CACHE_MAX_ENTRIES + 20; i++) {
        char *name = wb_arena_printf(&arena, "cache/cubin/%d", i);
        scratch_write(name, "");
        long_ago[0].tv_sec = long_ago[1].tv_sec = 2000 + i;
        assert_int_equal(utimensat(AT_FDCWD, name, long_ago, 0), 0);
    }
    struct wb_cache_entry entry = {.cubin = {(uint8_t *)"x", 1}, .output = ""};
    wb_cache_store(&arena, "cache", "new", &entry);
    assert_int_equal(scratch_count("cache/cubin"), WB_CACHE_MAX_ENTRIES);
    assert_true(wb_file_exists("cache/cubin/new"));
    assert_false(wb_file_exists("cache/cubin/21"));
    assert_true(wb_file_exists("cache/cubin/22"));
    assert_true(is_cached(&nvcc));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(second_build_is_cached),
        TEST(errors_are_not_cached),
        TEST(whatever_matters_makes_a_new_entry),
        TEST(included_files_matter),
        TEST(disguised_includes_are_followed),
        TEST(what_cannot_be_followed_is_not_cached),
        TEST(source_changed_meanwhile_is_not_cached),
        TEST(damaged_entries_are_made_anew),
        TEST(cache_that_cannot_be_used_is_no_error),
        TEST(folder_in_place_of_an_entry_is_no_error),
        TEST(full_disk_is_no_error),
        TEST(oldest_entries_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
