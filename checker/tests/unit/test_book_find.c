/* SPDX-License-Identifier: MIT
 * Finding a lesson by what a learner types.
 */
#include <warpbook/book.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct wb_book_lesson lessons[] = {{.number = 4, .name = "04-indexing"},
                                          {.number = 7, .name = "07-warp-aligned-branch"},
                                          {.number = 10, .name = "10-block-level-branch"}};
static const struct wb_book book = {.lessons = lessons, .lesson_count = WB_ARRAY_LENGTH(lessons)};

static void test_found(void **state)
{
    static const char *const names[] = {
        "7",
        "07",
        "007",
        "07-warp-aligned-branch",
        "warp-aligned-branch",
        "07-warp-aligned-branch.cu",
        "exercises/07-warp-aligned-branch.cu",
        "07-warp-aligned-branch/",
    };
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(names); i++) {
        struct wb_status status = {0};
        assert_ptr_equal(wb_book_find(&book, names[i], &status), &lessons[1]);
        assert_int_equal(status.code, WB_OK);
    }
}

static void test_suggested(void **state)
{
    static const char *const cases[][2] = {
        {"07-wrap-aligned-branch", "did you mean 07-warp-aligned-branch?"},
        {"warp-alined-branch", "did you mean 07-warp-aligned-branch?"},
        {"index", "did you mean 04-indexing?"},
        {"branch", "did you mean 07-warp-aligned-branch or 10-block-level-branch?"},
        {"indexign", "did you mean 04-indexing?"},
        {"17-warp-aligned-branch", "did you mean 07-warp-aligned-branch?"},
    };
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cases); i++) {
        struct wb_status status = {0};
        assert_null(wb_book_find(&book, cases[i][0], &status));
        assert_int_equal(status.code, WB_NOT_FOUND);
        if (!strstr(status.message, cases[i][1])) {
            fail_msg("%s: %s", cases[i][0], status.message);
        }
    }
}

static void test_nothing_close(void **state)
{
    static const char *const names[] = {
        "99", "", "-1", "7.5", "matmul", "999999999999999999999", "\033[2J", "/", ".cu", "x"};
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(names); i++) {
        struct wb_status status = {0};
        assert_null(wb_book_find(&book, names[i], &status));
        assert_int_equal(status.code, WB_NOT_FOUND);
        assert_non_null(strstr(status.message, "warpbook list"));
        assert_null(strstr(status.message, "did you mean"));
    }
}

static void test_long_name(void **state)
{
    char name[5000];
    struct wb_status status = {0};
    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_null(wb_book_find(&book, name, &status));
    assert_true(strlen(status.message) < sizeof status.message);
}

static void test_empty_book(void **state)
{
    static const struct wb_book empty = {0};
    struct wb_status status = {0};
    (void)state;
    assert_null(wb_book_find(&empty, "7", &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),         cmocka_unit_test(test_suggested),
        cmocka_unit_test(test_nothing_close), cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_empty_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
