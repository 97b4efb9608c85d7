/* SPDX-License-Identifier: MIT
 * A folder and a pretended compiler for the build layer's tests.
 */
#include "test_build_scratch.h"

#include "temporary.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct wb_arena arena;
char *scratch;

static void write_cubin(void)
{
    Elf64_Ehdr head = {.e_ident = ELFMAG};
    assert_true(wb_file_write(scratch_path("good.cubin"), &head, sizeof head, NULL));
}

int scratch_set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    unsetenv("TMPDIR");
    scratch = wb_temporary_make(&arena, NULL);
    if (!scratch || chdir(scratch) != 0 || mkdir("tmp", 0755) != 0) {
        return -1;
    }
    setenv("TMPDIR", scratch_path("tmp"), 1);
    write_cubin();
    return 0;
}

int scratch_tear_down(void **state)
{
    (void)state;
    size_t left = scratch_count(scratch_path("tmp"));
    int moved = chdir("/");
    wb_temporary_remove(scratch);
    bool removed = !wb_dir_exists(scratch);
    wb_arena_finish(&arena);
    return left == 0 && moved == 0 && removed ? 0 : -1;
}

char *scratch_path(const char *name)
{
    return wb_path_join(&arena, scratch, name);
}

char *scratch_write(const char *name, const char *text)
{
    char *path = scratch_path(name);
    struct wb_status status = {0};
    if (!wb_file_write(path, text, strlen(text), &status)) {
        fail_msg("%s", status.message);
    }
    return path;
}

char *scratch_read(const char *path)
{
    struct wb_bytes file;
    return wb_file_read(&file, &arena, path, 1 << 20, NULL) ? (char *)file.data : "";
}

size_t scratch_count(const char *folder)
{
    char **names;
    size_t count;
    return wb_dir_list(&names, &count, &arena, folder, NULL) ? count : 0;
}

struct wb_toolchain fake_nvcc(const char *script)
{
    char *text = wb_arena_printf(&arena,
                                 "#!/bin/sh\n"
                                 "cd '%s' || exit 9\n"
                                 "echo >> calls\n"
                                 "while [ $# -gt 0 ]; do\n"
                                 "  case \"$1\" in -o) out=$2; shift;; esac\n"
                                 "  source=$1; shift\n"
                                 "done\n"
                                 "%s",
                                 scratch, script);
    struct wb_toolchain toolchain = {.nvcc = scratch_write("nvcc", text), .version = "13.0.88"};
    assert_int_equal(chmod(toolchain.nvcc, 0755), 0);
    return toolchain;
}

unsigned fake_calls(void)
{
    return (unsigned)strlen(scratch_read(scratch_path("calls")));
}

struct wb_limits short_limits(void)
{
    return (struct wb_limits){.wall_s = 1, .file_size = 1 << 20, .output = 64 << 10};
}

static bool build(struct wb_build_result *result, const struct wb_toolchain *toolchain,
                  const char *source, const char *cache, struct wb_status *status)
{
    struct wb_build_request request = {source, "sm_90"};
    struct wb_limits limits = short_limits();
    limits.wall_s = 20;
    return wb_build_all(result, &request, 1, toolchain, cache, &limits, &arena, status);
}

struct wb_build_result build_one(const struct wb_toolchain *toolchain, const char *source,
                                 const char *cache)
{
    struct wb_build_result result;
    struct wb_status status = {0};
    if (!build(&result, toolchain, source, cache, &status)) {
        fail_msg("%s", status.message);
    }
    assert_true(result.ok == (result.cubin.size > 0));
    assert_true(result.ok == (result.summary == NULL));
    assert_non_null(result.output);
    return result;
}

struct wb_status build_fails(const struct wb_toolchain *toolchain, const char *source)
{
    struct wb_build_result result;
    struct wb_status status = {0};
    assert_false(build(&result, toolchain, source, NULL, &status));
    assert_false(result.ok);
    return status;
}
