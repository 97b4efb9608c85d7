/* SPDX-License-Identifier: MIT
 * The state of the runtime in this process: the embedded device and what its kernels left behind.
 * What a subject keeps for itself (allocations, streams, graphs) is static in that subject's file
 * and reset by its wb_*_reset. Everything here needs the lock of enter.h.
 */
#ifndef WB_CUDART_RUNTIME_H
#define WB_CUDART_RUNTIME_H

#include "abi.h"

#include <warpbook/sass.h>

struct wb_runtime {
    struct wb_arena arena;  /* for what lives as long as the process */
    struct wb_sim *sim;     /* NULL until it is needed, and after cudaDeviceReset */
    enum cudaError pending; /* a kernel's fault that no synchronising call has reported yet */
    enum cudaError sticky;  /* the fault with which calls fail, until cudaDeviceReset */
};

/* Never NULL. */
struct wb_runtime *wb_runtime(void);

/* The device, made at first use; NULL when there is no memory for it. */
struct wb_sim *wb_runtime_sim(void);

/* The host waits for the device: what kernels printed is written to stdout, and the fault of a
 * kernel becomes the sticky error, which is returned. */
enum cudaError wb_runtime_synchronise(void);

/* A kernel faulted: the next synchronising call will say so. Until then nothing more is run. */
void wb_runtime_fault(enum cudaError error);
/* The device does no more work: a fault is pending or sticky. */
bool wb_runtime_faulted(void);

/* What device code prints; written at the next synchronising call, as by the hardware's runtime. */
void wb_runtime_print(const char *text, size_t size);
void wb_runtime_print_flush(void);

/* Error of the last call that failed, for each host thread. */
enum cudaError *wb_runtime_last_error(void);

/* Whether stream 0 means the calling thread's stream (entry points whose names end in _ptsz or
 * _ptds). Returns what it was before. */
bool wb_runtime_default_stream(bool per_thread);
/* Stream 0 by its proper name: WB_STREAM_LEGACY or WB_STREAM_PER_THREAD; others as they are. */
cudaStream_t wb_runtime_stream(cudaStream_t stream);

/* For MISSING rows: says so on stderr, once a name. */
enum cudaError wb_runtime_missing(const char *name, bool *told);

#endif
