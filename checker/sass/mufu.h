/* SPDX-License-Identifier: MIT
 * The special function unit of a Hopper (MUFU) and the division check (FCHK), bit for bit.
 * Arguments and results are the bits of a float, as the instructions with .ftz see them: subnormal
 * arguments count as zeros (not for tanh), subnormal results become zeros; a NaN is 0x7fffffff.
 */
#ifndef WB_SASS_MUFU_H
#define WB_SASS_MUFU_H

#include <stdbool.h>
#include <stdint.h>

uint32_t wb_mufu_rcp(uint32_t x);
uint32_t wb_mufu_sqrt(uint32_t x);
uint32_t wb_mufu_rsq(uint32_t x);
uint32_t wb_mufu_ex2(uint32_t x);
uint32_t wb_mufu_lg2(uint32_t x);
uint32_t wb_mufu_sin(uint32_t x); /* x in revolutions, as for cos */
uint32_t wb_mufu_cos(uint32_t x);
uint32_t wb_mufu_tanh(uint32_t x);

/* The high word of a double from the high word of a double; the low words do not matter. */
uint32_t wb_mufu_rcp64h(uint32_t x);
uint32_t wb_mufu_rsq64h(uint32_t x);

/* Must a / b take the slow path? Depends on the two exponents alone. */
bool wb_fchk(uint32_t a, uint32_t b);

#endif
