/* SPDX-License-Identifier: MIT
 * Host functions, good and bad, in their process: fixtures/host/attempts.c has one for each row
 * here. What must never happen is that one of the bad ones counts as returned with the right
 * output.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <warpbook/host.h>

enum { N = 10, OUT = 1, STATUS = 2 };

/* One call of lesson 01's function. */
struct fixture {
    struct wb_arena arena;
    struct wb_host *host;
    float in[N], out[N];
    int status;
    struct wb_device_buffer buffers[3];
    struct wb_device_case arguments;
    struct wb_host_call call;
    struct wb_host_result result;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct wb_status status = {0};
    struct wb_host_options options = {
        .source = "attempts.c", .programs = WB_PROGRAMS, .kind = WB_DEVICE_SIM};
    wb_arena_init(&f->arena);
    if (!wb_file_read(&options.object, &f->arena, WB_ATTEMPTS, 1 << 24, &status) ||
        !wb_host_open(&f->host, &f->arena, &options, &status)) {
        fail_msg("%s", status.message);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    wb_host_close(f->host);
    wb_arena_finish(&f->arena);
    free(f);
    return 0;
}

static void prepare(struct fixture *f, const char *function)
{
    const float factor = 3;
    for (int i = 0; i < N; i++) {
        f->in[i] = (float)i;
        f->out[i] = -7;
    }
    f->status = -7;
    f->buffers[0] = (struct wb_device_buffer){.name = "in", .data = f->in, .size = sizeof f->in};
    f->buffers[OUT] =
        (struct wb_device_buffer){.name = "out", .data = f->out, .size = sizeof f->out};
    f->buffers[STATUS] = (struct wb_device_buffer){.name = "status", .data = &f->status, .size = 4};
    f->arguments = (struct wb_device_case){
        .buffers = f->buffers,
        .buffer_count = 3,
        .args = {{.buffer = 0},
                 {.buffer = OUT},
                 {.buffer = -1, .size = 4, .value = {N}},
                 {.buffer = -1, .size = 4, .is_float = true}},
        .arg_count = 4,
    };
    memcpy(f->arguments.args[3].value, &factor, sizeof factor);
    f->call = (struct wb_host_call){
        .function = function, .arguments = &f->arguments, .result = STATUS, .time_limit = 2};
}

static void run(struct fixture *f)
{
    struct wb_status status = {0};
    if (!wb_host_run(&f->result, &f->arena, f->host, &f->call, 1, &status)) {
        fail_msg("%s: %s", f->call.function, status.message);
    }
}

static void call(struct fixture *f, const char *function)
{
    prepare(f, function);
    run(f);
}

static void assert_scaled(const struct fixture *f)
{
    for (int i = 0; i < N; i++) {
        assert_float_equal(f->out[i], 3 * f->in[i], 0);
    }
}

static void assert_fault(const struct fixture *f, enum wb_reason kind, const char *part)
{
    if (f->result.fault.kind != kind || !strstr(f->result.fault.message, part)) {
        fail_msg("%s: expected %s and \"%s\", got %s: %s", f->call.function, wb_reason_code[kind],
                 part, wb_reason_code[f->result.fault.kind], f->result.fault.message);
    }
    assert_false(f->arguments.done);
}

/* ---- good ---------------------------------------------------------------------------------- */

static void test_returns(void **state)
{
    struct fixture *f = *state;
    call(f, "scales");
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    assert_true(f->arguments.done);
    assert_int_equal(f->status, 0);
    assert_scaled(f);
    assert_string_equal(f->result.output, "scaled 10\n");
    assert_true(f->result.log.ended);
    call(f, "returns_seven");
    assert_int_equal(f->status, 7);
}

static void test_float_result(void **state)
{
    struct fixture *f = *state;
    const double x = 5;
    double half = 0;
    prepare(f, "halves");
    f->buffers[0] = (struct wb_device_buffer){.name = "half", .data = &half, .size = sizeof half};
    f->arguments.buffer_count = 1;
    f->arguments.args[0] = (struct wb_device_arg){.buffer = -1, .size = 8, .is_float = true};
    memcpy(f->arguments.args[0].value, &x, sizeof x);
    f->arguments.arg_count = 1;
    f->call.result = 0;
    f->call.result_is_float = true;
    run(f);
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    assert_float_equal(half, 2.5, 0);
}

static void test_empty_arrays(void **state)
{
    struct fixture *f = *state;
    prepare(f, "scales");
    f->buffers[0].size = f->buffers[OUT].size = 0;
    f->arguments.args[2].value[0] = 0;
    run(f);
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    assert_float_equal(f->out[0], -7, 0);
}

/* More calls than runners live at once; each sees only its own. */
static void test_many_calls(void **state)
{
    enum { CALLS = 9 };
    struct fixture *f = *state;
    struct wb_status status = {0};
    struct wb_host_call calls[CALLS];
    struct wb_host_result results[CALLS];
    struct fixture *each = calloc(CALLS, sizeof *each);
    for (int i = 0; i < CALLS; i++) {
        prepare(&each[i], i % 2 ? "scales" : "exits");
        calls[i] = each[i].call;
    }
    assert_true(wb_host_run(results, &f->arena, f->host, calls, CALLS, &status));
    for (int i = 0; i < CALLS; i++) {
        assert_int_equal(results[i].fault.kind, i % 2 ? WB_REASON_NONE : WB_REASON_CRASH);
    }
    free(each);
}

/* ---- the CUDA runtime ----------------------------------------------------------------------- */

static void test_trace(void **state)
{
    struct fixture *f = *state;
    size_t mallocs = 0;
    call(f, "copies");
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    assert_int_equal(f->status, 0);
    assert_memory_equal(f->out, f->in, sizeof f->in);
    assert_true(f->result.log.ended);
    assert_int_equal(f->result.log.leak_count, 0);
    for (size_t i = 0; i < f->result.log.call_count; i++) {
        const struct wb_run_call *c = &f->result.log.calls[i];
        assert_int_equal(c->result, 0);
        if (strcmp(c->name, "cudaMalloc") == 0) {
            mallocs++;
            assert_non_null(strstr(c->place->text, "attempts.c:"));
        }
    }
    assert_int_equal(mallocs, 1);
}

static void test_leak(void **state)
{
    struct fixture *f = *state;
    call(f, "leaks");
    assert_int_equal(f->result.log.leak_count, 1);
    assert_string_equal(f->result.log.leaks[0].what, "1 device allocation");
    assert_int_equal(f->result.log.leaks[0].bytes, 40);
}

static void test_injected_failure(void **state)
{
    static const char *const failing[] = {"cudaMalloc:1", "cudaMemcpy:1", "cudaMemcpy:2"};
    struct fixture *f = *state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(failing); i++) {
        size_t injected = 0;
        prepare(f, "copies");
        f->call.failing = failing[i];
        run(f);
        assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
        assert_int_not_equal(f->status, 0);
        assert_int_equal(f->result.log.leak_count, 0);
        for (size_t k = 0; k < f->result.log.call_count; k++) {
            injected += f->result.log.calls[k].injected;
        }
        assert_int_equal(injected, 1);
    }
}

/* ---- bad ------------------------------------------------------------------------------------ */

static void test_faults(void **state)
{
    static const struct {
        const char *function;
        enum wb_reason kind;
        const char *part;
    } rows[] = {
        {"no_such_function", WB_REASON_LAUNCH_FAILED, "has no function `no_such_function`"},
        {"writes_far_past_end", WB_REASON_OUT_OF_BOUNDS, "past the end of `out`"},
        {"reads_past_end", WB_REASON_OUT_OF_BOUNDS, "past the end of `in`"},
        {"uses_null", WB_REASON_CRASH, "a null pointer"},
        {"reads_device_memory", WB_REASON_CRASH, "that is no host memory"},
        {"recurses", WB_REASON_CRASH, "used up its stack"},
        {"divides_by_zero", WB_REASON_CRASH, "Floating point exception"},
        {"aborts", WB_REASON_CRASH, "Aborted"},
        {"hangs", WB_REASON_TIMEOUT, "did not return within 2 s"},
        {"floods", WB_REASON_TIMEOUT, "printed without end"},
        {"exits", WB_REASON_CRASH, "ended the process (exit code 0) instead of returning"},
        {"exits_at_once", WB_REASON_CRASH, "ended the process (exit code 0)"},
        {"kills_itself", WB_REASON_CRASH, "ended by a signal: Killed"},
        {"forges_return", WB_REASON_CRASH, "no whole record"},
        {"forges_log", WB_REASON_CRASH, "no whole record"},
        {"forges_nonsense", WB_REASON_CRASH, "make no sense"},
        {"closes_everything", WB_REASON_CRASH, ""},
        {"crashes_at_exit", WB_REASON_CRASH, "after `crashes_at_exit` had returned"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        call(f, rows[i].function);
        assert_fault(f, rows[i].kind, rows[i].part);
    }
}

static void test_crash_has_a_line(void **state)
{
    struct fixture *f = *state;
    call(f, "uses_null");
    assert_int_not_equal(f->result.fault.line, 0);
    assert_non_null(f->result.fault.file);
}

static void test_guards(void **state)
{
    struct fixture *f = *state;
    call(f, "writes_past_end");
    assert_int_equal(f->buffers[OUT].guard_hit, 1);
    assert_int_equal(f->buffers[OUT].guard_offset, 0);
    call(f, "writes_before_start");
    assert_int_equal(f->buffers[OUT].guard_hit, -1);
    assert_int_equal(f->buffers[OUT].guard_offset, 0);
    call(f, "unprotects");
    assert_int_not_equal(f->buffers[OUT].guard_hit, 0);
    call(f, "modifies_input");
    assert_float_equal(f->in[0], 5, 0); /* for the caller to compare */
}

static void test_memory_has_an_end(void **state)
{
    struct fixture *f = *state;
    prepare(f, "eats_memory");
    f->call.time_limit = 60; /* a busy machine takes long to give so much memory */
    run(f);
    assert_true(f->result.fault.kind == WB_REASON_CRASH || f->status == 2);
}

static void test_sealed(void **state)
{
    struct fixture *f = *state;
    call(f, "breaks_out");
    assert_int_equal(f->result.fault.kind, WB_REASON_NONE);
    assert_int_equal(f->status, 1);
}

/* Sleeping costs no CPU time; the wall clock ends it. */
static void test_sleeper(void **state)
{
    struct fixture *f = *state;
    prepare(f, "sleeps");
    f->call.time_limit = 0.1;
    run(f);
    assert_fault(f, WB_REASON_TIMEOUT, "did not return");
}

/* Forged lines void the log: what it said before does not count any more, good or bad. */
static void test_forged_log(void **state)
{
    struct fixture *f = *state;
    call(f, "forges_log");
    assert_int_equal(f->result.log.launch_count, 0);
    assert_false(f->result.log.ended);
}

/* A thread of the function may still write while the process ends: the bytes are what they are when
 * all is over, and the verdict is about these. */
static void test_thread_left(void **state)
{
    struct fixture *f = *state;
    call(f, "leaves_a_thread");
    if (f->result.fault.kind == WB_REASON_NONE) {
        assert_true(f->out[0] == -1 || f->out[0] == 0);
    }
}

static void test_programs_missing(void **state)
{
    struct fixture *f = *state;
    struct wb_host *host = NULL;
    struct wb_status status = {0};
    struct wb_host_options options = {.programs = "/nowhere", .kind = WB_DEVICE_SIM};
    assert_false(wb_host_open(&host, &f->arena, &options, &status));
    assert_int_equal(status.code, WB_TOOL_MISSING);
    assert_non_null(strstr(status.message, "host-runner"));
}

static void test_not_an_object(void **state)
{
    static uint8_t text[] = "this is no shared object";
    struct fixture *f = *state;
    struct wb_host *good = f->host;
    struct wb_status status = {0};
    struct wb_host_options options = {.object = {text, sizeof text},
                                      .source = "attempts.c",
                                      .programs = WB_PROGRAMS,
                                      .kind = WB_DEVICE_SIM};
    assert_true(wb_host_open(&f->host, &f->arena, &options, &status));
    call(f, "scales");
    assert_fault(f, WB_REASON_LAUNCH_FAILED, "cannot be loaded");
    wb_host_close(f->host);
    f->host = good;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_returns),
        cmocka_unit_test(test_float_result),
        cmocka_unit_test(test_empty_arrays),
        cmocka_unit_test(test_many_calls),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_leak),
        cmocka_unit_test(test_injected_failure),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_crash_has_a_line),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_memory_has_an_end),
        cmocka_unit_test(test_sealed),
        cmocka_unit_test(test_sleeper),
        cmocka_unit_test(test_forged_log),
        cmocka_unit_test(test_thread_left),
        cmocka_unit_test(test_programs_missing),
        cmocka_unit_test(test_not_an_object),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
