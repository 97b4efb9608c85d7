/* SPDX-License-Identifier: MIT
 * System-call filters (seccomp). The seal leaves a child just enough to compute and to report:
 * to allow one more call, add it to the table. Where the kernel refuses filters, nothing happens.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>
#include <unistd.h>

/* Allowed whatever the arguments are. */
static const int allowed[] = {
    /* descriptors that are open already */
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(pwrite64), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    /* memory */
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mremap), SCMP_SYS(munmap), SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    /* time */
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(restart_syscall),
    /* threads of our own (clone itself: see below) */
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(gettid), SCMP_SYS(getpid),
    SCMP_SYS(membarrier),
    /* signals to handle, and the end */
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(getrandom), SCMP_SYS(exit), SCMP_SYS(exit_group)};

/* Reading files; openat only without any way to write (see seal). */
static const int reading[] = {SCMP_SYS(newfstatat), SCMP_SYS(stat),       SCMP_SYS(lstat),
                              SCMP_SYS(access),     SCMP_SYS(faccessat),  SCMP_SYS(faccessat2),
                              SCMP_SYS(readlink),   SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
                              SCMP_SYS(statx),      SCMP_SYS(uname),      SCMP_SYS(fadvise64)};

/* What even a program with a driver in it never needs. */
static const int forbidden[] = {SCMP_SYS(execve),
                                SCMP_SYS(execveat),
                                SCMP_SYS(fork),
                                SCMP_SYS(vfork),
                                SCMP_SYS(ptrace),
                                SCMP_SYS(process_vm_readv),
                                SCMP_SYS(process_vm_writev),
                                SCMP_SYS(setsid),
                                SCMP_SYS(setpgid),
                                SCMP_SYS(unlink),
                                SCMP_SYS(unlinkat),
                                SCMP_SYS(rename),
                                SCMP_SYS(renameat),
                                SCMP_SYS(renameat2),
                                SCMP_SYS(truncate)};

/* Installs the filter if it could be built, and frees it. */
static void apply(scmp_filter_ctx filter, bool built)
{
    if (built) {
        seccomp_load(filter);
    }
    seccomp_release(filter);
}

static bool add_all(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count)
{
    bool built = filter != NULL;
    for (size_t i = 0; built && i < count; i++) {
        built = seccomp_rule_add(filter, action, calls[i], 0) == 0;
    }
    return built;
}

static bool allow_reading(scmp_filter_ctx filter)
{
    const struct scmp_arg_cmp to_read =
        SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
    return add_all(filter, SCMP_ACT_ALLOW, reading, WB_ARRAY_LENGTH(reading)) &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, to_read) == 0;
}

static void seal(bool but_reading)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool built = add_all(filter, SCMP_ACT_ALLOW, allowed, WB_ARRAY_LENGTH(allowed)) &&
                 (!but_reading || allow_reading(filter));
    /* clone may make threads, never processes; clone3 hides its flags in memory, where a filter
     * cannot look, so the C library is told to use clone instead. Signals go to ourselves only. */
    const struct scmp_arg_cmp a_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
    const struct scmp_arg_cmp to_self = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid());
    built = built && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, a_thread) == 0 &&
            seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, to_self) == 0 &&
            seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, to_self) == 0;
    apply(filter, built);
}

void wb_proc_seal(void)
{
    seal(false);
}

void wb_proc_seal_but_reading(void)
{
    seal(true);
}

void wb_proc_seal_loosely(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const uint32_t no = SCMP_ACT_ERRNO(EPERM);
    const struct scmp_arg_cmp no_thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0);
    const struct scmp_arg_cmp to_others = SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid());
    const struct scmp_arg_cmp inet = SCMP_A0(SCMP_CMP_EQ, AF_INET),
                              inet6 = SCMP_A0(SCMP_CMP_EQ, AF_INET6);
    bool built = add_all(filter, no, forbidden, WB_ARRAY_LENGTH(forbidden)) &&
                 seccomp_rule_add(filter, no, SCMP_SYS(clone), 1, no_thread) == 0 &&
                 seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
                 seccomp_rule_add(filter, no, SCMP_SYS(kill), 1, to_others) == 0 &&
                 seccomp_rule_add(filter, no, SCMP_SYS(tgkill), 1, to_others) == 0 &&
                 seccomp_rule_add(filter, no, SCMP_SYS(socket), 1, inet) == 0 &&
                 seccomp_rule_add(filter, no, SCMP_SYS(socket), 1, inet6) == 0;
    apply(filter, built);
}

void wb_child_hold_group(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool built = filter &&
                 seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setsid), 0) == 0 &&
                 seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setpgid), 0) == 0;
    apply(filter, built);
}
