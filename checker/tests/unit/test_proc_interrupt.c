/* SPDX-License-Identifier: MIT
 * Signals to a program of ours while it waits: a forked copy of this program is that program.
 */
#include <warpbook/proc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { WAIT_FAILED = 1, START_FAILED = 2, UNHURT = 4 };

/* A program that runs a shell and, when that is over, tries to run another. Says by its exit code
 * what failed. The shell tells that it is there by one byte. */
static _Noreturn void program(const char *script)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct wb_arena arena;
    struct wb_proc_result result;
    struct wb_proc_spec spec = {.argv = argv, .limits = {.wall_s = 30}};
    wb_arena_init(&arena);
    wb_proc_catch_signals();
    int code = wb_proc_run(&result, &arena, &spec, NULL) ? 0 : WAIT_FAILED;
    struct wb_proc_spec next = {.argv = (const char *const[]){"true", NULL}};
    code |= wb_proc_run(&result, &arena, &next, NULL) ? 0 : START_FAILED;
    wb_arena_finish(&arena);
    _exit(code | (wb_proc_interrupted() ? 0 : UNHURT));
}

/* Signals the program once its shell runs; returns its wait status. The shell and what it starts
 * hold a lock on the file `alive`, which must be free afterwards. */
static int interrupt(int number, const char *script, double *seconds)
{
    char folder[] = "/tmp/wb-interrupt-XXXXXX", path[64], whole[640];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/alive", folder);
    snprintf(whole, sizeof whole, "exec 9>%s; flock 9; echo > %s/ready; %s", path, folder, script);
    pid_t pid = fork();
    if (pid == 0) {
        program(whole);
    }
    char ready[64], lock[96];
    snprintf(ready, sizeof ready, "%s/ready", folder);
    while (!wb_file_exists(ready)) {
        usleep(2000);
    }
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    assert_int_equal(kill(pid, number), 0);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    clock_gettime(CLOCK_MONOTONIC, &b);
    *seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    snprintf(lock, sizeof lock, "flock -n %s true", path);
    assert_int_equal(system(lock), 0);
    snprintf(lock, sizeof lock, "rm -r %s", folder);
    assert_int_equal(system(lock), 0);
    return status;
}

static void signals_end_children_and_grandchildren(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(numbers); i++) {
        double seconds;
        int status = interrupt(numbers[i], "sleep 100 & sleep 100", &seconds);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), WAIT_FAILED | START_FAILED);
        assert_true(seconds < 1.5);
    }
}

static void child_may_remove_what_it_made(void **state)
{
    (void)state;
    char path[] = "/tmp/wb-interrupt-child-XXXXXX", script[160];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(script, sizeof script, "trap 'rm %s; exit' TERM; sleep 100 & wait", path);
    double seconds;
    interrupt(SIGINT, script, &seconds);
    assert_false(wb_file_exists(path));
}

static void child_that_does_not_listen_is_killed(void **state)
{
    (void)state;
    double seconds;
    int status = interrupt(SIGINT, "trap '' TERM; while :; do sleep 1; done", &seconds);
    assert_int_equal(WEXITSTATUS(status), WAIT_FAILED | START_FAILED);
    assert_true(seconds > 1 && seconds < 10);
}

static void ignored_signals_stay_ignored(void **state)
{
    (void)state;
    double seconds;
    signal(SIGHUP, SIG_IGN); /* nohup */
    int status = interrupt(SIGHUP, "sleep 0.3", &seconds);
    signal(SIGHUP, SIG_DFL);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), UNHURT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_end_children_and_grandchildren),
        cmocka_unit_test(child_may_remove_what_it_made),
        cmocka_unit_test(child_that_does_not_listen_is_killed),
        cmocka_unit_test(ignored_signals_stay_ignored),
    };
    signal(SIGINT, SIG_DFL); /* a background job is started with these ignored */
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
