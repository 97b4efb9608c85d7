/* SPDX-License-Identifier: MIT
 * Families of instructions (fixtures/sass/families.h): machine code made by nvcc against the same
 * functions compiled for the host, bit for bit, on random and special operands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "operands.h"
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;
typedef int32_t i32;
typedef unsigned long long u64;
typedef long long i64;

enum { N = 4096, BLOCK = 128 };

/* ---- nvcc's names in C ------------------------------------------------------------------------
 */

static float f(u32 bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static u32 fbits(float v)
{
    u32 bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static double d(u32 high, u32 low)
{
    u64 bits = (u64)high << 32 | low;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static u64 dbits(double v)
{
    u64 bits;
    memcpy(&bits, &v, sizeof bits);
    return v != v ? 0x7ff8000000000000ull : bits;
}

static float nan1(float v)
{
    return v != v ? f(0x7fffffff) : v;
}

/* Minimum and maximum: a NaN gives way (C says no more of signalling ones), -0 is below +0. */
static double dleast(double a, double b)
{
    return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static double dgreatest(double a, double b)
{
    return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static float least(float a, float b)
{
    return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static float greatest(float a, float b)
{
    return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static float small(u32 bits)
{
    return (float)(i32)bits * 0.0001f;
}

static u64 pack(float high, float low)
{
    return (u64)fbits(high) << 32 | fbits(low);
}

#define min(a, b)                  ((a) < (b) ? (a) : (b))
#define max(a, b)                  ((a) > (b) ? (a) : (b))
#define __popc                     (u32) __builtin_popcount
#define __popcll                   __builtin_popcountll
#define __clz(v)                   ((v) ? (u32)__builtin_clz((u32)(v)) : 32u)
#define __clzll(v)                 ((v) ? (u64)__builtin_clzll((u64)(v)) : 64u)
#define __ffs                      (u32) __builtin_ffs
#define __mulhi(a, b)              ((u32)((u64)((i64)(a) * (b)) >> 32))
#define __umulhi(a, b)             ((u32)((u64)(a) * (b) >> 32))
#define __usad(a, b, c)            (((a) > (b) ? (a) - (b) : (b) - (a)) + (c))
#define __funnelshift_l(lo, hi, n) ((u32)(((u64)(hi) << 32 | (lo)) << ((n)&31) >> 32))
#define __funnelshift_r(lo, hi, n) ((u32)(((u64)(hi) << 32 | (lo)) >> ((n)&31)))

static u32 __brev(u32 v)
{
    u32 r = 0;
    for (int i = 0; i < 32; i++) {
        r |= (v >> i & 1) << (31 - i);
    }
    return r;
}

static u64 __brevll(u64 v)
{
    return (u64)__brev((u32)v) << 32 | __brev((u32)(v >> 32));
}

static u32 __byte_perm(u32 x, u32 y, u32 s)
{
    u64 bytes = (u64)y << 32 | x;
    u32 r = 0;
    for (int i = 0; i < 4; i++) {
        r |= (u32)(bytes >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
    }
    return r;
}

#define FAMILY(name) static u64 name(u32 x, u32 y, u32 z)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "../fixtures/sass/families.h"

static const struct family {
    const char *kernel;
    u64 (*oracle)(u32 x, u32 y, u32 z);
} families[] = {
#define X(name) {"fam_" #name, name},
    FAMILY_LIST(X)
#undef X
};

/* ---- running -----------------------------------------------------------------------------------
 */

struct fixture {
    struct wb_arena arena;
    struct wb_cubin *cubin;
    u32 in[3 * N];
};

static void run_family(struct fixture *fx, const struct family *family,
                       const struct wb_engine *engine)
{
    static u64 out[N];
    struct wb_status status = {0};
    struct wb_counters counters;
    struct wb_fault fault;
    struct wb_sim *sim;
    memset(out, 0xcd, sizeof out);
    assert_true(wb_sim_create(&sim, &status));
    sim->engine = engine;
    assert_true(wb_sim_load(sim, fx->cubin, &status));
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, fx->in, sizeof fx->in, "in"),
                wb_sim_map(sim, out, sizeof out, "out"), N};
    struct wb_sim_launch launch = {.kernel = family->kernel,
                                   .grid = {N / BLOCK, 1, 1},
                                   .block = {BLOCK, 1, 1},
                                   .params = &params,
                                   .param_size = 20};
    assert_true(wb_sim_launch(&counters, &fault, &fx->arena, sim, &launch, &status));
    if (fault.kind != WB_REASON_NONE) {
        fail_msg("%s: %s", family->kernel, fault.message);
    }
    for (int i = 0; i < N; i++) {
        const u32 *in = &fx->in[3 * i];
        u64 want = family->oracle(in[0], in[1], in[2]);
        if (out[i] != want) {
            fail_msg("%s(%08x, %08x, %08x) is %016llx, not %016llx", family->kernel, in[0], in[1],
                     in[2], out[i], want);
        }
    }
    wb_sim_destroy(sim);
}

static void every_family(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(families); i++) {
        run_family(*state, &families[i], wb_engine_choose());
    }
}

static void every_family_without_avx2(void **state)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(families); i++) {
        run_family(*state, &families[i], &wb_exec_base_engine);
    }
}

static int set_up(void **state)
{
    static struct fixture fx;
    struct wb_status status = {0};
    struct wb_bytes bytes;
    wb_arena_init(&fx.arena);
    fill_operands(fx.in, WB_ARRAY_LENGTH(fx.in));
    if (!wb_file_read(&bytes, &fx.arena, WB_FIXTURES "/sass/families.cubin", 1 << 24, &status) ||
        !wb_cubin_parse(&fx.cubin, &fx.arena, bytes.data, bytes.size, &status)) {
        print_error("%s\n", status.message);
        return -1;
    }
    *state = &fx;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fx = *state;
    wb_arena_finish(&fx->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family),
        cmocka_unit_test(every_family_without_avx2),
    };
    return cmocka_run_group_tests_name("exec", tests, set_up, tear_down);
}
