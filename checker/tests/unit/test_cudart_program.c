/* SPDX-License-Identifier: MIT
 * Which files are programs that can be run on the embedded device, and what is said of the others.
 * Programs that nvcc made are looked at in tests/exec.sh; here are files of every other kind.
 */
#include <warpbook/cudart.h>

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

static struct wb_arena arena;
static char folder[64];
static const char *path;

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    strcpy(folder, "/tmp/warpbook-program-XXXXXX");
    path = wb_path_join(&arena, mkdtemp(folder) ? folder : "/", "program");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    rmdir(path);
    rmdir(folder);
    wb_arena_finish(&arena);
    return 0;
}

static void write_bytes(const void *data, size_t size)
{
    struct wb_status status = {0};
    assert_true(wb_file_write(path, data, size, &status));
    assert_int_equal(chmod(path, 0755), 0);
}

static void check_refused(const char *file, enum wb_code code, const char *what)
{
    struct wb_status status = {0};
    bool preload = false;
    assert_false(wb_cudart_examine(&preload, file, &status));
    assert_int_equal(status.code, code);
    if (!strstr(status.message, what)) {
        fail_msg("\"%s\" does not say: %s", status.message, what);
    }
}

static void text_is_no_program(void **state)
{
    (void)state;
    write_bytes("hello", 5);
    check_refused(path, WB_BAD_INPUT, "no program");
    write_bytes("", 0);
    check_refused(path, WB_BAD_INPUT, "no program");
    write_bytes("#!/bin/sh\n", 10);
    check_refused(path, WB_BAD_INPUT, "script");
}

static void source_is_to_be_compiled(void **state)
{
    (void)state;
    struct wb_status status = {0};
    const char *source = wb_path_join(&arena, folder, "add.cu");
    assert_true(wb_file_write(source, "int x;", 6, &status));
    check_refused(source, WB_BAD_INPUT, "source code");
    unlink(source);
}

static void what_is_no_file_is_told_apart(void **state)
{
    (void)state;
    check_refused(path, WB_NOT_FOUND, "no program");
    check_refused(folder, WB_BAD_INPUT, "folder");
    check_refused("/dev/null", WB_BAD_INPUT, "device");
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(path, WB_BAD_INPUT, "folder or a device"); /* and does not wait for a writer */
}

/* This test uses no CUDA. */
static void program_without_cuda_is_told_apart(void **state)
{
    (void)state;
    check_refused("/proc/self/exe", WB_BAD_INPUT, "not linked with libcudart.so.13");
}

static void other_machines_are_told_apart(void **state)
{
    (void)state;
    struct wb_bytes self;
    struct wb_status status = {0};
    enum { TYPE = 16, MACHINE = 18, OBJECT = 1, SPARC = 2 };
    assert_true(wb_file_read(&self, &arena, "/proc/self/exe", (size_t)64 << 20, &status));
    uint8_t before = self.data[MACHINE];
    self.data[MACHINE] = SPARC;
    write_bytes(self.data, self.size);
    check_refused(path, WB_BAD_INPUT, "another kind of machine");
    self.data[MACHINE] = before;
    self.data[TYPE] = OBJECT;
    write_bytes(self.data, self.size);
    check_refused(path, WB_BAD_INPUT, "object file");
}

/* Cut off anywhere, or with a byte changed in the head: an answer, never a crash. */
static void any_damage_is_survived(void **state)
{
    (void)state;
    struct wb_bytes self;
    struct wb_status status = {0};
    bool preload;
    assert_true(wb_file_read(&self, &arena, "/proc/self/exe", (size_t)64 << 20, &status));
    for (size_t size = 1; size < self.size; size += size / 8 + 1) {
        write_bytes(self.data, size);
        assert_false(wb_cudart_examine(&preload, path, &status));
        assert_true(status.message[0]);
    }
    for (size_t at = 4; at < 64; at++) {
        uint8_t before = self.data[at];
        self.data[at] ^= 0xff;
        write_bytes(self.data, self.size);
        assert_false(wb_cudart_examine(&preload, path, &status));
        self.data[at] = before;
    }
}

static const char *find(const char *const *list, const char *name)
{
    for (; *list; list++) {
        if (wb_starts_with(*list, name)) {
            return *list + strlen(name);
        }
    }
    return NULL;
}

static void environment_comes_before_what_there_is(void **state)
{
    (void)state;
    struct wb_cudart_setup setup = {
        .library = "/b/libcudart.so.13", .log = "/t/log", .inject = "cudaMalloc:1"};
    setenv("LD_LIBRARY_PATH", "/old", 1);
    const char *const *list = wb_cudart_environment(&arena, &setup);
    assert_string_equal(find(list, "LD_LIBRARY_PATH="), "/b:/old");
    assert_string_equal(find(list, "WARPBOOK_RUN_LOG="), "/t/log");
    assert_string_equal(find(list, "WARPBOOK_INJECT="), "cudaMalloc:1");
    assert_string_equal(find(list, "WARPBOOK_TRACE"), "");
    assert_null(find(list, "LD_PRELOAD="));
    unsetenv("LD_LIBRARY_PATH");
    unsetenv("LD_PRELOAD");
    setup.preload = setup.trace = true;
    list = wb_cudart_environment(&arena, &setup);
    assert_string_equal(find(list, "LD_LIBRARY_PATH="), "/b");
    assert_string_equal(find(list, "LD_PRELOAD="), "/b/libcudart.so.13");
    assert_string_equal(find(list, "WARPBOOK_TRACE"), "=1");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(text_is_no_program),
        TEST(source_is_to_be_compiled),
        TEST(what_is_no_file_is_told_apart),
        TEST(program_without_cuda_is_told_apart),
        TEST(other_machines_are_told_apart),
        TEST(any_damage_is_survived),
        TEST(environment_comes_before_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
