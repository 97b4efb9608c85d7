/* SPDX-License-Identifier: MIT
 * The heap: addresses, what is found by them, the pretended size of the device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../cudart/enter.h"
#include "../../cudart/heap.h"

#include <string.h>

static int setup(void **state)
{
    static struct wb_call call;
    *state = &call;
    wb_lock(&call, NULL);
    return 0;
}

static int teardown(void **state)
{
    wb_heap_reset();
    wb_unlock(*state);
    return 0;
}

static struct wb_allocation *make(enum wb_memory_kind kind, size_t size)
{
    struct wb_allocation *made = NULL;
    assert_int_equal(wb_heap_alloc(&made, kind, size, 0, "test"), cudaSuccess);
    return made;
}

static void device_memory_is_not_the_hosts(void **state)
{
    struct wb_allocation *a = make(WB_MEMORY_DEVICE, 1000), *b = make(WB_MEMORY_DEVICE, 1);
    (void)state;
    assert_int_equal(a->address % 512, 0);
    assert_int_equal(b->address % 512, 0);
    assert_true(wb_heap_is_device_address(a->address));
    assert_false(wb_heap_on_host(a));
    assert_true(b->address > a->address + a->size);
    assert_ptr_equal(wb_heap_find(a->address + 999), a);
    assert_null(wb_heap_find(a->address + 1000));
    assert_null(wb_heap_find(a->address - 1));
    assert_ptr_equal(wb_heap_at((void *)(uintptr_t)a->address), a);
    assert_null(wb_heap_at((void *)(uintptr_t)(a->address + 4)));
    assert_null(wb_heap_find(0));
    assert_null(wb_heap_find(UINT64_MAX));
}

static void host_memory_is_the_same_on_both_sides(void **state)
{
    static const enum wb_memory_kind kinds[] = {WB_MEMORY_PINNED, WB_MEMORY_MANAGED};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct wb_allocation *a = make(kinds[i], 5000);
        assert_true(wb_heap_on_host(a));
        assert_false(wb_heap_is_device_address(a->address));
        memset(a->host, 1, 5000);
        wb_heap_free(a);
    }
}

static void an_address_is_not_used_twice(void **state)
{
    uint64_t last = 0;
    (void)state;
    for (int i = 0; i < 10000; i++) {
        struct wb_allocation *a = make(WB_MEMORY_DEVICE, 100);
        assert_true(a->address > last);
        last = a->address;
        wb_heap_free(a);
    }
    assert_null(wb_heap_find(last));
}

static void a_device_is_only_so_large(void **state)
{
    struct wb_allocation *made = NULL, *big = make(WB_MEMORY_DEVICE, WB_DEVICE_MEMORY - 1000);
    (void)state;
    assert_int_equal(wb_heap_used(), WB_DEVICE_MEMORY - 1000);
    assert_int_equal(wb_heap_alloc(&made, WB_MEMORY_DEVICE, 1001, 0, "test"),
                     cudaErrorMemoryAllocation);
    assert_int_equal(wb_heap_alloc(&made, WB_MEMORY_MANAGED, 1001, 0, "test"),
                     cudaErrorMemoryAllocation);
    assert_int_equal(wb_heap_alloc(&made, WB_MEMORY_DEVICE, SIZE_MAX, 0, "test"),
                     cudaErrorMemoryAllocation);
    make(WB_MEMORY_DEVICE, 1000);
    wb_heap_free(big);
    assert_int_equal(wb_heap_used(), 1000);
}

static void overlaps_are_found(void **state)
{
    static char own[100];
    struct wb_allocation *made;
    uint64_t at = (uintptr_t)own + 20;
    (void)state;
    assert_int_equal(wb_heap_adopt(&made, WB_MEMORY_REGISTERED, at, own + 20, 40, 0, "own"),
                     cudaSuccess);
    assert_true(wb_heap_overlaps(at, 1));
    assert_true(wb_heap_overlaps(at - 10, 11));
    assert_true(wb_heap_overlaps(at + 39, 10));
    assert_true(wb_heap_overlaps(at - 10, 100));
    assert_false(wb_heap_overlaps(at - 10, 10));
    assert_false(wb_heap_overlaps(at + 40, 10));
    assert_int_equal(wb_heap_adopt(&made, WB_MEMORY_REGISTERED, at + 1, own + 21, 4, 0, "own"),
                     cudaErrorInvalidValue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define HEAP_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        HEAP_TEST(device_memory_is_not_the_hosts),
        HEAP_TEST(host_memory_is_the_same_on_both_sides),
        HEAP_TEST(an_address_is_not_used_twice),
        HEAP_TEST(a_device_is_only_so_large),
        HEAP_TEST(overlaps_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
