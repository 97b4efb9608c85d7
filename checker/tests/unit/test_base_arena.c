/* SPDX-License-Identifier: MIT
 * Status, arena and string builder.
 */
#include <warpbook/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct wb_arena arena;

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    wb_arena_finish(&arena);
    return 0;
}

/* ---- status ------------------------------------------------------------------------------- */

static void failure_has_code_place_and_sentence(void **state)
{
    (void)state;
    struct wb_status status = {0};
    assert_false(WB_FAIL(&status, IO, "%s cannot be read: %d.", "a.txt", 7));
    assert_int_equal(status.code, WB_IO);
    assert_string_equal(status.message, "a.txt cannot be read: 7.");
    assert_non_null(strstr(status.place, "test_base_arena.c:"));
    assert_false(WB_FAIL(NULL, IO, "nobody listens"));
    assert_true(wb_status_set(&status, WB_OK, "here", "fine"));
}

static void long_message_is_cut(void **state)
{
    (void)state;
    struct wb_status status;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    WB_FAIL(&status, LIMIT, "%s", text);
    assert_int_equal(strlen(status.message), sizeof status.message - 1);
}

static void every_code_has_a_text(void **state)
{
    (void)state;
    for (int code = WB_OK; code <= WB_INTERNAL; code++) {
        assert_true(strlen(wb_code_text((enum wb_code)code)) > 3);
    }
    assert_string_equal(wb_code_text((enum wb_code)99), "unknown error");
}

/* ---- arena -------------------------------------------------------------------------------- */

static void memory_is_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    /* Sizes around the alignment, a quarter of a block, and a block. */
    const size_t sizes[] = {1, 15, 16, 17, 16383, 16384, 16385, 65535, 65536, 65537, 200000, 3};
    unsigned char *parts[WB_ARRAY_LENGTH(sizes)];
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sizes); i++) {
        parts[i] = wb_arena_alloc(&arena, sizes[i]);
        assert_int_equal((uintptr_t)parts[i] % 16, 0);
        for (size_t k = 0; k < sizes[i]; k++) {
            assert_int_equal(parts[i][k], 0);
        }
        memset(parts[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sizes); i++) {
        assert_int_equal(parts[i][0], i + 1);
        assert_int_equal(parts[i][sizes[i] - 1], i + 1);
    }
}

static void no_bytes_are_fine(void **state)
{
    (void)state;
    assert_non_null(wb_arena_alloc(&arena, 0));
    assert_non_null(wb_arena_copy(&arena, NULL, 0));
    assert_string_equal(wb_arena_strndup(&arena, "abc", 0), "");
}

static void copies_are_copies(void **state)
{
    (void)state;
    char text[] = "hello";
    char *all = wb_arena_strdup(&arena, text);
    char *part = wb_arena_strndup(&arena, text, 4);
    char *bytes = wb_arena_copy(&arena, text, 3);
    text[0] = 'j';
    assert_string_equal(all, "hello");
    assert_string_equal(part, "hell");
    assert_memory_equal(bytes, "hel", 3);
    assert_string_equal(wb_arena_printf(&arena, "%s-%05d", text, 42), "jello-00042");
    char *wide = wb_arena_printf(&arena, "%100000d", 1);
    assert_int_equal(strlen(wide), 100000);
}

static void lists_grow(void **state)
{
    (void)state;
    uint32_t *list = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        list = wb_arena_grow(&arena, list, &capacity, i, sizeof *list);
        assert_true(capacity > i);
        list[i] = i * 3;
    }
    for (uint32_t i = 0; i < 10000; i++) {
        assert_int_equal(list[i], i * 3);
    }
    uint32_t *same = wb_arena_grow(&arena, list, &capacity, capacity - 1, sizeof *list);
    assert_ptr_equal(same, list);
}

static void finished_arena_can_be_used_again(void **state)
{
    (void)state;
    struct wb_arena own;
    wb_arena_init(&own);
    wb_arena_finish(&own);
    wb_arena_alloc(&own, 100000);
    wb_arena_alloc(&own, 10);
    wb_arena_finish(&own);
    wb_arena_finish(&own);
}

/* ---- strings ------------------------------------------------------------------------------ */

static void string_is_built(void **state)
{
    (void)state;
    struct wb_str str;
    wb_str_init(&str, &arena);
    assert_string_equal(wb_str_get(&str), "");
    wb_str_add(&str, "");
    assert_string_equal(str.data, "");
    wb_str_add(&str, "a");
    wb_str_add_bytes(&str, "b\0c", 3);
    wb_str_add_bytes(&str, NULL, 0);
    wb_str_printf(&str, "%d", 12);
    assert_int_equal(str.length, 6);
    assert_memory_equal(str.data, "ab\0c12", 7);
}

static void long_string_is_built(void **state)
{
    (void)state;
    struct wb_str str;
    wb_str_init(&str, &arena);
    for (int i = 0; i < 5000; i++) {
        wb_str_printf(&str, "%04d", i);
    }
    assert_int_equal(str.length, 20000);
    assert_memory_equal(str.data + 4 * 4321, "4321", 4);
    assert_int_equal(str.data[str.length], 0);
    /* Exactly full, and one more. */
    struct wb_str tight;
    wb_str_init(&tight, &arena);
    for (int i = 0; i < 255; i++) {
        wb_str_add(&tight, "x");
    }
    assert_int_equal(tight.capacity, 256);
    wb_str_add(&tight, "y");
    assert_int_equal(strlen(tight.data), 256);
}

static void starts_and_ends_are_compared(void **state)
{
    (void)state;
    assert_true(wb_starts_with("abc", "ab") && wb_starts_with("abc", "") && wb_starts_with("", ""));
    assert_false(wb_starts_with("abc", "abcd") || wb_starts_with("", "a"));
    assert_true(wb_ends_with("abc", "bc") && wb_ends_with("abc", "") && wb_ends_with("", ""));
    assert_false(wb_ends_with("abc", "zabc") || wb_ends_with("abc", "ab"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failure_has_code_place_and_sentence),
        cmocka_unit_test(long_message_is_cut),
        cmocka_unit_test(every_code_has_a_text),
        cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(no_bytes_are_fine),
        cmocka_unit_test(copies_are_copies),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(finished_arena_can_be_used_again),
        cmocka_unit_test(string_is_built),
        cmocka_unit_test(long_string_is_built),
        cmocka_unit_test(starts_and_ends_are_compared),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
