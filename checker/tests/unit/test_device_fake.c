/* SPDX-License-Identifier: MIT
 * The GPU device on a pretended driver and CUPTI (tests/fixtures/device/fake_*.c): probing, launch,
 * guard zones, faults, measuring, and every way in which the libraries can refuse.
 */
#include "test_device_job.h"

#include "gpu_range.h"

#include <unistd.h>

#define FAKE_CUPTI FAKE_FOLDER "/libcupti.so.13"

static struct test_job t;

static int reset(void **state)
{
    (void)state;
    unsetenv("FAKE_CUDA");
    unsetenv("FAKE_CUPTI");
    setenv("WARPBOOK_CUPTI", FAKE_CUPTI, 1);
    return 0;
}

/* A folder that looks like a toolkit with the pretended CUPTI, and the same taken away again. */
static char toolkit[] = "/tmp/warpbook-test-XXXXXX", toolkit_lib[64];

static int make_toolkit(void **state)
{
    reset(state);
    unsetenv("WARPBOOK_CUPTI");
    assert_non_null(mkdtemp(toolkit));
    snprintf(toolkit_lib, sizeof toolkit_lib, "%s/lib64", toolkit);
    return symlink(FAKE_FOLDER, toolkit_lib);
}

static int remove_toolkit(void **state)
{
    (void)state;
    unlink(toolkit_lib);
    rmdir(toolkit);
    strcpy(toolkit + strlen(toolkit) - 6, "XXXXXX");
    return 0;
}

/* ---- probing ------------------------------------------------------------------------------ */

static void probe_describes_the_gpu(void **state)
{
    (void)state;
    struct wb_device_info info;
    struct wb_status status = {0};
    assert_true(wb_device_gpu.probe(&info, NULL, &status));
    assert_int_equal(info.kind, WB_DEVICE_GPU);
    assert_string_equal(info.name, "Pretended GPU");
    assert_string_equal(info.arch, "sm_90");
    assert_int_equal(info.major, 9);
    assert_int_equal(info.minor, 0);
    assert_non_null(strstr(info.driver, "CUPTI 13"));
    print_message("# %s, counters %s %s\n", info.driver, info.counters, info.why_not);
}

struct refusal {
    const char *script; /* FAKE_CUDA */
    const char *part;   /* of the sentence */
};

static const struct refusal probe_refusals[] = {
    {"cuInit=34", "stub"},
    {"cuInit=100", "sees no GPU"},
    {"cuInit=803", "Restart the machine"},
    {"cuInit=804", "forward-compatibility"},
    {"cuInit=802", "fabric manager"},
    {"cuInit=999", "cuInit reported 999"},
    {"cuDeviceGet=101", "CUDA_VISIBLE_DEVICES"},
    {"cuDeviceGetName=3", "cuDeviceGetName reported 3"},
    {"cuDeviceGetAttribute=3", "cuDeviceGetAttribute reported 3"},
};

static void probe_explains_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(probe_refusals); i++) {
        struct wb_device_info info;
        struct wb_status status = {0};
        setenv("FAKE_CUDA", probe_refusals[i].script, 1);
        assert_false(wb_device_gpu.probe(&info, NULL, &status));
        print_message("# %s: %s\n", probe_refusals[i].script, status.message);
        assert_int_equal(status.code, WB_NO_DEVICE);
        assert_non_null(strstr(status.message, probe_refusals[i].part));
        assert_string_equal(info.why_not, status.message);
        assert_string_equal(info.counters, "none");
    }
}

static void probe_without_cupti_says_what_to_do(void **state)
{
    (void)state;
    struct wb_device_info info;
    struct wb_status status = {0};
    setenv("WARPBOOK_CUPTI", "/nowhere/libcupti.so.13", 1);
    assert_true(wb_device_gpu.probe(&info, NULL, &status));
    assert_string_equal(info.counters, "none");
    assert_non_null(strstr(info.why_not, "WARPBOOK_CUPTI names `/nowhere/libcupti.so.13`"));
}

static void cupti_newer_than_the_driver_is_too_new(void **state)
{
    (void)state;
    struct wb_device_info info;
    struct wb_status status = {0};
    setenv("FAKE_CUDA", "version=12040", 1);
    assert_true(wb_device_gpu.probe(&info, toolkit, &status));
    assert_string_equal(info.counters, "none");
    print_message("# %s\n", info.why_not);
    assert_non_null(strstr(info.why_not, "driver is too old for this CUPTI"));
}

static void cupti_is_found_in_the_toolkit(void **state)
{
    (void)state;
    struct wb_device_info info;
    struct wb_status status = {0};
    assert_true(wb_device_gpu.probe(&info, toolkit, &status));
    assert_non_null(strstr(info.driver, "CUPTI 13"));
}

static void auto_takes_the_gpu_or_the_embedded_device(void **state)
{
    (void)state;
    const struct wb_device *device;
    struct wb_device_info info;
    struct wb_status status = {0};
    unsetenv("WARPBOOK_DEVICE");
    assert_true(wb_device_open(&device, &info, NULL, NULL, &status));
    assert_ptr_equal(device, &wb_device_gpu);
    setenv("FAKE_CUDA", "cuInit=100", 1);
    assert_true(wb_device_open(&device, &info, "auto", NULL, &status));
    assert_ptr_equal(device, &wb_device_sim);
    assert_false(wb_device_open(&device, &info, "gpu", NULL, &status));
    assert_int_equal(status.code, WB_NO_DEVICE);
}

/* ---- running ------------------------------------------------------------------------------ */

static float in[32], out[32];

static void open_scale(void)
{
    float bias = 0.5f;
    for (int i = 0; i < 32; i++) {
        in[i] = (float)i;
        out[i] = -1.0f;
    }
    job_open(&t, "device/kernels.cubin", "k_scale");
    job_array(&t, "in", in, sizeof in);
    job_array(&t, "out", out, sizeof out);
    job_value(&t, &bias, sizeof bias);
    job_int(&t, 31);
}

static void values_come_back(void **state)
{
    (void)state;
    open_scale();
    job_must_end_well(&t, &wb_device_gpu);
    for (int i = 0; i < 31; i++) {
        assert_true(out[i] == 2.0f * (float)i + 0.5f);
    }
    assert_true(out[31] == -1.0f);
    assert_int_equal(t.buffers[0].guard_hit, 0);
    assert_int_equal(t.buffers[1].guard_hit, 0);
    assert_true(t.result.registers > 0);
    assert_int_equal(t.result.counters.present, 0);
    job_close(&t);
}

static void guard_zones_find_the_side_and_the_distance(void **state)
{
    (void)state;
    int data[8] = {0};
    struct {
        const char *kernel;
        int n, hit;
        size_t offset;
    } rows[] = {{"k_one_over", 8, 1, 0}, {"k_one_over", 10, 1, 8}, {"k_one_under", 8, -1, 0}};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        job_open(&t, "device/kernels.cubin", rows[i].kernel);
        job_array(&t, "data", data, sizeof data);
        job_int(&t, rows[i].n);
        job_must_end_well(&t, &wb_device_gpu);
        assert_int_equal(t.buffers[0].guard_hit, rows[i].hit);
        assert_int_equal(t.buffers[0].guard_offset, rows[i].offset);
        job_close(&t);
    }
}

static void empty_array_has_guards_too(void **state)
{
    (void)state;
    job_open(&t, "device/kernels.cubin", "k_one_over");
    job_array(&t, "data", NULL, 0);
    job_int(&t, 0);
    job_must_end_well(&t, &wb_device_gpu);
    assert_int_equal(t.buffers[0].guard_hit, 1);
    assert_int_equal(t.buffers[0].guard_offset, 0);
    job_close(&t);
}

static void faults_have_their_reason(void **state)
{
    (void)state;
    int data[32] = {0};
    job_open(&t, "device/kernels.cubin", "k_far");
    job_array(&t, "out", data, sizeof data);
    job_must_fault(&t, &wb_device_gpu, WB_REASON_OUT_OF_BOUNDS, "--device sim");
    t.job.kernel = "k_misaligned";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_MISALIGNED, "multiple of the size");
    t.job.kernel = "k_visit";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_CRASH, "on the GPU");
    t.job.kernel = "k_assert";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_TRAP, "assert()");
    assert_non_null(strstr(t.result.output, "Assertion `in[0] == 42` failed"));
    t.job.kernel = "k_endless";
    t.job.time_limit = 0.3;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_TIMEOUT, "did not end within 0.3 s");
    job_close(&t);
    job_open(&t, "device/kernels.cubin", "k_trap");
    job_must_fault(&t, &wb_device_gpu, WB_REASON_TRAP, "__trap()");
    job_close(&t);
}

static void launches_are_checked_first(void **state)
{
    (void)state;
    open_scale();
    t.c.block.x = 2048;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "2048 threads");
    t.c.block.x = 32;
    t.c.arg_count--;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "takes 4 parameters");
    t.job.kernel = "mangled";
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "extern \"C\"");
    job_close(&t);
}

static void much_dynamic_shared_memory_is_asked_for(void **state)
{
    (void)state;
    open_scale();
    t.c.dynamic_shared = 100 * 1024;
    job_must_end_well(&t, &wb_device_gpu);
    job_close(&t);
}

static void output_is_captured(void **state)
{
    (void)state;
    job_open(&t, "device/kernels.cubin", "k_print");
    job_int(&t, 5);
    job_must_end_well(&t, &wb_device_gpu);
    assert_non_null(strstr(t.result.output, "thread 31 of 5\n"));
    job_close(&t);
}

static const struct refusal run_refusals[] = {
    {"cuInit=100", "sees no GPU"},
    {"cuDevicePrimaryCtxRetain=46", "in use by another program"},
    {"cuCtxSetCurrent=201", "cuCtxSetCurrent reported 201"},
    {"cuDeviceGetAttribute=1", "cuDeviceGetAttribute reported 1"},
    {"cuModuleLoadData=200", "older than the compiler"},
    {"cuModuleLoadData=209", "another kind of GPU"},
    {"cuModuleGetFunction=500", "cuModuleGetFunction reported 500"},
    {"cuMemAlloc_v2=2", "too little free memory"},
    {"cuMemcpyHtoD_v2=1", "cuMemcpyHtoD reported 1"},
    {"cuMemcpyDtoH_v2=1", "cuMemcpyDtoH reported 1"},
    {"cuMemFree_v2=1", "cuMemFree reported 1"},
    {"cuModuleUnload=1", "cuModuleUnload reported 1"},
    {"cuLaunchKernel=999", "the launch reported 999"},
};

static void failures_of_the_driver_are_ours(void **state)
{
    (void)state;
    open_scale();
    for (size_t i = 0; i < WB_ARRAY_LENGTH(run_refusals); i++) {
        setenv("FAKE_CUDA", run_refusals[i].script, 1);
        assert_false(job_run(&t, &wb_device_gpu));
        assert_non_null(strstr(t.status.message, run_refusals[i].part));
        assert_false(t.c.done);
        assert_true(out[0] == -1.0f); /* nothing was copied back */
    }
    job_close(&t);
}

static void refused_launch_is_a_fault(void **state)
{
    (void)state;
    open_scale();
    setenv("FAKE_CUDA", "cuLaunchKernel=701", 1);
    job_must_fault(&t, &wb_device_gpu, WB_REASON_LAUNCH_FAILED, "registers or shared memory");
    job_close(&t);
}

static void damaged_cubin_is_our_failure(void **state)
{
    (void)state;
    open_scale();
    t.job.cubin_size /= 2;
    assert_false(job_run(&t, &wb_device_gpu));
    assert_int_equal(t.status.code, WB_BAD_INPUT);
    job_close(&t);
}

/* ---- measuring ---------------------------------------------------------------------------- */

static void counters_are_summed_and_sorted(void **state)
{
    (void)state;
    open_scale();
    t.job.measure = true;
    job_must_end_well(&t, &wb_device_gpu);
    const struct wb_counters *counters = &t.result.counters;
    assert_string_equal(t.result.not_measured, "");
    /* All metrics but the one that the chip lacks. */
    assert_int_equal(counters->present, (1u << WB_METRIC_LOCAL_SECTORS) - 1);
    /* Record r has 2 * (r + 1) of metric r: pc 0x20 the first and the third, pc 0x10 the second. */
    assert_int_equal(counters->pc_count, 2);
    assert_int_equal(counters->pcs[0].pc, 0x10);
    assert_int_equal(counters->pcs[0].counts.v[1], 4);
    assert_int_equal(counters->pcs[1].pc, 0x20);
    assert_int_equal(counters->pcs[1].counts.v[0], 2);
    assert_int_equal(counters->pcs[1].counts.v[2], 6);
    assert_int_equal(counters->total.v[3], 8); /* the other function's: only in the total */
    assert_non_null(strstr(counters->pcs[0].file, "kernels.cu"));
    assert_in_range(counters->pcs[0].line, 8, 16);
    assert_true(out[0] == 0.5f);
    job_close(&t);
}

static void fewer_metrics_if_all_are_refused(void **state)
{
    (void)state;
    open_scale();
    t.job.measure = true;
    setenv("FAKE_CUPTI", "memory_metrics=1", 1);
    job_must_end_well(&t, &wb_device_gpu);
    assert_int_equal(t.result.counters.present, 0x1f);
    assert_string_equal(t.result.not_measured, "");
    job_close(&t);
}

static const struct refusal measure_refusals[] = {
    {"cuptiProfilerInitialize=14", "do not fit together"},
    {"cuptiDeviceGetChipName=2", "cuptiDeviceGetChipName of CUPTI reported error 2"},
    {"cuptiSassMetricsGetProperties=17", "no counters per instruction"},
    {"cuptiSassMetricsSetConfig=35", "NVreg_RestrictProfilingToAdminUsers=0"},
    {"cuptiSassMetricsSetConfig=39", "profiler or debugger is attached"},
    {"cuptiSassMetricsEnable=26", "DCGM"},
    {"cuptiSassMetricsEnable=40", "virtual machine"},
    {"cuptiSassMetricsEnable=41", "confidential"},
    {"cuptiSassMetricsEnable=43", "MIG"},
    {"cuptiSassMetricsEnable=45", "WSL"},
    {"cuptiSassMetricsGetDataProperties=7", "reported error 7"},
    {"no_records=1", "collected nothing"},
    {"cuptiSassMetricsFlushData=999", "reported error 999"},
    {"crash_in_enable=1", "While it was measured"},
};

/* Each refusal costs the counters and nothing else. */
static void grading_goes_on_without_counters(void **state)
{
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(measure_refusals); i++) {
        open_scale();
        t.job.measure = true;
        setenv("FAKE_CUPTI", measure_refusals[i].script, 1);
        job_must_end_well(&t, &wb_device_gpu);
        print_message("# %s: %s\n", measure_refusals[i].script, t.result.not_measured);
        assert_int_equal(t.result.counters.present, 0);
        assert_true(strstr(t.result.not_measured, measure_refusals[i].part) != NULL);
        assert_true(out[0] == 0.5f);
        job_close(&t);
    }
}

static void missing_cupti_costs_the_counters_only(void **state)
{
    (void)state;
    open_scale();
    t.job.measure = true;
    setenv("WARPBOOK_CUPTI", "/nowhere/libcupti.so.13", 1);
    job_must_end_well(&t, &wb_device_gpu);
    assert_non_null(strstr(t.result.not_measured, "WARPBOOK_CUPTI"));
    job_close(&t);
}

static void a_library_that_is_not_cupti_is_too_old(void **state)
{
    (void)state;
    open_scale();
    t.job.measure = true;
    setenv("WARPBOOK_CUPTI", "libc.so.6", 1);
    job_must_end_well(&t, &wb_device_gpu);
    assert_non_null(strstr(t.result.not_measured, "libc.so.6 is too old"));
    job_close(&t);
}

static void faults_while_measuring_stay_faults(void **state)
{
    (void)state;
    int data[32] = {0};
    job_open(&t, "device/kernels.cubin", "k_far");
    job_array(&t, "out", data, sizeof data);
    t.job.measure = true;
    job_must_fault(&t, &wb_device_gpu, WB_REASON_OUT_OF_BOUNDS, "belongs to no array");
    assert_string_equal(t.result.not_measured, "The kernel did not run to its end.");
    job_close(&t);
}

/* ---- Range Profiler ----------------------------------------------------------------------- */

static void range_profiler_gives_totals(void **state)
{
    (void)state;
    struct wb_counts counts = {0};
    uint32_t present = 0;
    open_scale();
    assert_true(wb_gpu_range_totals(&counts, &present, &t.job, &t.status));
    assert_int_equal(present, 0x1f | 1u << WB_METRIC_IDC_DIVERGENT | 1u << WB_METRIC_IDC_REPLAYS);
    for (size_t m = 0; m < 5; m++) {
        assert_int_equal(counts.v[m], 100 * (m + 1));
    }
    assert_int_equal(counts.v[WB_METRIC_IDC_DIVERGENT], 600);
    assert_int_equal(counts.v[WB_METRIC_IDC_REPLAYS], 700);
    assert_true(out[0] == 0.5f);
    job_close(&t);
}

/* What has no SASS metric joins the counters of a job, or stays absent. */
static void constants_come_from_the_range_profiler(void **state)
{
    (void)state;
    open_scale();
    t.job.measure = t.job.measure_constants = true;
    job_must_end_well(&t, &wb_device_gpu);
    const struct wb_counters *counters = &t.result.counters;
    assert_true(wb_counters_have(counters, WB_METRIC_IDC_REPLAYS));
    assert_int_equal(counters->only_total,
                     1u << WB_METRIC_IDC_DIVERGENT | 1u << WB_METRIC_IDC_REPLAYS);
    assert_int_equal(counters->total.v[WB_METRIC_IDC_REPLAYS], 700);
    assert_int_equal(counters->total.v[WB_METRIC_BRANCH_UNIFORM], 2); /* not added twice */
    assert_true(out[0] == 0.5f);
    setenv("FAKE_CUPTI", "cuptiRangeProfilerEnable=35", 1);
    job_must_end_well(&t, &wb_device_gpu);
    assert_false(wb_counters_have(&t.result.counters, WB_METRIC_IDC_REPLAYS));
    assert_true(wb_counters_have(&t.result.counters, WB_METRIC_INST));
    job_close(&t);
}

static const struct refusal range_refusals[] = {
    {"cuptiRangeProfilerEnable=35", "administrators"},
    {"cuptiProfilerGetCounterAvailability=1", "reported error 1"},
    {"cuptiProfilerHostInitialize=46", "reported error 46"},
    {"cuptiProfilerHostConfigAddMetrics=1", "reported error 1"},
    {"cuptiProfilerHostGetConfigImageSize=1", "reported error 1"},
    {"cuptiProfilerHostGetConfigImage=1", "reported error 1"},
    {"cuptiRangeProfilerGetCounterDataSize=1", "reported error 1"},
    {"cuptiRangeProfilerCounterDataImageInitialize=1", "reported error 1"},
    {"cuptiRangeProfilerSetConfig=1", "reported error 1"},
    {"cuptiRangeProfilerStart=1", "reported error 1"},
    {"cuptiRangeProfilerStop=1", "reported error 1"},
    {"cuptiRangeProfilerDecodeData=1", "reported error 1"},
    {"dropped=1", "dropped 1"},
    {"cuptiRangeProfilerGetCounterDataInfo=1", "reported error 1"},
    {"cuptiProfilerHostEvaluateToGpuValues=1", "reported error 1"},
};

static void range_profiler_explains_refusals(void **state)
{
    (void)state;
    struct wb_counts counts;
    uint32_t present;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(range_refusals); i++) {
        open_scale();
        setenv("FAKE_CUPTI", range_refusals[i].script, 1);
        assert_false(wb_gpu_range_totals(&counts, &present, &t.job, &t.status));
        print_message("# %s: %s\n", range_refusals[i].script, t.status.message);
        assert_non_null(strstr(t.status.message, range_refusals[i].part));
        job_close(&t);
    }
}

static void range_profiler_reports_faults(void **state)
{
    (void)state;
    struct wb_counts counts;
    uint32_t present;
    job_open(&t, "device/kernels.cubin", "k_trap");
    assert_false(wb_gpu_range_totals(&counts, &present, &t.job, &t.status));
    assert_non_null(strstr(t.status.message, "k_trap"));
    job_close(&t);
}

#define TEST(function) cmocka_unit_test_setup(function, reset)
#define TOOLKIT_TEST(function)                                                                     \
    cmocka_unit_test_setup_teardown(function, make_toolkit, remove_toolkit)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(probe_describes_the_gpu),
        TEST(probe_explains_refusals),
        TEST(probe_without_cupti_says_what_to_do),
        TOOLKIT_TEST(cupti_newer_than_the_driver_is_too_new),
        TOOLKIT_TEST(cupti_is_found_in_the_toolkit),
        TEST(auto_takes_the_gpu_or_the_embedded_device),
        TEST(values_come_back),
        TEST(guard_zones_find_the_side_and_the_distance),
        TEST(empty_array_has_guards_too),
        TEST(faults_have_their_reason),
        TEST(launches_are_checked_first),
        TEST(much_dynamic_shared_memory_is_asked_for),
        TEST(output_is_captured),
        TEST(failures_of_the_driver_are_ours),
        TEST(refused_launch_is_a_fault),
        TEST(damaged_cubin_is_our_failure),
        TEST(counters_are_summed_and_sorted),
        TEST(fewer_metrics_if_all_are_refused),
        TEST(grading_goes_on_without_counters),
        TEST(missing_cupti_costs_the_counters_only),
        TEST(a_library_that_is_not_cupti_is_too_old),
        TEST(faults_while_measuring_stay_faults),
        TEST(range_profiler_gives_totals),
        TEST(constants_come_from_the_range_profiler),
        TEST(range_profiler_explains_refusals),
        TEST(range_profiler_reports_faults),
    };
    return cmocka_run_group_tests_name("gpu on a pretended driver", tests, NULL, NULL);
}
