/* SPDX-License-Identifier: MIT
 * The GPU as a device. CUDA is only ever touched in child processes: after cuInit a process could
 * not have children that use CUDA. Probing is such a child, and so is every job.
 */
#include "gpu_range.h"
#include "gpu_run.h"
#include "wire.h"

#include <warpbook/proc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_S = 30, MESSAGE_LIMIT = 4096 };

/* ---- probing: in the child ---------------------------------------------------------------- */

/* The number behind `key` in a file of lines "key: number", in the given base; `otherwise` if it
 * is not there. */
static unsigned long long read_setting(const char *path, const char *key, int base,
                                       unsigned long long otherwise)
{
    char line[256];
    unsigned long long value = otherwise;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        if (wb_starts_with(line, key) && line[strlen(key)] == ':') {
            value = strtoull(line + strlen(key) + 1, NULL, base);
        }
    }
    if (file) {
        fclose(file);
    }
    return value;
}

/* The driver lets everybody use the counters, or only those with CAP_SYS_ADMIN. */
static bool may_use_counters(void)
{
    enum { CAP_SYS_ADMIN_BIT = 21 };
    bool admin_only = read_setting("/proc/driver/nvidia/params", "RmProfilingAdminOnly", 10, 0);
    unsigned long long caps = read_setting("/proc/self/status", "CapEff", 16, 0);
    return !admin_only || (caps >> CAP_SYS_ADMIN_BIT & 1);
}

/* "driver 580.159.03", or by its CUDA version if the system does not tell. */
static void name_driver(char *out, size_t size, unsigned cuda_version)
{
    char number[20] = "";
    FILE *file = fopen("/sys/module/nvidia/version", "re");
    if (!file || !fgets(number, sizeof number, file)) {
        snprintf(number, sizeof number, "CUDA %u.%u", cuda_version / 1000,
                 cuda_version % 1000 / 10);
    }
    if (file) {
        fclose(file);
    }
    number[strcspn(number, "\n")] = 0;
    snprintf(out, size, "driver %s", number);
}

/* Whether the next job can be measured, and why not. */
static void probe_counters(struct wb_device_info *info, const char *toolkit_root,
                           const struct wb_gpu *gpu)
{
    struct wb_cupti cupti;
    struct wb_status status = {0};
    enum { INSUFFICIENT_PRIVILEGES = 35 };
    size_t length = strlen(info->driver);
    info->counters = "none";
    if (!wb_cupti_open(&cupti, toolkit_root, gpu->driver_version / 1000, &status)) {
        snprintf(info->why_not, sizeof info->why_not, "%.399s", status.message);
        return;
    }
    snprintf(info->driver + length, sizeof info->driver - length, ", CUPTI %u", cupti.major);
    if (!may_use_counters()) {
        wb_cupti_explain(info->why_not, sizeof info->why_not, INSUFFICIENT_PRIVILEGES,
                         "RmProfilingAdminOnly");
        return;
    }
    info->counters = "cupti-sass";
}

static bool ask_driver(struct wb_device_info *info, struct wb_gpu *gpu, struct wb_status *status)
{
    int major = 0, minor = 0;
    if (!wb_gpu_load(gpu, status) || !wb_gpu_init(gpu, status)) {
        return false;
    }
    const struct wb_cuda *cuda = &gpu->cuda;
    int result = cuda->device_name(info->name, sizeof info->name, gpu->device);
    if (result) {
        return wb_cuda_fail(status, cuda, result, "cuDeviceGetName");
    }
    result = cuda->device_attribute(&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, gpu->device);
    if (!result) {
        result = cuda->device_attribute(&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, gpu->device);
    }
    if (result) {
        return wb_cuda_fail(status, cuda, result, "cuDeviceGetAttribute");
    }
    info->major = (unsigned)major;
    info->minor = (unsigned)minor;
    name_driver(info->driver, sizeof info->driver, gpu->driver_version);
    return true;
}

static int probe_main(void *toolkit_root, int message_fd)
{
    struct wb_gpu gpu;
    struct wb_arena arena;
    struct wb_str message;
    struct wb_status status = {0};
    struct wb_device_info info = {.counters = "none"};
    if (ask_driver(&info, &gpu, &status)) {
        probe_counters(&info, toolkit_root, &gpu);
    }
    wb_arena_init(&arena);
    wb_str_init(&message, &arena);
    wb_wire_put(&message, status.code);
    wb_wire_put_string(&message, status.message);
    wb_wire_put_string(&message, info.name);
    wb_wire_put(&message, info.major);
    wb_wire_put(&message, info.minor);
    wb_wire_put_string(&message, info.counters);
    wb_wire_put_string(&message, info.why_not);
    wb_wire_put_string(&message, info.driver);
    bool sent = wb_wire_send(message_fd, message.data, message.length);
    wb_arena_finish(&arena);
    return sent ? 0 : 1;
}

/* ---- probing: in the parent --------------------------------------------------------------- */

static bool read_probe(struct wb_device_info *out, const struct wb_proc_result *ended,
                       struct wb_status *status)
{
    struct wb_wire wire = {.at = ended->message, .left = ended->message_size};
    char message[sizeof status->message], counters[16];
    enum wb_code code = (enum wb_code)wb_wire_get_upto(&wire, WB_INTERNAL);
    wb_wire_copy_string(message, sizeof message, &wire);
    wb_wire_copy_string(out->name, sizeof out->name, &wire);
    out->major = (unsigned)wb_wire_get_upto(&wire, 999);
    out->minor = (unsigned)wb_wire_get_upto(&wire, 999);
    wb_wire_copy_string(counters, sizeof counters, &wire);
    wb_wire_copy_string(out->why_not, sizeof out->why_not, &wire);
    wb_wire_copy_string(out->driver, sizeof out->driver, &wire);
    if (!wb_wire_ended(&wire) && ended->end == WB_PROC_TIMEOUT) {
        return WB_FAIL(status, NO_DEVICE,
                       "The NVIDIA driver did not answer within %d seconds. Look at nvidia-smi; "
                       "restarting the machine may help.",
                       PROBE_S);
    }
    if (!wb_wire_ended(&wire)) {
        return WB_FAIL(status, NO_DEVICE,
                       "The NVIDIA driver crashed the process that asked for the GPU (%s %d). Look "
                       "at nvidia-smi.",
                       ended->end == WB_PROC_SIGNALED ? "signal" : "exit code",
                       ended->end == WB_PROC_SIGNALED ? ended->signal : ended->exit_code);
    }
    out->counters = strcmp(counters, "cupti-sass") == 0 ? "cupti-sass" : "none";
    snprintf(out->arch, sizeof out->arch, "sm_%u%u", out->major, out->minor);
    return code == WB_OK || wb_status_set(status, code, __FILE__, "%s", message);
}

static bool gpu_probe(struct wb_device_info *out, const char *toolkit_root,
                      struct wb_status *status)
{
    struct wb_arena arena;
    struct wb_status failure = {0};
    struct wb_proc_result ended = {0};
    struct wb_proc_spec spec = {
        .entry = probe_main,
        .context = (void *)(uintptr_t)toolkit_root,
        .message_limit = MESSAGE_LIMIT,
        .limits = {.wall_s = PROBE_S},
    };
    *out = (struct wb_device_info){.kind = WB_DEVICE_GPU, .counters = "none"};
    wb_arena_init(&arena);
    bool ok = wb_proc_run(&ended, &arena, &spec, &failure) && read_probe(out, &ended, &failure);
    wb_arena_finish(&arena);
    if (!ok) {
        snprintf(out->why_not, sizeof out->why_not, "%.399s", failure.message);
        *status = failure;
    }
    return ok;
}

/* ---- jobs --------------------------------------------------------------------------------- */

/* Whether a measuring child that gave no counters should be followed by one that only runs. */
static bool blames_measuring(const struct wb_device_result *result)
{
    enum wb_reason kind = result->fault.kind;
    return kind == WB_REASON_NONE || kind == WB_REASON_CRASH || kind == WB_REASON_TIMEOUT;
}

static bool gpu_run(struct wb_device_result *out, struct wb_arena *arena, struct wb_device_job *job,
                    struct wb_status *status)
{
    struct wb_job_kind plain = wb_gpu_job_kind(NULL);
    if (!job->measure) {
        return wb_job_run(out, arena, job, &plain, status);
    }
    struct wb_job_kind measuring = wb_gpu_job_kind(&wb_gpu_sass_meter);
    struct wb_counts rest = {0};
    uint32_t rest_present = 0;
    char why[sizeof out->not_measured];
    if (job->measure_constants) {
        wb_gpu_range_rest(&rest, &rest_present, job);
    }
    if (!wb_job_run(out, arena, job, &measuring, status)) {
        return false;
    }
    if (out->counters.present) {
        wb_counts_add(&out->counters.total, &rest);
        out->counters.present |= rest_present;
        out->counters.only_total = rest_present;
        return true;
    }
    if (out->fault.kind == WB_REASON_CRASH || out->fault.kind == WB_REASON_TIMEOUT) {
        snprintf(why, sizeof why, "While it was measured: %.350s", out->fault.message);
    } else if (out->fault.kind != WB_REASON_NONE) {
        snprintf(why, sizeof why, "The kernel did not run to its end.");
    } else {
        snprintf(why, sizeof why, "%s", out->not_measured);
    }
    bool ok = !blames_measuring(out) || wb_job_run(out, arena, job, &plain, status);
    snprintf(out->not_measured, sizeof out->not_measured, "%s", why);
    return ok;
}

const struct wb_device wb_device_gpu = {
    .name = "gpu",
    .probe = gpu_probe,
    .run = gpu_run,
};
