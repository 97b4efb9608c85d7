/* SPDX-License-Identifier: MIT
 * Code points of strings that may hold anything.
 */
#include "../../report/text.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void test_every_code_point_comes_back(void **state)
{
    (void)state;
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        char bytes[5] = {0};
        if (code >= 0xd800 && code <= 0xdfff) {
            continue;
        }
        if (code < 0x80) {
            bytes[0] = (char)code;
        } else if (code < 0x800) {
            bytes[0] = (char)(0xc0 | code >> 6);
            bytes[1] = (char)(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            bytes[0] = (char)(0xe0 | code >> 12);
            bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
            bytes[2] = (char)(0x80 | (code & 0x3f));
        } else {
            bytes[0] = (char)(0xf0 | code >> 18);
            bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
            bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
            bytes[3] = (char)(0x80 | (code & 0x3f));
        }
        const char *text = bytes;
        uint32_t got = wb_utf8_next(&text);
        if (got != code || *text) {
            fail_msg("U+%04X came back as U+%04X", code, got);
        }
    }
}

/* Each first byte is bad; what follows is read on its own. */
static void test_what_is_not_utf8(void **state)
{
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\xaf",
        "\xc1\xbf",
        "\xc3",
        "\xe0\x80\xaf",
        "\xe2\x82",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x80\x80\xaf",
        "\xf0\x9f\x98",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xfe",
        "\xff",
        "\xe2\x28\xa1",
        "\xc3\x28",
    };
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(bad); i++) {
        const char *text = bad[i];
        assert_int_equal(wb_utf8_next(&text), WB_UTF8_BAD);
        assert_ptr_equal(text, bad[i] + 1);
    }
}

static void test_hidden(void **state)
{
    static const uint32_t hidden[] = {0x1b,   0x00,   0x7f,   0x9b,   0xad,   0x200b,
                                      0x200f, 0x202e, 0x2066, 0x2069, 0xfeff, 0xe0041};
    static const uint32_t shown[] = {' ', 'a', '~', 0xa0, 0xe9, 0x4e2d, 0x2713, 0x1f600};
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(hidden); i++) {
        assert_true(wb_code_is_hidden(hidden[i]));
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(shown); i++) {
        assert_false(wb_code_is_hidden(shown[i]));
    }
}

static bool no_digits(uint32_t code)
{
    return code < '0' || code > '9';
}

static void test_clean(void **state)
{
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    assert_string_equal(wb_utf8_clean(&arena, "", NULL), "");
    assert_string_equal(wb_utf8_clean(&arena, "\u4e2d\xff!", NULL), "\u4e2d\uFFFD!");
    assert_string_equal(wb_utf8_clean(&arena, "a1b", no_digits), "a\uFFFD"
                                                                 "b");
    wb_arena_finish(&arena);
}

static void test_lines(void **state)
{
    struct wb_arena arena;
    const char *rest = "one\r\n\nthree";
    const char *nothing = NULL;
    (void)state;
    wb_arena_init(&arena);
    assert_string_equal(wb_text_line(&arena, &rest), "one");
    assert_string_equal(wb_text_line(&arena, &rest), "");
    assert_string_equal(wb_text_line(&arena, &rest), "three");
    assert_null(wb_text_line(&arena, &rest));
    assert_null(wb_text_line(&arena, &nothing));
    wb_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_point_comes_back),
        cmocka_unit_test(test_what_is_not_utf8),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
