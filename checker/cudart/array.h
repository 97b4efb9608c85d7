/* SPDX-License-Identifier: MIT
 * array: cudaArray. On the embedded device an array is memory whose rows lie one behind the other.
 */
#ifndef WB_CUDART_ARRAY_H
#define WB_CUDART_ARRAY_H

#include "heap.h"
#include "op.h"

struct wb_array {
    struct wb_allocation *memory;
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* in elements; height and depth as asked for, 0 included */
    unsigned flags;
};

/* The array that a handle names, or NULL. */
struct wb_array *wb_array_find(cudaArray_const_t handle);
/* Components of one width, 1, 2 or 4 of them, none after one that is missing. */
bool wb_array_format_is_ok(const struct cudaChannelFormatDesc *format);
/* A new array that no list of resources has; `call` is the program's. */
enum cudaError wb_array_make(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                             struct cudaExtent extent, unsigned flags, const char *call);
void wb_array_free(struct wb_array *array);
/* Bytes of an element; 0 if there is no such array. */
size_t wb_array_element(cudaArray_const_t handle);
/* A side of a copy of `width` bytes, `height` rows and `depth` slices that begins at `at` (x in
 * bytes); cudaErrorInvalidValue if that is not inside the array. */
enum cudaError wb_array_side(struct wb_op_side *out, cudaArray_const_t handle, struct cudaPos at,
                             size_t width, size_t height, size_t depth);
/* cudaDeviceReset: every array is gone. */
void wb_arrays_reset(void);

#endif
