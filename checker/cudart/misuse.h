/* SPDX-License-Identifier: MIT
 * misuse: why a call refused its pointers, told by what they point to: copies and fills that are
 * too large, memory that was freed, frees of what is nothing to be freed. Needs the lock.
 */
#ifndef WB_CUDART_MISUSE_H
#define WB_CUDART_MISUSE_H

#include "heap.h"
#include "op.h"

#include <warpbook/sass.h>

/* The operation was refused as an invalid value. */
void wb_misuse_op(const struct wb_op *op);

/* `size` bytes at `offset` are not all in the variable. */
void wb_misuse_symbol(const struct wb_allocation *variable, size_t offset, size_t size);

/* The call in flight cannot free this, which is not NULL. */
void wb_misuse_free(const void *pointer);

/* Adds to what is said of a kernel that used memory after it was freed: where it was freed. */
void wb_misuse_fault(struct wb_fault *fault);

/* "byte 12 of the memory from cudaMalloc (main.cu:9) (4000 bytes)"; also of memory that was freed.
 * False if no allocation is or was there. */
bool wb_misuse_describe(char *text, size_t size, uint64_t address);

#endif
