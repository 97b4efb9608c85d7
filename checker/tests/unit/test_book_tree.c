/* SPDX-License-Identifier: MIT
 * See test_book_tree.h.
 */
#include "test_book_tree.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const lessons[][2] = {
    {"04-indexing", "# 04. Indexing\n\nText.\n"},
    {"07-warp-aligned-branch", "<!-- a comment -->\n# Lesson 07: Warp-aligned branch\r\n## More\n"},
    {"12-uniform-loops", "no heading\n"},
};

char *book_tree_path(struct book_tree *tree, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *name = wb_arena_vprintf(&tree->arena, format, arguments);
    va_end(arguments);
    return wb_path_join(&tree->arena, tree->root, name);
}

void book_tree_write(struct book_tree *tree, const char *path, const char *text)
{
    struct wb_status status = {0};
    const char *whole = book_tree_path(tree, "%s", path);
    assert_true(wb_dir_make(wb_path_folder(&tree->arena, whole), &status));
    assert_true(wb_file_write(whole, text, strlen(text), &status));
}

char *book_tree_read(struct book_tree *tree, const char *path)
{
    struct wb_status status = {0};
    struct wb_bytes bytes;
    const char *whole = path[0] == '/' ? path : book_tree_path(tree, "%s", path);
    return wb_file_read(&bytes, &tree->arena, whole, 1 << 20, &status) ? (char *)bytes.data : NULL;
}

void book_tree_open(struct wb_book *book, struct book_tree *tree)
{
    struct wb_status status = {0};
    if (!wb_book_open(book, &tree->arena, NULL, "/build", &status)) {
        fail_msg("%s", status.message);
    }
}

int book_tree_setup(void **state)
{
    struct book_tree *tree = calloc(1, sizeof *tree);
    char pattern[] = "/tmp/warpbook-test-XXXXXX";
    if (!tree || !mkdtemp(pattern)) {
        return -1;
    }
    wb_arena_init(&tree->arena);
    char *real = realpath(pattern, NULL);
    tree->root = wb_arena_strdup(&tree->arena, real);
    free(real);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(lessons); i++) {
        const char *folder = wb_arena_printf(&tree->arena, "lessons/%s", lessons[i][0]);
        book_tree_write(tree, wb_path_join(&tree->arena, folder, "README.md"), lessons[i][1]);
        book_tree_write(tree, wb_path_join(&tree->arena, folder, "check.c"), "");
        book_tree_write(tree, wb_path_join(&tree->arena, folder, "exercise.cu"), "// the stub\n");
    }
    mkdir(book_tree_path(tree, "exercises"), 0755);
    setenv("WARPBOOK_ROOT", tree->root, 1);
    unsetenv("WARPBOOK_CACHE");
    *state = tree;
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

int book_tree_teardown(void **state)
{
    struct book_tree *tree = *state;
    int failed = chdir("/") | nftw(tree->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    wb_arena_finish(&tree->arena);
    free(tree);
    return failed;
}
