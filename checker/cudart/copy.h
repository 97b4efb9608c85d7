/* SPDX-License-Identifier: MIT
 * copy: making copies and fills from what calls are given. Needs the lock.
 */
#ifndef WB_CUDART_COPY_H
#define WB_CUDART_COPY_H

#include "op.h"

#include <stdbool.h>

/* A copy of `size` bytes in a row. */
struct wb_op wb_copy_linear(uint64_t to, uint64_t from, size_t size, enum cudaMemcpyKind kind);
/* What cudaMemcpy3D is asked for. */
enum cudaError wb_copy_3d(struct wb_op *out, const struct cudaMemcpy3DParms *copy);
/* What cudaMemset2D is asked for, with elements of 1, 2 or 4 bytes; `width` is in elements. */
enum cudaError wb_fill_2d(struct wb_op *out, void *to, size_t pitch, uint32_t value,
                          unsigned element, size_t width, size_t height);

/* The side of the copy under way that an address falls into, and its bytes in all; NULL if there is
 * none. For crash.c. */
const struct wb_op_side *wb_copy_side(bool *source, uint64_t *extent, uint64_t address);

/* Checks it and hands it to the stream. */
enum cudaError wb_copy_submit(const struct wb_op *op, cudaStream_t stream);

#endif
