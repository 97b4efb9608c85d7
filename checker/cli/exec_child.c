/* SPDX-License-Identifier: MIT
 * Runs the program of `warpbook exec` as if it had been started by itself: see exec.h.
 */
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t child;

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/* A terminal sends its signals to the program as well; what another process sends (kill, timeout)
 * comes here only. */
static void forward(int number, siginfo_t *info, void *context)
{
    const int before = errno;
    (void)context;
    if (child > 0 &&
        (info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL)) {
        kill((pid_t)child, number);
    }
    errno = before;
}

/* Signals that this process ignores stay ignored, in the program as well (nohup). */
static void catch_signals(struct sigaction before[])
{
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(forwarded); i++) {
        sigaction(forwarded[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) {
            sigaction(forwarded[i], &action, NULL);
        }
    }
}

static void restore_signals(const struct sigaction before[])
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(forwarded); i++) {
        sigaction(forwarded[i], &before[i], NULL);
    }
}

static void set_environment(const char *const *env)
{
    for (; *env; env++) {
        if (strchr(*env, '=')) {
            putenv((char *)(uintptr_t)*env);
        } else {
            unsetenv(*env);
        }
    }
}

/* In the child: becomes the program, or writes why not into the pipe. */
static void become(const char *path, char *const *argv, const char *const *env, int pipe_end)
{
    set_environment(env);
    execv(path, argv);
    int error = errno;
    if (write(pipe_end, &error, sizeof error) < 0) {
        _exit(126);
    }
    _exit(127);
}

static void wait_for(int *wait_status, pid_t pid)
{
    while (waitpid(pid, wait_status, 0) < 0 && errno == EINTR) {
    }
}

bool cli_exec_child(int *wait_status, const char *path, char *const *argv, const char *const *env,
                    struct wb_status *status)
{
    struct sigaction before[WB_ARRAY_LENGTH(forwarded)];
    sigset_t all, mask;
    int ends[2], error = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return WB_FAIL(status, IO, "No pipe could be made: %s.", strerror(errno));
    }
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask); /* until `child` is known */
    catch_signals(before);
    pid_t pid = fork();
    if (pid == 0) {
        restore_signals(before);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        become(path, argv, env, ends[1]);
    }
    child = (sig_atomic_t)pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(ends[1]);
    if (pid < 0) {
        error = errno;
    } else if (read(ends[0], &error, sizeof error) != sizeof error) {
        error = 0; /* it closed when the program began */
    }
    close(ends[0]);
    if (pid > 0) {
        wait_for(wait_status, pid);
    }
    child = 0;
    restore_signals(before);
    return error == 0 || WB_FAIL(status, IO, "%s cannot be started: %s.", path, strerror(error));
}
