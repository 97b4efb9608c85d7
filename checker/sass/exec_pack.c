/* SPDX-License-Identifier: MIT
 * Handlers: saturating conversions to 8 and 16 bits, and packing.
 */
#include "exec.h"
#include "fpu.h"

/* Integer types of these instructions: U8, S8, U16, S16, U2, S2, U4, S4. */
static unsigned width_of(unsigned type)
{
    static const uint8_t widths[] = {8, 16, 2, 4};
    return widths[type >> 1 & 3];
}

/* The signed word x, clamped to what the type holds. */
static uint32_t saturate(unsigned type, uint32_t x)
{
    unsigned width = width_of(type);
    int32_t low = type & 1 ? -(1 << (width - 1)) : 0;
    int32_t high = type & 1 ? (1 << (width - 1)) - 1 : (1 << width) - 1;
    int32_t value = (int32_t)x;
    return (uint32_t)(value < low ? low : value > high ? high : value);
}

/* {c, x, y} with x and y of the type's width. */
static uint32_t pack(unsigned type, uint32_t x, uint32_t y, uint32_t c)
{
    unsigned width = width_of(type);
    uint32_t mask = (1u << width) - 1, low = (x & mask) << width | (y & mask);
    return width == 16 ? low : c << 2 * width | low;
}

/* I2I: d = b, saturated and extended to a word. */
void WB_EXEC(i2i)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = saturate(in->type, b[i]);
    }
    commit(w, in, on, 1);
}

/* I2IP: d = {c, a, b}, the last two saturated; b is lowest. */
void WB_EXEC(i2ip)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        d[i] = pack(in->type, saturate(in->type, a[i]), saturate(in->type, b[i]), c[i]);
    }
    commit(w, in, on, 1);
}

/* F2IP.U8: the same with floats a and b; .NTZ: a NaN gives 0. */
void WB_EXEC(f2ip)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint64_t x = wb_float_to_int(8, false, WB_F32, a[i], in->rnd, false, in->ntz);
        uint64_t y = wb_float_to_int(8, false, WB_F32, b[i], in->rnd, false, in->ntz);
        d[i] = pack(0, (uint32_t)x, (uint32_t)y, c[i]);
    }
    commit(w, in, on, 1);
}
