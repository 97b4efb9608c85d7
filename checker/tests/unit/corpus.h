/* SPDX-License-Identifier: MIT
 * Kernels that were measured on an H200 (fixtures/open, fixtures/probes): how each is launched,
 * what the hardware counted at each instruction, and the embedded device's run of the same launch.
 * A corpus is NAME.cu, NAME.cubin and NAME.counters; fixtures/probes/README.md has the formats.
 */
#ifndef WB_TESTS_CORPUS_H
#define WB_TESTS_CORPUS_H

#include "sim.h"

enum { CORPUS_MAX_INSTRUCTIONS = 4096 };

struct corpus {
    struct wb_cubin *cubin;
    const char *launches, *counters; /* text of NAME.cu, NAME.counters */
};

struct corpus_launch {
    char kernel[32], input[8];
    struct wb_dim3 grid, block;
    unsigned dynamic_shared, count, bytes;
    int n, timing;
};

/* What the hardware or the embedded device gave. */
struct corpus_result {
    struct wb_counts pc[CORPUS_MAX_INSTRUCTIONS]; /* by instruction */
    struct wb_counts total;
    uint32_t at_pc, in_total; /* bits of the metrics that are known at each pc, in the total */
    uint64_t output;          /* FNV-1a-64 of the output's bytes */
};

/* How the device is set up. */
struct corpus_pass {
    const struct wb_engine *engine;
    bool taken_first;
    enum wb_schedule schedule;
    uint64_t schedule_seed;
};

/* `name` is the path below the fixtures, without an ending: "open/open". */
bool corpus_read(struct corpus *out, struct wb_arena *arena, const char *name,
                 struct wb_status *status);

/* The launch of the row at or behind *line, which moves on; false behind the last. */
bool corpus_next(struct corpus_launch *out, const char **line);

/* False if the table has no such kernel, or a row that makes no sense. */
bool corpus_measured(struct corpus_result *out, const struct corpus *corpus, const char *kernel);

/* False after a fault or if the device could not be set up; `fault` says why. */
bool corpus_run(struct corpus_result *out, struct wb_fault *fault, struct wb_arena *arena,
                const struct corpus *corpus, const struct corpus_launch *launch,
                const struct corpus_pass *pass);

#endif
