/* SPDX-License-Identifier: MIT
 * Floating point as the hardware does it, in every format and rounding mode, without the host's
 * rounding state. Operands and results are bit patterns in the low bits of a word. For slow paths:
 * round to nearest of single and double precision is the host's own arithmetic.
 *
 * Common rules, as measured on an H200: a NaN result is the canonical one (all bits but the sign),
 * whatever came in. Only in double precision, and in conversions to and from it, it is a NaN
 * operand made quiet (the first one of b, c, a), or 0xfff8000000000000 if none was. `ftz` makes
 * subnormal operands and results zeros of the same sign; `sat` clamps to [0, 1] (NaN gives +0).
 */
#ifndef WB_SASS_FPU_H
#define WB_SASS_FPU_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of the instructions' field. */
enum wb_round {
    WB_RN, /* to nearest, ties to even */
    WB_RM, /* towards minus infinity (floor) */
    WB_RP, /* towards plus infinity (ceiling) */
    WB_RZ, /* towards zero */
};

enum wb_format {
    WB_F16,
    WB_BF16,
    WB_F32,
    WB_F64,
};

uint64_t wb_float_add(enum wb_format format, uint64_t a, uint64_t b, enum wb_round mode, bool ftz,
                      bool sat);
uint64_t wb_float_mul(enum wb_format format, uint64_t a, uint64_t b, enum wb_round mode, bool ftz,
                      bool sat);
/* a * b + c, rounded once */
uint64_t wb_float_fma(enum wb_format format, uint64_t a, uint64_t b, uint64_t c, enum wb_round mode,
                      bool ftz, bool sat);
/* -0 is less than +0. One NaN gives the other operand, or the canonical NaN if `nan`; two give the
 * canonical one. (There is no such instruction in double precision.) */
uint64_t wb_float_min(enum wb_format format, uint64_t a, uint64_t b, bool ftz, bool nan);
uint64_t wb_float_max(enum wb_format format, uint64_t a, uint64_t b, bool ftz, bool nan);

/* From one format to another (F2F). `ftz` flushes the operand if it is in single precision. */
uint64_t wb_float_convert(enum wb_format to, enum wb_format from, uint64_t a, enum wb_round mode,
                          bool ftz, bool sat);
/* The 8-bit formats (F2FP), rounded to nearest. Too large a number becomes the largest if
 * `satfinite`, else infinity or, where there is none, a NaN. */
enum wb_fp8 {
    WB_E4M3,
    WB_E5M2,
};

uint8_t wb_fp8_pack(enum wb_fp8 to, enum wb_format from, uint64_t a, bool satfinite);
uint64_t wb_fp8_unpack(enum wb_format to, enum wb_fp8 from, uint8_t a);

/* To an integral value in the same format (FRND). */
uint64_t wb_float_integral(enum wb_format format, uint64_t a, enum wb_round mode, bool ftz);
/* To an integer of `width` bits (8 to 64), saturated, in the low bits (F2I). A NaN gives 0 if
 * `nan_to_zero`, else the top bit alone. */
uint64_t wb_float_to_int(unsigned width, bool is_signed, enum wb_format from, uint64_t a,
                         enum wb_round mode, bool ftz, bool nan_to_zero);
/* From an integer (I2F): `value` is sign-extended to 64 bits if `is_signed`. */
uint64_t wb_float_from_int(enum wb_format to, bool is_signed, uint64_t value, enum wb_round mode);

/* Single precision; much faster than wb_float_* in the directed modes. */
uint32_t wb_f32_add(uint32_t a, uint32_t b, enum wb_round mode, bool ftz, bool sat);
uint32_t wb_f32_mul(uint32_t a, uint32_t b, enum wb_round mode, bool ftz, bool sat);
uint32_t wb_f32_fma(uint32_t a, uint32_t b, uint32_t c, enum wb_round mode, bool ftz, bool sat);

static inline uint64_t wb_f64_add(uint64_t a, uint64_t b, enum wb_round mode)
{
    return wb_float_add(WB_F64, a, b, mode, false, false);
}

static inline uint64_t wb_f64_mul(uint64_t a, uint64_t b, enum wb_round mode)
{
    return wb_float_mul(WB_F64, a, b, mode, false, false);
}

static inline uint64_t wb_f64_fma(uint64_t a, uint64_t b, uint64_t c, enum wb_round mode)
{
    return wb_float_fma(WB_F64, a, b, c, mode, false, false);
}

#endif
