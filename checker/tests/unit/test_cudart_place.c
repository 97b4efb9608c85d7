/* SPDX-License-Identifier: MIT
 * Where a call of the program stands, and C++ names for people. This program has debug information
 * of its own (and is its own example).
 */
#include "../../cudart/demangle.h"
#include "../../cudart/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_short(const char *mangled, const char *expected)
{
    char *name = wb_demangle_short(mangled);
    assert_string_equal(name, expected);
    free(name);
}

static void names_are_short(void **state)
{
    (void)state;
    check_short("plain", "plain");
    check_short("_Z9vectorAddPKfPfi", "vectorAdd");
    check_short("_Z6reduceIfLi256EEvPKT_PS0_i", "reduce<float, 256>");
    check_short("_ZN12_GLOBAL__N_13fooILi3EEEvPi", "(anonymous namespace)::foo<3>");
    check_short("_ZN4math3sumEPd", "math::sum");
    check_short("_Z", "_Z");
    check_short("_Zgarbage", "_Zgarbage");
    check_short("", "");
}

/* The library's view of a call: the address that it returns to. */
__attribute__((noinline)) static const struct wb_place *called(void)
{
    return wb_place_of(__builtin_extract_return_addr(__builtin_return_address(0)));
}

static void call_is_placed_at_its_line(void **state)
{
    (void)state;
    const struct wb_place *place = called();
    const unsigned line = __LINE__ - 1;
    char text[WB_PLACE_TEXT];
    if (!place->file) {
        skip(); /* built without -g */
    }
    assert_int_equal(place->line, line);
    assert_non_null(strstr(place->file, "test_cudart_place.c"));
    assert_non_null(strstr(wb_place_text(text, sizeof text, place), "test_cudart_place.c:"));
}

static void addresses_of_nothing_are_unknown_places(void **state)
{
    (void)state;
    char text[WB_PLACE_TEXT];
    assert_string_equal(wb_place_text(text, sizeof text, wb_place_of(NULL)), "an unknown place");
    assert_string_equal(wb_place_text(text, sizeof text, wb_place_of((void *)4096)),
                        "an unknown place");
    assert_ptr_equal(wb_place_of((void *)4096), wb_place_of((void *)4096)); /* kept */
}

/* A library without debug information: a function, or an offset in the file. */
static void library_is_placed_by_name(void **state)
{
    (void)state;
    char text[WB_PLACE_TEXT];
    void *(*function)(size_t) = malloc;
    void *address;
    memcpy(&address, &function, sizeof address);
    wb_place_text(text, sizeof text, wb_place_of((char *)address + 1));
    assert_true(strlen(text) > 0 && strcmp(text, "an unknown place") != 0);
}

static void text_is_cut_off(void **state)
{
    (void)state;
    char text[8];
    const struct wb_place place = {.file = "a/long/path.cu", .line = 7};
    assert_string_equal(wb_place_text(text, sizeof text, &place), "a/long/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_short),
        cmocka_unit_test(call_is_placed_at_its_line),
        cmocka_unit_test(addresses_of_nothing_are_unknown_places),
        cmocka_unit_test(library_is_placed_by_name),
        cmocka_unit_test(text_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
