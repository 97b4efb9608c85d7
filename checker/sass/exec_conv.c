/* SPDX-License-Identifier: MIT
 * Handlers: conversions between integers and floating-point formats. fpu.h does the work; here it
 * is which bits of which registers.
 */
#include "exec.h"
#include "fpu.h"

/* Width codes of integers and floats. */
enum { W8, W16, W32, W64, WBF16 };

static enum wb_format format_of(unsigned width)
{
    return width == W16 ? WB_F16 : width == W64 ? WB_F64 : width == WBF16 ? WB_BF16 : WB_F32;
}

static uint64_t read_lane(const wb_row *rows, unsigned lane, unsigned width)
{
    return width == W64 ? pair(rows[0][lane], rows[1][lane]) : rows[0][lane];
}

static void write_lane(wb_row *d, unsigned lane, uint64_t value, unsigned width)
{
    d[0][lane] = (uint32_t)value;
    if (width == W64) {
        d[1][lane] = (uint32_t)(value >> 32);
    }
}

/* A floating-point source with its sign modifiers. */
static uint64_t float_source(const struct wb_insn *in, const wb_row *rows, unsigned lane)
{
    static const uint64_t signs[] = {
        [W8] = 0x80000000, [W16] = 0x8000, [W32] = 0x80000000, [W64] = UINT64_C(1) << 63,
        [WBF16] = 0x8000,  0x80000000,     0x80000000,         0x80000000};
    uint64_t x = read_lane(rows, lane, in->from_size), sign = signs[in->from_size];
    if (sign == 0x8000) {
        x = x >> 16 * (in->half & 1) & 0xffff;
    }
    x = in->abs & WB_B ? x & ~sign : x;
    return in->neg & WB_B ? x ^ sign : x;
}

/* d = float of the 32-bit integer b. */
void WB_EXEC(i2fp)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const uint32_t *b = *source(w, in->b);
    uint32_t *d = *result(w, in, on);
    bool is_signed = in->is_signed;
    if (in->size != W32 || in->from_size != W32) {
        WB_EXEC(unknown)(w, in, on);
        return;
    }
    if (in->rnd != WB_RN) {
        for (int i = 0; i < WB_LANES; i++) {
            uint64_t x = is_signed ? (uint64_t)(int64_t)(int32_t)b[i] : b[i];
            d[i] = (uint32_t)wb_float_from_int(WB_F32, is_signed, x, in->rnd);
        }
    } else if (is_signed) {
        WB_EACH_LANE
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = f32_bits((float)(int32_t)b[i]);
        }
    } else {
        for (int i = 0; i < WB_LANES; i++) {
            d[i] = f32_bits((float)b[i]);
        }
    }
    commit(w, in, on, 1);
}

/* An integer source: part of a word if it is narrow, extended to 64 bits. */
static uint64_t int_source(const struct wb_insn *in, const wb_row *rows, unsigned lane)
{
    static const uint8_t bits[] = {[W8] = 8, [W16] = 16, [W32] = 32, [W64] = 64};
    uint64_t x = read_lane(rows, lane, in->from_size);
    x >>= in->from_size == W16 ? 16 * (in->half & 1) : in->from_size == W8 ? 8 * in->half : 0;
    unsigned drop = 64 - bits[in->from_size];
    return in->is_signed ? (uint64_t)((int64_t)(x << drop) >> drop) : x << drop >> drop;
}

/* d = float of the integer b, widths as given. */
void WB_EXEC(i2f)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *b = source(w, in->b);
    wb_row *d = result(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t x = int_source(in, b, i);
        write_lane(d, i, wb_float_from_int(format_of(in->size), in->is_signed, x, in->rnd),
                   in->size);
    }
    commit(w, in, on, in->size == W64 ? 2 : 1);
}

/* d = integer of the float b, saturated, extended to whole words. */
void WB_EXEC(f2i)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    static const uint8_t bits[] = {[W8] = 8, [W16] = 16, [W32] = 32, [W64] = 64};
    const wb_row *b = source(w, in->b);
    wb_row *d = result(w, in, on);
    unsigned width = bits[in->size], drop = 64 - width;
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t r = wb_float_to_int(width, in->is_signed, format_of(in->from_size),
                                     float_source(in, b, i), in->rnd, in->ftz, in->ntz);
        r = in->is_signed ? (uint64_t)((int64_t)(r << drop) >> drop) : r << drop >> drop;
        write_lane(d, i, r, in->size);
    }
    commit(w, in, on, in->size == W64 ? 2 : 1);
}

/* d = b in another floating-point format. */
void WB_EXEC(f2f)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *b = source(w, in->b);
    wb_row *d = result(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t r = wb_float_convert(format_of(in->size), format_of(in->from_size),
                                      float_source(in, b, i), in->rnd, in->ftz, false);
        write_lane(d, i, r, in->size);
    }
    commit(w, in, on, in->size == W64 ? 2 : 1);
}

/* d = b rounded to an integral value. */
void WB_EXEC(frnd)(struct wb_warp *w, const struct wb_insn *in, uint32_t on)
{
    const wb_row *b = source(w, in->b);
    wb_row *d = result(w, in, on);
    for (unsigned i = 0; i < WB_LANES; i++) {
        uint64_t r =
            wb_float_integral(format_of(in->from_size), float_source(in, b, i), in->rnd, in->ftz);
        write_lane(d, i, r, in->size);
    }
    commit(w, in, on, in->size == W64 ? 2 : 1);
}
