/* SPDX-License-Identifier: MIT
 * build: from a .cu file to a cubin, or to a shared object with the host code too. Finds nvcc, runs
 * it under limits, turns its output into diagnostics a beginner understands, and caches what it
 * made.
 */
#ifndef WARPBOOK_BUILD_H
#define WARPBOOK_BUILD_H

#include <warpbook/base.h>

struct wb_toolchain {
    char *nvcc;    /* full path */
    char *version; /* "13.0.88" */
    int major, minor;
    char *root; /* toolkit folder: nvcc's bin/.. (CUPTI may lie below it) */
};

/* Looks at WARPBOOK_NVCC, the path that Meson found (argument, may be NULL), PATH, CUDA_HOME,
 * /usr/local/cuda, and .venv below `tree`. TOOL_MISSING says what was looked at and what to do. */
bool wb_toolchain_find(struct wb_toolchain *out, struct wb_arena *arena, const char *configured,
                       const char *tree, struct wb_status *status);

enum wb_severity { WB_SEVERITY_ERROR, WB_SEVERITY_WARNING, WB_SEVERITY_NOTE };

struct wb_diagnostic {
    enum wb_severity severity;
    char *file; /* NULL if the compiler named none */
    unsigned line, column;
    char *message; /* the compiler's words */
};

enum wb_build_kind {
    WB_BUILD_CUBIN, /* the device code alone */
    WB_BUILD_SHARED /* a shared object: host code as well, for the shared CUDA runtime */
};

struct wb_build_request {
    const char *source; /* path of the .cu file */
    const char *arch;   /* "sm_90" */
    enum wb_build_kind kind;
};

struct wb_build_result {
    bool ok;
    bool cached;
    struct wb_bytes cubin; /* or the shared object */
    struct wb_diagnostic *diagnostics;
    size_t diagnostic_count;
    char *summary;         /* ours, when !ok: "line 12: a semicolon is missing"; else NULL */
    unsigned summary_line; /* line of the source that it speaks of, 0 if none */
    char *advice;          /* one next step, or NULL */
    char *output;          /* what the compiler printed, capped */
    double seconds;
};

/* Compiles all requests at once, with one nvcc process each. False only if we failed ourselves
 * (no source file, no nvcc or g++, disk full); a file that does not compile is !ok, also one that
 * is too large, no text, or keeps nvcc busy for more than a minute.
 * cache_dir may be NULL (no cache). A damaged cache entry is discarded and built again. */
bool wb_build(struct wb_build_result *results, const struct wb_build_request *requests,
              size_t count, const struct wb_toolchain *toolchain, const char *cache_dir,
              struct wb_arena *arena, struct wb_status *status);

#endif
