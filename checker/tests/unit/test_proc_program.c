/* SPDX-License-Identifier: MIT
 * Programs as children: output, limits, environment, and everything a program can do to make its
 * parent hang or to leave something running. The programs are one-line shell scripts.
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct wb_arena arena;

static int set_up(void **state)
{
    (void)state;
    wb_arena_init(&arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    wb_arena_finish(&arena);
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct wb_limits usual(void)
{
    return (struct wb_limits){.wall_s = 20, .output = 4096};
}

static struct wb_proc *start_shell(const char *script, struct wb_limits limits)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct wb_proc_spec spec = {.argv = argv, .limits = limits};
    struct wb_proc *proc = NULL;
    struct wb_status status = {0};
    if (!wb_proc_start(&proc, &arena, &spec, &status)) {
        fail_msg("%s", status.message);
    }
    return proc;
}

static struct wb_proc_result wait_for(struct wb_proc *proc)
{
    struct wb_proc_result result;
    struct wb_status status = {0};
    if (!wb_proc_wait(&result, proc, &status)) {
        fail_msg("%s", status.message);
    }
    return result;
}

static struct wb_proc_result shell(const char *script, struct wb_limits limits)
{
    return wait_for(start_shell(script, limits));
}

/* valgrind's own exec gives up where the kernel's returns an error. */
static bool under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}

/* No such process, or a dead one that nobody has reaped. */
static bool is_gone(const char *pid_text)
{
    long pid = strtol(pid_text, NULL, 10);
    assert_true(pid > 1);
    char line[512] = "";
    FILE *file = fopen(wb_arena_printf(&arena, "/proc/%ld/stat", pid), "r");
    bool gone = !file || !fgets(line, sizeof line, file) || strstr(line, ") Z");
    if (file) {
        fclose(file);
    }
    return gone;
}

/* ---- what a child says -------------------------------------------------------------------- */

static void output_and_code_arrive(void **state)
{
    (void)state;
    struct wb_proc_result r = shell("echo one; echo two >&2; exit 3", usual());
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_int_equal(r.exit_code, 3);
    assert_string_equal(r.out, "one\n");
    assert_string_equal(r.err, "two\n");
    assert_int_equal(r.out_size, 4);
    assert_false(r.out_cut);
    assert_int_equal(r.message_size, 0);
    assert_true(r.wall_s > 0 && r.wall_s < 10);
}

static void zero_bytes_are_kept(void **state)
{
    (void)state;
    struct wb_proc_result r = shell("printf 'a\\0b'", usual());
    assert_int_equal(r.out_size, 3);
    assert_memory_equal(r.out, "a\0b", 4);
}

static void standard_input_is_empty(void **state)
{
    (void)state;
    struct wb_proc_result r = shell("cat; readlink /proc/self/fd/0", usual());
    assert_string_equal(r.out, "/dev/null\n");
}

static void output_is_cut_at_the_limit(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.output = 10;
    struct wb_proc_result r =
        shell("printf 0123456789; printf 0123456789x >&2; head -c 300000 /dev/zero >&2", limits);
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_string_equal(r.out, "0123456789");
    assert_false(r.out_cut);
    assert_string_equal(r.err, "0123456789");
    assert_true(r.err_cut);
}

static void no_output_is_kept_by_default(void **state)
{
    (void)state;
    struct wb_proc_result r = shell("head -c 200000 /dev/zero", (struct wb_limits){.wall_s = 20});
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_int_equal(r.out_size, 0);
    assert_string_equal(r.out, "");
    assert_true(r.out_cut);
}

static void no_descriptor_leaks_into_the_child(void **state)
{
    (void)state;
    struct wb_proc *other = start_shell("sleep 0.2", usual());
    struct wb_proc_result r = shell("ls /proc/self/fd | wc -l", usual());
    assert_string_equal(r.out, "4\n"); /* 0, 1, 2 and ls's own folder */
    wait_for(other);
}

static void starting_leaks_no_descriptor(void **state)
{
    (void)state;
    int before = dup(0);
    close(before);
    const char *const missing[] = {"/nowhere/program", NULL};
    struct wb_proc_spec spec = {.argv = missing, .cwd = "/nowhere"};
    for (int i = 0; i < 5; i++) {
        struct wb_proc_result r;
        shell("true", usual());
        assert_false(wb_proc_run(&r, &arena, &spec, NULL));
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

/* ---- environment -------------------------------------------------------------------------- */

static void environment_is_added_and_replaced(void **state)
{
    (void)state;
    setenv("WB_TEST_A", "old", 1);
    setenv("WB_TEST_AB", "kept", 1);
    const char *const argv[] = {"sh", "-c", "echo $WB_TEST_A $WB_TEST_AB $WB_TEST_C", NULL};
    const char *const env[] = {"WB_TEST_A=new", "WB_TEST_C=added", NULL};
    struct wb_proc_spec spec = {.argv = argv, .env = env, .limits = usual()};
    struct wb_proc_result r;
    assert_true(wb_proc_run(&r, &arena, &spec, NULL));
    assert_string_equal(r.out, "new kept added\n");
}

static void working_folder_is_set(void **state)
{
    (void)state;
    const char *const argv[] = {"pwd", NULL};
    struct wb_proc_spec spec = {.argv = argv, .cwd = "/usr", .limits = usual()};
    struct wb_proc_result r;
    assert_true(wb_proc_run(&r, &arena, &spec, NULL));
    assert_string_equal(r.out, "/usr\n");
}

static void signals_are_as_in_a_fresh_process(void **state)
{
    (void)state;
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    struct wb_proc_result r = shell("kill -TERM $$; echo alive", usual());
    assert_int_equal(r.end, WB_PROC_SIGNALED);
    assert_int_equal(r.signal, SIGTERM);
    r = shell("kill -PIPE $$; echo alive", usual());
    assert_int_equal(r.signal, SIGPIPE);
    signal(SIGPIPE, old);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- what cannot be started --------------------------------------------------------------- */

static void check_not_started(const char *program, const char *cwd, enum wb_code code,
                              const char *words)
{
    const char *const argv[] = {program, NULL};
    struct wb_proc_spec spec = {.argv = argv, .cwd = cwd, .limits = usual()};
    struct wb_proc_result r;
    struct wb_status status = {0};
    assert_false(wb_proc_run(&r, &arena, &spec, &status));
    assert_int_equal(r.end, WB_PROC_NOT_STARTED);
    assert_int_equal(status.code, code);
    assert_non_null(strstr(status.message, words));
}

static void script_without_its_shell_is_reported(void **state)
{
    (void)state;
    if (under_valgrind()) {
        return;
    }
    char script[] = "/tmp/wb-test-proc-XXXXXX";
    int fd = mkstemp(script);
    assert_true(write(fd, "#!/nowhere/shell\n", 17) == 17 && fchmod(fd, 0755) == 0);
    close(fd);
    check_not_started(script, NULL, WB_TOOL_MISSING, "No such file");
    unlink(script);
}

static void missing_programs_are_reported(void **state)
{
    (void)state;
    check_not_started("wb-no-such-program", NULL, WB_TOOL_MISSING, "wb-no-such-program");
    check_not_started("/nowhere/program", NULL, WB_TOOL_MISSING, "/nowhere/program");
    check_not_started("/", NULL, WB_TOOL_MISSING, "/");
    check_not_started("", NULL, WB_TOOL_MISSING, "no program");
    check_not_started("sh", "/nowhere", WB_NOT_FOUND, "/nowhere");
}

static void which_searches_path(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    char *found = wb_proc_which(&arena, "sh");
    assert_non_null(found);
    assert_int_equal(found[0], '/');
    assert_string_equal(wb_proc_which(&arena, found), found);
    assert_null(wb_proc_which(&arena, "wb-no-such-program"));
    assert_null(wb_proc_which(&arena, "/usr"));
    assert_null(wb_proc_which(&arena, "/etc/passwd"));
    setenv("PATH", "", 1);
    assert_null(wb_proc_which(&arena, "sh"));
    setenv("PATH", "/nowhere:/bin", 1);
    assert_string_equal(wb_proc_which(&arena, "sh"), "/bin/sh");
    unsetenv("PATH");
    assert_non_null(wb_proc_which(&arena, "sh"));
    setenv("PATH", path, 1);
    free(path);
}

/* ---- limits ------------------------------------------------------------------------------- */

static void wall_limit_ends_a_sleeper(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.wall_s = 1;
    struct wb_proc_result r = shell("echo before; trap '' TERM INT HUP; sleep 100", limits);
    assert_int_equal(r.end, WB_PROC_TIMEOUT);
    assert_string_equal(r.out, "before\n");
    assert_true(r.wall_s >= 1 && r.wall_s < 10);
}

static void cpu_limit_ends_a_loop(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.cpu_s = 0.5; /* rounded up to 1 */
    struct wb_proc_result r = shell("while :; do :; done", limits);
    assert_int_equal(r.end, WB_PROC_TIMEOUT);
    assert_true(r.wall_s < 15);
}

static void cpu_limit_ends_a_loop_that_ignores_it(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.cpu_s = 1;
    struct wb_proc_result r = shell("trap '' XCPU; while :; do :; done", limits);
    assert_int_equal(r.end, WB_PROC_TIMEOUT);
    assert_int_equal(r.signal, SIGKILL);
}

static void endless_output_is_ended(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    double start = now();
    struct wb_proc_result r = shell("yes", limits);
    assert_int_equal(r.end, WB_PROC_TIMEOUT);
    assert_true(r.out_cut);
    assert_int_equal(r.out_size, limits.output);
    assert_true(now() - start < 15);
}

static void file_size_is_limited(void **state)
{
    (void)state;
    char path[] = "/tmp/wb-test-proc-XXXXXX";
    int fd = mkstemp(path);
    close(fd);
    struct wb_limits limits = usual();
    limits.file_size = 8192;
    char *script = wb_arena_printf(&arena, "head -c 100000 /dev/zero > %s; echo $?", path);
    struct wb_proc_result r = shell(script, limits);
    assert_int_equal(r.end, WB_PROC_EXITED); /* an error, not a signal */
    assert_string_equal(r.out, "1\n");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 8192);
    unlink(path);
}

static void address_space_is_limited(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.address_space = 64 << 20;
    if (under_valgrind()) {
        return;
    }
    struct wb_proc_result r =
        shell("ulimit -v; head -c 200000000 /dev/zero | tail -n 1 | wc -c", limits);
    assert_true(wb_starts_with(r.out, "65536\n"));
    assert_false(wb_ends_with(r.out, "\n200000000\n"));
}

static void no_core_is_written(void **state)
{
    (void)state;
    assert_string_equal(shell("ulimit -c; ulimit -Hc", usual()).out, "0\n0\n");
}

static void crash_is_a_signal(void **state)
{
    (void)state;
    struct wb_proc_result r = shell("kill -SEGV $$", usual());
    assert_int_equal(r.end, WB_PROC_SIGNALED);
    assert_int_equal(r.signal, SIGSEGV);
}

/* ---- what a child leaves behind ----------------------------------------------------------- */

static void grandchild_that_keeps_the_pipes_is_ended(void **state)
{
    (void)state;
    double start = now();
    struct wb_proc_result r = shell("sleep 100 & echo $!", usual());
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_true(now() - start < 5);
    assert_true(is_gone(r.out));
}

static void grandchild_in_a_session_of_its_own_is_ended(void **state)
{
    (void)state;
    struct wb_proc_result r =
        shell("(setsid sleep 100 || exec sleep 100) >/dev/null 2>&1 & sleep 0.2; echo $!", usual());
    assert_int_equal(r.end, WB_PROC_EXITED);
    /* Where filters are refused the sleeper gets away; nothing can be asserted then. */
    struct wb_proc_result filtered = shell("grep -c 'Seccomp:.*2' /proc/self/status", usual());
    if (strcmp(filtered.out, "1\n") == 0) {
        assert_true(is_gone(r.out));
    }
}

static void grandchildren_of_a_killed_child_are_ended(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.wall_s = 1;
    struct wb_proc_result r = shell("sleep 100 & echo $!; wait", limits);
    assert_int_equal(r.end, WB_PROC_TIMEOUT);
    assert_true(is_gone(r.out));
}

static void child_that_closes_its_pipes_is_waited_for(void **state)
{
    (void)state;
    struct wb_proc_result r = shell("exec >&- 2>&-; sleep 0.2; exit 4", usual());
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_int_equal(r.exit_code, 4);
    assert_true(r.wall_s >= 0.2);
}

/* ---- several at once ---------------------------------------------------------------------- */

static void others_go_on_while_one_is_waited_for(void **state)
{
    (void)state;
    struct wb_limits limits = usual();
    limits.output = 1 << 20;
    struct wb_proc *slow = start_shell("sleep 2", limits);
    struct wb_proc *wordy = start_shell("head -c 500000 /dev/zero", limits); /* > a full pipe */
    limits.wall_s = 0.2;
    struct wb_proc *hung = start_shell("sleep 100", limits);
    struct wb_proc_result first = wait_for(slow);
    assert_int_equal(first.end, WB_PROC_EXITED);
    struct wb_proc_result r = wait_for(wordy);
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_int_equal(r.out_size, 500000);
    assert_true(r.wall_s < first.wall_s); /* it did not wait for its turn */
    r = wait_for(hung);
    assert_int_equal(r.end, WB_PROC_TIMEOUT);
    assert_true(r.wall_s < first.wall_s);
}

static void lack_of_descriptors_is_a_failure(void **state)
{
    (void)state;
    struct rlimit before, few;
    const int first_free = dup(0);
    close(first_free);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const char *const argv[] = {"true", NULL};
    struct wb_proc_spec spec = {.argv = argv, .limits = usual()};
    int failures = 0;
    for (int more = 0; more < 12; more++) { /* each step of a start lacks them once */
        struct wb_proc_result r;
        struct wb_status status = {0};
        few = (struct rlimit){(rlim_t)(first_free + more), before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        bool ok = wb_proc_run(&r, &arena, &spec, &status);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        failures += !ok;
        assert_true(ok ? r.end == WB_PROC_EXITED : r.end == WB_PROC_NOT_STARTED);
        assert_true(ok || status.code == WB_LIMIT || status.code == WB_IO);
        int free_again = dup(0);
        close(free_again);
        assert_int_equal(free_again, first_free);
    }
    assert_true(failures >= 6 && failures < 12);
}

static void lost_exit_status_is_a_failure(void **state)
{
    (void)state;
    void (*old)(int) = signal(SIGCHLD, SIG_IGN); /* the kernel reaps by itself */
    struct wb_proc *proc = start_shell("exit 3", usual());
    struct wb_proc_result r;
    struct wb_status status = {0};
    assert_false(wb_proc_wait(&r, proc, &status));
    assert_int_equal(status.code, WB_INTERNAL);
    signal(SIGCHLD, old);
}

/* ---- descriptors ---------------------------------------------------------------------------- */

static struct wb_proc_result run_with_fds(const char *script, const int *fds, size_t count,
                                          size_t message_limit)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    struct wb_proc_spec spec = {.argv = argv,
                                .fds = fds,
                                .fd_count = count,
                                .message_limit = message_limit,
                                .limits = usual()};
    struct wb_proc_result result;
    struct wb_status status = {0};
    if (!wb_proc_run(&result, &arena, &spec, &status)) {
        fail_msg("%s", status.message);
    }
    return result;
}

static void program_sends_a_message(void **state)
{
    (void)state;
    struct wb_proc_result r = run_with_fds("echo hello >&3; echo out", NULL, 0, 100);
    assert_int_equal(r.exit_code, 0);
    assert_int_equal(r.message_size, 6);
    assert_memory_equal(r.message, "hello\n", 6);
    assert_string_equal(r.out, "out\n");
    r = run_with_fds("echo hello >&3", NULL, 0, 0); /* none was promised */
    assert_int_not_equal(r.exit_code, 0);
    assert_int_equal(r.message_size, 0);
}

/* They arrive in their order, whatever numbers they had, and no other does. */
static void program_finds_its_descriptors(void **state)
{
    (void)state;
    int ends[2][2], fds[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pipe(ends[i]), 0);
        assert_int_equal(write(ends[i][1], i ? "two" : "one", 3), 3);
        close(ends[i][1]);
        fds[1 - i] = ends[i][0]; /* the later one first */
    }
    struct wb_proc_result r = run_with_fds("cat <&4; cat <&5; cat <&6 || echo none", fds, 2, 0);
    assert_string_equal(r.out, "twoonenone\n");
    close(ends[0][0]);
    close(ends[1][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_code_arrive),
        cmocka_unit_test(zero_bytes_are_kept),
        cmocka_unit_test(standard_input_is_empty),
        cmocka_unit_test(output_is_cut_at_the_limit),
        cmocka_unit_test(no_output_is_kept_by_default),
        cmocka_unit_test(no_descriptor_leaks_into_the_child),
        cmocka_unit_test(starting_leaks_no_descriptor),
        cmocka_unit_test(environment_is_added_and_replaced),
        cmocka_unit_test(working_folder_is_set),
        cmocka_unit_test(signals_are_as_in_a_fresh_process),
        cmocka_unit_test(missing_programs_are_reported),
        cmocka_unit_test(script_without_its_shell_is_reported),
        cmocka_unit_test(which_searches_path),
        cmocka_unit_test(wall_limit_ends_a_sleeper),
        cmocka_unit_test(cpu_limit_ends_a_loop),
        cmocka_unit_test(cpu_limit_ends_a_loop_that_ignores_it),
        cmocka_unit_test(endless_output_is_ended),
        cmocka_unit_test(file_size_is_limited),
        cmocka_unit_test(address_space_is_limited),
        cmocka_unit_test(no_core_is_written),
        cmocka_unit_test(crash_is_a_signal),
        cmocka_unit_test(grandchild_that_keeps_the_pipes_is_ended),
        cmocka_unit_test(grandchild_in_a_session_of_its_own_is_ended),
        cmocka_unit_test(grandchildren_of_a_killed_child_are_ended),
        cmocka_unit_test(child_that_closes_its_pipes_is_waited_for),
        cmocka_unit_test(others_go_on_while_one_is_waited_for),
        cmocka_unit_test(lack_of_descriptors_is_a_failure),
        cmocka_unit_test(lost_exit_status_is_a_failure),
        cmocka_unit_test(program_sends_a_message),
        cmocka_unit_test(program_finds_its_descriptors),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
