/* SPDX-License-Identifier: MIT
 * What the special function unit interpolates: for each function a row of segments, and in each
 * a quadratic in the offset t (17 bits, standing for t / 2^17 of the segment):
 *     F = C0 * 2^c0_shift + bias + C1 * t + C2 * square(t) * 2^c2_shift, in units of 2^-unit
 */
#ifndef WB_SASS_MUFU_TABLES_H
#define WB_SASS_MUFU_TABLES_H

#include <stdint.h>

struct wb_mufu_segment {
    int32_t c0, c1, c2;
};

struct wb_mufu_table {
    const struct wb_mufu_segment *segments;
    int unit, c0_shift, c2_shift;
    int32_t bias; /* holds the rounding constant of the final truncation */
};

extern const struct wb_mufu_table wb_mufu_rcp_table, wb_mufu_sqrt_table, wb_mufu_rsq_table,
    wb_mufu_ex2_table, wb_mufu_lg2_table, wb_mufu_sin_table, wb_mufu_tanh_table;

#endif
