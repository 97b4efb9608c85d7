/* SPDX-License-Identifier: MIT
 * Functions of ours as children: the message pipe, crashes, limits, the parent's death, the seal.
 */
#include <warpbook/proc.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
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

typedef int entry_function(void *context, int message_fd);

static struct wb_proc_spec spec_of(entry_function *entry, void *context)
{
    return (struct wb_proc_spec){.entry = entry,
                                 .context = context,
                                 .message_limit = 1 << 20,
                                 .limits = {.wall_s = 20, .output = 4096}};
}

static struct wb_proc_result run(const struct wb_proc_spec *spec)
{
    struct wb_proc_result result;
    struct wb_status status = {0};
    if (!wb_proc_run(&result, &arena, spec, &status)) {
        fail_msg("%s", status.message);
    }
    return result;
}

static struct wb_proc_result run_entry(entry_function *entry, void *context)
{
    struct wb_proc_spec spec = spec_of(entry, context);
    return run(&spec);
}

/* ---- messages and output ------------------------------------------------------------------ */

static int say(void *context, int message_fd)
{
    printf("printed\n");
    fprintf(stderr, "complained\n");
    return write(message_fd, context, strlen(context)) > 0 ? 7 : 1;
}

static void message_output_and_code_arrive(void **state)
{
    (void)state;
    printf("# not yet written by the parent"); /* must not come out of the child as well */
    struct wb_proc_result r = run_entry(say, "hello");
    printf("\n");
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_int_equal(r.exit_code, 7);
    assert_int_equal(r.message_size, 5);
    assert_memory_equal(r.message, "hello", 5);
    assert_string_equal(r.out, "printed\n");
    assert_string_equal(r.err, "complained\n");
}

enum { LONG_MESSAGE = 300000 };

static int say_much(void *context, int message_fd)
{
    (void)context;
    static char data[LONG_MESSAGE];
    memset(data, 'x', sizeof data);
    for (size_t sent = 0; sent < sizeof data;) {
        ssize_t n = write(message_fd, data + sent, sizeof data - sent);
        if (n <= 0) {
            return 1;
        }
        sent += (size_t)n;
    }
    return 0;
}

static void long_message_is_read_on_the_way(void **state)
{
    (void)state;
    struct wb_proc_result r = run_entry(say_much, NULL);
    assert_int_equal(r.exit_code, 0);
    assert_int_equal(r.message_size, LONG_MESSAGE);
    assert_int_equal(r.message[LONG_MESSAGE - 1], 'x');
}

static void message_is_cut_at_the_limit(void **state)
{
    (void)state;
    struct wb_proc_spec spec = spec_of(say_much, NULL);
    spec.message_limit = 100;
    struct wb_proc_result r = run(&spec);
    assert_int_equal(r.exit_code, 0);
    assert_int_equal(r.message_size, 100);
}

static int say_nothing(void *context, int message_fd)
{
    (void)context;
    (void)message_fd;
    return 0;
}

static void no_message_is_empty(void **state)
{
    (void)state;
    struct wb_proc_result r = run_entry(say_nothing, NULL);
    assert_int_equal(r.message_size, 0);
    assert_string_equal(r.out, "");
}

/* ---- bad ends ----------------------------------------------------------------------------- */

static int crash(void *context, int message_fd)
{
    (void)message_fd;
    raise(*(int *)context);
    return 0;
}

static void crash_ends_only_the_child(void **state)
{
    (void)state;
    int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGKILL};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(signals); i++) {
        struct wb_proc_result r = run_entry(crash, &signals[i]);
        assert_int_equal(r.end, WB_PROC_SIGNALED);
        assert_int_equal(r.signal, signals[i]);
    }
}

static int hang(void *context, int message_fd)
{
    (void)context;
    (void)message_fd;
    for (;;) {
        pause();
    }
    return 0;
}

static void hang_is_ended(void **state)
{
    (void)state;
    struct wb_proc_spec spec = spec_of(hang, NULL);
    spec.limits.wall_s = 0.2;
    assert_int_equal(run(&spec).end, WB_PROC_TIMEOUT);
}

static int allocate(void *context, int message_fd)
{
    (void)message_fd;
    const size_t size = *(size_t *)context;
    char *volatile memory = malloc(size);
    if (!memory) {
        return 2;
    }
    for (size_t i = 0; i < size; i += 4096) {
        memory[i] = 1;
    }
    free(memory);
    return 0;
}

static void memory_beyond_what_the_parent_has_is_limited(void **state)
{
    (void)state;
    size_t little = 16 << 20, much = 256 << 20;
    struct wb_proc_spec spec = spec_of(allocate, &little);
    spec.limits.address_space = 64 << 20;
    assert_int_equal(run(&spec).exit_code, 0);
    spec.context = &much;
    struct wb_proc_result r = run(&spec); /* malloc fails; a sanitizer ends the process then */
    assert_true(r.end == WB_PROC_SIGNALED || r.exit_code != 0);
}

static int run_shell(void *context, int message_fd)
{
    const char *const argv[] = {"sh", "-c", context, NULL};
    struct wb_proc_spec spec = {.argv = argv, .limits = {.wall_s = 20, .output = 100}};
    struct wb_arena own;
    struct wb_proc_result r;
    wb_arena_init(&own);
    bool ok = wb_proc_run(&r, &own, &spec, NULL) && r.out_size > 0 &&
              write(message_fd, r.out, r.out_size) > 0;
    wb_arena_finish(&own);
    return ok ? r.exit_code : 99;
}

static void child_may_start_children(void **state)
{
    (void)state;
    /* One that runs beside it belongs to the parent: the child must leave it alone. */
    struct wb_proc *beside;
    struct wb_proc_spec spec = spec_of(run_shell, "sleep 0.3; echo beside");
    assert_true(wb_proc_start(&beside, &arena, &spec, NULL));
    struct wb_proc_result r = run_entry(run_shell, "echo inside; exit 5");
    assert_int_equal(r.exit_code, 5);
    assert_memory_equal(r.message, "inside\n", 7);
    assert_true(wb_proc_wait(&r, beside, NULL));
    assert_int_equal(r.exit_code, 0);
    assert_memory_equal(r.message, "beside\n", 7);
}

/* The middle process starts a child, says who it is, and is killed. */
static int start_and_die(void *context, int message_fd)
{
    (void)context;
    struct wb_proc *proc;
    struct wb_arena own;
    struct wb_proc_spec spec = spec_of(hang, NULL);
    wb_arena_init(&own);
    if (!wb_proc_start(&proc, &own, &spec, NULL)) {
        return 1;
    }
    char command[100];
    snprintf(command, sizeof command, "/proc/self/task/%d/children", (int)gettid());
    char pid[32] = "";
    int fd = open(command, O_RDONLY);
    if (fd < 0 || read(fd, pid, sizeof pid - 1) <= 0 || write(message_fd, pid, sizeof pid) <= 0) {
        return 2;
    }
    raise(SIGKILL);
    return 3;
}

static void child_dies_with_its_parent(void **state)
{
    (void)state;
    struct wb_proc_result r = run_entry(start_and_die, NULL);
    assert_int_equal(r.signal, SIGKILL);
    long pid = strtol((char *)r.message, NULL, 10);
    assert_true(pid > 1);
    /* It is a session of its own, so that only the death signal can have reached it. */
    int gone = 0;
    for (int i = 0; i < 200 && !gone; i++) {
        usleep(10000);
        char path[64], text[512] = "";
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        FILE *file = fopen(path, "r");
        gone = !file || !fgets(text, sizeof text, file) || strstr(text, ") Z");
        if (file) {
            fclose(file);
        }
    }
    assert_true(gone);
}

/* ---- the seal ----------------------------------------------------------------------------- */

static void *add(void *number)
{
    *(int *)number += 1;
    return NULL;
}

/* What the simulator needs must still work: memory, threads, time, output, the message. */
static int work_sealed(void *context, int message_fd)
{
    (void)context;
    wb_proc_seal();
    char *memory = malloc(32 << 20);
    if (!memory) {
        return 1;
    }
    memset(memory, 1, 32 << 20);
    free(memory);
    int number = 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&threads[i], NULL, add, &number) != 0) {
            return 2;
        }
        pthread_join(threads[i], NULL);
    }
    struct timespec t = {.tv_nsec = 1000};
    if (number != 4 || nanosleep(&t, NULL) != 0 || clock_gettime(CLOCK_MONOTONIC, &t) != 0) {
        return 3;
    }
    printf("sealed %d\n", number);
    return write(message_fd, "ok", 2) == 2 ? 0 : 4;
}

static void sealed_child_can_work(void **state)
{
    (void)state;
    struct wb_proc_result r = run_entry(work_sealed, NULL);
    assert_int_equal(r.end, WB_PROC_EXITED);
    assert_int_equal(r.exit_code, 0);
    assert_string_equal(r.out, "sealed 4\n");
    assert_int_equal(r.message_size, 2);
}

static int abort_sealed(void *context, int message_fd)
{
    (void)context;
    (void)message_fd;
    wb_proc_seal();
    abort();
}

static void sealed_child_can_abort(void **state)
{
    (void)state;
    struct wb_proc_result r = run_entry(abort_sealed, NULL);
    assert_int_equal(r.end, WB_PROC_SIGNALED);
    assert_int_equal(r.signal, SIGABRT);
}

enum { NO_SEAL = 77, ESCAPED_BASE = 10 };

/* Each of these would get out; the code says which did. 77: this kernel has no filters. */
static int escape_sealed(void *context, int message_fd)
{
    (void)message_fd;
    char *path = context;
    wb_proc_seal();
    errno = 0;
    if (prctl(PR_GET_SECCOMP) == 0) {
        return NO_SEAL;
    }
    pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    const bool escaped[] = {pid > 0,
                            open("/etc/passwd", O_RDONLY) >= 0,
                            open(path, O_WRONLY | O_CREAT, 0600) >= 0,
                            unlink(path) == 0,
                            socket(AF_INET, SOCK_STREAM, 0) >= 0,
                            kill(getppid(), 0) == 0,
                            execl("/bin/true", "true", (char *)NULL) == 0};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(escaped); i++) {
        if (escaped[i]) {
            return ESCAPED_BASE + (int)i;
        }
    }
    return 0;
}

static void sealed_child_cannot_get_out(void **state)
{
    (void)state;
    char path[] = "/tmp/wb-test-seal-XXXXXX";
    close(mkstemp(path));
    struct wb_proc_result r = run_entry(escape_sealed, path);
    bool still_there = wb_file_exists(path);
    unlink(path);
    assert_int_equal(r.end, WB_PROC_EXITED);
    if (r.exit_code != NO_SEAL) {
        assert_int_equal(r.exit_code, 0);
        assert_true(still_there);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_output_and_code_arrive),
        cmocka_unit_test(long_message_is_read_on_the_way),
        cmocka_unit_test(message_is_cut_at_the_limit),
        cmocka_unit_test(no_message_is_empty),
        cmocka_unit_test(crash_ends_only_the_child),
        cmocka_unit_test(hang_is_ended),
        cmocka_unit_test(memory_beyond_what_the_parent_has_is_limited),
        cmocka_unit_test(child_may_start_children),
        cmocka_unit_test(child_dies_with_its_parent),
        cmocka_unit_test(sealed_child_can_work),
        cmocka_unit_test(sealed_child_can_abort),
        cmocka_unit_test(sealed_child_cannot_get_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
