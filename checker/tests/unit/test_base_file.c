/* SPDX-License-Identifier: MIT
 * Files, folders, paths and hashes, with everything that a file system can refuse.
 */
#include <warpbook/base.h>

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct wb_arena arena;
static char folder[] = "/tmp/warpbook-test-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    strcpy(folder, "/tmp/warpbook-test-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static void remove_all(const char *path)
{
    char **names;
    size_t count;
    if (wb_dir_list(&names, &count, &arena, path, NULL)) {
        for (size_t i = 0; i < count; i++) {
            remove_all(wb_path_join(&arena, path, names[i]));
        }
    }
    remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    int moved = chdir("/");
    remove_all(folder);
    wb_arena_finish(&arena);
    return moved;
}

static void write_text(const char *path, const char *text)
{
    struct wb_status status = {0};
    if (!wb_file_write(path, text, strlen(text), &status)) {
        fail_msg("%s", status.message);
    }
}

static void check_read(const char *path, const char *text)
{
    struct wb_bytes file;
    assert_true(wb_file_read(&file, &arena, path, 1000, NULL));
    assert_int_equal(file.size, strlen(text));
    assert_string_equal((char *)file.data, text);
}

static void check_read_fails(const char *path, size_t max, enum wb_code code)
{
    struct wb_bytes file;
    struct wb_status status = {0};
    assert_false(wb_file_read(&file, &arena, path, max, &status));
    assert_int_equal(status.code, code);
    assert_true(wb_ends_with(status.message, "."));
}

/* ---- files -------------------------------------------------------------------------------- */

static void written_bytes_are_read(void **state)
{
    (void)state;
    struct wb_bytes file;
    assert_true(wb_file_write("a", "x\0y", 3, NULL));
    assert_true(wb_file_read(&file, &arena, "a", 3, NULL));
    assert_int_equal(file.size, 3);
    assert_memory_equal(file.data, "x\0y", 4);
    write_text("a", "");
    check_read("a", "");
    write_text("a", "longer than before");
    check_read("a", "longer than before");
}

static void large_file_is_read_whole(void **state)
{
    (void)state;
    const size_t size = 3000001;
    uint8_t *data = wb_arena_alloc(&arena, size);
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(i * 7 >> 3);
    }
    struct wb_bytes file;
    assert_true(wb_file_write("a", data, size, NULL));
    assert_true(wb_file_read(&file, &arena, "a", size, NULL));
    assert_int_equal(file.size, size);
    assert_memory_equal(file.data, data, size);
}

static void what_is_no_file_cannot_be_read(void **state)
{
    (void)state;
    write_text("a", "12345");
    assert_int_equal(mkdir("dir", 0755), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(symlink("a", "link"), 0);
    check_read_fails("nothing", 10, WB_NOT_FOUND);
    check_read_fails("a/below", 10, WB_NOT_FOUND);
    check_read_fails("", 10, WB_NOT_FOUND);
    check_read_fails("dir", 10, WB_BAD_INPUT);
    check_read_fails("fifo", 10, WB_BAD_INPUT); /* and does not wait for a writer */
    check_read_fails("/dev/zero", 10, WB_BAD_INPUT);
    check_read_fails("loop", 10, WB_IO);
    check_read_fails("a", 4, WB_LIMIT);
    check_read("a", "12345");
    check_read("link", "12345");
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    write_text("a", "");
    assert_true(wb_file_exists("a") && !wb_dir_exists("a"));
    assert_true(!wb_file_exists(".") && wb_dir_exists("."));
    assert_true(!wb_file_exists("b") && !wb_dir_exists("b"));
    assert_false(wb_file_exists("/dev/null"));
}

static size_t files_here(void)
{
    char **names;
    size_t count;
    assert_true(wb_dir_list(&names, &count, &arena, ".", NULL));
    return count;
}

static void failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    write_text("a", "old");
    struct rlimit before, full;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    full = (struct rlimit){.rlim_cur = 10, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0); /* like a disk that fills up */
    struct wb_status status = {0};
    bool ok = wb_file_write("a", "this is more than ten bytes", 27, &status);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_false(ok);
    assert_int_equal(status.code, WB_IO);
    check_read("a", "old");
    assert_int_equal(files_here(), 1);
}

static void check_write_fails(const char *path, enum wb_code code)
{
    struct wb_status status = {0};
    assert_false(wb_file_write(path, "x", 1, &status));
    assert_int_equal(status.code, code);
}

static void impossible_places_cannot_be_written(void **state)
{
    (void)state;
    write_text("a", "");
    assert_int_equal(mkdir("dir", 0755), 0);
    check_write_fails("no/where", WB_IO);
    check_write_fails("a/below", WB_IO);
    check_write_fails("dir", WB_IO);
    check_write_fails("/proc/warpbook", WB_IO);
    char *endless = wb_arena_alloc(&arena, 5001);
    memset(endless, 'x', 5000);
    check_write_fails(endless, WB_BAD_INPUT);
    check_write_fails(endless + 4700, WB_IO); /* one name of 300 characters */
    assert_int_equal(files_here(), 2);        /* no temporary file is left */
}

/* ---- folders ------------------------------------------------------------------------------ */

static void devices_stay_devices(void **state)
{
    (void)state;
    struct stat info;
    assert_int_equal(symlink("/dev/null", "null"), 0);
    assert_true(wb_file_write("null", "text", 4, NULL));
    assert_true(lstat("null", &info) == 0 && S_ISLNK(info.st_mode));
    assert_int_equal(unlink("null"), 0);
}

static void links_stay_links(void **state)
{
    struct stat info;
    (void)state;
    write_text("a", "old");
    assert_int_equal(symlink("a", "link"), 0);
    write_text("link", "new");
    check_read("a", "new");
    assert_int_equal(lstat("link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

/* With standard output in a file, /dev/stdout is a link to a regular file. */
static void standard_output_is_continued(void **state)
{
    (void)state;
    write_text("a", "");
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), fd = open("a", O_WRONLY);
    assert_true(saved >= 0 && fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
    assert_int_equal(write(STDOUT_FILENO, "1", 1), 1);
    bool written = wb_file_write("/proc/self/fd/1", "2", 1, NULL);
    assert_int_equal(write(STDOUT_FILENO, "3", 1), 1);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    assert_true(written);
    check_read("a", "123");
}

static void folders_are_made_with_parents(void **state)
{
    (void)state;
    assert_true(wb_dir_make("a/b//c/", NULL));
    assert_true(wb_dir_exists("a/b/c"));
    assert_true(wb_dir_make("a/b/c", NULL));
    assert_true(wb_dir_make("/", NULL) && wb_dir_make(".", NULL));
    assert_true(wb_dir_make(wb_path_join(&arena, folder, "d/e"), NULL));
    assert_true(wb_dir_exists("d/e"));
}

static void check_make_fails(const char *path, enum wb_code code)
{
    struct wb_status status = {0};
    assert_false(wb_dir_make(path, &status));
    assert_int_equal(status.code, code);
}

static void impossible_folders_are_refused(void **state)
{
    (void)state;
    write_text("a", "");
    check_make_fails("a", WB_IO);
    check_make_fails("a/b", WB_IO);
    check_make_fails("/proc/warpbook", WB_IO);
    check_make_fails("", WB_BAD_INPUT);
    char *endless = wb_arena_alloc(&arena, 5001);
    memset(endless, 'x', 5000);
    check_make_fails(endless, WB_BAD_INPUT);
}

static void names_are_listed_in_order(void **state)
{
    (void)state;
    char **names;
    size_t count;
    assert_true(wb_dir_list(&names, &count, &arena, ".", NULL));
    assert_int_equal(count, 0);
    assert_null(names[0]);
    const char *const sorted[] = {".hidden", "B", "a", "a-b", "b", "\303\244"};
    for (size_t i = WB_ARRAY_LENGTH(sorted); i > 0; i--) {
        write_text(sorted[i - 1], "");
    }
    assert_true(wb_dir_list(&names, &count, &arena, ".", NULL));
    assert_int_equal(count, WB_ARRAY_LENGTH(sorted));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(names[i], sorted[i]);
    }
    assert_null(names[count]);
}

static void lists_of_any_length_are_whole(void **state)
{
    (void)state;
    char **names;
    size_t count;
    for (size_t n = 1; n <= 40; n++) { /* past each growth of the list */
        write_text(wb_arena_printf(&arena, "%03zu", n), "");
        assert_true(wb_dir_list(&names, &count, &arena, ".", NULL));
        assert_int_equal(count, n);
        assert_string_equal(names[n - 1], wb_arena_printf(&arena, "%03zu", n));
        assert_null(names[n]);
    }
}

static void what_is_no_folder_cannot_be_listed(void **state)
{
    (void)state;
    char **names;
    size_t count;
    struct wb_status status = {0};
    write_text("a", "");
    assert_false(wb_dir_list(&names, &count, &arena, "nothing", &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
    assert_false(wb_dir_list(&names, &count, &arena, "a", &status));
    assert_int_equal(status.code, WB_IO);
}

/* ---- paths and hashes --------------------------------------------------------------------- */

static void paths_are_joined_and_split(void **state)
{
    (void)state;
    assert_string_equal(wb_path_join(&arena, "a", "b"), "a/b");
    assert_string_equal(wb_path_join(&arena, "a/", "b"), "a/b");
    assert_string_equal(wb_path_join(&arena, "/", "b"), "/b");
    assert_string_equal(wb_path_join(&arena, "", "b"), "b");
    assert_string_equal(wb_path_base("a/b.cu"), "b.cu");
    assert_string_equal(wb_path_base("b.cu"), "b.cu");
    assert_string_equal(wb_path_base("a/"), "");
    assert_string_equal(wb_path_folder(&arena, "a/b.cu"), "a");
    assert_string_equal(wb_path_folder(&arena, "/b.cu"), "/");
    assert_string_equal(wb_path_folder(&arena, "b.cu"), ".");
    assert_string_equal(wb_path_folder(&arena, "/a/b/c"), "/a/b");
}

static void hash_is_xxh3(void **state)
{
    (void)state;
    char hex[33];
    wb_hash_hex(hex, "", 0); /* the value that the XXH3 specification gives */
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    char other[33];
    wb_hash_hex(other, "\0", 1);
    assert_string_not_equal(hex, other);
    assert_int_equal(strlen(other), 32);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(written_bytes_are_read),
        TEST(large_file_is_read_whole),
        TEST(what_is_no_file_cannot_be_read),
        TEST(kinds_are_told_apart),
        TEST(failed_write_leaves_the_old_file),
        TEST(impossible_places_cannot_be_written),
        TEST(devices_stay_devices),
        TEST(links_stay_links),
        TEST(standard_output_is_continued),
        TEST(folders_are_made_with_parents),
        TEST(impossible_folders_are_refused),
        TEST(names_are_listed_in_order),
        TEST(lists_of_any_length_are_whole),
        TEST(what_is_no_folder_cannot_be_listed),
        TEST(paths_are_joined_and_split),
        TEST(hash_is_xxh3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
