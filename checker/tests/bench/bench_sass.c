/* SPDX-License-Identifier: MIT
 * How fast the embedded device is with counters on: the kernels of fixtures/sass/bench.cu, on one
 * host thread and on two. For each:
 *
 *   - lane-instructions a second of one thread, by its processor time;
 *   - what a second thread gains: by the clock on the wall, which says little on a busy machine,
 *     and the ratio of the processor time of one thread to that of both, which shows what the
 *     threads cost each other;
 *   - how many times as long it takes with the guard, on one thread, by processor time;
 *   - how much the memory of the process grows during a launch, on one thread, on two, and with the
 * guard.
 *
 *   meson test -C build --benchmark -v
 *   bench_sass [base] [KERNEL...]     base: with the handlers for any machine
 */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCKS = 32, THREADS = 256, RUNS = 7, WORDS = 1 << 23 };

static const struct {
    const char *name;
    int repeats; /* so that a run takes about a twentieth of a second */
} kernels[] = {
    {"integers", 200}, {"floats", 250}, {"divergent", 20}, {"saxpy", 1500}, {"stream", 1024},
    {"tile", 250},     {"library", 40}, {"special", 100},  {"sums", 800},
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A line of /proc/self/status in KiB, 0 if it is not there. */
static long memory_of_process(const char *what)
{
    char line[200];
    long size = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, what, strlen(what)) == 0) {
            size = strtol(line + strlen(what), NULL, 10);
        }
    }
    if (file) {
        fclose(file);
    }
    return size;
}

/* Makes the peak of the process's memory what it is now. */
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct result {
    double rate;      /* lane-instructions a second of processor time, median */
    double best_wall; /* seconds */
    double growth;    /* MiB, the most */
};

static bool measure(struct result *result, struct wb_sim *sim, const struct wb_sim_launch *launch,
                    struct wb_status *status)
{
    double rates[RUNS];
    *result = (struct result){.best_wall = 1e9};
    for (int i = 0; i < RUNS; i++) {
        struct wb_arena arena;
        struct wb_counters counters;
        struct wb_fault fault;
        wb_arena_init(&arena);
        forget_peak();
        long before = memory_of_process("VmRSS:");
        double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
        bool ok = wb_sim_launch(&counters, &fault, &arena, sim, launch, status);
        cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        wall = now(CLOCK_MONOTONIC) - wall;
        double growth = (double)(memory_of_process("VmHWM:") - before) / 1024;
        rates[i] = (double)counters.total.v[WB_METRIC_THREAD_INST] / cpu;
        result->best_wall = wall < result->best_wall ? wall : result->best_wall;
        result->growth = growth > result->growth ? growth : result->growth;
        wb_arena_finish(&arena);
        if (!ok || fault.kind != WB_REASON_NONE) {
            return false;
        }
    }
    qsort(rates, RUNS, sizeof rates[0], by_size);
    result->rate = rates[RUNS / 2];
    return true;
}

static bool run(const struct wb_cubin *cubin, const char *kernel, int repeats,
                const struct wb_engine *engine, struct wb_status *status)
{
    static float out[WORDS], in[WORDS];
    struct wb_sim *sim;
    if (!wb_sim_create(&sim, status)) {
        return false;
    }
    sim->engine = engine;
    for (int i = 0; i < WORDS; i++) {
        out[i] = 0;
        in[i] = 0.5f + (float)(i % 100) / 50;
    }
    bool ok = wb_sim_load(sim, cubin, status);
    if (ok) {
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
        struct wb_guard_findings findings;
        struct result one, two, guarded;
        ok = measure(&one, sim, &launch, status);
        launch.threads = 2;
        ok = ok && measure(&two, sim, &launch, status);
        launch.threads = 1;
        launch.findings = &findings;
        ok = ok && measure(&guarded, sim, &launch, status);
        if (ok) {
            printf("%-10s %-5s %9.2e %9.2f %9.2f %8.2f %9.1f %9.1f %9.1f\n", kernel, engine->name,
                   one.rate, one.best_wall / two.best_wall, two.rate / one.rate,
                   one.rate / guarded.rate, one.growth, two.growth, guarded.growth);
        }
    }
    wb_sim_destroy(sim);
    return ok;
}

/* Was the kernel asked for, or none at all? */
static bool is_wanted(const char *kernel, int count, char **names)
{
    bool wanted = count == 0;
    for (int i = 0; i < count; i++) {
        wanted = wanted || strcmp(names[i], kernel) == 0;
    }
    return wanted;
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
    printf(
        "                 lane-inst. ---- 2 threads ----  with the  MiB more with\n"
        "kernel     code  a second   x by wall x by CPU  guard x   1 thread 2 threads   guard\n");
    for (size_t i = 0; ok && i < WB_ARRAY_LENGTH(kernels); i++) {
        if (is_wanted(kernels[i].name, argc - 1 - base, argv + 1 + base)) {
            ok = run(cubin, kernels[i].name, kernels[i].repeats, engine, &status);
        }
    }
    if (!ok) {
        fprintf(stderr, "%s\n", status.message);
    }
    wb_arena_finish(&arena);
    return !ok;
}
