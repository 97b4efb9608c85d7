/* SPDX-License-Identifier: MIT
 * The state that all subjects share, and what synchronising means.
 */
#include "runtime.h"

#include "held.h"

#include <stdio.h>
#include <string.h>

static struct wb_runtime state;
static struct wb_arena print_arena; /* of `printed`; emptied at each flush */
static struct wb_str printed;
static _Thread_local enum cudaError last_error;
static _Thread_local bool default_is_per_thread;

struct wb_runtime *wb_runtime(void)
{
    return &state;
}

struct wb_sim *wb_runtime_sim(void)
{
    struct wb_status status = {0};
    if (!state.sim && !wb_sim_create(&state.sim, &status)) {
        return NULL;
    }
    return state.sim;
}

/* ---- printf ---------------------------------------------------------------------------------- */

void wb_runtime_print(const char *text, size_t size)
{
    printed.arena = &print_arena;
    wb_str_add_bytes(&printed, text, size);
}

/* Through the program's own stdout, so that lines of the host and of kernels keep their order. */
void wb_runtime_print_flush(void)
{
    if (printed.length) {
        fwrite(printed.data, 1, printed.length, stdout);
        wb_arena_finish(&print_arena);
        printed = (struct wb_str){0};
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

enum cudaError wb_runtime_synchronise(void)
{
    wb_held_finish();
    wb_runtime_print_flush();
    if (state.pending != cudaSuccess && state.sticky == cudaSuccess) {
        state.sticky = state.pending;
    }
    return state.sticky;
}

void wb_runtime_fault(enum cudaError error)
{
    if (!wb_runtime_faulted()) {
        state.pending = error;
    }
}

bool wb_runtime_faulted(void)
{
    return state.pending != cudaSuccess || state.sticky != cudaSuccess;
}

enum cudaError *wb_runtime_last_error(void)
{
    return &last_error;
}

/* ---- stream 0 -------------------------------------------------------------------------------- */

bool wb_runtime_default_stream(bool per_thread)
{
    bool before = default_is_per_thread;
    default_is_per_thread = per_thread;
    return before;
}

cudaStream_t wb_runtime_stream(cudaStream_t stream)
{
    if (stream) {
        return stream;
    }
    return default_is_per_thread ? WB_STREAM_PER_THREAD : WB_STREAM_LEGACY;
}

/* ---- what is not there ----------------------------------------------------------------------- */

enum cudaError wb_runtime_missing(const char *name, bool *told)
{
    if (!*told) {
        *told = true;
        fprintf(stderr,
                "warpbook: %s is not available on the embedded device; it returns "
                "cudaErrorNotSupported.\n",
                name);
    }
    last_error = cudaErrorNotSupported;
    return cudaErrorNotSupported;
}
