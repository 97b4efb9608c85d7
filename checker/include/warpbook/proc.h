/* SPDX-License-Identifier: MIT
 * proc: child processes with limits. A child is a program (argv) or a function of ours (entry).
 * Whatever it does, the parent gets an answer in bounded time and memory, and every process the
 * child started is gone when wb_proc_wait returns.
 */
#ifndef WARPBOOK_PROC_H
#define WARPBOOK_PROC_H

#include <warpbook/base.h>

/* 0 means no limit, except for `output` (0: nothing is kept). */
struct wb_limits {
    double wall_s;          /* wall-clock seconds until the whole process group is killed */
    double cpu_s;           /* CPU seconds (RLIMIT_CPU) */
    uint64_t address_space; /* bytes (RLIMIT_AS), for an entry: beyond what the parent has mapped;
                               leave 0 for processes that use CUDA */
    uint64_t file_size;     /* bytes per written file (RLIMIT_FSIZE) */
    size_t output;          /* bytes kept of standard output and of standard error, each */
};

enum wb_proc_end {
    WB_PROC_EXITED,   /* exit_code is set */
    WB_PROC_SIGNALED, /* signal is set */
    WB_PROC_TIMEOUT,  /* killed after wall_s, by the CPU limit, or for output without end */
    WB_PROC_NOT_STARTED
};

enum { WB_PROC_MESSAGE_FD = 3, WB_PROC_FIRST_FD, WB_PROC_MAX_FDS = 8 };

struct wb_proc_spec {
    const char *const *argv; /* NULL-terminated; argv[0] is searched in PATH */
    /* Changes to the environment, NULL-terminated: "NAME=value" sets a variable, "NAME" takes it
     * away. May be NULL. */
    const char *const *env;
    const char *cwd; /* NULL: unchanged */
    /* Descriptors of ours that the program finds as 4, 5 ... (WB_PROC_FIRST_FD). */
    const int *fds;
    size_t fd_count;
    /* Instead of argv: runs in the forked child; its return value is the exit code. What it writes
     * to message_fd (nothing else in the child knows that descriptor) arrives as `message`. */
    int (*entry)(void *context, int message_fd);
    void *context;
    size_t message_limit; /* bytes of message kept; a program with one writes it to descriptor 3
                             (WB_PROC_MESSAGE_FD) */
    struct wb_limits limits;
};

struct wb_proc_result {
    enum wb_proc_end end;
    int exit_code, signal;
    char *out, *err; /* captured output, NUL-terminated */
    size_t out_size, err_size;
    bool out_cut, err_cut; /* more came than was kept */
    uint8_t *message;
    size_t message_size;
    double wall_s;
};

struct wb_proc;

/* Starts a child; its standard input is empty. Every started child must be waited for, by the
 * thread that started it. TOOL_MISSING when the program cannot be run, NOT_FOUND for `cwd`. */
bool wb_proc_start(struct wb_proc **out, struct wb_arena *arena, const struct wb_proc_spec *spec,
                   struct wb_status *status);
/* Waits for the end, then kills what is left of its process group (programs cannot leave it where
 * the kernel has seccomp). Meanwhile the thread's other children are read and limited, too. */
bool wb_proc_wait(struct wb_proc_result *out, struct wb_proc *proc, struct wb_status *status);
bool wb_proc_run(struct wb_proc_result *out, struct wb_arena *arena,
                 const struct wb_proc_spec *spec, struct wb_status *status);
/* For a program, once, at its start: SIGINT, SIGTERM and SIGHUP (unless ignored) then end all
 * running children. Starting and waiting fail from then on, so that the program unwinds; it
 * should remove what it made and raise the signal again. A second signal ends it at once. */
void wb_proc_catch_signals(void);
/* The signal that was caught, or 0. */
int wb_proc_interrupted(void);
/* The full path of a program in PATH, or NULL. */
char *wb_proc_which(struct wb_arena *arena, const char *name);

/* For a child that runs our own simulator on hostile input: no new processes, no files, no network
 * (seccomp; a no-op where the kernel refuses it). Call it in `entry` after everything is open. */
void wb_proc_seal(void);
/* The same for a program that must still read files (debug information, say). */
void wb_proc_seal_but_reading(void);
/* For a program that needs a driver: only no other programs or processes, no network, no signals to
 * others. */
void wb_proc_seal_loosely(void);

#endif
