/* SPDX-License-Identifier: MIT
 * How fast the embedded device is with counters on: lane-instructions a second of the kernels in
 * fixtures/sass/bench.cu, on one host thread and on two. With the handlers for any machine too:
 * bench_sass base.
 *   meson test -C build --benchmark -v
 */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCKS = 32, THREADS = 256, RUNS = 7 };

static const struct {
    const char *name;
    int repeats; /* so that a run takes some hundredths of a second */
} kernels[] = {
    {"integers", 60}, {"floats", 80}, {"divergent", 8},
    {"saxpy", 200},   {"tile", 40},   {"library", 8},
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Lane-instructions a second. The machine may be busy with something else, so the rate of one
 * thread is by processor time; that of several is by the clock on the wall, of the best run. */
struct rates {
    double median_cpu, best_wall;
};

static bool measure(struct rates *rates, struct wb_sim *sim, const struct wb_sim_launch *launch,
                    struct wb_status *status)
{
    double cpu_rates[RUNS];
    rates->best_wall = 0;
    for (int i = 0; i < RUNS; i++) {
        struct wb_arena arena;
        struct wb_counters counters;
        struct wb_fault fault;
        wb_arena_init(&arena);
        double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
        bool ok = wb_sim_launch(&counters, &fault, &arena, sim, launch, status);
        cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        wall = now(CLOCK_MONOTONIC) - wall;
        double lanes = (double)counters.total.v[WB_METRIC_THREAD_INST];
        cpu_rates[i] = lanes / cpu;
        rates->best_wall = lanes / wall > rates->best_wall ? lanes / wall : rates->best_wall;
        wb_arena_finish(&arena);
        if (!ok || fault.kind != WB_REASON_NONE) {
            return false;
        }
    }
    qsort(cpu_rates, RUNS, sizeof cpu_rates[0], by_size);
    rates->median_cpu = cpu_rates[RUNS / 2];
    return true;
}

static bool run(const struct wb_cubin *cubin, const char *kernel, int repeats,
                const struct wb_engine *engine, struct wb_status *status)
{
    static float out[BLOCKS * THREADS], in[BLOCKS * THREADS];
    struct wb_sim *sim;
    if (!wb_sim_create(&sim, status)) {
        return false;
    }
    sim->engine = engine;
    bool ok = wb_sim_load(sim, cubin, status);
    if (ok) {
        for (int i = 0; i < BLOCKS * THREADS; i++) {
            out[i] = 0;
            in[i] = 0.5f + (float)(i % 100) / 50;
        }
        struct {
            uint64_t out, in;
            int repeats;
        } params = {wb_sim_map(sim, out, sizeof out, "out"), wb_sim_map(sim, in, sizeof in, "in"),
                    repeats};
        struct wb_sim_launch launch = {.kernel = kernel,
                                       .grid = {BLOCKS, 1, 1},
                                       .block = {THREADS, 1, 1},
                                       .params = &params,
                                       .param_size = 20,
                                       .threads = 1};
        struct rates one, two;
        ok = measure(&one, sim, &launch, status);
        launch.threads = 2;
        ok = ok && measure(&two, sim, &launch, status);
        if (ok) {
            printf("%-10s %-5s %.2e lane-instructions/s; 2 threads: x %.2f, and %.2f of the "
                   "processor time\n",
                   kernel, engine->name, one.median_cpu, two.best_wall / one.best_wall,
                   one.median_cpu / two.median_cpu);
        }
    }
    wb_sim_destroy(sim);
    return ok;
}

int main(int argc, char **argv)
{
    bool base = argc > 1 && strcmp(argv[1], "base") == 0;
    const struct wb_engine *engine = base ? &wb_exec_base_engine : wb_engine_choose();
    struct wb_status status = {0};
    struct wb_arena arena;
    struct wb_bytes bytes;
    struct wb_cubin *cubin;
    wb_arena_init(&arena);
    bool ok = wb_file_read(&bytes, &arena, WB_FIXTURES "/sass/bench.cubin", 1 << 24, &status) &&
              wb_cubin_parse(&cubin, &arena, bytes.data, bytes.size, &status);
    for (size_t i = 0; ok && i < WB_ARRAY_LENGTH(kernels); i++) {
        ok = run(cubin, kernels[i].name, kernels[i].repeats, engine, &status);
    }
    if (!ok) {
        fprintf(stderr, "%s\n", status.message);
    }
    wb_arena_finish(&arena);
    return !ok;
}
