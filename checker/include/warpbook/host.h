/* SPDX-License-Identifier: MIT
 * host: functions of a learner's host code. A shared object is loaded, and one of its functions is
 * called, in a process of its own (host-runner) with the CUDA runtime of the embedded device or
 * NVIDIA's. Whatever happens there, the caller gets an answer; nothing that is right is within
 * reach of that process.
 */
#ifndef WARPBOOK_HOST_H
#define WARPBOOK_HOST_H

#include <warpbook/base.h>
#include <warpbook/cudart.h>
#include <warpbook/device.h>

struct wb_host; /* a shared object, ready to be called */

struct wb_host_options {
    struct wb_bytes object;   /* as WB_BUILD_SHARED makes it */
    const char *source;       /* path of the .cu file, to tell its lines from those of headers */
    const char *programs;     /* build/checker: host-runner and libcudart.so.13 lie below it */
    enum wb_device_kind kind; /* WB_DEVICE_SIM or WB_DEVICE_GPU */
    const char *toolkit_root; /* where NVIDIA's runtime lies; NULL: wherever the loader looks */
};

/* Writes the object to a temporary folder. TOOL_MISSING names a program that is not there. */
bool wb_host_open(struct wb_host **out, struct wb_arena *arena,
                  const struct wb_host_options *options, struct wb_status *status);
void wb_host_close(struct wb_host *host); /* NULL is fine */

/* One call. Arrays lie between guard zones whose nearest pages cannot even be read. */
struct wb_host_call {
    const char *function;
    struct wb_device_case *arguments; /* its buffers and args; the rest is not looked at. `done`,
                                         `guard_hit` and the bytes come back as from a kernel */
    int result; /* buffer that takes what is returned (4 or 8 bytes), -1: nothing is */
    bool result_is_float;
    const char *failing; /* calls that are made to fail, as in WARPBOOK_INJECT; NULL: none */
    bool drop_launches;  /* kernels are launched as it seems, and none runs */
    double time_limit;   /* seconds of CPU time; 0: 3 on the embedded device, 10 on a GPU */
};

struct wb_host_result {
    /* kind NONE: the function returned. LAUNCH_FAILED: there is no such function, or the object
     * cannot be loaded. CRASH, TIMEOUT: it did not return. */
    struct wb_fault fault;
    struct wb_runlog log; /* what it asked of the CUDA runtime, up to its end */
    char *output;         /* what was printed, capped */
    bool output_cut;
};

/* Makes all calls, a few at once, each in a process of its own. False if we failed ourselves. */
bool wb_host_run(struct wb_host_result *results, struct wb_arena *arena, struct wb_host *host,
                 const struct wb_host_call *calls, size_t count, struct wb_status *status);

#endif
