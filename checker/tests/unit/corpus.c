/* SPDX-License-Identifier: MIT
 * Reads a corpus and runs its kernels. Input and constants come from a 64-bit LCG.
 */
#include "corpus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20, STEP_LIMIT = 20000000 };

/* ---- the measured tables ----------------------------------------------------------------------
 */

static bool read_part(struct wb_bytes *out, struct wb_arena *arena, const char *name,
                      const char *ending, struct wb_status *status)
{
    const char *path = wb_arena_printf(arena, "%s/%s%s", WB_FIXTURES, name, ending);
    return wb_file_read(out, arena, path, 1 << 24, status);
}

bool corpus_read(struct corpus *out, struct wb_arena *arena, const char *name,
                 struct wb_status *status)
{
    struct wb_bytes cubin, launches, counters;
    if (!read_part(&cubin, arena, name, ".cubin", status) ||
        !read_part(&launches, arena, name, ".cu", status) ||
        !read_part(&counters, arena, name, ".counters", status) ||
        !wb_cubin_parse(&out->cubin, arena, cubin.data, cubin.size, status)) {
        return false;
    }
    out->launches = (const char *)launches.data;
    out->counters = (const char *)counters.data;
    return true;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

bool corpus_next(struct corpus_launch *out, const char **line)
{
    bool found = false;
    for (; *line && !found; *line = next_line(*line)) {
        found = sscanf(*line, "//@ %31s %u %u %u %u %u %u %u %d %7s %u %u %d", out->kernel,
                       &out->grid.x, &out->grid.y, &out->grid.z, &out->block.x, &out->block.y,
                       &out->block.z, &out->dynamic_shared, &out->n, out->input, &out->count,
                       &out->bytes, &out->timing) == 13;
    }
    return found;
}

static void add_total(struct corpus_result *result)
{
    for (size_t i = 0; i < CORPUS_MAX_INSTRUCTIONS; i++) {
        wb_counts_add(&result->total, &result->pc[i]);
    }
}

/* A row: first pc, last pc, the counts of each instruction between them. */
static bool read_row(struct corpus_result *out, const char *line)
{
    char *rest;
    struct wb_counts counts = {0};
    unsigned long first = strtoul(line, &rest, 10), last = strtoul(rest, &rest, 10);
    for (unsigned m = 0; m < WB_SASS_METRIC_COUNT; m++) {
        counts.v[m] = strtoull(rest, &rest, 10);
    }
    if (first > last || last / 16 >= CORPUS_MAX_INSTRUCTIONS) {
        return false;
    }
    for (unsigned long i = first / 16; i <= last / 16; i++) {
        out->pc[i] = counts;
    }
    return true;
}

/* "kernel NAME HASH", and behind it divergent loads of constants and replays if they are known. */
static bool read_head(struct corpus_result *out, const char *line, const char *kernel)
{
    char name[32], *rest;
    int length = 0;
    if (sscanf(line, "kernel %31s %" SCNx64 "%n", name, &out->output, &length) != 2 ||
        strcmp(name, kernel) != 0) {
        return false;
    }
    if (line[length] == ' ') {
        out->total.v[WB_METRIC_IDC_DIVERGENT] = strtoull(line + length, &rest, 10);
        out->total.v[WB_METRIC_IDC_REPLAYS] = strtoull(rest, NULL, 10);
        out->in_total = 1u << WB_METRIC_IDC_DIVERGENT | 1u << WB_METRIC_IDC_REPLAYS;
    }
    return true;
}

bool corpus_measured(struct corpus_result *out, const struct corpus *corpus, const char *kernel)
{
    const char *line = corpus->counters;
    memset(out, 0, sizeof *out);
    while (line && !read_head(out, line, kernel)) {
        line = next_line(line);
    }
    bool ok = line != NULL;
    for (line = ok ? next_line(line) : NULL; ok && line && *line != 'k'; line = next_line(line)) {
        ok = read_row(out, line);
        out->at_pc = (1u << WB_SASS_METRIC_COUNT) - 1;
    }
    out->in_total |= out->at_pc;
    add_total(out);
    return ok;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* Integers are the LCG's high word, floating-point numbers lie in (0.1, 2). */
static void fill(void *out, const char *type, size_t count, uint64_t state)
{
    for (size_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (strcmp(type, "f32") == 0) {
            double x = 0.1 + 1.9 * ((double)(state >> 41) + 0.5) / 8388608.0;
            ((float *)out)[i] = (float)x;
        } else if (strcmp(type, "f64") == 0) {
            ((double *)out)[i] = 0.1 + 1.9 * ((double)(state >> 11) + 0.5) / 9007199254740992.0;
        } else {
            ((uint32_t *)out)[i] = (uint32_t)(state >> 32);
        }
    }
}

/* Fills a __constant__ variable if the module has it. */
static void fill_constant(struct wb_sim *sim, const char *name, const char *type)
{
    size_t size = 0;
    void *image = wb_sim_variable(sim, name, &size);
    fill(image, type, size / 4, UINT64_C(0xfedcba987654321));
}

static uint64_t fnv1a(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static bool launch_on(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                      struct wb_sim *sim, const struct corpus_launch *l,
                      const struct corpus_pass *pass, uint8_t *out)
{
    static uint64_t in[BUFFER / 8];
    struct wb_status status = {0};
    memset(in, 0, sizeof in);
    memset(out, 0xcd, BUFFER);
    fill(in, l->input, l->count, UINT64_C(0x123456789abcdef));
    struct {
        uint64_t in, out;
        int n;
    } params = {wb_sim_map(sim, in, sizeof in, "in"), wb_sim_map(sim, out, BUFFER, "out"), l->n};
    struct wb_sim_launch launch = {
        .kernel = l->kernel,
        .grid = l->grid,
        .block = l->block,
        .dynamic_shared = l->dynamic_shared,
        .params = &params,
        .param_size = 20,
        .step_limit = STEP_LIMIT,
        .schedule = pass->schedule,
        .schedule_seed = pass->schedule_seed,
    };
    return wb_sim_launch(counters, fault, arena, sim, &launch, &status) &&
           fault->kind == WB_REASON_NONE;
}

bool corpus_run(struct corpus_result *out, struct wb_fault *fault, struct wb_arena *arena,
                const struct corpus *corpus, const struct corpus_launch *launch,
                const struct corpus_pass *pass)
{
    static uint8_t bytes[BUFFER];
    struct wb_status status = {0};
    struct wb_counters counters = {0};
    struct wb_sim *sim = NULL;
    memset(out, 0, sizeof *out);
    memset(fault, 0, sizeof *fault);
    bool ok = wb_sim_create(&sim, &status) && wb_sim_load(sim, corpus->cubin, &status);
    if (ok) {
        fill_constant(sim, "cdata", "u32");
        fill_constant(sim, "cfdata", "f32");
        sim->engine = pass->engine;
        sim->taken_first = pass->taken_first;
        ok = launch_on(&counters, fault, arena, sim, launch, pass, bytes);
    }
    wb_sim_destroy(sim);
    for (size_t i = 0; ok && i < counters.pc_count; i++) {
        ok = counters.pcs[i].pc / 16 < CORPUS_MAX_INSTRUCTIONS;
        if (ok) {
            out->pc[counters.pcs[i].pc / 16] = counters.pcs[i].counts;
        }
    }
    add_total(out);
    out->at_pc = out->in_total = counters.present;
    out->output = fnv1a(bytes, launch->bytes);
    return ok;
}
