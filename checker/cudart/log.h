/* SPDX-License-Identifier: MIT
 * log: the run log. When WARPBOOK_RUN_LOG names a file, what the program did is appended to it, one
 * JSON object a line, each line at once, so that a crash or _exit loses nothing. The reader is
 * runlog.c; docs/exec.md says what is in a line. Everything here needs the lock (see enter.h).
 */
#ifndef WB_CUDART_LOG_H
#define WB_CUDART_LOG_H

#include "place.h"

#include <warpbook/sass.h>

/* ---- for the subjects of the runtime ------------------------------------------------------- */

/* One run of a kernel, told after it: also when it faulted. The finding for a fault is made from
 * it (with the launch's place and, for a host pointer, the argument's number). */
struct wb_log_launch {
    const struct wb_kernel *kernel;
    const struct wb_sim_launch *launch; /* grid, block, cluster, dynamic_shared, params */
    const struct wb_counters *counters;
    const struct wb_fault *fault; /* kind NONE, or NULL: it ran to its end */
    unsigned long long stream;    /* the stream's number; 0: the default stream */
    const struct wb_place *place; /* NULL: the call in flight (a graph's node remembers its own) */
    const struct wb_guard_findings *findings; /* NULL: nobody looked */
    uint64_t stopped; /* warp instructions after which a signal ended it, 0: none did. Its counters
                         are those of no whole launch and are not kept */
};
void wb_log_launch(const struct wb_log_launch *launch);

/* A finding at a place of the host program (the call in flight if NULL). `advice` NULL: that of the
 * kind. Without a run log it is one line on standard error. */
void wb_log_finding(enum wb_reason kind, const struct wb_place *place, const char *advice,
                    const char *format, ...) WB_PRINTF(4, 5);

/* A place that has to do with a finding, and what it is: "the other access is here". */
struct wb_log_other {
    const struct wb_place *place;
    const char *text;
};
/* The same with such a place; NULL: there is none. */
void wb_log_finding_with(enum wb_reason kind, const struct wb_place *place,
                         const struct wb_log_other *other, const char *advice, const char *format,
                         ...) WB_PRINTF(5, 6);

/* ---- what was made and must be given back (leaks.c) ---------------------------------------- */

/* X(ENUM, "one", "several", "the call that gives it back") */
#define WB_RESOURCE_LIST(X)                                                                        \
    X(DEVICE, "device allocation", "device allocations", "cudaFree")                               \
    X(PINNED, "pinned host allocation", "pinned host allocations", "cudaFreeHost")                 \
    X(REGISTERED, "registered host range", "registered host ranges", "cudaHostUnregister")         \
    X(MANAGED, "managed allocation", "managed allocations", "cudaFree")                            \
    X(ARRAY, "array", "arrays", "cudaFreeArray")                                                   \
    X(STREAM, "stream", "streams", "cudaStreamDestroy")                                            \
    X(EVENT, "event", "events", "cudaEventDestroy")                                                \
    X(GRAPH, "graph", "graphs", "cudaGraphDestroy")                                                \
    X(GRAPH_EXEC, "executable graph", "executable graphs", "cudaGraphExecDestroy")                 \
    X(POOL, "memory pool", "memory pools", "cudaMemPoolDestroy")                                   \
    X(MIPMAP, "mipmapped array", "mipmapped arrays", "cudaFreeMipmappedArray")                     \
    X(TEXTURE, "texture object", "texture objects", "cudaDestroyTextureObject")                    \
    X(SURFACE, "surface object", "surface objects", "cudaDestroySurfaceObject")

enum wb_resource {
#define X(name, one, several, call) WB_RESOURCE_##name,
    WB_RESOURCE_LIST(X)
#undef X
        WB_RESOURCE_COUNT
};

/* Remembers where it was made: the call in flight. `size` in bytes, 0 for what has none. */
void wb_resource_made(enum wb_resource kind, const void *handle, size_t size);
void wb_resource_gone(enum wb_resource kind, const void *handle);
/* Where something that lives was made, or NULL. */
const struct wb_place *wb_resource_place(enum wb_resource kind, const void *handle);
/* cudaDeviceReset took everything; what was not given back before is still told of. */
void wb_resource_lose_all(void);

/* ---- for enter.c --------------------------------------------------------------------------- */

void wb_log_start(void);  /* when the library is loaded */
bool wb_log_wanted(void); /* there is a run log: places are worth finding out */
bool wb_trace_wanted(void);
void wb_log_call(const char *name, int result, bool planned, const struct wb_place *place);
void wb_log_leaks(void);
void wb_log_end(int exit_code);

#endif
