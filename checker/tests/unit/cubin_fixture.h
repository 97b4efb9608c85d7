/* SPDX-License-Identifier: MIT
 * Cubins that the tests of the sass layer read. WB_FIXTURES is the folder, set by Meson.
 */
#ifndef WB_TEST_CUBIN_FIXTURE_H
#define WB_TEST_CUBIN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <warpbook/sass.h>

/* The bytes of a file below the folder of fixtures. */
static inline struct wb_bytes read_fixture(struct wb_arena *arena, const char *name)
{
    struct wb_bytes bytes = {0};
    struct wb_status status = {0};
    if (!wb_file_read(&bytes, arena, wb_path_join(arena, WB_FIXTURES, name), 1 << 20, &status)) {
        fail_msg("%s", status.message);
    }
    return bytes;
}

static inline struct wb_cubin *read_cubin(struct wb_arena *arena, const char *name)
{
    struct wb_cubin *cubin = NULL;
    struct wb_status status = {0};
    struct wb_bytes bytes = read_fixture(arena, name);
    if (!wb_cubin_parse(&cubin, arena, bytes.data, bytes.size, &status)) {
        fail_msg("%s: %s", name, status.message);
    }
    return cubin;
}

/* cmocka's set-up and tear-down: *state is an arena. */
static inline int arena_setup(void **state)
{
    static struct wb_arena arena;
    wb_arena_init(&arena);
    *state = &arena;
    return 0;
}

static inline int arena_teardown(void **state)
{
    wb_arena_finish(*state);
    return 0;
}

#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)

#endif
