/* SPDX-License-Identifier: MIT
 * binary: device code as the program brought it: fat binaries that nvcc's constructors register,
 * libraries that are loaded at run time. Code is read when it is first asked for. Needs the lock.
 */
#ifndef WB_CUDART_BINARY_H
#define WB_CUDART_BINARY_H

#include "abi.h"
#include "heap.h"

#include <warpbook/sass.h>

/* A kernel. cudaKernel_t and cudaFunction_t point to it. */
struct wb_function {
    const void *entry; /* the host function that stands for it; NULL in libraries */
    const char *name;  /* mangled */
    struct wb_binary *binary;
    const struct wb_kernel *kernel; /* NULL until the binary is loaded */
    int max_dynamic_shared;         /* cudaFuncSetAttribute; -1: up to 48 KiB in all */
    int carveout;                   /* cudaFuncSetAttribute, percent; -1: none */
    bool nonportable_cluster;       /* cudaFuncSetAttribute */
    struct wb_function *next;
};

/* A variable in global or constant memory. */
struct wb_symbol {
    const void *host; /* the program's variable that stands for it; NULL in libraries */
    void **managed;   /* __managed__: the program's pointer to it */
    const char *name;
    size_t size;
    struct wb_binary *binary;
    struct wb_symbol *next;
};

struct wb_binary {
    const void *image; /* of the wrapper, or of a library's bytes */
    size_t image_size; /* SIZE_MAX if unknown */
    struct wb_function *functions;
    struct wb_symbol *symbols;
    enum cudaError error; /* why it could not be loaded */
    bool tried;           /* loading was tried since the last reset */
    bool loaded;          /* ... and the code is on the device */
    struct wb_arena arena;
    struct wb_cubin *cubin;
};

/* A new one; its code is the fat binary or cubin at `image`. */
struct wb_binary *wb_binary_create(const void *image, size_t image_size);
/* Forgets it and its functions. */
void wb_binary_destroy(struct wb_binary *binary);
/* Whether this is one that lives (programs pass handles of any kind). */
bool wb_binary_is(const void *handle);

/* Reads the code and puts it onto the device, if that has not happened yet. Afterwards its
 * functions have a kernel, and managed variables an address. */
enum cudaError wb_binary_load(struct wb_binary *binary);

struct wb_function *wb_binary_add_function(struct wb_binary *binary, const void *entry,
                                           const char *name);
struct wb_symbol *wb_binary_add_symbol(struct wb_binary *binary, const void *host, const char *name,
                                       size_t size);

/* All registered variables, one after the other: NULL begins and ends. */
const struct wb_symbol *wb_symbol_next(const struct wb_symbol *symbol);

/* A kernel by the address of its host function or by its handle, loaded.
 * cudaErrorInvalidDeviceFunction if there is none, cudaErrorNoKernelImageForDevice if its code is
 * not for sm_90. */
enum cudaError wb_function_find(struct wb_function **out, const void *entry_or_handle);
/* A variable's memory by the address of the host variable, loaded. cudaErrorInvalidSymbol if there
 * is none. */
enum cudaError wb_symbol_find(struct wb_allocation **out, const void *host);

/* After cudaDeviceReset: everything is to be loaded again. What has managed variables is loaded at
 * once: the host may use them before it makes another call. */
void wb_binary_reload_all(void);

#endif
