/* SPDX-License-Identifier: MIT
 * Fat binaries: the right entry is found, compressed ones are unpacked, damaged ones are refused.
 * The entries' contents are no cubins here: nobody reads them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../cudart/abi.h"
#include "../../cudart/fatbin.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { PTX = 1, ELF = 2, ZSTD = 0x8000, LZ4 = 0x2000 };

/* A fat binary under construction. */
struct image {
    uint8_t bytes[4096];
    size_t size;
};

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    memcpy(at, &value, bytes);
}

static void begin(struct image *image)
{
    memset(image, 0, sizeof *image);
    put(image->bytes, 0xba55ed50, 4);
    put(image->bytes + 4, 1, 2);
    put(image->bytes + 6, 16, 2);
    image->size = 16;
}

static void add(struct image *image, unsigned kind, unsigned arch, uint64_t flags, const void *data,
                size_t size, size_t unpacked)
{
    uint8_t *entry = image->bytes + image->size;
    size_t padded = (size + 7) / 8 * 8;
    put(entry, kind, 2);
    put(entry + 4, 64, 4);
    put(entry + 8, padded, 8);
    put(entry + 16, unpacked ? size : 0, 4);
    put(entry + 28, arch, 4);
    put(entry + 40, flags, 8);
    put(entry + 56, unpacked, 8);
    memcpy(entry + 64, data, size);
    image->size += 64 + padded;
    put(image->bytes + 8, image->size - 16, 8);
}

/* Looks for the cubin in a copy of exactly the image's size, so that tools see a read behind it. */
static bool find(struct wb_arena *arena, const void **cubin, size_t *size,
                 const struct image *image, struct wb_status *status)
{
    void *copy = wb_arena_alloc(arena, image->size + 1);
    memcpy(copy, image->bytes, image->size);
    *status = (struct wb_status){0};
    return wb_fatbin_find(cubin, size, arena, copy, image->size, status);
}

static int setup(void **state)
{
    *state = malloc(sizeof(struct wb_arena));
    wb_arena_init(*state);
    return 0;
}

static int teardown(void **state)
{
    wb_arena_finish(*state);
    free(*state);
    return 0;
}

static void the_right_architecture_is_taken(void **state)
{
    struct image image;
    struct wb_status status;
    const void *cubin;
    size_t size;
    begin(&image);
    add(&image, PTX, 90, 0, "ptx 90..", 8, 0);
    add(&image, ELF, 80, 0, "elf 80..", 8, 0);
    add(&image, ELF, 90, 0, "elf 90..", 8, 0);
    add(&image, ELF, 90, 0, "a second", 8, 0);
    assert_true(find(*state, &cubin, &size, &image, &status));
    assert_int_equal(size, 8);
    assert_memory_equal(cubin, "elf 90..", 8);
}

static void regions_follow_each_other(void **state)
{
    struct image image, second;
    struct wb_status status;
    const void *cubin;
    size_t size;
    begin(&image);
    add(&image, ELF, 80, 0, "elf 80..", 8, 0);
    begin(&second);
    add(&second, ELF, 90, 0, "elf 90..", 8, 0);
    memcpy(image.bytes + image.size, second.bytes, second.size);
    image.size += second.size;
    assert_true(find(*state, &cubin, &size, &image, &status));
    assert_memory_equal(cubin, "elf 90..", 8);
}

static void a_wrapper_leads_to_the_image(void **state)
{
    struct image image;
    struct wb_status status = {0};
    const void *cubin;
    size_t size;
    begin(&image);
    add(&image, ELF, 90, 0, "elf 90..", 8, 0);
    struct wb_fatbin_wrapper wrapper = {WB_FATBIN_WRAPPER_MAGIC, 1, image.bytes, NULL};
    assert_true(wb_fatbin_find(&cubin, &size, *state, &wrapper, SIZE_MAX, &status));
    assert_memory_equal(cubin, "elf 90..", 8);
    wrapper.data = NULL;
    assert_false(wb_fatbin_find(&cubin, &size, *state, &wrapper, SIZE_MAX, &status));
    assert_false(wb_fatbin_find(&cubin, &size, *state, NULL, SIZE_MAX, &status));
}

static void a_bare_cubin_is_itself(void **state)
{
    static const char elf[] = "\177ELF and so on, up to its end";
    struct wb_status status = {0};
    const void *cubin;
    size_t size;
    assert_true(wb_fatbin_find(&cubin, &size, *state, elf, sizeof elf, &status));
    assert_ptr_equal(cubin, elf);
    assert_int_equal(size, sizeof elf);
}

/* The sentence tells what the program has, and how to build it. */
static void without_code_it_says_how_to_rebuild(void **state)
{
    struct image image;
    struct wb_status status;
    const void *cubin;
    size_t size;
    begin(&image);
    add(&image, PTX, 75, 0, "ptx 75..", 8, 0);
    assert_false(find(*state, &cubin, &size, &image, &status));
    assert_int_equal(status.code, WB_UNSUPPORTED);
    assert_non_null(strstr(status.message, "only PTX (compute_75)"));
    assert_non_null(strstr(status.message, "-arch=sm_90 -cudart shared"));
    add(&image, ELF, 100, 0, "elf 100.", 8, 0);
    assert_false(find(*state, &cubin, &size, &image, &status));
    assert_non_null(strstr(status.message, "machine code for sm_100"));
}

static void zstd_is_unpacked(void **state)
{
    char plain[1000], packed[2000];
    struct image image;
    struct wb_status status;
    const void *cubin;
    size_t size;
    for (size_t i = 0; i < sizeof plain; i++) {
        plain[i] = (char)(i / 7);
    }
    size_t packed_size = ZSTD_compress(packed, sizeof packed, plain, sizeof plain, 3);
    begin(&image);
    add(&image, ELF, 90, ZSTD, packed, packed_size, sizeof plain);
    assert_true(find(*state, &cubin, &size, &image, &status));
    assert_int_equal(size, sizeof plain);
    assert_memory_equal(cubin, plain, sizeof plain);

    begin(&image); /* it unpacks to another size than the entry says */
    add(&image, ELF, 90, ZSTD, packed, packed_size, sizeof plain + 1);
    assert_false(find(*state, &cubin, &size, &image, &status));
    assert_int_equal(status.code, WB_BAD_INPUT);
    begin(&image);
    add(&image, ELF, 90, 0x4000, packed, packed_size, sizeof plain);
    assert_false(find(*state, &cubin, &size, &image, &status));
    assert_non_null(strstr(status.message, "--compress-mode=none"));
    begin(&image); /* more than any program has */
    add(&image, ELF, 90, ZSTD, packed, packed_size, SIZE_MAX);
    assert_false(find(*state, &cubin, &size, &image, &status));
}

/* Blocks by hand: literals, a copy, an overlapping copy, long lengths. */
static void lz4_is_unpacked(void **state)
{
    static const uint8_t block[] = {0x40, 'a', 'b', 'c', 'd', 4, 0, 0x1f, 'x', 1, 0, 3, 0x10, 'y'};
    struct image image;
    struct wb_status status;
    const void *cubin;
    size_t size;
    char want[] = "abcdabcdxxxxxxxxxxxxxxxxxxxxxxxy"; /* 4 + 4 + 1 + 22 + 1 */
    begin(&image);
    add(&image, ELF, 90, LZ4, block, sizeof block, sizeof want - 1);
    assert_true(find(*state, &cubin, &size, &image, &status));
    assert_int_equal(size, sizeof want - 1);
    assert_memory_equal(cubin, want, sizeof want - 1);
}

static void damaged_lz4_is_refused(void **state)
{
    static const uint8_t good[] = {0x40, 'a', 'b', 'c', 'd', 4, 0, 0x10, 'y'};
    static const uint8_t before_start[] = {0x10, 'a', 2, 0, 0x10, 'y'};
    static const uint8_t no_distance[] = {0x10, 'a', 0, 0, 0x10, 'y'};
    static const uint8_t endless[] = {0xf0, 255, 255};
    uint8_t out[64];
    (void)state;
    assert_true(wb_fatbin_lz4(out, 9, good, sizeof good));
    assert_memory_equal(out, "abcdabcdy", 9);
    for (size_t size = 0; size < sizeof good; size++) {
        assert_false(wb_fatbin_lz4(out, 9, good, size));
    }
    assert_false(wb_fatbin_lz4(out, 8, good, sizeof good));
    assert_false(wb_fatbin_lz4(out, 10, good, sizeof good));
    assert_false(wb_fatbin_lz4(out, 6, before_start, sizeof before_start));
    assert_false(wb_fatbin_lz4(out, 6, no_distance, sizeof no_distance));
    assert_false(wb_fatbin_lz4(out, sizeof out, endless, sizeof endless));
}

/* Cut off at every byte, and with every byte changed: an answer, no crash. */
static void damage_is_survived(void **state)
{
    struct image image, damaged;
    struct wb_status status;
    const void *cubin;
    size_t size;
    begin(&image);
    add(&image, PTX, 90, 0, "ptx 90..", 8, 0);
    add(&image, ELF, 90, 0, "elf 90..", 8, 0);
    for (size_t cut = 0; cut < image.size; cut++) {
        damaged = image;
        damaged.size = cut;
        assert_false(find(*state, &cubin, &size, &damaged, &status));
        assert_true(status.message[0]);
    }
    for (size_t i = 0; i < image.size; i++) {
        damaged = image;
        damaged.bytes[i] ^= 0xff;
        if (!find(*state, &cubin, &size, &damaged, &status)) {
            assert_true(status.message[0]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        ARENA_TEST(the_right_architecture_is_taken),
        ARENA_TEST(regions_follow_each_other),
        ARENA_TEST(a_wrapper_leads_to_the_image),
        ARENA_TEST(a_bare_cubin_is_itself),
        ARENA_TEST(without_code_it_says_how_to_rebuild),
        ARENA_TEST(zstd_is_unpacked),
        ARENA_TEST(lz4_is_unpacked),
        cmocka_unit_test(damaged_lz4_is_refused),
        ARENA_TEST(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
