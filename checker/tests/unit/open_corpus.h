/* SPDX-License-Identifier: MIT
 * The 53 kernels of fixtures/open as they were measured on an H200: how each is launched, what the
 * hardware counted at each instruction, and the embedded device's run of the same launch.
 */
#ifndef WB_TESTS_OPEN_CORPUS_H
#define WB_TESTS_OPEN_CORPUS_H

#include "sim.h"

enum { OPEN_MAX_INSTRUCTIONS = 4096 };

struct open_corpus {
    struct wb_cubin *cubin;
    const char *launches, *counters; /* text of open.tsv, open.counters */
};

struct open_launch {
    char kernel[32], input[8];
    struct wb_dim3 grid, block;
    unsigned dynamic_shared, count, bytes;
    int n, timing;
};

/* What the hardware or the embedded device gave. */
struct open_result {
    struct wb_counts pc[OPEN_MAX_INSTRUCTIONS]; /* by instruction */
    struct wb_counts total;
    uint64_t output; /* FNV-1a-64 of the output's bytes */
};

/* How the device is set up. */
struct open_pass {
    const struct wb_engine *engine;
    bool taken_first;
};

bool open_corpus_read(struct open_corpus *out, struct wb_arena *arena, struct wb_status *status);

/* The launch of the row at *line, which moves to the next row; false behind the last. */
bool open_corpus_next(struct open_launch *out, const char **line);

/* False if the table has no such kernel, or a row that makes no sense. */
bool open_corpus_measured(struct open_result *out, const struct open_corpus *corpus,
                          const char *kernel);

/* False after a fault or if the device could not be set up; `fault` says why. */
bool open_corpus_run(struct open_result *out, struct wb_fault *fault, struct wb_arena *arena,
                     const struct open_corpus *corpus, const struct open_launch *launch,
                     const struct open_pass *pass);

#endif
