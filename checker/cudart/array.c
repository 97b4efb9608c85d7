/* SPDX-License-Identifier: MIT
 * Arrays and copies to and from them.
 */
#include "array.h"

#include "api.h"
#include "copy.h"
#include "handle.h"
#include "log.h"
#include "wait.h"

/* What an H200 allows in each dimension, in elements. */
enum {
    MAX_WIDTH_1D = 131072,
    MAX_WIDTH_2D = 131072,
    MAX_HEIGHT_2D = 65536,
    MAX_3D = 16384,
    MAX_LAYERED = 32768,
    MAX_LAYERS = 2048
};

static struct wb_handle_pool arrays = {.object_size = sizeof(struct wb_array)};

struct wb_array *wb_array_find(cudaArray_const_t handle)
{
    return wb_handle_get(&arrays, handle);
}

static size_t at_least_1(size_t n)
{
    return n ? n : 1;
}

static size_t element_size(const struct cudaChannelFormatDesc *f)
{
    return (size_t)(f->x + f->y + f->z + f->w) / 8;
}

size_t wb_array_element(cudaArray_const_t handle)
{
    const struct wb_array *array = wb_array_find(handle);
    return array ? element_size(&array->format) : 0;
}

static bool inside(size_t at, size_t size, size_t whole)
{
    return at <= whole && size <= whole - at;
}

enum cudaError wb_array_side(struct wb_op_side *out, cudaArray_const_t handle, struct cudaPos at,
                             size_t width, size_t height, size_t depth)
{
    const struct wb_array *array = wb_array_find(handle);
    if (!array) {
        return cudaErrorInvalidValue;
    }
    size_t row = array->extent.width * element_size(&array->format);
    size_t rows = at_least_1(array->extent.height), slices = at_least_1(array->extent.depth);
    *out = (struct wb_op_side){.pitch = row, .slice = row * rows};
    out->address = array->memory->address + at.x + at.y * row + at.z * out->slice;
    return inside(at.x, width, row) && inside(at.y, height, rows) && inside(at.z, depth, slices)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

bool wb_array_format_is_ok(const struct cudaChannelFormatDesc *f)
{
    const int bits[] = {f->x, f->y, f->z, f->w};
    bool ok = f->x == 8 || f->x == 16 || f->x == 32;
    int count = 1;
    for (int i = 1; i < 4; i++) {
        ok = ok && (bits[i] == 0 || (bits[i] == f->x && bits[i - 1]));
        count += bits[i] != 0;
    }
    return ok && count != 3 && f->f <= cudaChannelFormatKindFloat &&
           (f->f != cudaChannelFormatKindFloat || f->x != 8);
}

/* Layers of one or two dimensions; a cubemap is six square ones. */
static bool layers_are_ok(struct cudaExtent e, unsigned flags)
{
    bool cube = flags & cudaArrayCubemap, layered = flags & cudaArrayLayered;
    if (cube && (e.width != e.height || e.depth % 6 || (!layered && e.depth != 6))) {
        return false;
    }
    return e.width && e.width <= MAX_LAYERED && e.height <= MAX_LAYERED && e.depth &&
           e.depth <= MAX_LAYERS;
}

static bool extent_is_ok(struct cudaExtent e, unsigned flags)
{
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) {
        return layers_are_ok(e, flags);
    }
    if (e.depth) {
        return e.width && e.height && e.width <= MAX_3D && e.height <= MAX_3D && e.depth <= MAX_3D;
    }
    return e.height ? e.width && e.width <= MAX_WIDTH_2D && e.height <= MAX_HEIGHT_2D
                    : e.width && e.width <= MAX_WIDTH_1D;
}

enum cudaError wb_array_make(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                             struct cudaExtent extent, unsigned flags, const char *call)
{
    struct wb_allocation *memory;
    if (!extent_is_ok(extent, flags)) {
        return cudaErrorInvalidValue;
    }
    if (!wb_array_format_is_ok(format)) {
        return cudaErrorInvalidChannelDescriptor;
    }
    size_t size =
        extent.width * at_least_1(extent.height) * at_least_1(extent.depth) * element_size(format);
    enum cudaError error = wb_heap_alloc(&memory, WB_MEMORY_ARRAY, size, 0, call);
    if (error != cudaSuccess) {
        return error;
    }
    struct wb_array *array = wb_handle_create(&arrays);
    if (!array) {
        wb_heap_free(memory);
        return cudaErrorMemoryAllocation;
    }
    *array = (struct wb_array){memory, *format, extent, flags};
    *out = (cudaArray_t)(void *)array;
    return cudaSuccess;
}

void wb_array_free(struct wb_array *array)
{
    wb_heap_free(array->memory);
    wb_handle_destroy(&arrays, array);
}

enum cudaError rt_cudaMalloc3DArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                                    struct cudaExtent extent, unsigned flags)
{
    if (!out || !format) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_array_make(out, format, extent, flags, "cudaMallocArray");
    if (error == cudaSuccess) {
        wb_resource_made(WB_RESOURCE_ARRAY, *out, wb_array_find(*out)->memory->size);
    }
    return error;
}

enum cudaError rt_cudaMallocArray(cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                                  size_t width, size_t height, unsigned flags)
{
    return rt_cudaMalloc3DArray(out, format, (struct cudaExtent){width, height, 0}, flags);
}

enum cudaError rt_cudaFreeArray(cudaArray_t handle)
{
    enum cudaError error = wb_wait_begin();
    if (error != cudaSuccess || !handle) {
        return error;
    }
    struct wb_array *array = wb_array_find(handle);
    if (!array) {
        return cudaErrorContextIsDestroyed;
    }
    wb_resource_gone(WB_RESOURCE_ARRAY, array);
    wb_array_free(array);
    return cudaSuccess;
}

void wb_arrays_reset(void)
{
    wb_handle_pool_finish(&arrays);
}

/* ---- questions ------------------------------------------------------------------------------- */

enum cudaError rt_cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                                   unsigned *flags, cudaArray_t handle)
{
    const struct wb_array *array = wb_array_find(handle);
    if (!array) {
        return cudaErrorInvalidResourceHandle;
    }
    if (format) {
        *format = array->format;
    }
    if (extent) {
        *extent = array->extent;
    }
    if (flags) {
        *flags = array->flags;
    }
    return cudaSuccess;
}

enum cudaError rt_cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t handle)
{
    const struct wb_array *array = wb_array_find(handle);
    if (!format || !array) {
        return format ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    }
    *format = array->format;
    return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* ---- copies ---------------------------------------------------------------------------------- */

enum cudaError rt_cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                           size_t pitch, size_t width, size_t height,
                                           enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct wb_op op = wb_copy_linear(0, (uintptr_t)from, width, kind);
    op.copy.from.pitch = pitch;
    op.copy.height = height;
    if (width > pitch && height > 1) {
        return cudaErrorInvalidPitchValue;
    }
    enum cudaError error =
        wb_array_side(&op.copy.to, to, (struct cudaPos){x, y, 0}, width, height, 1);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                      size_t pitch, size_t width, size_t height,
                                      enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(
        error ? error
              : rt_cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL));
}

enum cudaError rt_cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from,
                                             size_t x, size_t y, size_t width, size_t height,
                                             enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct wb_op op = wb_copy_linear((uintptr_t)to, 0, width, kind);
    op.copy.to.pitch = pitch;
    op.copy.height = height;
    if (width > pitch && height > 1) {
        return cudaErrorInvalidPitchValue;
    }
    enum cudaError error =
        wb_array_side(&op.copy.from, from, (struct cudaPos){x, y, 0}, width, height, 1);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                        size_t y, size_t width, size_t height,
                                        enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(
        error ? error
              : rt_cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL));
}

enum cudaError rt_cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                           cudaArray_const_t from, size_t from_x, size_t from_y,
                                           size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct wb_op op = wb_copy_linear(0, 0, width, kind);
    op.copy.height = height;
    enum cudaError error =
        wb_array_side(&op.copy.to, to, (struct cudaPos){to_x, to_y, 0}, width, height, 1);
    error = error ? error
                  : wb_array_side(&op.copy.from, from, (struct cudaPos){from_x, from_y, 0}, width,
                                  height, 1);
    error = error ? error : wb_wait_begin();
    return wb_wait_end(error ? error : wb_copy_submit(&op, NULL));
}

/* The calls of old: bytes in a row, which begin at an element of the array. */
static enum cudaError linear_side(struct wb_op_side *out, cudaArray_const_t handle, size_t x,
                                  size_t y, size_t size)
{
    const struct wb_array *array = wb_array_find(handle);
    size_t row = wb_array_element(handle) * (array ? array->extent.width : 0), at;
    if (!array || __builtin_mul_overflow(y, row, &at) || __builtin_add_overflow(at, x, &at) ||
        !inside(at, size, array->memory->size)) {
        return cudaErrorInvalidValue;
    }
    *out = (struct wb_op_side){.address = array->memory->address + at};
    return cudaSuccess;
}

enum cudaError rt_cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                         size_t size, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct wb_op op = wb_copy_linear(0, (uintptr_t)from, size, kind);
    enum cudaError error = linear_side(&op.copy.to, to, x, y, size);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                    size_t size, enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error : rt_cudaMemcpyToArrayAsync(to, x, y, from, size, kind, NULL));
}

enum cudaError rt_cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                           size_t size, enum cudaMemcpyKind kind,
                                           cudaStream_t stream)
{
    struct wb_op op = wb_copy_linear((uintptr_t)to, 0, size, kind);
    enum cudaError error = linear_side(&op.copy.from, from, x, y, size);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                      size_t size, enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error
                             : rt_cudaMemcpyFromArrayAsync(to, from, x, y, size, kind, NULL));
}

enum cudaError rt_cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                         cudaArray_const_t from, size_t from_x, size_t from_y,
                                         size_t size, enum cudaMemcpyKind kind)
{
    struct wb_op op = wb_copy_linear(0, 0, size, kind);
    enum cudaError error = wb_wait_begin();
    error = error ? error : linear_side(&op.copy.to, to, to_x, to_y, size);
    error = error ? error : linear_side(&op.copy.from, from, from_x, from_y, size);
    return wb_wait_end(error ? error : wb_copy_submit(&op, NULL));
}
