/* SPDX-License-Identifier: MIT
 * cudart: running programs that use the CUDA runtime on the embedded device. Such a program is
 * started with Warpbook's own libcudart.so.13 in place of NVIDIA's; what it did is in a run log
 * that the library writes. Here is what whoever starts the program needs: is it a program that can
 * be run so, which environment does it get, what does its log say.
 */
#ifndef WARPBOOK_CUDART_H
#define WARPBOOK_CUDART_H

#include <warpbook/base.h>
#include <warpbook/metrics.h>
#include <warpbook/sass.h>

/* How a program is to be compiled, for messages. */
#define WB_CUDART_BUILD "nvcc -arch=sm_90 -cudart shared -lineinfo -g"

/* ---- the program ----------------------------------------------------------------------------- */

/* Whether the file at `path` is a program that can be run on the embedded device: an executable for
 * this machine that is linked with libcudart.so.13 and holds code for sm_90. *preload tells whether
 * it names a folder of its own for libraries that goes before LD_LIBRARY_PATH (DT_RPATH).
 * NOT_FOUND, IO, or BAD_INPUT with a sentence that says how to build it. Reads any file safely. */
bool wb_cudart_examine(bool *preload, const char *path, struct wb_status *status);

/* ---- its environment ------------------------------------------------------------------------- */

struct wb_cudart_setup {
    const char *library; /* path of our libcudart.so.13 */
    bool preload;        /* see wb_cudart_examine */
    const char *log;     /* file for the run log */
    bool trace;          /* log every call, not only launches and findings */
    const char *watch;   /* CPU seconds after which a kernel that still runs is told of on standard
                            error; Ctrl-C then ends it with a finding. NULL: neither */
    bool guard;          /* look for races, undefined values and the like in kernels */
    const char *inject;  /* "cudaMalloc:2,cudaMemcpy:1:cudaErrorUnknown": calls that are to fail;
                            NULL: none */
};

/* Settings "NAME=value" (or "NAME": to be taken away), NULL-terminated, as struct wb_proc_spec
 * takes them. LD_LIBRARY_PATH and LD_PRELOAD are put before what this process has. */
const char *const *wb_cudart_environment(struct wb_arena *arena,
                                         const struct wb_cudart_setup *setup);

/* ---- the run log ----------------------------------------------------------------------------- */

/* A place in the program. Without debug information (nvcc -g) there is no file. */
struct wb_run_place {
    const char *file; /* NULL if unknown */
    unsigned line;    /* 0 if unknown */
    const char *text; /* "add.cu:9", else "main+0x42 in add" */
};

struct wb_run_kernel {
    const char *symbol; /* as in the cubin: "_Z9vectorAddPKfPf" */
    const char *name;   /* "vectorAdd" */
    unsigned registers, static_shared, local_bytes;
    size_t launches;
    struct wb_counts total; /* of all launches */
    uint32_t present;       /* metrics that every launch has */
};

/* Shared by all launches that counted the same. */
struct wb_run_counts {
    uint32_t present; /* as in struct wb_counters */
    struct wb_counts total;
    struct wb_pc_counts *lines; /* sorted by file, then line; pc is 0 */
    size_t line_count;
};

struct wb_run_launch {
    const struct wb_run_kernel *kernel;
    const struct wb_run_counts *counts;
    const struct wb_run_place *place;
    struct wb_dim3 grid, block, cluster;
    unsigned dynamic_shared;
    unsigned long long stream; /* 0: the default stream */
};

struct wb_run_call {
    const char *name; /* "cudaMalloc" */
    int result;       /* enum cudaError */
    bool injected;    /* it failed because WARPBOOK_INJECT asked for it */
    const struct wb_run_place *place;
};

struct wb_run_finding {
    enum wb_reason kind;
    struct wb_run_place place;
    const char *message, *advice;
    struct wb_run_place other; /* that has to do with it; text NULL: there is none */
    const char *note;          /* what is there: "the other access is here" */
};

/* What was made at one place and never given back. */
struct wb_run_leak {
    const char *what; /* "2 device allocations" */
    const char *call; /* what gives it back: "cudaFree" */
    size_t count;
    uint64_t bytes; /* in all; 0 for what has no size */
    struct wb_run_place place;
};

struct wb_runlog {
    struct wb_run_kernel **kernels; /* in the order of the first launch */
    struct wb_run_launch *launches;
    struct wb_run_call *calls; /* only of a trace */
    struct wb_run_finding *findings;
    struct wb_run_leak *leaks;
    size_t kernel_count, launch_count, call_count, finding_count, leak_count;
    bool ended;    /* the program came to its end, not by _exit, a signal or the like: only then
                      leaks and unchecked errors are known */
    int exit_code; /* if it ended */
};

/* "cudaErrorInvalidValue" for a result of a call; never NULL. */
const char *wb_cudart_error_name(int error);
/* The code for "cudaErrorInvalidValue"; -1 if there is no such error. */
int wb_cudart_error_find(const char *name);

/* Reads the log. What does not fit is BAD_INPUT with the number of the line; the last line may be
 * cut off, because the program may have died while writing it. A log that does not exist is that of
 * a program that did nothing: everything is zero. */
bool wb_runlog_read(struct wb_runlog *out, struct wb_arena *arena, const char *path,
                    struct wb_status *status);

#endif
