/* SPDX-License-Identifier: MIT
 * The bench: states of an exercise, laying, resetting. Whatever happens, nothing of the learner's
 * is lost.
 */
#include "test_book_tree.h"

#include <setjmp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define EXERCISE "exercises/07-warp-aligned-branch.cu"
#define STUB     "lessons/07-warp-aligned-branch/exercise.cu"

static enum wb_bench_state state_of(struct book_tree *tree)
{
    struct wb_book book;
    struct wb_status status = {0};
    enum wb_bench_state state;
    book_tree_open(&book, tree);
    assert_true(wb_bench_state(&state, &book, &book.lessons[1], &status));
    return state;
}

static void remember(struct book_tree *tree, bool passed)
{
    struct wb_book book;
    struct wb_status status = {0};
    book_tree_open(&book, tree);
    assert_true(wb_bench_remember(&book, &book.lessons[1], passed, &status));
}

static void test_states(void **state)
{
    struct book_tree *tree = *state;
    assert_int_equal(state_of(tree), WB_BENCH_MISSING);
    book_tree_write(tree, EXERCISE, "// the stub\n");
    assert_int_equal(state_of(tree), WB_BENCH_NOT_STARTED);
    book_tree_write(tree, EXERCISE, "// mine\n");
    assert_int_equal(state_of(tree), WB_BENCH_STARTED);
    remember(tree, true);
    assert_int_equal(state_of(tree), WB_BENCH_PASSED);
    book_tree_write(tree, EXERCISE, "// mine, changed\n");
    assert_int_equal(state_of(tree), WB_BENCH_STARTED);
    remember(tree, false); /* another version failed: the one that passed still counts */
    book_tree_write(tree, EXERCISE, "// mine\n");
    assert_int_equal(state_of(tree), WB_BENCH_PASSED);
    remember(tree, false); /* the very version that passed fails now (another device, say) */
    assert_int_equal(state_of(tree), WB_BENCH_STARTED);
}

static void test_states_that_cannot_be_read(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    enum wb_bench_state got;
    book_tree_open(&book, tree);
    assert_int_equal(mkdir(book.lessons[1].exercise, 0755), 0);
    assert_false(wb_bench_state(&got, &book, &book.lessons[1], &status));
    assert_int_equal(status.code, WB_BAD_INPUT);
    assert_int_equal(rmdir(book.lessons[1].exercise), 0);
    book_tree_write(tree, EXERCISE, "// mine\n");
    assert_int_equal(unlink(book.lessons[1].stub), 0);
    assert_false(wb_bench_state(&got, &book, &book.lessons[1], &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
    assert_non_null(strstr(status.message, STUB));
}

static void test_lay(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    bool laid;
    book_tree_open(&book, tree);
    assert_int_equal(rmdir(book_tree_path(tree, "exercises")), 0);
    assert_true(wb_bench_lay(&laid, &book.lessons[1], &status));
    assert_true(laid);
    assert_string_equal(book_tree_read(tree, EXERCISE), "// the stub\n");
    book_tree_write(tree, EXERCISE, "// mine\n");
    assert_true(wb_bench_lay(&laid, &book.lessons[1], &status));
    assert_false(laid);
    assert_string_equal(book_tree_read(tree, EXERCISE), "// mine\n");
}

static void test_lay_does_not_follow_a_dangling_link(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    bool laid;
    book_tree_open(&book, tree);
    assert_int_equal(symlink("elsewhere.cu", book.lessons[1].exercise), 0);
    assert_true(wb_bench_lay(&laid, &book.lessons[1], &status));
    assert_false(laid);
    assert_null(book_tree_read(tree, "exercises/elsewhere.cu"));
}

static void test_lay_without_a_stub(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    bool laid;
    book_tree_open(&book, tree);
    assert_int_equal(unlink(book.lessons[1].stub), 0);
    assert_false(wb_bench_lay(&laid, &book.lessons[1], &status));
    assert_false(laid);
    assert_int_equal(status.code, WB_NOT_FOUND);
}

static void reset(char **saved, struct book_tree *tree)
{
    struct wb_book book;
    struct wb_status status = {0};
    book_tree_open(&book, tree);
    assert_true(wb_bench_reset(saved, &tree->arena, &book.lessons[1], &status));
    assert_string_equal(book_tree_read(tree, EXERCISE), "// the stub\n");
}

static void test_reset_keeps_every_version(void **state)
{
    struct book_tree *tree = *state;
    char *saved;
    reset(&saved, tree); /* nothing was there */
    assert_null(saved);
    reset(&saved, tree); /* the stub was there */
    assert_null(saved);
    book_tree_write(tree, EXERCISE, "// first\n");
    reset(&saved, tree);
    assert_string_equal(saved, book_tree_path(tree, EXERCISE ".~1~"));
    book_tree_write(tree, EXERCISE, "// second\n");
    reset(&saved, tree);
    assert_string_equal(saved, book_tree_path(tree, EXERCISE ".~2~"));
    assert_string_equal(book_tree_read(tree, EXERCISE ".~1~"), "// first\n");
    assert_string_equal(book_tree_read(tree, EXERCISE ".~2~"), "// second\n");
}

static void test_reset_without_a_stub_moves_nothing(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    char *saved;
    book_tree_open(&book, tree);
    book_tree_write(tree, EXERCISE, "// mine\n");
    assert_int_equal(unlink(book.lessons[1].stub), 0);
    assert_false(wb_bench_reset(&saved, &tree->arena, &book.lessons[1], &status));
    assert_string_equal(book_tree_read(tree, EXERCISE), "// mine\n");
}

static void test_reset_moves_a_folder_too(void **state)
{
    struct book_tree *tree = *state;
    char *saved;
    book_tree_write(tree, EXERCISE "/odd.txt", "kept");
    reset(&saved, tree);
    assert_string_equal(book_tree_read(tree, EXERCISE ".~1~/odd.txt"), "kept");
}

static void test_remember_needs_the_file(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    book_tree_open(&book, tree);
    assert_false(wb_bench_remember(&book, &book.lessons[1], true, &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
}

#define BOOK_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, book_tree_setup, book_tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOOK_TEST(test_states),
        BOOK_TEST(test_states_that_cannot_be_read),
        BOOK_TEST(test_lay),
        BOOK_TEST(test_lay_does_not_follow_a_dangling_link),
        BOOK_TEST(test_lay_without_a_stub),
        BOOK_TEST(test_reset_keeps_every_version),
        BOOK_TEST(test_reset_without_a_stub_moves_nothing),
        BOOK_TEST(test_reset_moves_a_folder_too),
        BOOK_TEST(test_remember_needs_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
