/* SPDX-License-Identifier: MIT
 * wb_build: for each request read the source, look into the cache, else start nvcc; then wait for
 * all, turn what they printed into results, and fill the cache.
 */
#include <warpbook/build.h>

#include "advice.h"
#include "cache.h"
#include "compile.h"
#include "job.h"
#include "key.h"
#include "output.h"
#include "temporary.h"
#include "tool.h"

#include <signal.h>
#include <string.h>
#include <time.h>

enum { SHELL_SIGNAL_BASE = 128 }; /* a shell's exit code for a program that a signal ended */

static const struct wb_limits default_limits = {.wall_s = 60,
                                                .cpu_s = 60,
                                                .address_space = 4ULL << 30,
                                                .file_size = 256 << 20,
                                                .output = 256 << 10};

/* What all requests of one call share. */
struct build {
    const struct wb_toolchain *toolchain;
    const char *cache_dir; /* NULL: no cache */
    const struct wb_limits *limits;
    struct wb_arena *arena;
    char *temporary; /* NULL until something must be compiled */
};

struct job {
    struct wb_build_result *result;
    struct wb_source source;
    const char *const *options;
    struct wb_key key;
    char *object;
    struct wb_proc *proc; /* NULL: the result is there already */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Fills the diagnostics from clean output in which the source is named by its full path. */
static void describe(struct wb_diagnostics *out, const struct build *build, struct job *job,
                     const char *output)
{
    const struct wb_source *source = &job->source;
    struct wb_build_result *result = job->result;
    result->output = wb_output_rebase(build->arena, output, source->folder, source->given_folder);
    wb_diagnostics_parse(out, build->arena, result->output, source->given_folder);
    result->diagnostics = out->items;
    result->diagnostic_count = out->count;
}

static void refuse(struct wb_build_result *result, const struct wb_source *source,
                   struct wb_arena *arena)
{
    result->summary = source->refused;
    result->summary_line = source->refused_line;
    result->advice = wb_arena_strdup(arena, source->refused_advice);
    result->output = wb_arena_strdup(arena, "");
}

/* ---- before ------------------------------------------------------------------------------- */

static bool load_from_cache(const struct build *build, struct job *job)
{
    struct wb_cache_entry entry;
    struct wb_diagnostics diagnostics;
    if (!build->cache_dir || !job->key.usable ||
        !wb_cache_load(&entry, build->arena, build->cache_dir, job->key.hex)) {
        return false;
    }
    job->result->ok = job->result->cached = true;
    job->result->cubin = entry.cubin;
    describe(&diagnostics, build, job, entry.output);
    return true;
}

static void make_key(struct wb_key *key, const struct build *build, const struct job *job)
{
    wb_key_make(key, build->arena, &job->source.includes, job->options, build->toolchain);
}

static bool begin(struct build *build, struct job *job, const struct wb_build_request *request,
                  size_t index, struct wb_status *status)
{
    const double start = now();
    if (!wb_source_read(&job->source, build->arena, request->source, status)) {
        return false;
    }
    if (job->source.refused) {
        refuse(job->result, &job->source, build->arena);
        return true;
    }
    job->options = wb_compile_options(build->arena, request);
    make_key(&job->key, build, job);
    if (load_from_cache(build, job)) {
        job->result->seconds = now() - start;
        return true;
    }
    if (!build->temporary && !(build->temporary = wb_temporary_make(build->arena, status))) {
        return false;
    }
    job->object = wb_arena_printf(build->arena, "%s/%zu.%s", build->temporary, index,
                                  request->kind == WB_BUILD_SHARED ? "so" : "cubin");
    return wb_compile_start(&job->proc, build->arena, build->toolchain, &job->source, job->options,
                            job->object, build->temporary, build->limits, status);
}

/* ---- after -------------------------------------------------------------------------------- */

/* Keeps the cubin unless the source was changed while nvcc read it. */
static void store_in_cache(const struct build *build, struct job *job, char *output)
{
    struct job again = {.source = {.path = job->source.path}, .options = job->options};
    struct wb_source *source = &again.source;
    if (!build->cache_dir || !job->key.usable ||
        !wb_file_read(&source->text, build->arena, source->path, WB_SOURCE_MAX_SIZE, NULL)) {
        return;
    }
    wb_includes_follow(&source->includes, build->arena, source->path, &source->text);
    make_key(&again.key, build, &again);
    if (again.key.usable && strcmp(again.key.hex, job->key.hex) == 0) {
        struct wb_cache_entry entry = {.cubin = job->result->cubin, .output = output};
        wb_cache_store(build->arena, build->cache_dir, job->key.hex, &entry);
    }
}

/* The signal that ended nvcc or, as its shell's exit code tells, a program behind it; or 0. */
static int signal_of(const struct wb_proc_result *end)
{
    return end->end == WB_PROC_SIGNALED ? end->signal
           : end->exit_code > SHELL_SIGNAL_BASE && end->exit_code < SHELL_SIGNAL_BASE + NSIG
               ? end->exit_code - SHELL_SIGNAL_BASE
               : 0;
}

/* For a compiler that came to no proper end. */
static void explain_end(const struct build *build, struct job *job,
                        const struct wb_proc_result *end)
{
    const char *name = wb_path_base(job->source.given);
    int number = signal_of(end);
    if (number) {
        job->result->summary =
            wb_arena_printf(build->arena, "%s: the compiler crashed (signal %d, %s)", name, number,
                            strsignal(number));
    } else if (end->out_cut || end->err_cut) {
        job->result->summary =
            wb_arena_printf(build->arena, "%s: the compiler printed messages without end", name);
    } else {
        job->result->summary = wb_arena_printf(
            build->arena, "%s: the compiler did not come to an end within %.0f seconds", name,
            build->limits->wall_s);
    }
    job->result->advice = wb_arena_strdup(
        build->arena, "Undo your last change. Look for a template or macro that uses itself "
                      "without end, or a very large array with initial values.");
}

/* The first line of the output, for a message about a compiler that says nothing useful. */
static char *first_line(struct wb_arena *arena, const char *output)
{
    size_t length = strcspn(output, "\n");
    return length ? wb_arena_strndup(arena, output, length < 160 ? length : 160)
                  : wb_arena_strdup(arena, "nothing");
}

static bool finish(const struct build *build, struct job *job, const struct wb_proc_result *end,
                   struct wb_status *status)
{
    struct wb_arena *arena = build->arena;
    struct wb_diagnostics diagnostics;
    char *output = wb_arena_printf(
        arena, "%s%s", wb_output_clean(arena, end->out, end->out_size, build->temporary),
        wb_output_clean(arena, end->err, end->err_size, build->temporary));
    describe(&diagnostics, build, job, output);
    job->result->seconds = end->wall_s;
    const bool no_error = diagnostics.first_error == diagnostics.count;
    if (end->end != WB_PROC_EXITED || (no_error && signal_of(end))) {
        explain_end(build, job, end);
        return true;
    }
    if (end->exit_code == 0) {
        job->result->ok =
            wb_compile_read(&job->result->cubin, arena, job->object, build->toolchain, status);
        if (job->result->ok) {
            store_in_cache(build, job, output);
        }
        return job->result->ok;
    }
    if (wb_tool_has_problem(status, arena, output, job->source.path, build->toolchain)) {
        return false;
    }
    if (no_error) {
        return WB_FAIL(status, TOOL_MISSING,
                       "%s ended with code %d but named no error; it printed: %s",
                       build->toolchain->nvcc, end->exit_code, first_line(arena, output));
    }
    wb_advice_give(job->result, arena, &diagnostics, &job->source);
    return true;
}

bool wb_build_all(struct wb_build_result *results, const struct wb_build_request *requests,
                  size_t count, const struct wb_toolchain *toolchain, const char *cache_dir,
                  const struct wb_limits *limits, struct wb_arena *arena, struct wb_status *status)
{
    struct build build = {.toolchain = toolchain,
                          .cache_dir = cache_dir && cache_dir[0] ? cache_dir : NULL,
                          .limits = limits,
                          .arena = arena};
    struct job *jobs = wb_arena_alloc(arena, count * sizeof *jobs);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        results[i] = (struct wb_build_result){0};
        jobs[i] = (struct job){.result = &results[i]};
        ok = ok && begin(&build, &jobs[i], &requests[i], i, status);
    }
    for (size_t i = 0; i < count; i++) { /* also after a failure: every child is waited for */
        struct wb_proc_result end;
        if (jobs[i].proc) {
            bool ended = wb_proc_wait(&end, jobs[i].proc, ok ? status : NULL);
            ok = ok && ended && finish(&build, &jobs[i], &end, status);
        }
    }
    if (build.temporary) {
        wb_temporary_remove(build.temporary);
    }
    return ok;
}

bool wb_build(struct wb_build_result *results, const struct wb_build_request *requests,
              size_t count, const struct wb_toolchain *toolchain, const char *cache_dir,
              struct wb_arena *arena, struct wb_status *status)
{
    return wb_build_all(results, requests, count, toolchain, cache_dir, &default_limits, arena,
                        status);
}
