/* SPDX-License-Identifier: MIT
 * Finding the tree and reading its lessons.
 */
#include "test_book_tree.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_lessons_are_read(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    book_tree_write(tree, "lessons/05-no-check/README.md", "# 05 Not a lesson\n");
    book_tree_write(tree, "lessons/notes/check.c", "");
    book_tree_write(tree, "lessons/100-last/check.c", "");
    book_tree_open(&book, tree);
    assert_int_equal(book.lesson_count, 4);
    assert_string_equal(book.root, tree->root);
    assert_string_equal(book.cache, book_tree_path(tree, ".cache"));
    const struct wb_book_lesson *lesson = &book.lessons[1];
    assert_int_equal(lesson->number, 7);
    assert_string_equal(lesson->name, "07-warp-aligned-branch");
    assert_string_equal(lesson->exercise,
                        book_tree_path(tree, "exercises/07-warp-aligned-branch.cu"));
    assert_string_equal(lesson->solution,
                        book_tree_path(tree, "solutions/07-warp-aligned-branch/solution.cu"));
    assert_string_equal(lesson->wrong,
                        book_tree_path(tree, "solutions/07-warp-aligned-branch/wrong"));
    assert_string_equal(lesson->checker, "/build/lessons/check-07-warp-aligned-branch");
    assert_int_equal(book.lessons[3].number, 100); /* by number, not by letters */
}

static void test_titles(void **state)
{
    static const char *const cases[][2] = {
        {"# 12 Uniform loops\n", "Uniform loops"},
        {"# Lesson 12: Uniform loops", "Uniform loops"},
        {"# lesson 12 - Uniform", "Uniform"},
        {"#   12.  Uniform  loops", "Uniform  loops"},
        {"# 3-D grids\n", "D grids"},
        {"# The 12 warps\n", "The 12 warps"},
        {"#12 not a heading\n", "Uniform loops"},
        {"# 12\n", "12"},
        {"", "Uniform loops"},
        {"text\n\n# 12 Late\n", "Late"},
    };
    struct book_tree *tree = *state;
    struct wb_book book;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        book_tree_write(tree, "lessons/12-uniform-loops/README.md", cases[i][0]);
        book_tree_open(&book, tree);
        assert_string_equal(book.lessons[2].title, cases[i][1]);
    }
    unlink(book_tree_path(tree, "lessons/12-uniform-loops/README.md"));
    book_tree_open(&book, tree);
    assert_string_equal(book.lessons[2].title, "Uniform loops");
}

static void test_found_from_below(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    unsetenv("WARPBOOK_ROOT");
    assert_int_equal(chdir(book_tree_path(tree, "lessons/04-indexing")), 0);
    assert_true(wb_book_open(&book, &tree->arena, "/nowhere", NULL, &status));
    assert_string_equal(book.root, tree->root);
    assert_string_equal(book.lessons[0].checker,
                        book_tree_path(tree, "build/lessons/check-04-indexing"));
}

static void test_configured_tree_when_elsewhere(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    unsetenv("WARPBOOK_ROOT");
    assert_int_equal(chdir("/"), 0);
    assert_true(wb_book_open(&book, &tree->arena, tree->root, NULL, &status));
    assert_string_equal(book.root, tree->root);
    assert_int_equal(rmdir(book_tree_path(tree, "exercises")), 0); /* not needed for this */
    assert_true(wb_book_open(&book, &tree->arena, tree->root, NULL, &status));
}

static void test_no_tree(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    setenv("WARPBOOK_ROOT", "/nowhere/at all", 1);
    assert_false(wb_book_open(&book, &tree->arena, tree->root, NULL, &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
    assert_non_null(strstr(status.message, "WARPBOOK_ROOT is \"/nowhere/at all\""));
    unsetenv("WARPBOOK_ROOT");
    assert_int_equal(chdir("/"), 0);
    assert_false(wb_book_open(&book, &tree->arena, "/nowhere", NULL, &status));
    assert_non_null(strstr(status.message, "/nowhere"));
    assert_false(wb_book_open(&book, &tree->arena, NULL, NULL, &status));
    assert_non_null(strstr(status.message, "WARPBOOK_ROOT"));
}

static void test_empty_lessons(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    assert_int_equal(mkdir(book_tree_path(tree, "empty"), 0755), 0);
    assert_int_equal(mkdir(book_tree_path(tree, "empty/lessons"), 0755), 0);
    setenv("WARPBOOK_ROOT", book_tree_path(tree, "empty"), 1);
    book_tree_open(&book, tree);
    assert_int_equal(book.lesson_count, 0);
}

static void test_cache_from_environment(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    setenv("WARPBOOK_CACHE", "/var/tmp/x", 1);
    book_tree_open(&book, tree);
    assert_string_equal(book.cache, "/var/tmp/x");
    setenv("WARPBOOK_CACHE", "", 1);
    book_tree_open(&book, tree);
    assert_string_equal(book.cache, book_tree_path(tree, ".cache"));
}

#define BOOK_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, book_tree_setup, book_tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOOK_TEST(test_lessons_are_read),
        BOOK_TEST(test_titles),
        BOOK_TEST(test_found_from_below),
        BOOK_TEST(test_configured_tree_when_elsewhere),
        BOOK_TEST(test_no_tree),
        BOOK_TEST(test_empty_lessons),
        BOOK_TEST(test_cache_from_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
