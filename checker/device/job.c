/* SPDX-License-Identifier: MIT
 * Runs a job in a child process: see job.h. The shared memory holds the progress, what the guard
 * zones found, and the buffers of all cases, one behind the other.
 */
#include "job.h"

#include "wire.h"

#include <warpbook/proc.h>

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    ALIGNMENT = 256,          /* of a buffer in the shared memory */
    OUTPUT_LIMIT = 64 * 1024, /* bytes kept of what a kernel prints */
    MESSAGE_LIMIT = 32 << 20, /* bytes of a child's message */
    GRACE_S = 1,              /* the child's own clock comes first, the parent's this much later */
    WALL_PER_CPU = 4 /* wall seconds that a second of CPU time may take on a busy machine */
};

/* What the guard zones of one buffer found. */
struct guard {
    int hit;
    size_t offset;
};

/* At the start of the shared memory. Written by the child, read when it is gone. */
struct wb_job_shared {
    bool started;
    size_t running, done; /* index of the case that runs; number of cases that ended well */
    struct guard guards[];
};

/* A job on its way. */
struct run {
    struct wb_device_job *job;
    const struct wb_job_kind *kind;
    struct wb_job_shared *shared;
    size_t guard_count, size; /* of the shared memory, in bytes */
    double time_limit;
};

/* How to name a case in a message: "case 3 of 8", or "the kernel" if there is only one. */
static const char *case_name(char out[48], const struct wb_device_job *job, size_t index)
{
    if (job->case_count == 1) {
        return "the kernel";
    }
    snprintf(out, 48, "case %zu of %zu", index + 1, job->case_count);
    return out;
}

/* ---- shared memory ------------------------------------------------------------------------ */

static size_t aligned(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t buffers_start(const struct run *run)
{
    return aligned(sizeof *run->shared + run->guard_count * sizeof(struct guard));
}

/* Calls `visit` for each buffer with its place in the shared memory and its guard. */
static void each_buffer(const struct run *run, size_t case_count,
                        void (*visit)(struct wb_device_buffer *buffer, void *place,
                                      struct guard *guard))
{
    uint8_t *place = (uint8_t *)run->shared + buffers_start(run);
    struct guard *guard = run->shared->guards;
    for (size_t i = 0; i < case_count; i++) {
        struct wb_device_case *c = &run->job->cases[i];
        for (unsigned b = 0; b < c->buffer_count; b++) {
            visit(&c->buffers[b], place, guard++);
            place += aligned(c->buffers[b].size);
        }
    }
}

static void copy_in(struct wb_device_buffer *buffer, void *place, struct guard *guard)
{
    (void)guard;
    if (buffer->size) {
        memcpy(place, buffer->data, buffer->size);
    }
    buffer->guard_hit = 0;
    buffer->guard_offset = 0;
}

static void copy_out(struct wb_device_buffer *buffer, void *place, struct guard *guard)
{
    if (buffer->size) {
        memcpy(buffer->data, place, buffer->size);
    }
    buffer->guard_hit = (guard->hit > 0) - (guard->hit < 0);
    buffer->guard_offset = guard->offset;
}

static void use_shared(struct wb_device_buffer *buffer, void *place, struct guard *guard)
{
    (void)guard;
    buffer->data = place;
}

static bool share(struct run *run, struct wb_status *status)
{
    size_t buffers = 0;
    for (size_t i = 0; i < run->job->case_count; i++) {
        struct wb_device_case *c = &run->job->cases[i];
        c->done = false;
        run->guard_count += c->buffer_count;
        for (unsigned b = 0; b < c->buffer_count; b++) {
            if (c->buffers[b].size > SIZE_MAX / 4 - buffers) {
                return WB_FAIL(status, NO_MEMORY, "The arrays of this check are too large.");
            }
            buffers += aligned(c->buffers[b].size);
        }
    }
    run->size = buffers_start(run) + buffers;
    void *memory = mmap(NULL, run->size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return WB_FAIL(status, NO_MEMORY,
                       "There is no memory for the %zu MiB of arrays that this check needs.",
                       run->size >> 20);
    }
    run->shared = memory;
    each_buffer(run, run->job->case_count, copy_in);
    return true;
}

/* ---- the child ---------------------------------------------------------------------------- */

void wb_job_started(struct wb_job_child *child)
{
    double limit = child->job->time_limit;
    child->shared->started = true;
    /* Ends this process when the time is up, however deep it is in a driver or a simulation. */
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)limit}};
    timer.it_value.tv_usec = (suseconds_t)((limit - (double)timer.it_value.tv_sec) * 1e6);
    setitimer(child->cpu_time ? ITIMER_PROF : ITIMER_REAL, &timer, NULL);
}

void wb_job_case_begin(struct wb_job_child *child, size_t index)
{
    child->shared->running = index;
}

void wb_job_case_done(struct wb_job_child *child, size_t index)
{
    struct guard *guard = child->shared->guards;
    for (size_t i = 0; i < index; i++) {
        guard += child->job->cases[i].buffer_count;
    }
    const struct wb_device_case *c = &child->job->cases[index];
    for (unsigned b = 0; b < c->buffer_count; b++) {
        guard[b] = (struct guard){c->buffers[b].guard_hit, c->buffers[b].guard_offset};
    }
    child->shared->done = index + 1;
}

static int child_main(void *context, int message_fd)
{
    struct run *run = context;
    dup2(STDOUT_FILENO, STDERR_FILENO); /* what a kernel prints on either is one text */
    each_buffer(run, run->job->case_count, use_shared); /* changes the child's copies only */
    run->job->time_limit = run->time_limit;

    struct wb_arena arena;
    struct wb_status status = {0};
    struct wb_device_result result = {0};
    struct wb_job_child child = {
        .job = run->job,
        .result = &result,
        .arena = &arena,
        .status = &status,
        .shared = run->shared,
        .cpu_time = run->kind->cpu_time,
    };
    wb_arena_init(&arena);
    bool ok = run->kind->body(&child, run->kind->context);
    fflush(stdout);

    struct wb_str message;
    wb_str_init(&message, &arena);
    wb_job_encode(&message, &result, ok ? NULL : &status);
    bool sent = wb_wire_send(message_fd, message.data, message.length);
    wb_arena_finish(&arena);
    return sent ? 0 : 1;
}

/* ---- the parent --------------------------------------------------------------------------- */

/* Whether the child's message is there and agrees with the progress in the shared memory. */
static bool read_message(struct wb_device_result *out, struct wb_status *told,
                         struct wb_arena *arena, const struct run *run,
                         const struct wb_proc_result *ended)
{
    bool failed;
    struct wb_device_result result = {0};
    if (ended->end != WB_PROC_EXITED ||
        !wb_job_decode(&result, &failed, told, arena, ended->message, ended->message_size)) {
        return false;
    }
    bool all_done = run->shared->done == run->job->case_count;
    bool has_reason = result.fault.kind != WB_REASON_NONE || result.not_measured[0];
    if (!failed && !all_done && !has_reason) {
        return false;
    }
    *out = result;
    return true;
}

/* How a child ended that gave no answer. */
static void describe_crash(struct wb_fault *fault, const struct run *run,
                           const struct wb_proc_result *ended)
{
    char name[48], how[120];
    if (ended->end != WB_PROC_SIGNALED) {
        snprintf(how, sizeof how, "ended without a result (exit code %d)", ended->exit_code);
    } else if (ended->signal == SIGKILL) {
        snprintf(how, sizeof how, "was killed, perhaps because the machine is out of memory");
    } else if (ended->signal == SIGABRT) {
        snprintf(how, sizeof how, "gave up, perhaps because it needs more memory than it may have");
    } else {
        snprintf(how, sizeof how, "crashed: %s (signal %d)", strsignal(ended->signal),
                 ended->signal);
    }
    fault->kind = WB_REASON_CRASH;
    snprintf(fault->message, sizeof fault->message, "The process that ran %s %s %s.",
             case_name(name, run->job, run->shared->running), run->kind->where, how);
}

/* A child that gave no answer: a fault, or our failure if it never got as far as a kernel. */
static bool explain_death(struct wb_device_result *out, const struct run *run,
                          const struct wb_proc_result *ended, struct wb_status *status)
{
    bool own_clock =
        ended->end == WB_PROC_SIGNALED && (ended->signal == SIGALRM || ended->signal == SIGPROF);
    if (!own_clock && ended->end != WB_PROC_TIMEOUT) {
        describe_crash(&out->fault, run, ended);
        return true;
    }
    if (!run->shared->started) {
        return WB_FAIL(status, NO_DEVICE, "Nothing could be started %s within %g seconds.",
                       run->kind->where, run->kind->startup_s + run->time_limit);
    }
    char name[48];
    bool one = run->job->case_count == 1;
    out->fault.kind = WB_REASON_TIMEOUT;
    snprintf(out->fault.message, sizeof out->fault.message, "`%s` did not end within %g s%s%s.",
             run->job->kernel, run->time_limit, one ? "" : ": stopped in ",
             one ? "" : case_name(name, run->job, run->shared->running));
    return true;
}

static struct wb_proc_spec child_spec(struct run *run)
{
    double patience = run->kind->cpu_time ? run->time_limit * WALL_PER_CPU : run->time_limit;
    struct wb_proc_spec spec = {
        .entry = child_main,
        .context = run,
        .message_limit = MESSAGE_LIMIT,
        .limits = {.wall_s = run->kind->startup_s + patience + GRACE_S,
                   .address_space = run->kind->address_space,
                   .output = OUTPUT_LIMIT},
    };
    return spec;
}

static bool run_child(struct wb_device_result *out, struct wb_arena *arena, struct run *run,
                      struct wb_status *status)
{
    struct wb_proc_result ended = {0};
    struct wb_proc_spec spec = child_spec(run);
    if (!wb_proc_run(&ended, arena, &spec, status)) {
        return false;
    }
    if (run->shared->done > run->job->case_count || run->shared->running >= run->job->case_count) {
        run->shared->done = run->shared->running = 0; /* nothing of it can be believed */
        ended.message_size = 0;
    }
    struct wb_status told = {0};
    bool answered = read_message(out, &told, arena, run, &ended);
    out->output = ended.out;
    out->output_cut = ended.out_cut;
    if (!answered && !explain_death(out, run, &ended, status)) {
        return false;
    }
    each_buffer(run, run->shared->done, copy_out);
    for (size_t i = 0; i < run->shared->done; i++) {
        run->job->cases[i].done = true;
    }
    bool failed = answered && told.code != WB_OK;
    if (failed) {
        *status = told;
    }
    return !failed;
}

bool wb_job_run(struct wb_device_result *out, struct wb_arena *arena, struct wb_device_job *job,
                const struct wb_job_kind *kind, struct wb_status *status)
{
    struct run run = {.job = job, .kind = kind};
    assert(job->case_count > 0 && (!job->measure || job->case_count == 1));
    run.time_limit = job->time_limit > 0 ? job->time_limit : WB_JOB_TIME_LIMIT;
    memset(out, 0, sizeof *out);
    if (!share(&run, status)) {
        return false;
    }
    bool ok = run_child(out, arena, &run, status);
    munmap(run.shared, run.size);
    return ok;
}
