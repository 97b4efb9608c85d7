/* SPDX-License-Identifier: MIT
 * Handles: live objects are known, destroyed ones, other pools' and nonsense are not.
 */
#include "handle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct object {
    int number;
    char more[20];
};

static void knows_its_own(void **state)
{
    (void)state;
    struct wb_handle_pool pool = {.object_size = sizeof(struct object)};
    struct wb_handle_pool other = {.object_size = sizeof(struct object)};
    struct object *a = wb_handle_create(&pool);
    struct object *b = wb_handle_create(&other);
    struct object mine;
    assert_ptr_equal(wb_handle_get(&pool, a), a);
    assert_int_equal(a->number, 0);
    assert_null(wb_handle_get(&pool, b));
    assert_null(wb_handle_get(&pool, &mine));
    assert_null(wb_handle_get(&pool, NULL));
    assert_null(wb_handle_get(&pool, (char *)a + 1));
    assert_null(wb_handle_get(&pool, a + 1));
    assert_null(wb_handle_get(&pool, (void *)UINTPTR_MAX));
    wb_handle_pool_finish(&pool);
    wb_handle_pool_finish(&other);
    assert_null(wb_handle_next(&pool, NULL));
}

static void remembers_the_dead(void **state)
{
    (void)state;
    struct wb_handle_pool pool = {.object_size = sizeof(struct object)};
    struct object *a = wb_handle_create(&pool);
    struct object *b = wb_handle_create(&pool);
    wb_handle_destroy(&pool, a);
    assert_null(wb_handle_get(&pool, a));
    assert_int_equal(pool.live, 1);
    wb_handle_destroy(&pool, a);
    assert_int_equal(pool.live, 1);
    struct object *c = wb_handle_create(&pool);
    assert_ptr_not_equal(c, a);
    assert_null(wb_handle_get(&pool, a));
    assert_ptr_equal(wb_handle_next(&pool, NULL), b);
    assert_ptr_equal(wb_handle_next(&pool, b), c);
    assert_null(wb_handle_next(&pool, c));
    wb_handle_pool_finish(&pool);
}

/* More than a slab holds, every third one destroyed. */
static void goes_through_many(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    struct wb_handle_pool pool = {.object_size = sizeof(struct object)};
    struct object *all[MANY];
    for (int i = 0; i < MANY; i++) {
        all[i] = wb_handle_create(&pool);
        all[i]->number = i;
    }
    for (int i = 0; i < MANY; i += 3) {
        wb_handle_destroy(&pool, all[i]);
    }
    int seen = 0, last = -1;
    for (struct object *o = wb_handle_next(&pool, NULL); o; o = wb_handle_next(&pool, o)) {
        assert_true(o->number > last && o->number % 3 != 0);
        last = o->number;
        seen++;
    }
    assert_int_equal(seen, 666);
    assert_int_equal(pool.live, 666);
    wb_handle_pool_finish(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_its_own),
        cmocka_unit_test(remembers_the_dead),
        cmocka_unit_test(goes_through_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
