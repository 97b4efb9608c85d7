/* SPDX-License-Identifier: MIT
 * Host functions on a GPU: NVIDIA's runtime behind libwarpbook-trace.so. Each test says what it
 * saw, so that one run on a machine with a GPU tells what works. Without a GPU all are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <warpbook/host.h>

enum { N = 10, OUT = 1, STATUS = 2 };

static struct wb_arena arena;
static struct wb_host *host;
static float in[N], out[N];
static int result;
static struct wb_device_buffer buffers[] = {
    {.name = "in", .data = in, .size = sizeof in},
    {.name = "out", .data = out, .size = sizeof out},
    {.name = "status", .data = &result, .size = sizeof result},
};
static struct wb_device_case arguments = {
    .buffers = buffers,
    .buffer_count = 3,
    .args = {{.buffer = 0},
             {.buffer = OUT},
             {.buffer = -1, .size = 4, .value = {N}},
             {.buffer = -1, .size = 4, .is_float = true}},
    .arg_count = 4,
};

static int set_up(void **state)
{
    struct wb_status status = {0};
    struct wb_host_options options = {
        .source = "attempts.c", .programs = WB_PROGRAMS, .kind = WB_DEVICE_GPU};
    (void)state;
    wb_arena_init(&arena);
    if (!wb_file_read(&options.object, &arena, WB_ATTEMPTS, 1 << 24, &status) ||
        !wb_host_open(&host, &arena, &options, &status)) {
        print_error("%s\n", status.message);
        return 1;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    wb_host_close(host);
    wb_arena_finish(&arena);
    return 0;
}

static struct wb_host_result call(const char *function, const char *failing)
{
    struct wb_host_result answer;
    struct wb_status status = {0};
    const struct wb_host_call one = {.function = function,
                                     .arguments = &arguments,
                                     .result = STATUS,
                                     .failing = failing,
                                     .time_limit = 20};
    for (int i = 0; i < N; i++) {
        in[i] = (float)i;
        out[i] = -7;
    }
    if (!wb_host_run(&answer, &arena, host, &one, 1, &status)) {
        fail_msg("%s", status.message);
    }
    print_message("# %s: %s, returned %d, %zu calls, %zu leaks, log %s; printed: %s\n", function,
                  answer.fault.message, result, answer.log.call_count, answer.log.leak_count,
                  answer.log.ended ? "whole" : "not whole", answer.output);
    for (size_t i = 0; i < answer.log.call_count; i++) {
        const struct wb_run_call *c = &answer.log.calls[i];
        print_message("#   %s = %d%s at %s\n", c->name, c->result, c->injected ? " (planned)" : "",
                      c->place->text);
    }
    return answer;
}

static size_t count_calls(const struct wb_host_result *answer, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < answer->log.call_count; i++) {
        count += strcmp(answer->log.calls[i].name, name) == 0;
    }
    return count;
}

static void test_copies(void **state)
{
    (void)state;
    struct wb_host_result answer = call("copies", NULL);
    assert_int_equal(answer.fault.kind, WB_REASON_NONE);
    assert_int_equal(result, 0);
    assert_memory_equal(out, in, sizeof in);
    assert_true(answer.log.ended);
    assert_int_equal(count_calls(&answer, "cudaMalloc"), 1);
    assert_int_equal(count_calls(&answer, "cudaMemcpy"), 2);
    assert_int_equal(answer.log.leak_count, 0);
}

static void test_planned_failures(void **state)
{
    static const char *const failing[] = {"cudaMalloc:1", "cudaMemcpy:1", "cudaMemcpy:2"};
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(failing); i++) {
        struct wb_host_result answer = call("copies", failing[i]);
        assert_int_equal(answer.fault.kind, WB_REASON_NONE);
        assert_int_not_equal(result, 0);
        assert_int_equal(answer.log.leak_count, 0);
    }
}

static void test_leak(void **state)
{
    (void)state;
    struct wb_host_result answer = call("leaks", NULL);
    assert_int_equal(answer.log.leak_count, 1);
    assert_int_equal(answer.log.leaks[0].bytes, sizeof in);
}

static void test_sealed(void **state)
{
    (void)state;
    struct wb_host_result answer = call("breaks_out_of_gpu", NULL);
    assert_int_equal(answer.fault.kind, WB_REASON_NONE);
    assert_int_equal(result, 1);
}

static void test_crash(void **state)
{
    (void)state;
    struct wb_host_result answer = call("reads_device_memory", NULL);
    assert_int_equal(answer.fault.kind, WB_REASON_CRASH);
    assert_int_not_equal(answer.fault.line, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies), cmocka_unit_test(test_planned_failures),
        cmocka_unit_test(test_leak),   cmocka_unit_test(test_sealed),
        cmocka_unit_test(test_crash),
    };
    const struct wb_device *device;
    struct wb_device_info info;
    struct wb_status status = {0};
    if (!wb_device_open(&device, &info, "gpu", NULL, &status)) {
        printf("1..0 # SKIP %s\n", status.message);
        return 0; /* Meson takes an exit code of 77 for a failure of a TAP program */
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
