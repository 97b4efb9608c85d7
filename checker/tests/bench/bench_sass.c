/* SPDX-License-Identifier: MIT
 * How fast the embedded device is, on one core and with counters on: lane-instructions a second of
 * kernels in fixtures/sass/bench.cu, with each compilation of the handlers.
 *   meson test -C build --benchmark -v
 */
#include "sim.h"

#include <stdio.h>
#include <time.h>

enum { BLOCKS = 8, THREADS = 256 };

/* Processor time: the machine may be busy with something else. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(struct wb_arena *arena, const struct wb_cubin *cubin, const char *kernel, int n,
                const struct wb_engine *engine, struct wb_status *status)
{
    static uint32_t out[BLOCKS * THREADS];
    struct wb_sim *sim;
    struct wb_counters counters;
    struct wb_fault fault;
    if (!wb_sim_create(&sim, status)) {
        return false;
    }
    sim->engine = engine;
    bool ok = wb_sim_load(sim, cubin, status);
    if (ok) {
        struct {
            uint64_t out;
            int n;
        } params = {wb_sim_map(sim, out, sizeof out, "out"), n};
        struct wb_sim_launch launch = {.kernel = kernel,
                                       .grid = {BLOCKS, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .params = &params,
                                       .param_size = 12};
        double start = now();
        ok = wb_sim_launch(&counters, &fault, arena, sim, &launch, status);
        double seconds = now() - start;
        if (ok) {
            double lanes = (double)counters.total.v[WB_METRIC_THREAD_INST];
            double warps = (double)counters.total.v[WB_METRIC_INST];
            printf("%-10s %-4s %6.2f s  %.2e lane-instructions/s  %5.1f ns a warp instruction\n",
                   kernel, engine->name, seconds, lanes / seconds, 1e9 * seconds / warps);
        }
    }
    wb_sim_destroy(sim);
    return ok;
}

int main(void)
{
    const struct wb_engine *engines[] = {wb_engine_choose(), &wb_exec_base_engine};
    struct wb_status status = {0};
    struct wb_arena arena;
    struct wb_bytes bytes;
    struct wb_cubin *cubin;
    wb_arena_init(&arena);
    bool ok = wb_file_read(&bytes, &arena, WB_FIXTURES "/sass/bench.cubin", 1 << 24, &status) &&
              wb_cubin_parse(&cubin, &arena, bytes.data, bytes.size, &status);
    for (size_t i = 0; ok && i < WB_ARRAY_LENGTH(engines); i++) {
        ok = run(&arena, cubin, "arithmetic", 400, engines[i], &status) &&
             run(&arena, cubin, "divergent", 40, engines[i], &status);
    }
    if (!ok) {
        fprintf(stderr, "%s\n", status.message);
    }
    wb_arena_finish(&arena);
    return !ok;
}
