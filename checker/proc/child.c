/* SPDX-License-Identifier: MIT
 * The child's side of a start: own session, default signals, standard descriptors, limits, then
 * exec or the entry function. A failure travels to the parent through the `ready` pipe.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_NOT_STARTED = 127 };

static _Noreturn void give_up(const struct wb_child_plan *plan, enum wb_child_step step)
{
    struct wb_child_failure failure = {step, errno};
    ssize_t n = write(plan->ready, &failure, sizeof failure);
    (void)n; /* the parent is gone if this fails; there is nobody to tell */
    _exit(EXIT_NOT_STARTED);
}

static void reset_signals(bool ignore_file_size)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int i = 1; i < NSIG; i++) {
        sigaction(i, &action, NULL); /* fails for SIGKILL and SIGSTOP, as it should */
    }
    if (ignore_file_size) { /* a write past the limit then fails with EFBIG */
        action.sa_handler = SIG_IGN;
        sigaction(SIGXFSZ, &action, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Dies with the parent's thread, also if that ended before we could ask for it. */
static void follow_parent(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_NOT_STARTED);
    }
}

/* Never above what we were given ourselves. `grace` is how far the hard limit lies above. */
static bool set_limit(__rlimit_resource_t resource, uint64_t value, uint64_t grace)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) {
        return false;
    }
    rlim_t hard = value + grace;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > hard) {
        limit.rlim_max = hard;
    }
    limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

static bool set_limits(const struct wb_child_plan *plan)
{
    const struct wb_limits *limits = &plan->spec->limits;
    uint64_t cpu = (uint64_t)limits->cpu_s;
    cpu += limits->cpu_s > (double)cpu; /* whole seconds, rounded up */
    return set_limit(RLIMIT_CORE, 0, 0) && (!cpu || set_limit(RLIMIT_CPU, cpu, 1)) &&
           (!plan->address_space || set_limit(RLIMIT_AS, plan->address_space, 0)) &&
           (!limits->file_size || set_limit(RLIMIT_FSIZE, limits->file_size, 0));
}

static bool set_descriptors(const struct wb_child_plan *plan)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0 || (null == STDIN_FILENO && fcntl(null, F_SETFD, 0) != 0)) {
        return false;
    }
    return dup2(null, STDIN_FILENO) >= 0 && dup2(plan->out, STDOUT_FILENO) >= 0 &&
           dup2(plan->err, STDERR_FILENO) >= 0;
}

/* For a program: the message pipe and the descriptors of ours under the numbers that proc.h
 * promises. They are moved out of one another's way first; all others close at exec. */
static bool pass_descriptors(struct wb_child_plan *plan)
{
    enum { OUT_OF_THE_WAY = 64 };
    const struct wb_proc_spec *spec = plan->spec;
    int moved[1 + WB_PROC_MAX_FDS];
    bool message = spec->message_limit != 0;
    moved[0] = message ? fcntl(plan->message, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY) : -1;
    for (size_t i = 0; i < spec->fd_count; i++) {
        moved[1 + i] = fcntl(spec->fds[i], F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    }
    plan->ready = fcntl(plan->ready, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    bool ok = !message || dup2(moved[0], WB_PROC_MESSAGE_FD) >= 0;
    for (size_t i = 0; i < spec->fd_count; i++) {
        ok = dup2(moved[1 + i], WB_PROC_FIRST_FD + (int)i) >= 0 && ok;
    }
    return ok;
}

static _Noreturn void run_entry(const struct wb_child_plan *plan)
{
    __fpurge(stdout); /* what the parent had not yet written is not ours to write */
    close(plan->out);
    close(plan->err);
    close(plan->ready);
    int code = plan->spec->entry(plan->spec->context, plan->message);
    fflush(stdout);
    _exit(code);
}

_Noreturn void wb_child_run(struct wb_child_plan *plan)
{
    const struct wb_proc_spec *spec = plan->spec;
    setsid();
    follow_parent(plan->parent);
    reset_signals(spec->limits.file_size != 0);
    if (!set_descriptors(plan)) {
        give_up(plan, WB_CHILD_PREPARE);
    }
    if (spec->cwd && chdir(spec->cwd) != 0) {
        give_up(plan, WB_CHILD_CWD);
    }
    if (!spec->entry) {
        wb_child_hold_group(); /* allocates: before the limits */
    }
    if (!set_limits(plan)) {
        give_up(plan, WB_CHILD_PREPARE);
    }
    if (spec->entry) {
        run_entry(plan);
    }
    if (!pass_descriptors(plan)) {
        give_up(plan, WB_CHILD_PREPARE);
    }
    execve(plan->program, (char *const *)spec->argv, plan->env);
    give_up(plan, WB_CHILD_EXEC);
}
