/* SPDX-License-Identifier: MIT
 * Variables of the program's modules, named by the host variable that stands for them.
 */
#include "api.h"
#include "binary.h"
#include "copy.h"
#include "misuse.h"
#include "symbol_misuse.h"
#include "wait.h"

enum cudaError rt_cudaGetSymbolAddress(void **out, const void *symbol)
{
    struct wb_allocation *variable;
    if (!out) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_symbol_find(&variable, symbol);
    if (error == cudaSuccess) {
        *out = (void *)(uintptr_t)variable->address;
    }
    return error;
}

enum cudaError rt_cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct wb_allocation *variable;
    if (!size) {
        return cudaErrorInvalidValue;
    }
    enum cudaError error = wb_symbol_find(&variable, symbol);
    if (error == cudaSuccess) {
        *size = variable->size;
    }
    return error;
}

/* The address of `size` bytes of a variable. */
static enum cudaError find_part(uint64_t *address, const void *symbol, size_t size, size_t offset)
{
    struct wb_allocation *variable;
    enum cudaError error = wb_symbol_find(&variable, symbol);
    if (error != cudaSuccess) {
        if (symbol && error == cudaErrorInvalidSymbol) {
            wb_symbol_misuse_argument(symbol);
        }
        return error;
    }
    *address = variable->address + offset;
    if (offset > variable->size || size > variable->size - offset) {
        wb_misuse_symbol(variable, offset, size);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* ---- to -------------------------------------------------------------------------------------- */

enum cudaError rt_cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                          size_t offset, enum cudaMemcpyKind kind,
                                          cudaStream_t stream)
{
    uint64_t to;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) {
        return cudaErrorInvalidMemcpyDirection;
    }
    enum cudaError error = find_part(&to, symbol, size, offset);
    struct wb_op op = wb_copy_linear(error ? 0 : to, (uintptr_t)from, size, kind);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size,
                                     size_t offset, enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error
                             : rt_cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, NULL));
}

/* ---- from ------------------------------------------------------------------------------------ */

enum cudaError rt_cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size,
                                            size_t offset, enum cudaMemcpyKind kind,
                                            cudaStream_t stream)
{
    uint64_t from;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) {
        return cudaErrorInvalidMemcpyDirection;
    }
    enum cudaError error = find_part(&from, symbol, size, offset);
    struct wb_op op = wb_copy_linear((uintptr_t)to, error ? 0 : from, size, kind);
    return error ? error : wb_copy_submit(&op, stream);
}

enum cudaError rt_cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                       enum cudaMemcpyKind kind)
{
    enum cudaError error = wb_wait_begin();
    return wb_wait_end(error ? error
                             : rt_cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, NULL));
}
