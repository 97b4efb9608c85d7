/* SPDX-License-Identifier: MIT
 * Pasts: what is known to be over in each line of operations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../cudart/past.h"

static void lines_are_apart(void **state)
{
    struct wb_past past = {0};
    (void)state;
    assert_false(wb_past_has(&past, 1, 1));
    wb_past_add(&past, 1, 5);
    assert_true(wb_past_has(&past, 1, 5));
    assert_true(wb_past_has(&past, 1, 4));
    assert_false(wb_past_has(&past, 1, 6));
    assert_false(wb_past_has(&past, 2, 1));
    wb_past_add(&past, 1, 3); /* nothing is forgotten */
    assert_true(wb_past_has(&past, 1, 5));
    wb_past_clear(&past);
    assert_false(wb_past_has(&past, 1, 5));
}

static void joining_takes_the_later(void **state)
{
    struct wb_past a = {0}, b = {0};
    (void)state;
    wb_past_add(&a, 1, 5);
    wb_past_add(&a, 2, 6);
    wb_past_add(&b, 2, 4);
    wb_past_add(&b, 3, 9);
    wb_past_join(&a, &b);
    assert_true(wb_past_has(&a, 1, 5));
    assert_true(wb_past_has(&a, 2, 6));
    assert_true(wb_past_has(&a, 3, 9));
    assert_false(wb_past_has(&b, 1, 5));
    wb_past_join(&a, &a);
    assert_int_equal(a.count, 3);
    wb_past_clear(&a);
    wb_past_clear(&b);
}

static void all_of_them_makes_rows_needless(void **state)
{
    struct wb_past past = {0}, other = {0};
    (void)state;
    for (uint64_t line = 1; line <= 100; line++) {
        wb_past_add(&past, line, line);
    }
    wb_past_add_all(&past, 90);
    assert_int_equal(past.count, 10);
    assert_true(wb_past_has(&past, 1000, 90));
    assert_false(wb_past_has(&past, 1000, 91));
    assert_true(wb_past_has(&past, 95, 95));
    wb_past_join(&other, &past);
    assert_true(wb_past_has(&other, 7, 90));
    assert_int_equal(other.count, 10);
    wb_past_clear(&past);
    wb_past_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_apart),
        cmocka_unit_test(joining_takes_the_later),
        cmocka_unit_test(all_of_them_makes_rows_needless),
    };
    return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
