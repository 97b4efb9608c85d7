/* SPDX-License-Identifier: MIT
 * Where nvcc is looked for, in which order, and what is said when it is not there or too old.
 */
#include "test_build_scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const variables[] = {"PATH", "WARPBOOK_NVCC", "CUDA_HOME"};
static char *saved[WB_ARRAY_LENGTH(variables)];

static int set_up(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(variables); i++) {
        const char *value = getenv(variables[i]);
        saved[i] = value ? strdup(value) : NULL;
        unsetenv(variables[i]);
    }
    setenv("PATH", "/nowhere", 1);
    return scratch_set_up(state);
}

static int tear_down(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(variables); i++) {
        if (saved[i]) {
            setenv(variables[i], saved[i], 1);
        } else {
            unsetenv(variables[i]);
        }
        free(saved[i]);
    }
    return scratch_tear_down(state);
}

/* An nvcc in FOLDER/bin that says it is of this version; its full path is returned. */
static char *plant(const char *folder, const char *version)
{
    assert_true(wb_dir_make(wb_arena_printf(&arena, "%s/bin", folder), NULL));
    char *text = wb_arena_printf(&arena,
                                 "#!/bin/sh\necho 'nvcc: NVIDIA (R) Cuda compiler driver'\n"
                                 "echo 'Cuda compilation tools, release %.4s, V%s'\n",
                                 version, version);
    char *path = scratch_write(wb_arena_printf(&arena, "%s/bin/nvcc", folder), text);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static struct wb_toolchain find(const char *configured)
{
    struct wb_toolchain toolchain;
    struct wb_status status = {0};
    if (!wb_toolchain_find(&toolchain, &arena, configured, scratch, &status)) {
        fail_msg("%s", status.message);
    }
    return toolchain;
}

static void check_missing(const char *words)
{
    struct wb_toolchain toolchain;
    struct wb_status status = {0};
    assert_false(wb_toolchain_find(&toolchain, &arena, NULL, scratch, &status));
    assert_int_equal(status.code, WB_TOOL_MISSING);
    if (!strstr(status.message, words)) {
        fail_msg("\"%s\" lacks \"%s\"", status.message, words);
    }
}

static void version_and_root_are_read(void **state)
{
    (void)state;
    char *path = plant("cuda", "13.0.88");
    struct wb_toolchain t = find(path);
    assert_string_equal(t.nvcc, path);
    assert_string_equal(t.version, "13.0.88");
    assert_int_equal(t.major, 13);
    assert_int_equal(t.minor, 0);
    assert_string_equal(t.root, scratch_path("cuda"));
    /* Through a link, as in /usr/bin: the root is still the toolkit's. */
    assert_int_equal(symlink(path, "link"), 0);
    t = find("./link");
    assert_string_equal(t.nvcc, scratch_path("./link"));
    assert_string_equal(t.root, scratch_path("cuda"));
}

static void order_is_kept(void **state)
{
    (void)state;
    const char wheel[] = ".venv/lib/python3.11/site-packages/nvidia/cu13";
    plant(wheel, "13.0.5");
    if (!wb_file_exists("/usr/local/cuda/bin/nvcc")) { /* which comes before it */
        assert_string_equal(find(NULL).version, "13.0.5");
    }
    plant("home", "13.0.4");
    setenv("CUDA_HOME", scratch_path("home"), 1);
    assert_string_equal(find(NULL).version, "13.0.4");
    plant("path", "13.0.3");
    setenv("PATH", wb_arena_printf(&arena, "/nowhere:%s", scratch_path("path/bin")), 1);
    assert_string_equal(find(NULL).version, "13.0.3");
    char *configured = plant("configured", "13.0.2");
    assert_string_equal(find(configured).version, "13.0.2");
    setenv("WARPBOOK_NVCC", plant("wish", "13.0.1"), 1);
    assert_string_equal(find(configured).version, "13.0.1");
    setenv("WARPBOOK_NVCC", "", 1); /* as unset */
    assert_string_equal(find(configured).version, "13.0.2");
    assert_string_equal(find("/nowhere/nvcc").version, "13.0.3");
    assert_string_equal(find("").version, "13.0.3");
}

static void old_ones_are_passed_over(void **state)
{
    (void)state;
    char *old = plant("old", "12.7.99");
    setenv("CUDA_HOME", scratch_path("new"), 1);
    plant("new", "12.8.0");
    assert_string_equal(find(old).version, "12.8.0");
}

static void wish_is_not_replaced(void **state)
{
    (void)state;
    plant("new", "13.0.0");
    setenv("CUDA_HOME", scratch_path("new"), 1);
    setenv("WARPBOOK_NVCC", plant("old", "11.8.89"), 1);
    check_missing(
        "old/bin/nvcc is version 11.8.89, but nvcc 12.8 or newer is needed. `sh setup.sh`");
    setenv("WARPBOOK_NVCC", "/nowhere/nvcc", 1);
    check_missing("WARPBOOK_NVCC names /nowhere/nvcc, which is not a program");
    setenv("WARPBOOK_NVCC", scratch, 1);
    check_missing("which is not a program");
    char *silent = scratch_write("silent", "#!/bin/sh\nexit 0\n");
    assert_int_equal(chmod(silent, 0755), 0);
    setenv("WARPBOOK_NVCC", silent, 1);
    check_missing("silent does not say its version");
    char *failing = scratch_write("failing", "#!/bin/sh\necho ', V13.0.1'; exit 1\n");
    assert_int_equal(chmod(failing, 0755), 0);
    setenv("WARPBOOK_NVCC", failing, 1);
    check_missing("failing does not say its version");
}

static void nothing_found_says_where_it_was_looked_for(void **state)
{
    (void)state;
    if (!wb_file_exists("/usr/local/cuda/bin/nvcc")) {
        check_missing("was not found (looked at WARPBOOK_NVCC, PATH, CUDA_HOME");
        plant(".venv/lib/python3.9/site-packages/nvidia/cuda_nvcc", "12.0.1");
        check_missing("is version 12.0.1");
    }
    struct wb_toolchain toolchain;
    struct wb_status status = {0};
    setenv("WARPBOOK_NVCC", "nvcc-that-is-nowhere", 1);
    assert_false(wb_toolchain_find(&toolchain, &arena, NULL, NULL, &status));
    assert_int_equal(status.code, WB_TOOL_MISSING);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(version_and_root_are_read),
        TEST(order_is_kept),
        TEST(old_ones_are_passed_over),
        TEST(wish_is_not_replaced),
        TEST(nothing_found_says_where_it_was_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
