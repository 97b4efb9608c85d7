/* SPDX-License-Identifier: MIT
 * What is remembered: hints, passes, several processes at once, damaged files.
 */
#include "test_book_tree.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PROGRESS ".cache/progress.json"

static void test_hints(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    book_tree_open(&book, tree);
    assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[0]), 0);
    assert_true(wb_bench_remember_hints(&book, &book.lessons[0], 2, &status));
    assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[0]), 2);
    assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[1]), 0);
}

static void test_damaged_file_is_kept_aside(void **state)
{
    static const char *const damaged[] = {
        "{\"schema\": \"warpbook-progr", /* cut off */
        "",
        "[]",
        "{\"schema\": \"something else\", \"lessons\": {}}",
        "{\"schema\": \"warpbook-progress/1\", \"lessons\": 5}",
        "\xff\xfe binary",
    };
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    book_tree_open(&book, tree);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(damaged); i++) {
        book_tree_write(tree, PROGRESS, damaged[i]);
        assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[0]), 0);
        assert_string_equal(book_tree_read(tree, PROGRESS),
                            damaged[i]); /* reading changes nothing */
        assert_true(wb_bench_remember_hints(&book, &book.lessons[0], 1, &status));
        assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[0]), 1);
        const char *aside = wb_arena_printf(&tree->arena, PROGRESS ".~%zu~", i + 1);
        assert_string_equal(book_tree_read(tree, aside), damaged[i]);
    }
}

static void test_odd_entries_are_nothing(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    book_tree_open(&book, tree);
    book_tree_write(tree, PROGRESS,
                    "{\"schema\": \"warpbook-progress/1\", \"lessons\": {\"04-indexing\": "
                    "{\"passed\": \"0123456789012345678901234567890123456789\", \"hints\": -7}, "
                    "\"07-warp-aligned-branch\": 3}}");
    assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[0]), 0);
    assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[1]), 0);
}

static void test_processes_do_not_lose_entries(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    pid_t children[3];
    book_tree_open(&book, tree);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(children); i++) {
        children[i] = fork();
        if (children[i] == 0) {
            bool ok = true;
            struct wb_status status = {0};
            for (unsigned n = 1; n <= 40; n++) {
                ok = wb_bench_remember_hints(&book, &book.lessons[i], n, &status) && ok;
            }
            _exit(ok ? 0 : 1);
        }
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(children); i++) {
        int ended;
        assert_int_equal(waitpid(children[i], &ended, 0), children[i]);
        assert_int_equal(ended, 0);
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(children); i++) {
        assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[i]), 40);
    }
}

static void test_cache_that_cannot_be_written(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    book_tree_write(tree, ".cache", "a file where the folder should be");
    book_tree_open(&book, tree);
    assert_int_equal(wb_bench_hints_shown(&book, &book.lessons[0]), 0);
    assert_false(wb_bench_remember_hints(&book, &book.lessons[0], 1, &status));
    assert_int_equal(status.code, WB_IO);
    assert_true(strlen(status.message) > 0);
}

#define BOOK_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, book_tree_setup, book_tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOOK_TEST(test_hints),
        BOOK_TEST(test_damaged_file_is_kept_aside),
        BOOK_TEST(test_odd_entries_are_nothing),
        BOOK_TEST(test_processes_do_not_lose_entries),
        BOOK_TEST(test_cache_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
