/* SPDX-License-Identifier: MIT
 * What the PTX text in a cubin (nvcc -lineinfo) says of instructions that the machine code itself
 * no longer does: the array of shared memory that an access belongs to, and the constant mask of a
 * shuffle or vote. Where anything is not plain, nothing is said.
 */
#ifndef WB_SASS_PTX_H
#define WB_SASS_PTX_H

#include <warpbook/sass.h>

struct wb_ptx_array {
    const char *name;      /* as in the source */
    uint32_t offset, size; /* bytes, in the block's static shared memory */
};

struct wb_ptx {
    struct wb_ptx_array *arrays; /* sorted by offset; empty if their places are not certain */
    size_t array_count;
    uint16_t *array_of; /* by instruction: 1 + its array, 0: unknown */
    uint8_t *has_mask;  /* by instruction: `mask` holds */
    uint32_t *mask;
};

/* NULL if the cubin has no such text, or says nothing of the kernel. */
const struct wb_ptx *wb_ptx_read(struct wb_arena *arena, const struct wb_kernel *kernel);

#endif
