/* SPDX-License-Identifier: MIT
 * Jobs in child processes, with bodies that stand in for a device: good ones, and ones that crash,
 * hang, lie, print without end or say nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CASES = 4, ELEMENTS = 100 };

/* A job of four cases, each with an array and an empty one. */
struct fixture {
    struct wb_arena arena;
    struct wb_status status;
    struct wb_device_result result;
    int data[CASES][ELEMENTS];
    struct wb_device_buffer buffers[CASES][2];
    struct wb_device_case cases[CASES];
    struct wb_device_job job;
};

static int setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    wb_arena_init(&f->arena);
    for (int i = 0; i < CASES; i++) {
        for (int j = 0; j < ELEMENTS; j++) {
            f->data[i][j] = j;
        }
        f->buffers[i][0] = (struct wb_device_buffer){"data", f->data[i], sizeof f->data[i], 7, 7};
        f->buffers[i][1] = (struct wb_device_buffer){"nothing", NULL, 0, 7, 7};
        f->cases[i] =
            (struct wb_device_case){.buffers = f->buffers[i], .buffer_count = 2, .done = true};
    }
    f->job = (struct wb_device_job){
        .kernel = "k", .cases = f->cases, .case_count = CASES, .time_limit = 20};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    wb_arena_finish(&f->arena);
    test_free(f);
    return 0;
}

typedef bool body_function(struct wb_job_child *child, const void *context);

static bool run(struct fixture *f, body_function *body)
{
    const struct wb_job_kind kind = {.where = "here", .startup_s = 0.5, .body = body};
    return wb_job_run(&f->result, &f->arena, &f->job, &kind, &f->status);
}

static _Noreturn void sleep_for_ever(void)
{
    for (;;) {
        pause();
    }
}

static _Noreturn void spin_for_ever(void)
{
    for (volatile unsigned spins = 0;; spins = spins + 1) {
    }
}

static _Noreturn void print_for_ever(void)
{
    for (;;) {
        printf("and on and on\n");
    }
}

/* Adds 1 to every element. */
static void work(struct wb_job_child *child, size_t index)
{
    int *data = child->job->cases[index].buffers[0].data;
    wb_job_case_begin(child, index);
    for (int i = 0; i < ELEMENTS; i++) {
        data[i]++;
    }
}

static size_t done_count(const struct fixture *f)
{
    size_t count = 0;
    for (size_t i = 0; i < CASES; i++) {
        count += f->cases[i].done;
    }
    return count;
}

/* The first `done` cases have their results, the others are as they were. */
static void check_cases(const struct fixture *f, size_t done)
{
    assert_int_equal(done_count(f), done);
    for (size_t i = 0; i < CASES; i++) {
        assert_int_equal(f->cases[i].done, i < done);
        assert_int_equal(f->data[i][0], i < done ? 1 : 0);
        assert_int_equal(f->data[i][ELEMENTS - 1], ELEMENTS - 1 + (i < done ? 1 : 0));
        assert_ptr_equal(f->buffers[i][0].data, f->data[i]); /* ours again, not the shared one */
    }
}

static bool good_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    for (size_t i = 0; i < child->job->case_count; i++) {
        work(child, i);
        child->job->cases[i].buffers[0].guard_hit = i == 2 ? -1 : 0;
        child->job->cases[i].buffers[0].guard_offset = i == 2 ? 12 : 0;
        wb_job_case_done(child, i);
    }
    child->result->registers = 42;
    printf("on standard output\n");
    fflush(stdout);
    fprintf(stderr, "on standard error\n");
    return true;
}

static void good_job(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, good_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    check_cases(f, CASES);
    assert_int_equal(f->result.registers, 42);
    assert_string_equal(f->result.output, "on standard output\non standard error\n");
    assert_false(f->result.output_cut);
    assert_int_equal(f->buffers[2][0].guard_hit, -1);
    assert_int_equal(f->buffers[2][0].guard_offset, 12);
    assert_int_equal(f->buffers[1][0].guard_hit, 0);
    assert_int_equal(f->buffers[1][1].guard_hit, 0);
}

static bool fault_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    wb_job_case_done(child, 0);
    work(child, 1);
    child->result->fault.kind = WB_REASON_RACE;
    child->result->fault.file = wb_arena_strdup(child->arena, "x.cu");
    strcpy(child->result->fault.message, "Two threads race.");
    return true;
}

static void fault_is_kept_with_the_cases_before_it(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, fault_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_RACE);
    assert_string_equal(f->result.fault.file, "x.cu");
    assert_string_equal(f->result.fault.message, "Two threads race.");
    check_cases(f, 1);
}

static bool failing_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    return WB_FAIL(child->status, UNSUPPORTED, "Not this one.");
}

static void status_of_the_body_is_ours(void **state)
{
    struct fixture *f = *state;
    assert_false(run(f, failing_body));
    assert_int_equal(f->status.code, WB_UNSUPPORTED);
    assert_string_equal(f->status.message, "Not this one.");
    check_cases(f, 0);
}

static bool crashing_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    wb_job_case_done(child, 0);
    work(child, 1);
    raise(SIGSEGV);
    return true;
}

static void crash_is_a_fault(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, crashing_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_CRASH);
    assert_non_null(strstr(f->result.fault.message, "case 2 of 4 here"));
    check_cases(f, 1);
}

static bool killed_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    raise(SIGKILL);
    return true;
}

static void killed_for_memory_says_so(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, killed_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_CRASH);
    assert_non_null(strstr(f->result.fault.message, "out of memory"));
    check_cases(f, 0);
}

static bool aborting_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    wb_arena_alloc(child->arena, SIZE_MAX / 2);
    return true;
}

static void out_of_memory_says_so(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, aborting_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_CRASH);
    assert_non_null(strstr(f->result.fault.message, "case 1 of 4 here"));
    check_cases(f, 0);
}

static bool hanging_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    for (size_t i = 0; i < 2; i++) {
        work(child, i);
        wb_job_case_done(child, i);
    }
    work(child, 2);
    sleep_for_ever();
}

static void hang_is_a_timeout(void **state)
{
    struct fixture *f = *state;
    f->job.time_limit = 0.3;
    assert_true(run(f, hanging_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_TIMEOUT);
    assert_string_equal(f->result.fault.message,
                        "`k` did not end within 0.3 s: stopped in case 3 of 4.");
    check_cases(f, 2);
}

static bool hanging_at_once_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    sleep_for_ever();
}

static void the_only_case_has_no_number(void **state)
{
    struct fixture *f = *state;
    f->job.time_limit = 0.2;
    f->job.case_count = 1;
    assert_true(run(f, hanging_at_once_body));
    assert_string_equal(f->result.fault.message, "`k` did not end within 0.2 s.");
    assert_true(run(f, killed_body));
    assert_non_null(strstr(f->result.fault.message, "ran the kernel here"));
}

static bool busy_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    spin_for_ever();
}

static void cpu_time_can_be_the_limit(void **state)
{
    struct fixture *f = *state;
    const struct wb_job_kind busy = {.where = "here", .cpu_time = true, .body = busy_body};
    f->job.time_limit = 0.2;
    assert_true(wb_job_run(&f->result, &f->arena, &f->job, &busy, &f->status));
    assert_int_equal(f->result.fault.kind, WB_REASON_TIMEOUT);
    /* One that sleeps needs no CPU time: then the parent's clock ends it. */
    const struct wb_job_kind idle = {.where = "here", .cpu_time = true, .body = hanging_body};
    assert_true(wb_job_run(&f->result, &f->arena, &f->job, &idle, &f->status));
    assert_int_equal(f->result.fault.kind, WB_REASON_TIMEOUT);
}

static bool deaf_body(struct wb_job_child *child, const void *context)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    return hanging_body(child, context);
}

/* The child's own clock is a signal; if that does not get through, the parent's kills. */
static void hang_that_blocks_signals_is_a_timeout(void **state)
{
    struct fixture *f = *state;
    f->job.time_limit = 0.1;
    assert_true(run(f, deaf_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_TIMEOUT);
    check_cases(f, 2);
}

static bool never_started_body(struct wb_job_child *child, const void *context)
{
    (void)child;
    (void)context;
    sleep_for_ever();
}

static void device_that_never_starts_is_our_failure(void **state)
{
    struct fixture *f = *state;
    f->job.time_limit = 0.1;
    assert_false(run(f, never_started_body));
    assert_int_equal(f->status.code, WB_NO_DEVICE);
    check_cases(f, 0);
}

static bool silent_body(struct wb_job_child *child, const void *context)
{
    (void)child;
    (void)context;
    _exit(0);
}

static void no_message_is_a_crash(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, silent_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_CRASH);
    assert_non_null(strstr(f->result.fault.message, "without a result (exit code 0)"));
}

static bool lazy_body(struct wb_job_child *child, const void *context)
{
    (void)child;
    (void)context;
    return true; /* success, but no case is done */
}

static void success_without_the_cases_is_a_crash(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, lazy_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_CRASH);
    check_cases(f, 0);
}

static bool lying_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_case_begin(child, 1000000);
    /* As if a case far behind the last one were done. */
    size_t *numbers = (size_t *)child->shared;
    for (int i = 0; i < 4; i++) {
        numbers[i] = 1000000;
    }
    return true;
}

static void impossible_progress_is_a_crash(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, lying_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_CRASH);
    check_cases(f, 0);
}

static bool talking_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    for (int i = 0; i < 100000; i++) {
        printf("line %d of very many\n", i);
    }
    return good_body(child, context);
}

static void output_is_cut(void **state)
{
    struct fixture *f = *state;
    assert_true(run(f, talking_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    assert_int_equal(strlen(f->result.output), 64 * 1024);
    assert_true(f->result.output_cut);
    check_cases(f, CASES);
}

static bool printing_for_ever_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    wb_job_started(child);
    work(child, 0);
    print_for_ever();
}

static void printing_for_ever_is_a_timeout(void **state)
{
    struct fixture *f = *state;
    f->job.time_limit = 0.5;
    assert_true(run(f, printing_for_ever_body));
    assert_int_equal(f->result.fault.kind, WB_REASON_TIMEOUT);
    assert_true(f->result.output_cut);
}

static void buffers_without_end_are_refused(void **state)
{
    struct fixture *f = *state;
    f->buffers[1][0].size = SIZE_MAX - 10;
    assert_false(run(f, good_body));
    assert_int_equal(f->status.code, WB_NO_MEMORY);
}

/* What was printed here before, and not yet written, is not the kernel's. */
static void output_of_the_parent_stays_there(void **state)
{
    struct fixture *f = *state;
    printf("# a line of the parent\n");
    assert_true(run(f, good_body));
    assert_null(strstr(f->result.output, "parent"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(good_job, setup, teardown),
        cmocka_unit_test_setup_teardown(fault_is_kept_with_the_cases_before_it, setup, teardown),
        cmocka_unit_test_setup_teardown(status_of_the_body_is_ours, setup, teardown),
        cmocka_unit_test_setup_teardown(crash_is_a_fault, setup, teardown),
        cmocka_unit_test_setup_teardown(killed_for_memory_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(out_of_memory_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(hang_is_a_timeout, setup, teardown),
        cmocka_unit_test_setup_teardown(the_only_case_has_no_number, setup, teardown),
        cmocka_unit_test_setup_teardown(cpu_time_can_be_the_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(hang_that_blocks_signals_is_a_timeout, setup, teardown),
        cmocka_unit_test_setup_teardown(device_that_never_starts_is_our_failure, setup, teardown),
        cmocka_unit_test_setup_teardown(no_message_is_a_crash, setup, teardown),
        cmocka_unit_test_setup_teardown(success_without_the_cases_is_a_crash, setup, teardown),
        cmocka_unit_test_setup_teardown(impossible_progress_is_a_crash, setup, teardown),
        cmocka_unit_test_setup_teardown(output_is_cut, setup, teardown),
        cmocka_unit_test_setup_teardown(printing_for_ever_is_a_timeout, setup, teardown),
        cmocka_unit_test_setup_teardown(buffers_without_end_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(output_of_the_parent_stays_there, setup, teardown),
    };
    return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
