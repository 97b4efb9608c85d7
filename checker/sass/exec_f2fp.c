/* SPDX-License-Identifier: MIT
 * Handlers: F2FP, conversions between float32 and the narrow floating-point formats, two values at
 * a time: float16, bfloat16, TF32 and the 8-bit formats E5M2 and E4M3.
 */
#include "exec.h"
#include "fpu.h"

enum { FROM_F32, FROM_F16, FROM_E5M2, FROM_E4M3 };

/* .RELU: a negative number becomes +0; a NaN stays. `infinity` is +infinity of the format. */
static uint32_t relu(const struct wb_insn *in, uint32_t x, uint32_t infinity, uint32_t sign)
{
    return in->relu && x & sign && (x & (sign - 1)) <= infinity ? 0 : x;
}

static uint32_t to_half(const struct wb_insn *in, uint32_t x)
{
    enum wb_format format = in->bf16 ? WB_BF16 : WB_F16;
    uint32_t half = (uint32_t)wb_float_convert(format, WB_F32, x, in->rnd, false, false);
    return relu(in, half, in->bf16 ? 0x7f80 : 0x7c00, 0x8000);
}

static uint32_t half_of(uint32_t word, unsigned half)
{
    return word >> 16 * half & 0xffff;
}

/* .PACK_AB: d = {a, b} as halves, b in the low one. .MERGE_C: the high one is a half of c. */
void WB_EXEC(f2fp)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t high = in->high ? half_of(c[i], in->half) : to_half(in, a[i]);
        d[i] = high << 16 | to_half(in, b[i]);
    }
    commit(w, in, on, 1);
}

/* d = b with a fraction of 10 bits, in the place of a float32. */
void WB_EXEC(f2fp_tf32)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    enum { DROPPED = 13 };
    const uint32_t *b = *source(w, in->b), infinity = UINT32_C(0x7f800000);
    const uint32_t nan = INT32_MAX >> DROPPED << DROPPED;
    uint32_t *d = *result(w, in, on);
    if (in->rnd != WB_RN && in->rnd != WB_RZ) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = b[i], half = (UINT32_C(1) << (DROPPED - 1)) - 1 + (x >> DROPPED & 1);
        uint32_t rounded = (x + (in->rnd == WB_RN ? half : 0)) >> DROPPED << DROPPED;
        bool is_nan = (x & INT32_MAX) > infinity;
        d[i] = relu(in, is_nan ? nan : rounded, infinity, UINT32_C(1) << 31);
    }
    commit(w, in, on, 1);
}

/* d = {half of c, a, b} with a and b (or both halves of b) as 8-bit floats. */
void WB_EXEC(f2fp_fp8)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *a = *source(w, in->a), *b = *source(w, in->b), *c = *source(w, in->c);
    uint32_t *d = *result(w, in, on);
    enum wb_fp8 to = in->type ? WB_E4M3 : WB_E5M2;
    bool from_halves = in->from_size == FROM_F16;
    enum wb_format from = from_halves ? WB_F16 : WB_F32;
    if (in->from_size > FROM_F16 || in->high == from_halves) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t x = from_halves ? half_of(b[i], 1) : a[i];
        uint32_t y = from_halves ? half_of(b[i], 0) : b[i];
        uint32_t high = relu(in, wb_fp8_pack(to, from, x, in->sat), 0x7e, 0x80);
        uint32_t low = relu(in, wb_fp8_pack(to, from, y, in->sat), 0x7e, 0x80);
        d[i] = half_of(c[i], in->half) << 16 | high << 8 | low;
    }
    commit(w, in, on, 1);
}

/* .UNPACK_B: d = the two 8-bit floats in a half of b, as halves. */
void WB_EXEC(f2fp_unpack)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    enum wb_fp8 from = in->from_size == FROM_E4M3 ? WB_E4M3 : WB_E5M2;
    enum wb_format to = in->bf16 ? WB_BF16 : WB_F16;
    uint32_t infinity = in->bf16 ? 0x7f80 : 0x7c00;
    if (in->from_size < FROM_E5M2) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    for (int i = 0; i < WB_LANES; i++) {
        uint32_t both = half_of(b[i], in->half);
        uint32_t high = (uint32_t)wb_fp8_unpack(to, from, both >> 8);
        uint32_t low = (uint32_t)wb_fp8_unpack(to, from, both & 0xff);
        d[i] = relu(in, high, infinity, 0x8000) << 16 | relu(in, low, infinity, 0x8000);
    }
    commit(w, in, on, 1);
}
