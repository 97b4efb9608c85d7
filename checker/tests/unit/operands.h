/* SPDX-License-Identifier: MIT
 * Operands of test_exec.c and test_exec_hw.c: random words, some of them special. The results that
 * an H200 gave for them are in fixtures/sass/{hardware,values}.tsv, so they must not change.
 */
#ifndef WB_TESTS_OPERANDS_H
#define WB_TESTS_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

/* Every eighth word or so is special: a limit of an integer or floating-point format. */
static inline uint32_t operand(uint64_t *seed)
{
    static const uint32_t special[] = {
        0,          1,          2,          0xffffffff, 0x7fffffff, 0x80000000, 0x80000001,
        0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000123, 0x80000123,
        0x007fffff, 0x00800000, 0x7f7fffff, 0x4f000000, 0x7ff00000, 0x3ff00000, 0xfff80000,
        0x40490fdb, 31,         32,         64,         0x0000ffff, 0xffff0000,
    };
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t word = (uint32_t)(*seed >> 32);
    if ((word & 7) == 0) {
        return special[(word >> 3) % (sizeof special / sizeof special[0])];
    }
    return (word & 7) < 3 ? (word & 0x807fffff) | 0x3e000000 | (word >> 4 & 0x03800000) : word;
}

static inline void fill_operands(uint32_t *words, size_t count)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < count; i++) {
        words[i] = operand(&seed);
    }
}

#endif
