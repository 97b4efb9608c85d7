/* SPDX-License-Identifier: MIT
 * Checks of a launch: see launch_check.h. A new rule is one more `refuse` in the function whose
 * subject it is; its sentence says what is wrong, with both numbers, and what to do.
 */
#include "launch_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    WARP = 32,
    GRID_X_MAX = 0x7fffffff,
    GRID_YZ_MAX = 65535,
    BLOCK_Z_MAX = 64,
    POINTER_SIZE = 8,
    MAX_NAMES_SHOWN = 4
};

const struct wb_launch_limits wb_launch_limits_sm_90 = {
    .threads = 1024,
    .shared = 227 * 1024,
    .registers = 64 * 1024,
};

/* Fills the fault and is false. */
static bool WB_PRINTF(2, 3) refuse(struct wb_fault *fault, const char *format, ...)
{
    va_list arguments;
    fault->kind = WB_REASON_LAUNCH_FAILED;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return false;
}

/* Appends to a fixed text; what does not fit is left out. */
static void WB_PRINTF(3, 4) append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* ---- the name ----------------------------------------------------------------------------- */

/* True if `symbol` is the C++ (Itanium ABI) symbol of a function called `name`: _Z, perhaps N and
 * the lengths and names of what encloses it, then its own length and name. */
static bool is_mangled(const char *symbol, const char *name)
{
    const char *last = NULL;
    size_t last_length = 0;
    if (strncmp(symbol, "_Z", 2) != 0) {
        return false;
    }
    symbol += 2;
    symbol += *symbol == 'N';
    while (isdigit((unsigned char)*symbol)) {
        size_t length = 0;
        for (; isdigit((unsigned char)*symbol) && length < 4096; symbol++) {
            length = length * 10 + (size_t)(*symbol - '0');
        }
        if (length > strlen(symbol)) {
            return false;
        }
        last = symbol;
        last_length = length;
        symbol += length;
    }
    return last && last_length == strlen(name) && memcmp(last, name, last_length) == 0;
}

bool wb_launch_find(const struct wb_kernel **out, struct wb_fault *fault,
                    const struct wb_cubin *cubin, const char *name)
{
    *out = wb_cubin_kernel(cubin, name);
    if (*out) {
        return true;
    }
    if (cubin->kernel_count == 0) {
        return refuse(fault,
                      "The file has no kernel `%s`, and no other. Does it begin with "
                      "extern \"C\" __global__ void %s(?",
                      name, name);
    }
    char names[240] = "";
    for (size_t i = 0; i < cubin->kernel_count; i++) {
        const char *symbol = cubin->kernels[i].name;
        if (is_mangled(symbol, name)) {
            return refuse(fault,
                          "The file has no kernel `%s`. It has `%s`, which is its C++ name: put "
                          "extern \"C\" before __global__.",
                          name, symbol);
        }
        if (i < MAX_NAMES_SHOWN) {
            append(names, sizeof names, "%s`%s`", i ? ", " : "", symbol);
        } else if (i == MAX_NAMES_SHOWN) {
            append(names, sizeof names, " and %zu more", cubin->kernel_count - MAX_NAMES_SHOWN);
        }
    }
    return refuse(fault,
                  "The file has no kernel `%s`. It has %s: give the kernel the name that "
                  "the lesson asks for.",
                  name, names);
}

/* ---- the parameters ----------------------------------------------------------------------- */

static unsigned arg_size(const struct wb_device_arg *arg)
{
    return arg->buffer >= 0 ? POINTER_SIZE : arg->size;
}

/* "the pointer `in`" or "a value of 4 bytes" */
static void describe_arg(char *out, size_t size, const struct wb_device_case *c, unsigned index)
{
    const struct wb_device_arg *arg = &c->args[index];
    if (arg->buffer >= 0) {
        const char *name = c->buffers[arg->buffer].name;
        append(out, size, "the pointer `%s`", name ? name : "?");
    } else {
        append(out, size, "a value of %u bytes", arg->size);
    }
}

bool wb_launch_check_params(struct wb_fault *fault, const struct wb_kernel *kernel,
                            const struct wb_device_case *c)
{
    char text[240] = "";
    if (c->arg_count != kernel->param_count) {
        for (unsigned i = 0; i < c->arg_count; i++) {
            append(text, sizeof text, "%s", i ? ", " : "");
            describe_arg(text, sizeof text, c, i);
        }
        return refuse(fault,
                      "`%s` takes %u parameter%s, but the checker passes %u: %s. Give it the "
                      "parameters that the lesson asks for.",
                      kernel->name, kernel->param_count, kernel->param_count == 1 ? "" : "s",
                      c->arg_count, c->arg_count ? text : "none");
    }
    for (unsigned i = 0; i < c->arg_count; i++) {
        if (kernel->params[i].size != arg_size(&c->args[i])) {
            describe_arg(text, sizeof text, c, i);
            return refuse(fault,
                          "Parameter %u of `%s` has %u bytes, but the checker passes %s%s. Give "
                          "it the type that the lesson asks for.",
                          i + 1, kernel->name, kernel->params[i].size, text,
                          c->args[i].buffer >= 0 ? " (8 bytes)" : "");
        }
    }
    return true;
}

/* ---- the shape ---------------------------------------------------------------------------- */

static bool check_block(struct wb_fault *fault, const struct wb_kernel *kernel,
                        const struct wb_device_case *c, unsigned max_threads)
{
    struct wb_dim3 b = c->block;
    uint64_t threads = (uint64_t)b.x * b.y; /* z is at most 64 when it is multiplied */
    if (b.x == 0 || b.y == 0 || b.z == 0) {
        return refuse(fault,
                      "The block is %u x %u x %u threads: a block needs at least one thread in "
                      "every dimension.",
                      b.x, b.y, b.z);
    }
    if (b.z > BLOCK_Z_MAX) {
        return refuse(fault, "The block has %u threads in z; at most %d are possible.", b.z,
                      BLOCK_Z_MAX);
    }
    if (threads > max_threads || threads * b.z > max_threads) {
        return refuse(fault,
                      "The block has %u x %u x %u = %.0f threads; at most %u are possible. Use "
                      "smaller blocks and more of them.",
                      b.x, b.y, b.z, (double)threads * b.z, max_threads);
    }
    if (kernel->max_threads && threads * b.z > kernel->max_threads) {
        return refuse(fault,
                      "The block has %llu threads, but __launch_bounds__ of `%s` promises at most "
                      "%u. Correct the promise or the block.",
                      (unsigned long long)(threads * b.z), kernel->name, kernel->max_threads);
    }
    return true;
}

static bool check_grid(struct wb_fault *fault, const struct wb_kernel *kernel,
                       const struct wb_device_case *c)
{
    struct wb_dim3 g = c->grid;
    if (g.x == 0 || g.y == 0 || g.z == 0) {
        return refuse(fault,
                      "The grid is %u x %u x %u blocks: a launch needs at least one block in "
                      "every dimension. Return early when there is nothing to do.",
                      g.x, g.y, g.z);
    }
    if (g.x > GRID_X_MAX || g.y > GRID_YZ_MAX || g.z > GRID_YZ_MAX) {
        return refuse(fault,
                      "The grid is %u x %u x %u blocks; at most %d x %d x %d are possible. Put "
                      "the largest dimension in x.",
                      g.x, g.y, g.z, GRID_X_MAX, GRID_YZ_MAX, GRID_YZ_MAX);
    }
    const unsigned *cluster = kernel->cluster;
    bool clustered = cluster[0] && cluster[1] && cluster[2];
    if (clustered && (g.x % cluster[0] || g.y % cluster[1] || g.z % cluster[2])) {
        return refuse(fault,
                      "The grid is %u x %u x %u blocks, but `%s` runs in clusters of %u x %u x "
                      "%u: the grid must be a multiple in every dimension.",
                      g.x, g.y, g.z, kernel->name, cluster[0], cluster[1], cluster[2]);
    }
    return true;
}

bool wb_launch_check_shape(struct wb_fault *fault, const struct wb_kernel *kernel,
                           const struct wb_device_case *c, const struct wb_launch_limits *limits)
{
    if (!check_grid(fault, kernel, c) || !check_block(fault, kernel, c, limits->threads)) {
        return false;
    }
    uint64_t shared = (uint64_t)kernel->static_shared + c->dynamic_shared;
    if (shared > limits->shared) {
        return refuse(fault,
                      "A block needs %llu bytes of shared memory (%u in the kernel, %u at the "
                      "launch); at most %u are possible. Use smaller tiles.",
                      (unsigned long long)shared, kernel->static_shared, c->dynamic_shared,
                      limits->shared);
    }
    /* Registers are handed out to whole warps, in steps of 8 a thread. */
    unsigned warps = (c->block.x * c->block.y * c->block.z + WARP - 1) / WARP;
    unsigned registers = (kernel->registers + 7) / 8 * 8 * WARP * warps;
    if (registers > limits->registers) {
        return refuse(fault,
                      "A block needs %u registers (%u warps with %u a thread); at most %u are "
                      "possible. Use smaller blocks, or fewer values at a time.",
                      registers, warps, kernel->registers, limits->registers);
    }
    return true;
}

bool wb_launch_check_symbol(struct wb_fault *fault, const struct wb_device_buffer *symbol,
                            bool found, size_t size)
{
    if (!found) {
        return refuse(fault,
                      "The file has no `__constant__` or `__device__` variable `%s`. It must stand "
                      "outside of functions and namespaces, without `static`, under this name.",
                      symbol->name);
    }
    if (size != symbol->size) {
        return refuse(fault,
                      "The variable `%s` has %zu bytes, and the lesson fills %zu. Declare it with "
                      "the type and length of the exercise.",
                      symbol->name, size, symbol->size);
    }
    return true;
}
