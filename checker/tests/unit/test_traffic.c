/* SPDX-License-Identifier: MIT
 * The rules of memory traffic on address patterns whose answers can be worked out by hand or that
 * an H200 gave, and on random ones against counting one by one. Whole kernels are compared with an
 * H200 in test_open.c. To add a pattern: a row in a table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "traffic.h"

#define ALL WB_ALL_LANES

enum { EACH = 31, NONE = 0, PAIRS = 30, ODD_EVEN = 29 }; /* values of `keep` */

/* Lane i names base + ((i & keep) ^ flip) * stride. */
struct pattern {
    const char *name;
    unsigned size;
    uint32_t on;
    uint64_t base;
    unsigned keep, flip, stride;
    enum wb_shared_access access;
    uint64_t count, ideal;
};

static void make(uint64_t *at, const struct pattern *p)
{
    for (unsigned i = 0; i < WB_LANES; i++) {
        at[i] = p->base + (uint64_t)((i & p->keep) ^ p->flip) * p->stride;
    }
}

static void expect(const struct pattern *p, uint64_t count, uint64_t ideal)
{
    if (count != p->count || ideal != p->ideal) {
        fail_msg("%s: %u of ideally %u, not %u of %u", p->name, (unsigned)count, (unsigned)ideal,
                 (unsigned)p->count, (unsigned)p->ideal);
    }
}

/* ---- global ---------------------------------------------------------------------------------- */

static const struct pattern global_patterns[] = {
    {"side by side", 4, ALL, 0x1000, EACH, 0, 4, 0, 4, 4},
    {"side by side, 4 bytes on", 4, ALL, 0x1004, EACH, 0, 4, 0, 5, 4},
    {"backwards", 4, ALL, 0x1000, EACH, 31, 4, 0, 4, 4},
    {"in some order", 4, ALL, 0x1000, EACH, 21, 4, 0, 4, 4},
    {"every second", 4, ALL, 0x1000, EACH, 0, 8, 0, 8, 4},
    {"a column", 4, ALL, 0x1000, EACH, 0, 4096, 0, 32, 4},
    {"a column in some order", 4, ALL, 0x1000, EACH, 21, 4096, 0, 32, 4},
    {"a column of bytes", 1, ALL, 0x1003, EACH, 0, 64, 0, 32, 1},
    {"bytes", 1, ALL, 0x1000, EACH, 0, 1, 0, 1, 1},
    {"halves", 2, ALL, 0x1010, EACH, 0, 2, 0, 3, 2},
    {"one for all", 4, ALL, 0x1000, NONE, 0, 4, 0, 1, 1},
    {"two for all, far apart", 4, ALL, 0x1000, 1, 0, 4096, 0, 2, 2},
    {"one for two", 8, ALL, 0x1000, PAIRS, 0, 4, 0, 4, 4},
    {"doubles", 8, ALL, 0x1000, EACH, 0, 8, 0, 8, 8},
    {"float4", 16, ALL, 0x1000, EACH, 0, 16, 0, 16, 16},
    {"one member of float4", 4, ALL, 0x1004, EACH, 0, 16, 0, 16, 4},
    {"even lanes", 4, 0x55555555, 0x1000, EACH, 0, 4, 0, 4, 2},
    {"half a warp, 16 bytes on", 4, 0xffff, 0x1010, EACH, 0, 4, 0, 3, 2},
    {"one lane", 4, 1u << 7, 0x1000, EACH, 0, 4, 0, 1, 1},
    {"no lane", 4, 0, 0x1000, EACH, 0, 4, 0, 0, 0},
    {"at the end of memory", 4, ALL, UINT64_MAX - 127, EACH, 21, 4, 0, 4, 4},
};

static void global_sectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(global_patterns); i++) {
        const struct pattern *p = &global_patterns[i];
        uint64_t at[WB_LANES];
        struct wb_traffic t = {0};
        make(at, p);
        wb_traffic_global(&t, at, p->on, p->size);
        expect(p, t.global_sectors, t.global_ideal);
        assert_int_equal(t.shared_wavefronts + t.shared_ideal + t.local_sectors, 0);
    }
}

/* ---- shared ---------------------------------------------------------------------------------- */

static const struct pattern shared_patterns[] = {
    {"side by side", 4, ALL, 0x400, EACH, 0, 4, WB_SHARED_LOAD, 1, 1},
    {"in some order", 4, ALL, 0x400, EACH, 21, 4, WB_SHARED_STORE, 1, 1},
    {"shifted", 4, ALL, 0x40c, EACH, 0, 4, WB_SHARED_LOAD, 1, 1},
    {"one for all", 4, ALL, 0x400, NONE, 0, 4, WB_SHARED_LOAD, 1, 1},
    {"all write one", 4, ALL, 0x400, NONE, 0, 4, WB_SHARED_STORE, 1, 1},
    {"every second word", 4, ALL, 0x400, EACH, 0, 8, WB_SHARED_LOAD, 2, 1},
    {"every 16th word", 4, ALL, 0x400, EACH, 0, 64, WB_SHARED_LOAD, 16, 1},
    {"a column of 32 x 32", 4, ALL, 0x400, EACH, 0, 128, WB_SHARED_LOAD, 32, 1},
    {"the same in some order", 4, ALL, 0x400, EACH, 21, 128, WB_SHARED_STORE, 32, 1},
    {"a column of 32 x 33", 4, ALL, 0x400, EACH, 0, 132, WB_SHARED_LOAD, 1, 1},
    {"a column, 8 lanes", 4, 0xff00, 0x400, EACH, 0, 128, WB_SHARED_LOAD, 8, 1},
    {"two words of a bank, turn about", 4, ALL, 0x400, 1, 0, 128, WB_SHARED_LOAD, 2, 1},
    {"bytes", 1, ALL, 0x400, EACH, 0, 1, WB_SHARED_LOAD, 1, 1},
    {"bytes of one bank", 1, ALL, 0x401, EACH, 0, 128, WB_SHARED_LOAD, 32, 1},
    {"halves, every third", 2, ALL, 0x400, EACH, 0, 6, WB_SHARED_LOAD, 2, 1},
    {"no lane", 4, 0, 0x400, EACH, 0, 4, WB_SHARED_LOAD, 0, 0},

    {"doubles", 8, ALL, 0x400, EACH, 0, 8, WB_SHARED_LOAD, 2, 2},
    {"half a warp of doubles", 8, 0xffff, 0x400, EACH, 0, 8, WB_SHARED_STORE, 1, 1},
    {"every second double", 8, ALL, 0x400, EACH, 0, 16, WB_SHARED_LOAD, 4, 2},
    {"one double for all", 8, ALL, 0x400, NONE, 0, 8, WB_SHARED_LOAD, 1, 1},
    {"all write one double", 8, ALL, 0x400, NONE, 0, 8, WB_SHARED_STORE, 2, 2},
    {"a double for two lanes", 8, ALL, 0x400, PAIRS, 0, 4, WB_SHARED_LOAD, 1, 1},
    {"the same for i and i ^ 2", 8, ALL, 0x400, ODD_EVEN, 0, 8, WB_SHARED_LOAD, 2, 2},
    {"two doubles, turn about", 8, ALL, 0x400, 1, 0, 8, WB_SHARED_LOAD, 1, 1},
    {"the same for i and i ^ 4", 8, ALL, 0x400, 27, 0, 8, WB_SHARED_LOAD, 2, 2},

    {"float4", 16, ALL, 0x400, EACH, 0, 16, WB_SHARED_LOAD, 4, 4},
    {"half a warp of float4", 16, 0xffff, 0x400, EACH, 0, 16, WB_SHARED_STORE, 2, 2},
    {"one lane's float4", 16, 1, 0x400, EACH, 0, 16, WB_SHARED_LOAD, 1, 1},
    {"every second float4", 16, ALL, 0x400, EACH, 0, 32, WB_SHARED_LOAD, 8, 4},
    {"float4 in padded rows", 16, ALL, 0x400, EACH, 0, 144, WB_SHARED_LOAD, 4, 4},
    {"one float4 for all", 16, ALL, 0x400, NONE, 0, 16, WB_SHARED_LOAD, 2, 2},
    {"one float4 for half of them", 16, 0x55555555, 0x400, NONE, 0, 16, WB_SHARED_LOAD, 1, 1},
    {"all write one float4", 16, ALL, 0x400, NONE, 0, 16, WB_SHARED_STORE, 4, 4},
    {"a float4 for two lanes", 16, ALL, 0x400, PAIRS, 0, 8, WB_SHARED_LOAD, 2, 2},
    {"two float4 of one bank, turn about", 16, ALL, 0x400, 1, 0, 128, WB_SHARED_LOAD, 8, 4},

    {"atomics on one word", 4, ALL, 0x400, NONE, 0, 4, WB_SHARED_ATOMIC, 32, 1},
    {"atomics on 4 words", 4, ALL, 0x400, 3, 0, 4, WB_SHARED_ATOMIC, 8, 1},
    {"atomics on 32 words", 4, ALL, 0x400, EACH, 0, 4, WB_SHARED_ATOMIC, 1, 1},
    {"atomics on a bank", 4, ALL, 0x400, EACH, 0, 128, WB_SHARED_ATOMIC, 32, 1},
    {"no atomic", 4, 0, 0x400, EACH, 0, 128, WB_SHARED_ATOMIC, 0, 0},
    {"counting in 4 words", 4, ALL, 0x400, 3, 0, 4, WB_SHARED_COMBINED, 1, 1},
    {"counting in every second word", 4, ALL, 0x400, EACH, 0, 8, WB_SHARED_COMBINED, 2, 1},
    {"compare-and-swap of one word", 4, ALL, 0x400, NONE, 0, 4, WB_SHARED_CAS, 64, 2},
    {"by one lane", 4, 1, 0x400, NONE, 0, 4, WB_SHARED_CAS, 2, 2},
    {"of 64 bits by one lane", 8, 1, 0x400, NONE, 0, 8, WB_SHARED_CAS, 2, 2},
    {"of 64 bits of one word", 8, ALL, 0x400, NONE, 0, 8, WB_SHARED_CAS, 64, 4},
    {"64-bit atomics on one word", 8, ALL, 0x400, NONE, 0, 8, WB_SHARED_ATOMIC, 32, 2},
    {"64-bit atomics, two lanes a word", 8, ALL, 0x400, PAIRS, 0, 4, WB_SHARED_ATOMIC, 4, 2},
    {"64-bit atomics on 32 words", 8, ALL, 0x400, EACH, 0, 8, WB_SHARED_ATOMIC, 2, 2},
    {"spinning on one word", 4, ALL, 0x400, NONE, 0, 4, WB_SHARED_CAS_SPIN, 2, 2},
    {"spinning on words of a bank", 4, ALL, 0x400, EACH, 0, 128, WB_SHARED_CAS_SPIN, 2, 2},
    {"spinning on 64 bits", 8, ALL, 0x400, NONE, 0, 8, WB_SHARED_CAS_SPIN, 4, 4},
    {"by half a warp", 8, 0xffff, 0x400, NONE, 0, 8, WB_SHARED_CAS_SPIN, 2, 2},
};

static void shared_wavefronts(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(shared_patterns); i++) {
        const struct pattern *p = &shared_patterns[i];
        uint64_t at[WB_LANES];
        struct wb_traffic t = {0};
        make(at, p);
        wb_traffic_shared(&t, at, p->on, p->size, p->access);
        expect(p, t.shared_wavefronts, t.shared_ideal);
        assert_int_equal(t.global_sectors + t.global_ideal + t.local_sectors, 0);
    }
}

/* ---- local ----------------------------------------------------------------------------------- */

static const struct pattern local_patterns[] = {
    {"one variable", 4, ALL, 64, NONE, 0, 4, 0, 4, 0},
    {"of eight lanes", 4, 0xff00, 64, NONE, 0, 4, 0, 1, 0},
    {"of one lane in eight", 4, 0x08080808, 64, NONE, 0, 4, 0, 4, 0},
    {"a byte", 1, ALL, 65, NONE, 0, 4, 0, 4, 0},
    {"bytes of a word", 1, ALL, 64, 3, 0, 1, 0, 4, 0},
    {"a double", 8, ALL, 64, NONE, 0, 8, 0, 8, 0},
    {"a float4", 16, ALL, 64, NONE, 0, 16, 0, 16, 0},
    {"another index in each lane", 4, ALL, 64, EACH, 0, 4, 0, 32, 0},
    {"another in odd lanes", 4, ALL, 64, 1, 0, 4, 0, 8, 0},
    {"another in the upper half", 4, ALL, 64, 16, 0, 4, 0, 4, 0},
    {"no lane", 4, 0, 64, EACH, 0, 4, 0, 0, 0},
};

static void local_sectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(local_patterns); i++) {
        const struct pattern *p = &local_patterns[i];
        uint64_t at[WB_LANES];
        struct wb_traffic t = {0};
        make(at, p);
        wb_traffic_local(&t, at, p->on, p->size);
        expect(p, t.local_sectors, 0);
        assert_int_equal(t.global_sectors + t.shared_wavefronts + t.shared_ideal, 0);
    }
}

/* ---- who has a turn -------------------------------------------------------------------------- */

static void one_lane_of_a_bank_has_its_turn(void **state)
{
    (void)state;
    uint64_t at[WB_LANES];
    make(at, &(struct pattern){.base = 0x400, .keep = EACH, .stride = 8});
    assert_int_equal(wb_traffic_spin_turn(at, ALL, 4), 0xffff);
    assert_int_equal(wb_traffic_spin_turn(at, 0xfffffff0, 4), 0xffff0 & ~UINT32_C(0xf));
    assert_int_equal(wb_traffic_spin_turn(at, ALL, 8), ALL);
    make(at, &(struct pattern){.base = 0x400, .keep = NONE});
    assert_int_equal(wb_traffic_spin_turn(at, ALL, 4), 1);
    assert_int_equal(wb_traffic_spin_turn(at, ALL, 8), 0x10001);
    assert_int_equal(wb_traffic_spin_turn(at, 0, 8), 0);
}

/* ---- constants, as an H200 counted them ------------------------------------------------------ */

static const struct pattern constant_patterns[] = {
    {"one word", 4, ALL, 0, NONE, 0, 4, 0, 0, 0},
    {"two words", 4, ALL, 0, 1, 0, 4, 0, 1, 1},
    {"two far words", 4, ALL, 0, 1, 0, 2048, 0, 1, 1},
    {"four words", 4, ALL, 0, 3, 0, 4, 0, 1, 3},
    {"32 words", 4, ALL, 12, EACH, 21, 4, 0, 1, 31},
    {"32 doubles", 8, ALL, 0, EACH, 0, 8, 0, 1, 31},
    {"32 bytes", 1, ALL, 0, EACH, 0, 1, 0, 1, 31},
    {"four bytes", 1, ALL, 0, 3, 0, 1, 0, 1, 3},
    {"half a warp", 4, 0xffff, 0, EACH, 0, 4, 0, 1, 15},
    {"even lanes, one word for them", 4, 0x55555555, 0, 1, 0, 28, 0, 0, 0},
    {"one lane", 4, 1u << 5, 0, EACH, 0, 4, 0, 0, 0},
    {"no lane", 4, 0, 0, EACH, 0, 4, 0, 0, 0},
};

static void constants_are_replayed(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(constant_patterns); i++) {
        const struct pattern *p = &constant_patterns[i];
        uint64_t at[WB_LANES];
        struct wb_traffic t = {0};
        make(at, p);
        wb_traffic_constant(&t, at, p->on);
        expect(p, t.constant_divergent, t.constant_replays);
    }
}

/* ---- copies, as an H200 counted them --------------------------------------------------------- */

/* Lane i copies element i * `from` to element i * `to`. */
static const struct {
    unsigned size, to, from;
    uint32_t reads;
    bool bypass;
    unsigned wavefronts, ideal, sectors, sectors_ideal;
} copies[] = {
    {4, 1, 1, ALL, false, 1, 1, 4, 4},    {4, 1, 0, ALL, false, 32, 1, 1, 1},
    {4, 1, 2, ALL, false, 2, 1, 8, 4},    {4, 8, 1, ALL, false, 8, 1, 4, 4},
    {4, 8, 8, ALL, false, 8, 1, 32, 4},   {4, 9, 3, ALL, false, 1, 1, 12, 4},
    {8, 1, 0, ALL, false, 32, 2, 1, 1},   {8, 1, 2, ALL, false, 4, 2, 16, 8},
    {16, 1, 1, ALL, false, 4, 4, 16, 16}, {16, 1, 2, ALL, false, 8, 4, 32, 16},
    {4, 1, 1, 0, false, 1, 1, 0, 0},      {4, 1, 1, 0xaaaaaaaa, false, 1, 1, 4, 2},
    {16, 1, 1, ALL, true, 4, 4, 16, 16},  {16, 1, 0, ALL, true, 32, 4, 32, 16},
    {16, 0, 1, ALL, true, 1, 1, 1, 1},    {16, 2, 1, ALL, true, 32, 4, 32, 16},
};

static void copies_take_turns(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(copies); i++) {
        uint64_t to[WB_LANES], from[WB_LANES];
        struct wb_traffic t = {0};
        unsigned size = copies[i].size;
        make(to, &(struct pattern){.base = 0x400, .keep = EACH, .stride = copies[i].to * size});
        make(from,
             &(struct pattern){.base = 0x1000, .keep = EACH, .stride = copies[i].from * size});
        wb_traffic_copy(&t, to, ALL, from, copies[i].reads, size, copies[i].bypass);
        print_message("# copy %u\n", (unsigned)i);
        assert_int_equal(t.shared_wavefronts, copies[i].wavefronts);
        assert_int_equal(t.shared_ideal, copies[i].ideal);
        assert_int_equal(t.global_sectors, copies[i].sectors);
        assert_int_equal(t.global_ideal, copies[i].sectors_ideal);
    }
}

/* ---- the usual patterns ---------------------------------------------------------------------- */

static void usual_patterns_are_told_apart(void **state)
{
    (void)state;
    uint64_t at[WB_LANES];
    make(at, &(struct pattern){.base = 100, .keep = EACH, .stride = 8});
    assert_int_equal(wb_pattern_of(at, ALL, 8), WB_CONSECUTIVE);
    assert_int_equal(wb_pattern_of(at, ALL, 4), WB_SCATTERED);
    assert_int_equal(wb_pattern_of(at, ALL >> 1, 8), WB_SCATTERED);
    at[31] += 8;
    assert_int_equal(wb_pattern_of(at, ALL, 8), WB_SCATTERED);
    make(at, &(struct pattern){.base = 100, .keep = NONE});
    assert_int_equal(wb_pattern_of(at, ALL, 8), WB_UNIFORM);
    at[17]--;
    assert_int_equal(wb_pattern_of(at, ALL, 8), WB_SCATTERED);
}

/* ---- random addresses ------------------------------------------------------------------------ */

/* Lanes of `on` whose address, in units of `unit` bytes, no lower lane has. */
static unsigned first_ones(const uint64_t *at, uint32_t on, unsigned unit)
{
    unsigned count = 0;
    for (unsigned i = 0; i < WB_LANES; i++) {
        bool seen = false;
        for (unsigned k = 0; k < i; k++) {
            seen = seen || (on >> k & 1 && at[k] / unit == at[i] / unit);
        }
        count += on >> i & 1 && !seen;
    }
    return count;
}

static void random_addresses(void **state)
{
    (void)state;
    uint64_t s = 1, at[WB_LANES];
    for (unsigned round = 0; round < 20000; round++) {
        unsigned size = 1u << round % 5, range = 8u << round % 11;
        uint32_t mask = (uint32_t)(s >> 32) | (round & 1 ? ALL : 0);
        for (unsigned i = 0; i < WB_LANES; i++) {
            s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            at[i] = (s >> 33) % range * size;
        }
        struct wb_traffic t = {0};
        wb_traffic_global(&t, at, mask, size);
        wb_traffic_shared(&t, at, mask, size, WB_SHARED_STORE);
        unsigned elements = first_ones(at, mask, size);
        assert_int_equal(t.global_sectors, first_ones(at, mask, 32));
        unsigned fill = ((unsigned)__builtin_popcount(mask) * size + 31) / 32;
        assert_int_equal(t.global_ideal, fill < t.global_sectors ? fill : t.global_sectors);
        unsigned least = (first_ones(at, mask, size < 4 ? 4 : size) * size + 127) / 128;
        assert_in_range(t.shared_wavefronts, size < 4 ? mask != 0 : least, elements);
        assert_true(t.shared_ideal <= t.shared_wavefronts && t.shared_ideal <= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_sectors),         cmocka_unit_test(shared_wavefronts),
        cmocka_unit_test(local_sectors),          cmocka_unit_test(usual_patterns_are_told_apart),
        cmocka_unit_test(random_addresses),       cmocka_unit_test(one_lane_of_a_bank_has_its_turn),
        cmocka_unit_test(constants_are_replayed), cmocka_unit_test(copies_take_turns),
    };
    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
