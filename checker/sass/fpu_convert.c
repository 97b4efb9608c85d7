/* SPDX-License-Identifier: MIT
 * Conversions between floating-point formats and integers.
 */
#include "real.h"

uint64_t wb_float_convert(enum wb_format to, enum wb_format from, uint64_t a, enum wb_round mode,
                          bool ftz, bool sat)
{
    struct wb_real real = wb_real_unpack(from, a, ftz && from == WB_F32);
    return wb_real_pack(to, real, mode, ftz && to == WB_F32, sat);
}

uint64_t wb_float_integral(enum wb_format format, uint64_t a, enum wb_round mode, bool ftz)
{
    struct wb_real real = wb_real_unpack(format, a, ftz);
    if (real.kind == WB_REAL_FINITE && real.exponent < 0) {
        real = wb_real_round(real, 0, mode);
    }
    return wb_real_pack(format, real, mode, ftz, false);
}

/* The magnitude of the nearest integer within [0, limit]. */
static uint64_t saturate(struct wb_real real, uint64_t limit, enum wb_round mode)
{
    enum { TOO_LARGE = 65 }; /* 2^65 does not fit, and fits into a significand when shifted */
    if (real.kind == WB_REAL_INFINITE || real.exponent > TOO_LARGE) {
        return limit;
    }
    real = wb_real_round(real, 0, mode);
    return real.kind == WB_REAL_ZERO  ? 0
           : real.significand > limit ? limit
                                      : (uint64_t)real.significand;
}

uint64_t wb_float_to_int(unsigned width, bool is_signed, enum wb_format from, uint64_t a,
                         enum wb_round mode, bool ftz, bool nan_to_zero)
{
    uint64_t top = UINT64_C(1) << (width - 1), mask = top | (top - 1);
    struct wb_real real = wb_real_unpack(from, a, ftz);
    if (real.kind == WB_REAL_NAN) {
        return nan_to_zero ? 0 : top;
    }
    if (real.negative) {
        return (0 - saturate(real, is_signed ? top : 0, mode)) & mask;
    }
    return saturate(real, is_signed ? top - 1 : mask, mode);
}

uint64_t wb_float_from_int(enum wb_format to, bool is_signed, uint64_t value, enum wb_round mode)
{
    bool negative = is_signed && value >> 63;
    struct wb_real real = {.kind = value ? WB_REAL_FINITE : WB_REAL_ZERO,
                           .negative = negative,
                           .significand = negative ? 0 - value : value};
    return wb_real_pack(to, real, mode, false, false);
}
