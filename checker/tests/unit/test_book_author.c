/* SPDX-License-Identifier: MIT
 * Complaints about a lesson's files, stamps of translations, and new lessons.
 */
#include "test_book_tree.h"

#include <warpbook/author.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LESSON "lessons/07-warp-aligned-branch/"

static const struct wb_book_lesson *lesson_07(struct wb_book *book, struct book_tree *tree)
{
    struct wb_status status = {0};
    book_tree_open(book, tree);
    return wb_book_find(book, "7", &status);
}

/* What one audit says about lesson 07, as it is on disk now. */
static const char *complaints(struct book_tree *tree,
                              void (*run)(struct wb_complaints *, const struct wb_book *,
                                          const struct wb_book_lesson *))
{
    struct wb_book book;
    struct wb_complaints list = {.arena = &tree->arena};
    run(&list, &book, lesson_07(&book, tree));
    return wb_complaints_text(&list, "\n");
}

/* ---- links ---------------------------------------------------------------------------------- */

static void test_links(void **state)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"[a](README.md) [b](https://x.y/z) [c](mailto:a@b.c)", ""},
        {"[a](gone.md)", LESSON "hints.md:1: The link to gone.md leads nowhere. Correct it, or "
                                "take it out."},
        {"text\n```\n[a](gone.md)\n```\n`[b](gone.md)`", ""},
        {"[a](README.md#more) [b](README.md#the-title--more)", ""},
        {"# A `b`, c\n\n[a](#a-b-c)", ""},
        {"[a](#nothing)", LESSON "hints.md:1: This page has no heading for #nothing. Headings "
                                 "become small letters with hyphens for spaces."},
        {"[a](../04-indexing) [b](README.md \"title\")", ""},
        {"[a](unfinished", ""},
    };
    struct book_tree *tree = *state;
    book_tree_write(tree, LESSON "README.md", "# The title: & more\n## More\n");
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        book_tree_write(tree, LESSON "hints.md", rows[i].text);
        assert_string_equal(complaints(tree, wb_audit_links), rows[i].expected);
    }
}

/* ---- translations --------------------------------------------------------------------------- */

static enum wb_translation look(struct book_tree *tree)
{
    struct wb_book book;
    struct wb_status status = {0};
    enum wb_translation state;
    assert_true(wb_translation_look(&state, lesson_07(&book, tree), &status));
    return state;
}

static void test_translation(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    struct wb_status status = {0};
    const struct wb_book_lesson *lesson = lesson_07(&book, tree);
    const char *page = LESSON "README.zh-CN.md";
    enum wb_translation ignored;
    assert_false(wb_translation_look(&ignored, lesson, &status));
    assert_int_equal(status.code, WB_NOT_FOUND);

    book_tree_write(tree, page, "# 标题\n\n\n");
    assert_int_equal(look(tree), WB_TRANSLATION_UNSTAMPED);
    assert_true(wb_translation_stamp(lesson, &status));
    assert_int_equal(look(tree), WB_TRANSLATION_CURRENT);
    const char *stamped = book_tree_read(tree, page);
    assert_true(wb_starts_with(stamped, "# 标题\n\n<!-- README.md: "));
    assert_true(wb_translation_stamp(lesson, &status)); /* twice is as once */
    assert_string_equal(book_tree_read(tree, page), stamped);

    book_tree_write(tree, LESSON "README.md", "# Lesson 07: Changed\n");
    assert_int_equal(look(tree), WB_TRANSLATION_STALE);
    assert_true(wb_translation_warn(lesson, &status));
    assert_true(wb_translation_warn(lesson, &status));
    assert_int_equal(look(tree), WB_TRANSLATION_WARNS);
    const char *warning = book_tree_read(tree, page);
    assert_true(wb_starts_with(warning, "> **注意：**"));
    assert_null(strstr(warning + 1, "> **注意：**")); /* one banner */
    assert_true(wb_translation_stamp(lesson, &status));
    assert_int_equal(look(tree), WB_TRANSLATION_CURRENT);
    assert_true(wb_starts_with(book_tree_read(tree, page), "# 标题\n"));
}

/* A comment that was cut or changed by hand is none. */
static void test_damaged_stamp(void **state)
{
    static const char *const ends[] = {"<!-- README.md: ", "<!-- README.md: 12ab -->",
                                       "<!-- README.md: zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz -->", ""};
    struct book_tree *tree = *state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(ends); i++) {
        book_tree_write(tree, LESSON "README.zh-CN.md", ends[i]);
        assert_int_equal(look(tree), WB_TRANSLATION_UNSTAMPED);
    }
}

/* ---- parts and new lessons ------------------------------------------------------------------ */

static void test_parts(void **state)
{
    struct book_tree *tree = *state;
    struct wb_book book;
    book_tree_write(tree, "lessons/README.md",
                    "# Lessons\n|[x](04-indexing/README.md)|\n## I. One\n"
                    "|[07 X](07-warp-aligned-branch/README.md)|\n|[12](12-uniform-loopsy/a)|\n");
    book_tree_open(&book, tree);
    assert_null(book.lessons[0].part);
    assert_string_equal(book.lessons[1].part, "I. One");
    assert_null(book.lessons[2].part);
}

static bool try_new(struct book_tree *tree, const char *name, struct wb_status *status)
{
    struct wb_book book;
    char **files;
    *status = (struct wb_status){0};
    book_tree_open(&book, tree);
    return wb_lesson_new(&files, &tree->arena, &book, name, status);
}

static void write_skeleton(struct book_tree *tree)
{
    book_tree_write(tree, "lessons/skeleton/README.md", "# Lesson @NUMBER@: @TITLE@ @x@ a@NAME");
    book_tree_write(tree, "lessons/skeleton/README.zh-CN.md", "@NAME@@NAME@");
    book_tree_write(tree, "solutions/skeleton/wrong/a.cu", "@");
}

static void test_new(void **state)
{
    struct book_tree *tree = *state;
    struct wb_status status;
    write_skeleton(tree);
    book_tree_write(tree, "lessons/meson.build", "l = [\n  '07-a',\n  '12-b',\n]\n");
    book_tree_write(tree, "lessons/README.md", "|[12 b](12-b/README.md)|"); /* no end of line */
    assert_true(try_new(tree, "09-my-new-one", &status));
    assert_string_equal(book_tree_read(tree, "lessons/09-my-new-one/README.md"),
                        "# Lesson 09: My new one @x@ a@NAME");
    assert_true(wb_starts_with(book_tree_read(tree, "lessons/09-my-new-one/README.zh-CN.md"),
                               "09-my-new-one09-my-new-one\n\n<!-- README.md: "));
    assert_string_equal(book_tree_read(tree, "solutions/09-my-new-one/wrong/a.cu"), "@");
    assert_string_equal(book_tree_read(tree, "lessons/meson.build"),
                        "l = [\n  '07-a',\n  '09-my-new-one',\n  '12-b',\n]\n");
    assert_true(try_new(tree, "99-last", &status));
    assert_non_null(strstr(book_tree_read(tree, "lessons/README.md"),
                           "(12-b/README.md)|\n| [99 Last](99-last/README.md)"));
}

static void test_new_refused(void **state)
{
    static const char *const names[] = {
        "",
        "09",
        "09-",
        "9-a",
        "09-A",
        "09-a b",
        "09-a/b",
        "09--a",
        "09-1",
        "00009-a",
        "09-ä",
        "09-a-",
        "-09-a",
        "07-taken",
        "09-a-name-that-is-a-good-deal-longer-than-names-of-lessons-should-be"};
    struct book_tree *tree = *state;
    struct wb_status status;
    write_skeleton(tree);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(names); i++) {
        assert_false(try_new(tree, names[i], &status));
        assert_int_equal(status.code, WB_BAD_INPUT);
    }
    book_tree_write(tree, "lessons/09-empty/notes.txt", "mine");
    assert_false(try_new(tree, "09-empty", &status));
    assert_string_equal(book_tree_read(tree, "lessons/09-empty/notes.txt"), "mine");
    book_tree_write(tree, "lessons/meson.build", "nothing\n");
    assert_false(try_new(tree, "10-b", &status));
    assert_int_equal(status.code, WB_NOT_FOUND);
    assert_non_null(strstr(status.message, "'10-b',")); /* what to add by hand */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, book_tree_setup, book_tree_teardown)
        TEST(test_links), TEST(test_translation), TEST(test_damaged_stamp),
        TEST(test_parts), TEST(test_new),         TEST(test_new_refused),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
