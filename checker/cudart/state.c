/* SPDX-License-Identifier: MIT
 * Calls about the runtime as a whole: the last error, starting afresh.
 */
#include "api.h"
#include "array.h"
#include "binary.h"
#include "capture.h"
#include "device.h"
#include "graph.h"
#include "heap.h"
#include "held.h"
#include "log.h"
#include "mipmap.h"
#include "pool.h"
#include "runtime.h"
#include "stream.h"
#include "texture.h"

enum cudaError rt_cudaPeekAtLastError(void)
{
    return *wb_runtime_last_error();
}

enum cudaError rt_cudaGetLastError(void)
{
    enum cudaError error = rt_cudaPeekAtLastError();
    *wb_runtime_last_error() = cudaSuccess;
    return error;
}

/* Subjects in the order in which they forget what they know: who refers to another comes first. */
static void (*const resets[])(void) = {
    wb_captures_reset, wb_graph_execs_reset, wb_graphs_reset,      wb_user_objects_reset,
    wb_events_reset,   wb_streams_reset,     wb_pools_reset,       wb_textures_reset,
    wb_surfaces_reset, wb_mipmaps_reset,     wb_arrays_reset,      wb_heap_reset,
    wb_limits_reset,   wb_device_reset,      wb_resource_lose_all,
};

/* Everything that the program made is gone; its code is loaded again when it is next used. */
enum cudaError rt_cudaDeviceReset(void)
{
    struct wb_runtime *runtime = wb_runtime();
    wb_held_finish();
    wb_runtime_print_flush();
    for (size_t i = 0; i < WB_ARRAY_LENGTH(resets); i++) {
        resets[i]();
    }
    wb_sim_destroy(runtime->sim);
    runtime->sim = NULL;
    runtime->pending = cudaSuccess;
    runtime->sticky = cudaSuccess;
    *wb_runtime_last_error() = cudaSuccess;
    wb_binary_reload_all();
    return cudaSuccess;
}
