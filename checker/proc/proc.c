/* SPDX-License-Identifier: MIT
 * The parent's side: starting children and waiting for them. A thread's running children are in
 * one list; waiting for one also reads the pipes and keeps the limits of the others, so that none
 * stands still on a full pipe or outlives its limit while another is waited for.
 */
#include <warpbook/proc.h>

#include "capture.h"
#include "child.h"
#include "interrupt.h"
#include "path.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIPE_OUT, PIPE_ERR, PIPE_MESSAGE, PIPE_COUNT };
enum {
    QUIET_MS = 10,     /* between looks at a child that says nothing */
    CLOSED_MS = 2,     /* ... whose pipes are all closed: it is about to end */
    AFTERMATH_MS = 200 /* what is left of a killed group has this long to go */
};

/* A child that printed so much will not stop by itself. */
static const uint64_t flood_size = 64 << 20;
/* After Ctrl-C a child has this long, in seconds, to remove what it made. */
static const double grace_s = 2;

struct wb_proc {
    struct wb_proc *next; /* of this thread's running children */
    struct wb_arena *arena;
    struct wb_limits limits;
    struct wb_capture pipes[PIPE_COUNT];
    pid_t pid;    /* also the id of its process group */
    double start; /* seconds on the monotonic clock */
    bool running;
    bool hastened;  /* interrupted: its limit is near now */
    bool limit_hit; /* we killed it */
    bool lost;      /* somebody else took its exit status */
    double wall_s;
    int wait_status;
    double cpu_s;
};

static _Thread_local struct wb_proc *running_list;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_ms(int ms)
{
    poll(NULL, 0, ms);
}

/* ---- start -------------------------------------------------------------------------------- */

/* Bytes of address space that this process has mapped, 0 if unknown. */
static uint64_t own_address_space(void)
{
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm) {
        if (fscanf(statm, "%lu", &pages) != 1) {
            pages = 0;
        }
        fclose(statm);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool open_pipes(struct wb_proc *proc, int writers[PIPE_COUNT],
                       const struct wb_proc_spec *spec)
{
    const size_t keep[PIPE_COUNT] = {spec->limits.output, spec->limits.output, spec->message_limit};
    int count = spec->entry || spec->message_limit ? PIPE_COUNT : PIPE_MESSAGE;
    for (int i = 0; i < count; i++) {
        if (!wb_capture_open(&proc->pipes[i], &writers[i], proc->arena, keep[i])) {
            return false;
        }
    }
    return true;
}

static void close_all(int fds[PIPE_COUNT])
{
    for (int i = 0; i < PIPE_COUNT; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
}

static void close_pipes(struct wb_proc *proc)
{
    for (int i = 0; i < PIPE_COUNT; i++) {
        wb_capture_close(&proc->pipes[i]);
    }
}

/* Blocks until the child runs its program or function: then nothing comes. */
static bool read_failure(struct wb_child_failure *failure, int ready)
{
    struct pollfd fd = {.fd = ready, .events = POLLIN};
    ssize_t n;
    do {
        poll(&fd, 1, -1);
        n = read(ready, failure, sizeof *failure);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    return n == (ssize_t)sizeof *failure;
}

static bool report_failure(const struct wb_child_failure *failure, const struct wb_proc_spec *spec,
                           struct wb_status *status)
{
    const char *why = strerror(failure->error);
    switch (failure->step) {
    case WB_CHILD_CWD:
        return WB_FAIL(status, NOT_FOUND, "The folder %s cannot be entered: %s.", spec->cwd, why);
    case WB_CHILD_EXEC:
        return WB_FAIL(status, TOOL_MISSING, "The program %s cannot be run: %s.", spec->argv[0],
                       why);
    case WB_CHILD_PREPARE:
        break;
    }
    return WB_FAIL(status, IO, "A new process could not be set up: %s.", why);
}

static bool report_interrupt(struct wb_status *status)
{
    return WB_FAIL(status, LIMIT, "Interrupted: %s.", strsignal(wb_proc_interrupted()));
}

static bool launch(struct wb_proc *proc, struct wb_child_plan *plan, struct wb_status *status)
{
    struct wb_capture ready = {.fd = -1};
    if (!wb_capture_open(&ready, &plan->ready, proc->arena, 0)) {
        return WB_FAIL(status, LIMIT, "No pipe could be made: %s.", strerror(errno));
    }
    plan->parent = getpid();
    proc->start = now();
    proc->pid = fork();
    if (proc->pid == 0) {
        running_list = NULL; /* they are the parent's */
        wb_child_run(plan);
    }
    int error = errno;
    close(plan->ready);
    struct wb_child_failure failure;
    bool failed = proc->pid > 0 && read_failure(&failure, ready.fd);
    wb_capture_close(&ready);
    if (proc->pid < 0) {
        return WB_FAIL(status, LIMIT, "No new process could be made: %s.", strerror(error));
    }
    if (failed) {
        waitpid(proc->pid, NULL, 0);
        return report_failure(&failure, plan->spec, status);
    }
    if (!wb_interrupt_watch(proc->pid)) {
        wb_interrupt_kill(proc->pid, SIGKILL);
        waitpid(proc->pid, NULL, 0);
        return WB_FAIL(status, LIMIT, "Too many processes are running already.");
    }
    return true;
}

bool wb_proc_start(struct wb_proc **out, struct wb_arena *arena, const struct wb_proc_spec *spec,
                   struct wb_status *status)
{
    assert(spec->entry || (spec->argv && spec->argv[0]));
    assert(spec->fd_count <= WB_PROC_MAX_FDS);
    if (wb_proc_interrupted()) {
        return report_interrupt(status);
    }
    struct wb_child_plan plan = {.spec = spec, .address_space = spec->limits.address_space};
    if (spec->entry && plan.address_space) {
        plan.address_space += own_address_space();
    }
    if (!spec->entry) {
        plan.program = wb_proc_which(arena, spec->argv[0]);
        plan.env = wb_environment_with(arena, spec->env);
        if (!plan.program) {
            return WB_FAIL(status, TOOL_MISSING, "There is no program %s.", spec->argv[0]);
        }
    }
    struct wb_proc *proc = wb_arena_alloc(arena, sizeof *proc);
    *proc = (struct wb_proc){.arena = arena, .limits = spec->limits, .running = true};
    int writers[PIPE_COUNT] = {-1, -1, -1};
    for (int i = 0; i < PIPE_COUNT; i++) {
        proc->pipes[i].fd = -1;
    }
    bool ok = open_pipes(proc, writers, spec);
    if (!ok) {
        WB_FAIL(status, LIMIT, "No pipe could be made: %s.", strerror(errno));
    } else {
        plan.out = writers[PIPE_OUT];
        plan.err = writers[PIPE_ERR];
        plan.message = writers[PIPE_MESSAGE];
        ok = launch(proc, &plan, status);
    }
    close_all(writers);
    if (!ok) {
        close_pipes(proc);
        return false;
    }
    proc->next = running_list;
    running_list = proc;
    *out = proc;
    return true;
}

/* ---- wait --------------------------------------------------------------------------------- */

/* Sleeps until one of the child's pipes has something to read, at most `ms` milliseconds. */
static bool poll_pipes(struct wb_proc *proc, int ms)
{
    struct pollfd fds[PIPE_COUNT];
    nfds_t count = 0;
    for (int i = 0; i < PIPE_COUNT; i++) {
        if (proc->pipes[i].fd >= 0) {
            fds[count++] = (struct pollfd){.fd = proc->pipes[i].fd, .events = POLLIN};
        }
    }
    poll(fds, count, count ? ms : CLOSED_MS);
    return count > 0;
}

static void read_pipes(struct wb_proc *proc)
{
    for (int i = 0; i < PIPE_COUNT; i++) {
        wb_capture_read(&proc->pipes[i]);
    }
}

static bool over_limit(const struct wb_proc *proc)
{
    for (int i = 0; i < PIPE_COUNT; i++) {
        if (proc->pipes[i].seen > flood_size) {
            return true;
        }
    }
    return proc->limits.wall_s > 0 && now() - proc->start >= proc->limits.wall_s;
}

/* True once the child has ended; it stays unreaped, so that its group's id is not given anew. */
static bool has_ended(const struct wb_proc *proc)
{
    siginfo_t info = {0};
    int rc = waitid(P_PID, (id_t)proc->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return (rc == 0 && info.si_pid == proc->pid) || (rc != 0 && errno == ECHILD);
}

static void reap(struct wb_proc *proc)
{
    struct rusage usage = {0};
    pid_t pid;
    do {
        pid = wait4(proc->pid, &proc->wait_status, 0, &usage);
    } while (pid < 0 && errno == EINTR);
    proc->lost = pid < 0;
    proc->cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                  1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* The child has ended: ends the rest of its group and takes what they still had to say. */
static void finish(struct wb_proc *proc)
{
    proc->wall_s = now() - proc->start;
    proc->running = false;
    kill(-proc->pid, SIGKILL);
    wb_interrupt_forget(proc->pid);
    double deadline = now() + 1e-3 * AFTERMATH_MS;
    do {
        read_pipes(proc);
    } while (now() < deadline && poll_pipes(proc, QUIET_MS));
    close_pipes(proc);
    reap(proc);
    while (kill(-proc->pid, 0) == 0 && now() < deadline) {
        sleep_ms(1);
    }
    struct wb_proc **link = &running_list;
    while (*link && *link != proc) {
        link = &(*link)->next;
    }
    if (*link) {
        *link = proc->next;
    }
}

/* The handler has asked the child to end; it is not asked twice. */
static void hasten(struct wb_proc *proc)
{
    const double deadline = now() - proc->start + grace_s;
    if (!proc->hastened && (proc->limits.wall_s <= 0 || proc->limits.wall_s > deadline)) {
        proc->limits.wall_s = deadline;
    }
    proc->hastened = true;
}

/* One look at a running child. */
static void attend(struct wb_proc *proc)
{
    read_pipes(proc);
    if (wb_proc_interrupted()) {
        hasten(proc);
    }
    if (has_ended(proc)) {
        finish(proc);
    } else if (!proc->limit_hit && over_limit(proc)) {
        proc->limit_hit = true;
        wb_interrupt_kill(proc->pid, SIGKILL);
    }
}

static enum wb_proc_end end_of(const struct wb_proc *proc)
{
    if (WIFEXITED(proc->wait_status)) {
        return WB_PROC_EXITED;
    }
    int number = WTERMSIG(proc->wait_status);
    bool cpu_limit =
        proc->limits.cpu_s > 0 &&
        (number == SIGXCPU || (number == SIGKILL && proc->cpu_s >= ceil(proc->limits.cpu_s)));
    return proc->limit_hit || cpu_limit ? WB_PROC_TIMEOUT : WB_PROC_SIGNALED;
}

static char *text_of(size_t *size, bool *cut, const struct wb_capture *capture)
{
    *size = capture->kept.length;
    *cut = capture->seen > capture->kept.length;
    return wb_arena_strndup(capture->kept.arena, wb_str_get(&capture->kept), *size);
}

/* Looks after all running children of this thread until `proc` has ended. */
static void attend_until_end(struct wb_proc *proc)
{
    while (proc->running) {
        poll_pipes(proc, QUIET_MS);
        for (struct wb_proc *p = running_list, *next; p; p = next) {
            next = p->next;
            attend(p);
        }
    }
}

bool wb_proc_wait(struct wb_proc_result *out, struct wb_proc *proc, struct wb_status *status)
{
    attend_until_end(proc);
    *out = (struct wb_proc_result){.end = end_of(proc), .wall_s = proc->wall_s};
    if (wb_proc_interrupted()) {
        return report_interrupt(status);
    }
    if (proc->lost) {
        return WB_FAIL(status, INTERNAL, "The exit status of a child process was lost.");
    }
    out->exit_code = WIFEXITED(proc->wait_status) ? WEXITSTATUS(proc->wait_status) : 0;
    out->signal = WIFSIGNALED(proc->wait_status) ? WTERMSIG(proc->wait_status) : 0;
    out->out = text_of(&out->out_size, &out->out_cut, &proc->pipes[PIPE_OUT]);
    out->err = text_of(&out->err_size, &out->err_cut, &proc->pipes[PIPE_ERR]);
    const struct wb_str *message = &proc->pipes[PIPE_MESSAGE].kept;
    out->message = (uint8_t *)message->data;
    out->message_size = message->length;
    return true;
}

bool wb_proc_run(struct wb_proc_result *out, struct wb_arena *arena,
                 const struct wb_proc_spec *spec, struct wb_status *status)
{
    struct wb_proc *proc;
    *out = (struct wb_proc_result){.end = WB_PROC_NOT_STARTED};
    return wb_proc_start(&proc, arena, spec, status) && wb_proc_wait(out, proc, status);
}
