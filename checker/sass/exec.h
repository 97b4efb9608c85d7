/* SPDX-License-Identifier: MIT
 * What handlers share. The exec_*.c files are compiled once for any x86-64 (or other) machine and
 * once for AVX2 with FMA, and engine.c takes the faster that the machine has; both give the same
 * bits. A handler is one loop over 32 lanes that the compiler turns into vector instructions: it
 * computes all lanes and `commit` keeps those that execute.
 */
#ifndef WB_SASS_EXEC_H
#define WB_SASS_EXEC_H

#include "fault.h"
#include "warp.h"

#include <string.h>

#ifndef WB_VARIANT
#define WB_VARIANT base
#endif
#define WB_PASTE_(a, b, c) a##_##b##_##c
#define WB_PASTE(a, b, c)  WB_PASTE_(a, b, c)
#define WB_EXEC(name)      WB_PASTE(wb_exec, WB_VARIANT, name)

#define INST(name, base, forms, when, mnemonic, handler, ...) wb_exec_fn WB_EXEC(handler);
#include "inst.def"
#undef INST
wb_exec_fn WB_EXEC(unknown), WB_EXEC(end);
#define FAST(general, when, handler) wb_exec_fn WB_EXEC(fast_##handler);
#include "fast.def"
#undef FAST

/* Stands before a loop over lanes: no lane reads what another one writes. (A result may be the
 * very row of a source, never one that overlaps it.) */
#ifdef __clang__
#define WB_EACH_LANE _Pragma("clang loop vectorize(assume_safety)")
#else
#define WB_EACH_LANE _Pragma("GCC ivdep")
#endif

typedef uint32_t wb_row[WB_LANES];

/* 1 << lane: SSE2 has no shift by a different amount in each lane. */
alignas(64) static const uint32_t wb_lane_bit[WB_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* ---- operands ------------------------------------------------------------------------------- */

static inline const wb_row *source(const struct wb_warp *w, struct wb_operand o)
{
    return &w->rows[o.space][o.row];
}

static inline uint32_t pred(const struct wb_warp *w, struct wb_pred p)
{
    return w->pred[p.index] ^ (p.negate ? WB_ALL_LANES : 0);
}

/* All ones if the operand (WB_A ...) is negated; its sign bit; all ones but that if absolute. */
static inline uint32_t neg_all(const struct wb_insn *in, unsigned operand)
{
    return in->neg & operand ? WB_ALL_LANES : 0;
}

static inline uint32_t neg_sign(const struct wb_insn *in, unsigned operand)
{
    return in->neg & operand ? UINT32_C(0x80000000) : 0;
}

static inline uint32_t abs_keep(const struct wb_insn *in, unsigned operand)
{
    return in->abs & operand ? UINT32_C(0x7fffffff) : WB_ALL_LANES;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Where a handler writes its (up to four) rows: the registers when all lanes execute. */
static inline wb_row *result(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    return on == WB_ALL_LANES ? &w->reg[in->d] : w->scratch;
}

/* `now` in a lane that executes, `before` in another one. */
static inline uint32_t wb_keep(uint32_t on, int lane, uint32_t now, uint32_t before)
{
    return (on & wb_lane_bit[lane]) == wb_lane_bit[lane] ? now : before;
}

static inline void blend_row(uint32_t *to, const uint32_t *from, uint32_t on)
{
    WB_EACH_LANE
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t now = from[i], before = to[i];
        to[i] = wb_keep(on, i, now, before);
    }
}

static inline void commit(struct wb_warp *w, const struct wb_insn *in, uint32_t on, unsigned rows)
{
    if (on != WB_ALL_LANES) {
        for (unsigned r = 0; r < rows; r++) {
            blend_row(w->reg[in->d + r], w->scratch[r], on);
        }
    }
}

static inline void set_pred(struct wb_warp *w, uint8_t place, uint32_t value, uint32_t on)
{
    w->pred[place] = (w->pred[place] & ~on) | (value & on);
}

/* The same value for every lane of a uniform register. */
static inline void set_uniform(struct wb_warp *w, const struct wb_insn *in, uint32_t value)
{
    for (int i = 0; i < WB_LANES; i++) {
        w->reg[in->d][i] = value;
    }
}

/* Mask of the lanes whose word is not 0; the words are 0 or all ones. */
#if defined(__AVX2__)
#include <immintrin.h>
static inline uint32_t lanes_set(const uint32_t *words)
{
    uint32_t mask = 0;
    for (int i = 0; i < WB_LANES; i += 8) {
        __m256i eight = _mm256_loadu_si256((const __m256i *)(const void *)(words + i));
        mask |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(eight)) << i;
    }
    return mask;
}
#elif defined(__SSE2__)
#include <emmintrin.h>
static inline uint32_t lanes_set(const uint32_t *words)
{
    uint32_t mask = 0;
    for (int i = 0; i < WB_LANES; i += 4) {
        __m128i four = _mm_load_si128((const __m128i *)(const void *)(words + i));
        mask |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(four)) << i;
    }
    return mask;
}
#else
static inline uint32_t lanes_set(const uint32_t *words)
{
    uint32_t mask = 0;
    for (int i = 0; i < WB_LANES; i++) {
        mask |= (words[i] >> 31) << i;
    }
    return mask;
}
#endif

static inline uint32_t all_ones_if(bool condition)
{
    return 0 - (uint32_t)condition;
}

/* Joins a comparison with Ps: 0 AND, 1 OR, 2 XOR. */
static inline uint32_t join(uint32_t a, uint32_t b, unsigned bop)
{
    return bop == 0 ? a & b : bop == 1 ? a | b : a ^ b;
}

/* Pd = r bop Ps, Pe = !r bop Ps. */
static inline void set_compared(struct wb_warp *w, const struct wb_insn *in, uint32_t r,
                                uint32_t on)
{
    uint32_t ps = pred(w, in->ps);
    uint32_t pd = join(r, ps, in->bop), pe = join(~r, ps, in->bop);
    set_pred(w, in->pd, pd, on);
    set_pred(w, in->pe, pe, on);
}

/* ---- bits ------------------------------------------------------------------------------------ */

static inline float as_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t f32_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline double as_f64(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint64_t f64_bits(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline uint64_t pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

#endif
