/* SPDX-License-Identifier: MIT
 * The GPU device on a real GPU; skipped where there is none. Values, guard zones and faults; and
 * the counters three ways: SASS metrics, Range Profiler, and the embedded device, which must agree
 * with the GPU on every instruction of the 15 kernels of first15. Numbers are in the comments.
 */
#include "test_device_job.h"

#include "gpu_range.h"

#include <math.h>
#include <time.h>

enum { N = 16384, KERNELS = 15, SHOWN = 6 };

static struct test_job t;
static struct wb_device_info info;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the 15 kernels, on both devices ------------------------------------------------------ */

static const char *const kernel_names[KERNELS] = {
    "k_muldiv",      "k_explog",   "k_third",   "k_third_arith", "k_explog_block",
    "k_explog_warp", "k_triploop", "k_uniloop", "k_guard",       "k_switch",
    "k_treediv",     "k_treeseq",  "k_shfl",    "k_stride",      "k_collatz",
};

/* What one kernel did on one device. */
struct record {
    struct test_job t;
    float data[N];
    bool measured;
};

static struct record on_gpu[KERNELS], on_sim[KERNELS];

static void open_first15(struct test_job *job, float *data, const char *kernel)
{
    for (int i = 0; i < N; i++) {
        data[i] = (float)(i * 7919 % 1000) / 1000.0f + 0.1f;
    }
    job_open(job, "first15/first15.cubin", kernel);
    job->c.grid.x = strcmp(kernel, "k_stride") == 0 ? 13 : 64;
    job->c.block.x = 256;
    job_array(job, "data", data, N * sizeof *data);
    job_int(job, N);
    job->job.time_limit = 60;
}

static void measure(struct record *record, const struct wb_device *device, const char *kernel)
{
    double begin = seconds();
    open_first15(&record->t, record->data, kernel);
    record->t.job.measure = true;
    bool ok = job_run(&record->t, device);
    const struct wb_counters *counters = &record->t.result.counters;
    record->measured = ok && counters->present;
    print_message("#   %.3f s, uniform %llu, divergent %llu, inst %llu, thread_inst %llu, pred_on "
                  "%llu, %zu instructions%s%s\n",
                  seconds() - begin,
                  (unsigned long long)counters->total.v[WB_METRIC_BRANCH_UNIFORM],
                  (unsigned long long)counters->total.v[WB_METRIC_BRANCH_DIVERGENT],
                  (unsigned long long)counters->total.v[WB_METRIC_INST],
                  (unsigned long long)counters->total.v[WB_METRIC_THREAD_INST],
                  (unsigned long long)counters->total.v[WB_METRIC_THREAD_INST_PRED_ON],
                  counters->pc_count, record->measured ? "" : "; NOT MEASURED: ",
                  record->measured ? "" : record->t.result.not_measured);
}

static int measure_all(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++) {
        measure(&on_gpu[k], &wb_device_gpu, kernel_names[k]);
        measure(&on_sim[k], &wb_device_sim, kernel_names[k]);
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++) {
        job_close(&on_gpu[k].t);
        job_close(&on_sim[k].t);
    }
    return 0;
}

/* Counts at a pc; zero where the device has no row. */
static struct wb_counts counts_at(const struct wb_counters *counters, uint32_t pc)
{
    static const struct wb_counts zero;
    for (size_t i = 0; i < counters->pc_count; i++) {
        if (counters->pcs[i].pc == pc) {
            return counters->pcs[i].counts;
        }
    }
    return zero;
}

/* Compares the rows of `a` with those of `b` in one metric; counts and shows what differs. */
static size_t compare_rows(const char *kernel, const struct wb_counters *a,
                           const struct wb_counters *b, bool a_is_gpu, enum wb_metric m)
{
    size_t wrong = 0;
    for (size_t i = 0; i < a->pc_count; i++) {
        uint64_t x = a->pcs[i].counts.v[m], y = counts_at(b, a->pcs[i].pc).v[m];
        if (x == y) {
            continue;
        }
        if (wrong++ < SHOWN) {
            print_message("# DIFFERS: %s pc 0x%x line %u %s: GPU %llu, embedded device %llu\n",
                          kernel, a->pcs[i].pc, a->pcs[i].line, wb_metric_name[m],
                          (unsigned long long)(a_is_gpu ? x : y),
                          (unsigned long long)(a_is_gpu ? y : x));
        }
    }
    return wrong;
}

/* The number of (kernel, instruction, metric) that differ, for metrics first to last. */
static size_t compare_counters(enum wb_metric first, enum wb_metric last)
{
    size_t wrong = 0, compared = 0;
    for (int k = 0; k < KERNELS; k++) {
        const struct wb_counters *gpu = &on_gpu[k].t.result.counters;
        const struct wb_counters *sim = &on_sim[k].t.result.counters;
        bool merging = strcmp(kernel_names[k], "k_collatz") == 0;
        for (enum wb_metric m = first; m <= last; m++) {
            if (!wb_counters_have(gpu, m) || !wb_counters_have(sim, m)) {
                print_message("# not compared: %s %s is absent on the %s\n", kernel_names[k],
                              wb_metric_name[m],
                              wb_counters_have(gpu, m) ? "embedded device" : "GPU");
                continue;
            }
            if (merging && m == WB_METRIC_INST) {
                double x = (double)gpu->total.v[m], y = (double)sim->total.v[m];
                print_message("# k_collatz inst: GPU %.0f, embedded device %.0f\n", x, y);
                wrong += !(fabs(x - y) <= 1e-4 * x);
                continue;
            }
            wrong += compare_rows(kernel_names[k], gpu, sim, true, m);
            wrong += compare_rows(kernel_names[k], sim, gpu, false, m);
            wrong += gpu->total.v[m] != sim->total.v[m];
            compared += gpu->pc_count;
        }
    }
    print_message("# %zu numbers compared, %zu differ\n", compared, wrong);
    return wrong;
}

static void all_kernels_were_measured(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++) {
        assert_true(on_gpu[k].measured);
        assert_true(on_sim[k].measured);
    }
}

static void branch_and_thread_counters_equal_the_embedded_device(void **state)
{
    (void)state;
    assert_int_equal(compare_counters(WB_METRIC_BRANCH_UNIFORM, WB_METRIC_THREAD_INST_PRED_ON), 0);
}

static void memory_counters_equal_the_embedded_device(void **state)
{
    (void)state;
    assert_int_equal(compare_counters(WB_METRIC_SHARED_WAVEFRONTS, WB_METRIC_LOCAL_SECTORS), 0);
}

static void lines_equal_the_embedded_device(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (int k = 0; k < KERNELS; k++) {
        const struct wb_counters *gpu = &on_gpu[k].t.result.counters;
        const struct wb_counters *sim = &on_sim[k].t.result.counters;
        for (size_t i = 0; i < gpu->pc_count; i++) {
            for (size_t j = 0; j < sim->pc_count; j++) {
                bool same = gpu->pcs[i].pc == sim->pcs[j].pc;
                wrong += same && gpu->pcs[i].line != sim->pcs[j].line;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void values_equal_the_embedded_device(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (int k = 0; k < KERNELS; k++) {
        size_t before = wrong;
        for (int i = 0; i < N; i++) {
            bool same = memcmp(&on_gpu[k].data[i], &on_sim[k].data[i], sizeof(float)) == 0;
            if (!same && wrong++ - before < SHOWN) {
                print_message("# DIFFERS: %s data[%d]: GPU %.9g, embedded device %.9g\n",
                              kernel_names[k], i, (double)on_gpu[k].data[i],
                              (double)on_sim[k].data[i]);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void explog_has_the_known_numbers(void **state)
{
    (void)state;
    const struct wb_counters *counters = &on_gpu[1].t.result.counters;
    assert_int_equal(counters->total.v[WB_METRIC_BRANCH_UNIFORM], 512);
    assert_int_equal(counters->total.v[WB_METRIC_BRANCH_DIVERGENT], 512);
    assert_int_equal(counters->total.v[WB_METRIC_INST], 28160);
    for (int i = 0; i < N; i++) {
        double x = (double)((float)(i * 7919 % 1000) / 1000.0f + 0.1f);
        double want = i % 2 == 0 ? exp(x) : log(x);
        assert_true(fabs((double)on_gpu[1].data[i] - want) <= 1e-6 * (1.0 + fabs(want)));
    }
}

/* ---- the other route to the counters ------------------------------------------------------ */

static void range_profiler_agrees(void **state)
{
    (void)state;
    static float data[N];
    static const int chosen[] = {1, 0, 9, 6}; /* explog, muldiv, switch, triploop */
    size_t wrong = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(chosen); i++) {
        const char *kernel = kernel_names[chosen[i]];
        const struct wb_counters *sass = &on_gpu[chosen[i]].t.result.counters;
        struct wb_counts range = {0};
        uint32_t present = 0;
        double begin = seconds();
        open_first15(&t, data, kernel);
        if (!wb_gpu_range_totals(&range, &present, &t.job, &t.status)) {
            fail_msg("%s: %s", kernel, t.status.message);
        }
        assert_int_equal(present,
                         0x1f | 1u << WB_METRIC_IDC_DIVERGENT | 1u << WB_METRIC_IDC_REPLAYS);
        for (enum wb_metric m = 0; m <= WB_METRIC_THREAD_INST_PRED_ON; m++) {
            bool same = range.v[m] == sass->total.v[m];
            wrong += !same;
            print_message("# %s%s %s: SASS metrics %llu, Range Profiler %llu\n",
                          same ? "" : "DIFFERS: ", kernel, wb_metric_name[m],
                          (unsigned long long)sass->total.v[m], (unsigned long long)range.v[m]);
        }
        print_message("#   %.3f s\n", seconds() - begin);
        assert_true(t.c.done);
        assert_memory_equal(data, on_gpu[chosen[i]].data, sizeof data);
        job_close(&t);
    }
    assert_int_equal(wrong, 0);
}

/* ---- constants ---------------------------------------------------------------------------- */

/* Measures a kernel of probes/constants.cubin on one device. */
static void measure_constants(struct test_job *job, const struct wb_device *device,
                              const char *kernel, const uint32_t *in, uint32_t *out)
{
    job_open(job, "probes/constants.cubin", kernel);
    job_array(job, "in", (void *)(uintptr_t)in, 256 * sizeof *in);
    job_array(job, "out", out, 256 * sizeof *out);
    job_int(job, 0);
    job->job.measure = job->job.measure_constants = true;
    job_must_end_well(job, device);
}

static void constants_equal_the_embedded_device(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        uint64_t divergent, replays;
    } list[] = {{"w_one", 0, 0}, {"w_mod5", 1, 4},  {"w_step64", 1, 31}, {"q_32", 2, 62},
                {"b_32", 1, 31}, {"s_even", 1, 15}, {"s_none", 0, 0},    {"t_two", 2, 34}};
    static uint32_t in[256], out[2][256];
    for (size_t i = 0; i < WB_ARRAY_LENGTH(list); i++) {
        for (unsigned k = 0; k < 2; k++) {
            memset(out[k], 0xcd, sizeof out[k]);
            measure_constants(&t, k ? &wb_device_sim : &wb_device_gpu, list[i].kernel, in, out[k]);
            const struct wb_counters *counters = &t.result.counters;
            print_message("# %s on the %s: %llu divergent, %llu replays\n", list[i].kernel,
                          k ? "embedded device" : "GPU",
                          (unsigned long long)counters->total.v[WB_METRIC_IDC_DIVERGENT],
                          (unsigned long long)counters->total.v[WB_METRIC_IDC_REPLAYS]);
            assert_true(wb_counters_have(counters, WB_METRIC_IDC_DIVERGENT));
            assert_true(wb_counters_have(counters, WB_METRIC_INST));
            assert_int_equal(counters->total.v[WB_METRIC_IDC_DIVERGENT], list[i].divergent);
            assert_int_equal(counters->total.v[WB_METRIC_IDC_REPLAYS], list[i].replays);
            job_close(&t);
        }
        assert_memory_equal(out[0], out[1], sizeof out[0]);
    }
}

/* ---- probing ------------------------------------------------------------------------------ */

static void probe_describes_the_gpu(void **state)
{
    (void)state;
    print_message("# %s, %s, %s, counters %s%s%s\n", info.name, info.arch, info.driver,
                  info.counters, info.why_not[0] ? ": " : "", info.why_not);
    assert_int_equal(info.kind, WB_DEVICE_GPU);
    assert_true(info.name[0]);
    assert_true(info.driver[0]);
    assert_true(wb_starts_with(info.arch, "sm_"));
    /* The stored cubins are for Hopper. */
    assert_string_equal(info.arch, "sm_90");
    assert_string_equal(info.counters, "cupti-sass");
}

/* ---- running ------------------------------------------------------------------------------ */

static void open_kernel(const char *kernel)
{
    job_open(&t, "device/kernels.cubin", kernel);
}

static void values_and_parameters(void **state)
{
    (void)state;
    float in[100], out[100], bias = 0.5f;
    long long wide[32];
    double value = 4e10;
    char small = -3;
    double begin = seconds();
    for (int i = 0; i < 100; i++) {
        in[i] = (float)i;
        out[i] = -1.0f;
    }
    open_kernel("k_scale");
    t.c.grid.x = 4;
    job_array(&t, "in", in, sizeof in);
    job_array(&t, "out", out, sizeof out);
    job_value(&t, &bias, sizeof bias);
    job_int(&t, 99);
    job_must_end_well(&t, &wb_device_gpu);
    print_message("#   %.3f s\n", seconds() - begin);
    for (int i = 0; i < 99; i++) {
        assert_true(out[i] == 2.0f * (float)i + 0.5f);
    }
    assert_true(out[99] == -1.0f);
    assert_int_equal(t.buffers[0].guard_hit, 0);
    assert_int_equal(t.buffers[1].guard_hit, 0);
    job_close(&t);

    open_kernel("k_wide");
    job_array(&t, "out", wide, sizeof wide);
    job_value(&t, &value, sizeof value);
    job_value(&t, &small, sizeof small);
    job_must_end_well(&t, &wb_device_gpu);
    assert_true(wide[31] == 39999999997);
    job_close(&t);
}

static void cases_are_independent(void **state)
{
    (void)state;
    enum { CASES = 8 };
    int results[CASES] = {0};
    struct wb_device_buffer buffers[CASES];
    struct wb_device_case cases[CASES];
    open_kernel("k_visit");
    job_array(&t, "out", &results[0], sizeof results[0]);
    t.c.block.x = 1;
    for (int i = 0; i < CASES; i++) {
        buffers[i] = t.buffers[0];
        buffers[i].data = &results[i];
        cases[i] = t.c;
        cases[i].buffers = &buffers[i];
    }
    t.job.cases = cases;
    t.job.case_count = CASES;
    double begin = seconds();
    assert_true(job_run(&t, &wb_device_gpu));
    print_message("#   %d cases in %.3f s\n", CASES, seconds() - begin);
    for (int i = 0; i < CASES; i++) {
        assert_true(cases[i].done);
        assert_int_equal(results[i], 101);
    }
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
    job_must_end_well(&t, &wb_device_gpu);
    assert_int_equal(sum, 63 * 64 / 2);
    job_close(&t);
}

static void output_is_captured(void **state)
{
    (void)state;
    open_kernel("k_print");
    t.c.block.x = 3;
    job_int(&t, 7);
    job_must_end_well(&t, &wb_device_gpu);
    print_message("# output: %zu bytes\n", strlen(t.result.output));
    assert_string_equal(t.result.output, "thread 0 of 7\nthread 1 of 7\nthread 2 of 7\n");
    job_close(&t);
}

static void guard_zones(void **state)
{
    (void)state;
    int data[8] = {0};
    open_kernel("k_one_over");
    job_array(&t, "data", data, sizeof data);
    job_int(&t, 8);
    job_must_end_well(&t, &wb_device_gpu);
    assert_int_equal(t.buffers[0].guard_hit, 1);
    assert_int_equal(t.buffers[0].guard_offset, 0);
    assert_int_equal(data[7], 7);
    t.job.kernel = "k_one_under";
    job_must_end_well(&t, &wb_device_gpu);
    assert_int_equal(t.buffers[0].guard_hit, -1);
    assert_int_equal(t.buffers[0].guard_offset, 0); /* the nearest of the four bytes */
    job_close(&t);

    open_kernel("k_one_over"); /* behind nothing */
    job_array(&t, "data", NULL, 0);
    job_int(&t, 0);
    job_must_end_well(&t, &wb_device_gpu);
    assert_int_equal(t.buffers[0].guard_hit, 1);
    job_close(&t);
}

static void faults_end_the_job_only(void **state)
{
    (void)state;
    int data[64] = {0};
    open_kernel("k_far");
    job_array(&t, "data", data, sizeof data);
    job_must_fault(&t, &wb_device_gpu, WB_REASON_OUT_OF_BOUNDS, "belongs to no array");
    t.job.kernel = "k_misaligned";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_MISALIGNED, "");
    t.job.kernel = "k_assert";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_TRAP, "assert()");
    print_message("# output: %.*s\n", (int)strcspn(t.result.output, "\n"), t.result.output);
    assert_non_null(strstr(t.result.output, "in[0] == 42"));
    t.job.kernel = "k_visit"; /* and the next job works */
    job_must_end_well(&t, &wb_device_gpu);
    job_close(&t);
    open_kernel("k_trap");
    job_must_fault(&t, &wb_device_gpu, WB_REASON_TRAP, "k_trap");
    job_close(&t);
}

static void fault_while_measuring(void **state)
{
    (void)state;
    int data[64] = {0};
    open_kernel("k_far");
    job_array(&t, "data", data, sizeof data);
    t.job.measure = true;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_OUT_OF_BOUNDS, "");
    assert_int_equal(t.result.counters.present, 0);
    job_close(&t);
}

static void hang_is_a_timeout(void **state)
{
    (void)state;
    int flag = 0;
    double begin = seconds();
    open_kernel("k_endless");
    job_array(&t, "flag", &flag, sizeof flag);
    t.job.time_limit = 2;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_TIMEOUT, "did not end within 2 s");
    print_message("#   %.3f s\n", seconds() - begin);
    assert_true(seconds() - begin < 20);
    job_close(&t);
}

static void refused_launches(void **state)
{
    (void)state;
    int data[64] = {0};
    open_kernel("k_one_over");
    job_array(&t, "data", data, sizeof data);
    job_int(&t, 4);
    t.c.block.x = 2048;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "2048 threads");
    t.c.block.x = 32;
    t.c.arg_count = 1;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "takes 2 parameters");
    t.job.kernel = "mangled";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "extern \"C\"");
    t.job.kernel = "k_bounded";
    t.c.block.x = 96;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "__launch_bounds__");
    job_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_describes_the_gpu),
        cmocka_unit_test(values_and_parameters),
        cmocka_unit_test(cases_are_independent),
        cmocka_unit_test(dynamic_shared_memory),
        cmocka_unit_test(output_is_captured),
        cmocka_unit_test(guard_zones),
        cmocka_unit_test(faults_end_the_job_only),
        cmocka_unit_test(fault_while_measuring),
        cmocka_unit_test(hang_is_a_timeout),
        cmocka_unit_test(refused_launches),
        cmocka_unit_test(all_kernels_were_measured),
        cmocka_unit_test(explog_has_the_known_numbers),
        cmocka_unit_test(range_profiler_agrees),
        cmocka_unit_test(constants_equal_the_embedded_device),
        cmocka_unit_test(branch_and_thread_counters_equal_the_embedded_device),
        cmocka_unit_test(memory_counters_equal_the_embedded_device),
        cmocka_unit_test(lines_equal_the_embedded_device),
        cmocka_unit_test(values_equal_the_embedded_device),
    };
    struct wb_status status = {0};
    double begin = seconds();
    if (!wb_device_gpu.probe(&info, NULL, &status)) {
        printf("1..0 # SKIP %s\n", status.message);
        return 0; /* Meson takes an exit code of 77 for a failure of a TAP program */
    }
    printf("# probed in %.3f s\n", seconds() - begin);
    return cmocka_run_group_tests_name("gpu", tests, measure_all, close_all);
}
