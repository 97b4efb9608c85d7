/* SPDX-License-Identifier: MIT
 * The program's device code: what it registered, and loading it.
 */
#include "binary.h"

#include "fatbin.h"
#include "handle.h"
#include "heap.h"
#include "log.h"
#include "runtime.h"

#include <string.h>

static struct wb_handle_pool binaries = {.object_size = sizeof(struct wb_binary)};
static struct wb_handle_pool functions = {.object_size = sizeof(struct wb_function)};

/* ---- what there is --------------------------------------------------------------------------- */

struct wb_binary *wb_binary_create(const void *image, size_t image_size)
{
    struct wb_binary *binary = wb_handle_create(&binaries);
    if (binary) {
        binary->image = image;
        binary->image_size = image_size;
        wb_arena_init(&binary->arena);
    }
    return binary;
}

bool wb_binary_is(const void *handle)
{
    return wb_handle_get(&binaries, handle) != NULL;
}

/* The device keeps the code: what it has loaded may be named in messages. */
void wb_binary_destroy(struct wb_binary *binary)
{
    for (struct wb_function *f = binary->functions, *next; f; f = next) {
        next = f->next;
        wb_handle_destroy(&functions, f);
    }
    wb_handle_destroy(&binaries, binary);
}

struct wb_function *wb_binary_add_function(struct wb_binary *binary, const void *entry,
                                           const char *name)
{
    struct wb_function *function = wb_handle_create(&functions);
    if (function) {
        function->entry = entry;
        function->name = wb_arena_strdup(&binary->arena, name);
        function->binary = binary;
        function->max_dynamic_shared = -1;
        function->carveout = -1;
        function->next = binary->functions;
        binary->functions = function;
        binary->tried = false;
    }
    return function;
}

struct wb_symbol *wb_binary_add_symbol(struct wb_binary *binary, const void *host, const char *name,
                                       size_t size)
{
    struct wb_symbol *symbol = wb_arena_alloc(&binary->arena, sizeof *symbol);
    symbol->host = host;
    symbol->name = wb_arena_strdup(&binary->arena, name);
    symbol->size = size;
    symbol->binary = binary;
    symbol->next = binary->symbols;
    binary->symbols = symbol;
    return symbol;
}

/* ---- loading --------------------------------------------------------------------------------- */

static enum cudaError error_of(const struct wb_status *status)
{
    switch (status->code) {
    case WB_UNSUPPORTED:
        return cudaErrorNoKernelImageForDevice;
    case WB_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    default:
        return cudaErrorInvalidKernelImage;
    }
}

static bool read_code(struct wb_binary *binary, struct wb_status *status)
{
    const void *data;
    size_t size;
    if (binary->cubin) {
        return true;
    }
    return wb_fatbin_find(&data, &size, &binary->arena, binary->image, binary->image_size,
                          status) &&
           wb_cubin_parse(&binary->cubin, &binary->arena, data, size, status);
}

static bool has_managed(const struct wb_binary *binary)
{
    for (const struct wb_symbol *s = binary->symbols; s; s = s->next) {
        if (s->managed) {
            return true;
        }
    }
    return false;
}

/* Makes the variables known as memory, and tells the program where its managed ones are. */
static void place_symbols(const struct wb_binary *binary, struct wb_sim *sim)
{
    for (const struct wb_symbol *s = binary->symbols; s; s = s->next) {
        struct wb_sim_variable v;
        struct wb_allocation *made;
        if (wb_sim_variable_at(&v, sim, binary->cubin, s->name)) {
            wb_heap_adopt(&made, WB_MEMORY_VARIABLE, v.address, v.host, v.size,
                          s->managed ? cudaMemAttachGlobal : 0, s->name);
            if (s->managed) {
                *s->managed = v.host;
            }
        }
    }
}

/* Functions may be registered after the code was loaded. */
static void find_kernels(const struct wb_binary *binary)
{
    for (struct wb_function *f = binary->functions; f; f = f->next) {
        f->kernel = wb_cubin_kernel(binary->cubin, f->name);
    }
}

static bool load(struct wb_binary *binary, struct wb_status *status)
{
    struct wb_sim *sim = wb_runtime_sim();
    if (!sim) {
        return WB_FAIL(status, NO_MEMORY, "There is not enough memory for the embedded device.");
    }
    if (!read_code(binary, status) ||
        !(has_managed(binary) ? wb_sim_load_managed : wb_sim_load)(sim, binary->cubin, status)) {
        return false;
    }
    binary->loaded = true;
    place_symbols(binary, sim);
    return true;
}

enum cudaError wb_binary_load(struct wb_binary *binary)
{
    struct wb_status status = {0};
    if (!binary->tried) {
        binary->tried = true;
        binary->error = cudaSuccess;
        if (!binary->loaded && !load(binary, &status)) {
            binary->error = error_of(&status);
            wb_log_finding(WB_REASON_LAUNCH_FAILED, NULL, NULL, "%s", status.message);
        }
        if (binary->error == cudaSuccess) {
            find_kernels(binary);
        }
    }
    return binary->error;
}

void wb_binary_reload_all(void)
{
    for (struct wb_binary *b = wb_handle_next(&binaries, NULL); b;
         b = wb_handle_next(&binaries, b)) {
        bool at_once = b->loaded && has_managed(b);
        b->tried = false;
        b->loaded = false;
        if (at_once) {
            wb_binary_load(b);
        }
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

/* A template or an inline kernel is registered by each file that uses it, with one host address. */
static struct wb_function *by_entry(const void *entry)
{
    for (struct wb_function *f = wb_handle_next(&functions, NULL); f && entry;
         f = wb_handle_next(&functions, f)) {
        if (f->entry == entry) {
            return f;
        }
    }
    return NULL;
}

enum cudaError wb_function_find(struct wb_function **out, const void *entry_or_handle)
{
    struct wb_function *function = wb_handle_get(&functions, entry_or_handle);
    function = function ? function : by_entry(entry_or_handle);
    if (!function) {
        return entry_or_handle ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    }
    enum cudaError error = wb_binary_load(function->binary);
    if (error == cudaSuccess && !function->kernel) {
        error = cudaErrorInvalidDeviceFunction;
    }
    *out = function;
    return error;
}

const struct wb_symbol *wb_symbol_next(const struct wb_symbol *symbol)
{
    const struct wb_binary *binary = symbol ? symbol->binary : NULL;
    symbol = symbol ? symbol->next : NULL;
    while (!symbol && (binary = wb_handle_next(&binaries, binary))) {
        symbol = binary->symbols;
    }
    return symbol;
}

enum cudaError wb_symbol_find(struct wb_allocation **out, const void *host)
{
    for (struct wb_binary *b = wb_handle_next(&binaries, NULL); b && host;
         b = wb_handle_next(&binaries, b)) {
        for (const struct wb_symbol *s = b->symbols; s; s = s->next) {
            bool is_it = s->host == host || (s->managed && *s->managed == host);
            struct wb_sim_variable v;
            if (!is_it) {
                continue;
            }
            enum cudaError error = wb_binary_load(b);
            if (error != cudaSuccess) {
                return error;
            }
            if (!wb_sim_variable_at(&v, wb_runtime_sim(), b->cubin, s->name)) {
                return cudaErrorInvalidSymbol;
            }
            *out = wb_heap_find(v.address);
            return *out ? cudaSuccess : cudaErrorInvalidSymbol;
        }
    }
    return cudaErrorInvalidSymbol;
}
