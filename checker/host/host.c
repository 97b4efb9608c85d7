/* SPDX-License-Identifier: MIT
 * The parent: a folder for the object and the logs, and a runner for each call. At most AT_ONCE
 * runners live at a time; results are read in the order of the calls.
 */
#include "host.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    AT_ONCE = 4,
    TIME_LIMIT = 10,          /* CPU seconds of a call; a driver needs some of its own to start */
    SIM_TIME_LIMIT = 3,       /* a call of a lesson takes less than one */
    WALL_PER_CPU = 4,         /* as for jobs: a busy machine changes nothing */
    STARTUP_S = 10,           /* wall seconds, with a driver that was idle */
    OUTPUT_LIMIT = 64 * 1024, /* bytes */
    LOG_LIMIT = 64 << 20,     /* bytes of any file that a runner writes */
    EVENTS = 8                /* more are nonsense */
};

/* ---- the object ----------------------------------------------------------------------------- */

static bool make_folder(struct wb_host *host, struct wb_status *status)
{
    const char *place = getenv("TMPDIR");
    host->folder = wb_arena_printf(host->arena, "%s/warpbook-host-XXXXXX",
                                   place && *place == '/' ? place : "/tmp");
    if (!mkdtemp(host->folder)) {
        return WB_FAIL(status, IO, "No temporary folder %s can be made: %s.", host->folder,
                       strerror(errno));
    }
    return true;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info, (void)type, (void)walk;
    remove(path);
    return 0;
}

void wb_host_close(struct wb_host *host)
{
    enum { OPEN_FOLDERS = 4 };
    if (host) {
        nftw(host->folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    }
}

static bool find_programs(struct wb_host *host, const char *programs, struct wb_status *status)
{
    bool sim = host->kind == WB_DEVICE_SIM;
    host->runner = wb_path_join(host->arena, programs, "host/host-runner");
    host->drop = wb_path_join(host->arena, programs, "host/libwarpbook-drop.so");
    host->runtime = wb_path_join(host->arena, programs, "cudart/libcudart.so.13");
    host->trace = wb_path_join(host->arena, programs, "host/libwarpbook-trace.so");
    const char *const needed[] = {host->runner, host->drop, sim ? host->runtime : host->trace};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(needed); i++) {
        if (!wb_file_exists(needed[i])) {
            return WB_FAIL(status, TOOL_MISSING,
                           "%s is missing, which running host functions needs. `ninja -C build` "
                           "makes it.",
                           needed[i]);
        }
    }
    return true;
}

bool wb_host_open(struct wb_host **out, struct wb_arena *arena,
                  const struct wb_host_options *options, struct wb_status *status)
{
    struct wb_host *host = wb_arena_alloc(arena, sizeof *host);
    *host = (struct wb_host){.arena = arena,
                             .source = options->source,
                             .kind = options->kind,
                             .toolkit_root = options->toolkit_root};
    if (!find_programs(host, options->programs ? options->programs : ".", status) ||
        !make_folder(host, status)) {
        return false;
    }
    host->object = wb_path_join(arena, host->folder, "attempt.so");
    if (!wb_file_write(host->object, options->object.data, options->object.size, status)) {
        wb_host_close(host);
        return false;
    }
    *out = host;
    return true;
}

/* ---- one call ------------------------------------------------------------------------------- */

static bool start(struct wb_host_attempt *attempt, struct wb_host *host, size_t index,
                  struct wb_status *status)
{
    const struct wb_host_call *call = attempt->call;
    *attempt->result = (struct wb_host_result){0};
    call->arguments->done = false;
    attempt->time_limit = call->time_limit > 0          ? call->time_limit
                          : host->kind == WB_DEVICE_SIM ? SIM_TIME_LIMIT
                                                        : TIME_LIMIT;
    attempt->log = wb_arena_printf(host->arena, "%s/%zu.log", host->folder, index);
    remove(attempt->log); /* of an earlier wb_host_run */
    if (!wb_arrays_make(&attempt->arrays, call, host->object, host->kind == WB_DEVICE_GPU,
                        status)) {
        return false;
    }
    const char *const argv[] = {host->runner, NULL};
    const struct wb_proc_spec spec = {
        .argv = argv,
        .env = wb_host_environment(host, call, attempt->log),
        .cwd = host->folder,
        .fds = &attempt->arrays.fd,
        .fd_count = 1,
        .message_limit = EVENTS * sizeof(struct wb_runner_event),
        .limits = {.wall_s = STARTUP_S + attempt->time_limit * WALL_PER_CPU,
                   .cpu_s = attempt->time_limit,
                   .file_size = LOG_LIMIT,
                   .output = OUTPUT_LIMIT},
    };
    if (!wb_proc_start(&attempt->proc, host->arena, &spec, status)) {
        wb_arrays_finish(&attempt->arrays);
        return false;
    }
    return true;
}

/* What was printed on standard output, then on standard error. */
static void keep_output(struct wb_host_result *out, struct wb_arena *arena,
                        const struct wb_proc_result *ended)
{
    out->output = wb_arena_printf(arena, "%s%s", ended->out, ended->err);
    out->output_cut = ended->out_cut || ended->err_cut;
}

/* A log that cannot be read is that of a process that wrote nonsense into it. */
static void read_log(struct wb_host_attempt *attempt, struct wb_arena *arena)
{
    struct wb_host_result *result = attempt->result;
    struct wb_status status = {0};
    if (!wb_runlog_read(&result->log, arena, attempt->log, &status)) {
        result->log = (struct wb_runlog){0};
    }
}

static bool finish(struct wb_host_attempt *attempt, struct wb_host *host, struct wb_arena *arena,
                   struct wb_status *status)
{
    struct wb_proc_result ended;
    bool ok = wb_proc_wait(&ended, attempt->proc, status);
    if (ok) {
        keep_output(attempt->result, arena, &ended);
        read_log(attempt, arena);
        wb_arrays_read(&attempt->arrays, attempt->call);
        ok = wb_host_judge(attempt, host, &ended, status);
        attempt->call->arguments->done = ok && attempt->result->fault.kind == WB_REASON_NONE;
    }
    wb_arrays_finish(&attempt->arrays);
    return ok;
}

bool wb_host_run(struct wb_host_result *results, struct wb_arena *arena, struct wb_host *host,
                 const struct wb_host_call *calls, size_t count, struct wb_status *status)
{
    struct wb_host_attempt *attempts = wb_arena_alloc(arena, count * sizeof *attempts);
    size_t started = 0, finished = 0;
    bool ok = true;
    while (finished < started || (ok && started < count)) {
        if (ok && started < count && started - finished < AT_ONCE) {
            attempts[started] =
                (struct wb_host_attempt){.call = &calls[started], .result = &results[started]};
            ok = start(&attempts[started], host, started, status);
            started += ok;
        } else { /* also after a failure: every child is waited for */
            ok = finish(&attempts[finished++], host, arena, ok ? status : NULL) && ok;
        }
    }
    return ok;
}
