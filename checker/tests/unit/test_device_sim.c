/* SPDX-License-Identifier: MIT
 * The embedded device as a device: values, counters, faults with their line, output, limits, and
 * files that are not what they should be.
 */
#include "test_device_job.h"

#include <time.h>

static struct test_job t;

static void open_kernel(const char *kernel)
{
    job_open(&t, "device/kernels.cubin", kernel);
}

/* The fault names this source line of kernels.cu. */
static void check_line(const char *text)
{
    struct wb_bytes source;
    assert_true(
        wb_file_read(&source, &t.arena, WB_FIXTURES "/device/kernels.cu", 1 << 20, &t.status));
    const char *place = strstr((const char *)source.data, text);
    assert_non_null(place);
    unsigned line = 1;
    for (const char *c = (const char *)source.data; c < place; c++) {
        line += *c == '\n';
    }
    assert_int_equal(t.result.fault.line, line);
    assert_non_null(strstr(t.result.fault.file, "kernels.cu"));
}

/* ---- what works --------------------------------------------------------------------------- */

static float in[100], out[100];

static void open_scale(int n)
{
    float bias = 0.5f;
    for (int i = 0; i < 100; i++) {
        in[i] = (float)i;
        out[i] = -1.0f;
    }
    open_kernel("k_scale");
    t.c.grid.x = 4;
    job_array(&t, "in", in, sizeof in);
    job_array(&t, "out", out, sizeof out);
    job_value(&t, &bias, sizeof bias);
    job_int(&t, n);
}

static void values_come_back(void **state)
{
    (void)state;
    open_scale(99);
    job_must_end_well(&t, &wb_device_sim);
    for (int i = 0; i < 99; i++) {
        assert_true(out[i] == 2.0f * (float)i + 0.5f);
        assert_true(in[i] == (float)i);
    }
    assert_true(out[99] == -1.0f);
    assert_true(t.result.registers > 0);
    assert_int_equal(t.result.counters.present, 0);
    assert_string_equal(t.result.output, "");
    job_close(&t);
}

static void counters_come_back(void **state)
{
    (void)state;
    static float data[16384];
    for (int i = 0; i < 16384; i++) {
        data[i] = (float)(i * 7919 % 1000) / 1000.0f + 0.1f;
    }
    job_open(&t, "first15/first15.cubin", "k_explog");
    t.c.grid.x = 64;
    t.c.block.x = 256;
    job_array(&t, "data", data, sizeof data);
    job_int(&t, 16384);
    t.job.measure = true;
    job_must_end_well(&t, &wb_device_sim);
    const struct wb_counters *counters = &t.result.counters;
    struct wb_counts sum = {0};
    for (size_t i = 0; i < counters->pc_count; i++) {
        wb_counts_add(&sum, &counters->pcs[i].counts);
        assert_true(i == 0 || counters->pcs[i - 1].pc < counters->pcs[i].pc);
    }
    assert_memory_equal(&sum, &counters->total, sizeof sum);
    assert_int_equal(counters->total.v[WB_METRIC_BRANCH_UNIFORM], 512);
    assert_int_equal(counters->total.v[WB_METRIC_BRANCH_DIVERGENT], 512);
    assert_int_equal(counters->total.v[WB_METRIC_INST], 28160);
    assert_string_equal(t.result.not_measured, "");
    job_close(&t);
}

static void cases_are_independent(void **state)
{
    (void)state;
    int results[3] = {0};
    struct wb_device_buffer buffers[3];
    struct wb_device_case cases[3];
    open_kernel("k_visit");
    job_array(&t, "out", &results[0], sizeof results[0]);
    t.c.block.x = 1;
    for (int i = 0; i < 3; i++) {
        buffers[i] = t.buffers[0];
        buffers[i].data = &results[i];
        cases[i] = t.c;
        cases[i].buffers = &buffers[i];
    }
    t.job.cases = cases;
    t.job.case_count = 3;
    assert_true(job_run(&t, &wb_device_sim));
    for (int i = 0; i < 3; i++) {
        assert_true(cases[i].done);
        assert_int_equal(results[i], 101); /* the module's variable begins anew */
    }
    job_close(&t);
}

static void array_of_no_bytes_is_fine_if_untouched(void **state)
{
    (void)state;
    float bias = 0;
    open_kernel("k_scale");
    job_array(&t, "in", NULL, 0);
    job_array(&t, "out", NULL, 0);
    job_value(&t, &bias, sizeof bias);
    job_int(&t, 0);
    job_must_end_well(&t, &wb_device_sim);
    t.c.arg_count--;
    job_int(&t, 1);
    job_must_fault(&t, &wb_device_sim, WB_REASON_OUT_OF_BOUNDS, "`in`");
    job_close(&t);
}

static void dynamic_shared_memory(void **state)
{
    (void)state;
    int sum = 0;
    open_kernel("k_dynamic");
    t.c.block.x = 64;
    t.c.dynamic_shared = 100 * 1024;
    job_array(&t, "out", &sum, sizeof sum);
    job_int(&t, 25 * 1024 - 1);
    job_must_end_well(&t, &wb_device_sim);
    assert_int_equal(sum, 63 * 64 / 2);
    job_close(&t);
}

static void output_is_captured(void **state)
{
    (void)state;
    open_kernel("k_print");
    t.c.block.x = 3;
    job_int(&t, 7);
    job_must_end_well(&t, &wb_device_sim);
    assert_string_equal(t.result.output, "thread 0 of 7\nthread 1 of 7\nthread 2 of 7\n");
    assert_false(t.result.output_cut);
    job_close(&t);
}

/* ---- what a kernel can do wrong ----------------------------------------------------------- */

static void one_element_too_many(void **state)
{
    (void)state;
    int data[8];
    open_kernel("k_one_over");
    job_array(&t, "data", data, sizeof data);
    job_int(&t, 8);
    job_must_fault(&t, &wb_device_sim, WB_REASON_OUT_OF_BOUNDS, "`data`");
    assert_int_equal(t.result.fault.thread.x, 8);
    check_line("out[i] = i;\n    }\n}\n\n// One element too early");
    job_close(&t);
}

static void one_element_too_early(void **state)
{
    (void)state;
    int data[8];
    open_kernel("k_one_under");
    job_array(&t, "data", data, sizeof data);
    job_int(&t, 8);
    job_must_fault(&t, &wb_device_sim, WB_REASON_OUT_OF_BOUNDS, "`data`");
    check_line("out[i - 1] = i;");
    job_close(&t);
}

static void far_away(void **state)
{
    (void)state;
    int data[8];
    open_kernel("k_far");
    job_array(&t, "data", data, sizeof data);
    t.job.measure = true;
    job_must_fault(&t, &wb_device_sim, WB_REASON_OUT_OF_BOUNDS, "");
    assert_int_equal(t.result.counters.present, 0);
    assert_string_equal(t.result.not_measured, "The kernel did not run to its end.");
    check_line("out[(1ull << 38)");
    job_close(&t);
}

static void misaligned(void **state)
{
    (void)state;
    char data[256];
    open_kernel("k_misaligned");
    job_array(&t, "data", data, sizeof data);
    job_must_fault(&t, &wb_device_sim, WB_REASON_MISALIGNED, "");
    check_line("*(int *)(out + 1");
    job_close(&t);
}

static void trap_and_assert(void **state)
{
    (void)state;
    int data[1] = {41};
    open_kernel("k_trap");
    job_must_fault(&t, &wb_device_sim, WB_REASON_TRAP, "");
    job_close(&t);
    open_kernel("k_assert");
    job_array(&t, "in", data, sizeof data);
    job_must_fault(&t, &wb_device_sim, WB_REASON_TRAP, "");
    data[0] = 42;
    job_must_end_well(&t, &wb_device_sim);
    job_close(&t);
}

static void endless_loop_ends_in_seconds(void **state)
{
    (void)state;
    int flag = 0;
    struct timespec begin, end;
    open_kernel("k_endless");
    job_array(&t, "flag", &flag, sizeof flag);
    t.job.time_limit = 60;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    job_must_fault(&t, &wb_device_sim, WB_REASON_TIMEOUT, "");
    clock_gettime(CLOCK_MONOTONIC, &end);
    print_message("# the step limit came after %.1f s\n",
                  (double)(end.tv_sec - begin.tv_sec) +
                      1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    check_line("while (*flag == 0) {\n    }");
    job_close(&t);
}

static void time_limit_comes_before_the_step_limit(void **state)
{
    (void)state;
    int flag = 0;
    open_kernel("k_endless");
    job_array(&t, "flag", &flag, sizeof flag);
    t.job.time_limit = 0.2;
    t.job.step_limit = UINT64_MAX;
    job_must_fault(&t, &wb_device_sim, WB_REASON_TIMEOUT, "did not end within 0.2 s");
    job_close(&t);
}

static void step_limit_of_the_job(void **state)
{
    (void)state;
    int flag = 0;
    open_kernel("k_endless");
    job_array(&t, "flag", &flag, sizeof flag);
    t.job.step_limit = 1000;
    job_must_fault(&t, &wb_device_sim, WB_REASON_TIMEOUT, "");
    job_close(&t);
}

static void printing_without_end(void **state)
{
    (void)state;
    int flag = 0;
    open_kernel("k_print_endless");
    job_array(&t, "flag", &flag, sizeof flag);
    t.job.step_limit = 1 << 18;
    job_must_fault(&t, &wb_device_sim, WB_REASON_TIMEOUT, "");
    assert_true(t.result.output_cut);
    assert_int_equal(strlen(t.result.output), 64 * 1024);
    job_close(&t);
}

/* ---- launches that are refused ------------------------------------------------------------ */

static void refused_launches(void **state)
{
    (void)state;
    int data[64] = {0};
    open_scale(99);
    t.c.block.x = 2048;
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "2048 threads");
    t.c.block.x = 32;
    t.c.grid.x = 0;
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "at least one block");
    t.c.grid.x = 1;
    t.c.arg_count = 3;
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED,
                   "`k_scale` takes 4 parameters, but the checker passes 3");
    t.c.arg_count = 4;
    t.c.args[3].size = 8;
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "Parameter 4");
    job_close(&t);
    open_kernel("k_bounded");
    job_array(&t, "out", data, sizeof data);
    t.c.block.x = 96;
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "__launch_bounds__");
    t.c.block.x = 64;
    job_must_end_well(&t, &wb_device_sim);
    job_close(&t);
}

static void parameters_of_mixed_sizes(void **state)
{
    (void)state;
    long long data[32];
    double value = 4e10;
    char small = -3;
    open_kernel("k_wide");
    job_array(&t, "out", data, sizeof data);
    job_value(&t, &value, sizeof value);
    job_value(&t, &small, sizeof small);
    job_must_end_well(&t, &wb_device_sim);
    assert_true(data[31] == 39999999997);
    job_close(&t);
}

static void missing_kernels(void **state)
{
    (void)state;
    open_kernel("k_none");
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "no kernel `k_none`. It has `");
    t.job.kernel = "mangled";
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "`_Z7mangledPi`");
    t.job.kernel = "nested";
    job_must_fault(&t, &wb_device_sim, WB_REASON_LAUNCH_FAILED, "extern \"C\"");
    job_close(&t);
}

/* ---- files that are damaged --------------------------------------------------------------- */

static void truncated_cubin(void **state)
{
    (void)state;
    open_scale(99);
    size_t size = t.job.cubin_size;
    for (size_t part = 0; part < 8; part++) {
        t.job.cubin_size = size * part / 8;
        assert_false(job_run(&t, &wb_device_sim));
        assert_int_equal(t.status.code, WB_BAD_INPUT);
    }
    job_close(&t);
}

/* Bytes of the file are overwritten, a different place each time: whatever happens, there is an
 * answer, and arrays of a job that did not end well are as they were. */
static void damaged_cubins_get_an_answer(void **state)
{
    (void)state;
    enum { ROUNDS = 60 };
    size_t counts[3] = {0};
    open_scale(99);
    t.job.step_limit = 1 << 20;
    uint8_t *good = wb_arena_copy(&t.arena, t.job.cubin, t.job.cubin_size);
    uint8_t *bad = wb_arena_alloc(&t.arena, t.job.cubin_size);
    uint64_t random = 1;
    for (int i = 0; i < ROUNDS; i++) {
        memcpy(bad, good, t.job.cubin_size);
        for (int j = 0; j <= i % 8; j++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bad[(random >> 33) % t.job.cubin_size] = (uint8_t)(random >> 25);
        }
        t.job.cubin = bad;
        memset(&t.status, 0, sizeof t.status);
        bool ok = t.job.cubin && wb_device_sim.run(&t.result, &t.arena, &t.job, &t.status);
        counts[!ok ? 0 : t.result.fault.kind == WB_REASON_NONE ? 1 : 2]++;
        assert_true(ok || t.status.message[0]);
        assert_true(ok == (t.status.code == WB_OK));
        assert_true(t.c.done == (ok && t.result.fault.kind == WB_REASON_NONE));
        if (ok && t.result.fault.kind == WB_REASON_CRASH) {
            print_message("# round %d: %s\n", i, t.result.fault.message);
        }
        assert_false(ok && t.result.fault.kind == WB_REASON_CRASH);
    }
    print_message("# %zu refused, %zu ran, %zu faulted\n", counts[0], counts[1], counts[2]);
    job_close(&t);
}

/* ---- the choice of a device --------------------------------------------------------------- */

static void devices_are_chosen_by_name(void **state)
{
    (void)state;
    const struct wb_device *device;
    struct wb_device_info info;
    struct wb_status status = {0};
    assert_true(wb_device_open(&device, &info, "sim", NULL, &status));
    assert_ptr_equal(device, &wb_device_sim);
    assert_string_equal(info.arch, "sm_90");
    assert_string_equal(info.counters, "sim");
    assert_true(wb_device_open(&device, &info, "none", NULL, &status));
    assert_ptr_equal(device, &wb_device_none);
    assert_false(wb_device_open(&device, &info, "tpu", NULL, &status));
    assert_int_equal(status.code, WB_BAD_INPUT);
    assert_non_null(strstr(status.message, "auto, gpu, sim or none"));
    setenv("WARPBOOK_DEVICE", "sim", 1);
    assert_true(wb_device_open(&device, &info, NULL, NULL, &status));
    assert_ptr_equal(device, &wb_device_sim);
    setenv("WARPBOOK_DEVICE", "abacus", 1);
    assert_false(wb_device_open(&device, &info, NULL, NULL, &status));
    assert_non_null(strstr(status.message, "WARPBOOK_DEVICE"));
    assert_true(wb_device_open(&device, &info, "sim", NULL, &status)); /* the option wins */
    unsetenv("WARPBOOK_DEVICE");
    assert_true(wb_device_open(&device, &info, NULL, NULL, &status));
}

static void none_runs_nothing(void **state)
{
    (void)state;
    open_scale(99);
    assert_false(job_run(&t, &wb_device_none));
    assert_int_equal(t.status.code, WB_NO_DEVICE);
    job_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back),
        cmocka_unit_test(counters_come_back),
        cmocka_unit_test(cases_are_independent),
        cmocka_unit_test(array_of_no_bytes_is_fine_if_untouched),
        cmocka_unit_test(dynamic_shared_memory),
        cmocka_unit_test(output_is_captured),
        cmocka_unit_test(one_element_too_many),
        cmocka_unit_test(one_element_too_early),
        cmocka_unit_test(far_away),
        cmocka_unit_test(misaligned),
        cmocka_unit_test(trap_and_assert),
        cmocka_unit_test(endless_loop_ends_in_seconds),
        cmocka_unit_test(time_limit_comes_before_the_step_limit),
        cmocka_unit_test(step_limit_of_the_job),
        cmocka_unit_test(printing_without_end),
        cmocka_unit_test(refused_launches),
        cmocka_unit_test(parameters_of_mixed_sizes),
        cmocka_unit_test(missing_kernels),
        cmocka_unit_test(truncated_cubin),
        cmocka_unit_test(damaged_cubins_get_an_answer),
        cmocka_unit_test(devices_are_chosen_by_name),
        cmocka_unit_test(none_runs_nothing),
    };
    return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
