/* SPDX-License-Identifier: MIT
 * The Range Profiler: see gpu_range.h. The kernel is replayed once per pass; the driver restores
 * memory in between. Order of the calls:
 *   enable, availability, host object, metrics, config image, counter data, set-config, start |
 *   launch | stop, decode, evaluate
 */
#include "gpu_range.h"

#include "gpu_run.h"

#include <stdio.h>
#include <string.h>

/* What is measured: CUPTI's name of the metric, ".sum". */
static const enum wb_metric metrics[] = {
    WB_METRIC_BRANCH_UNIFORM, WB_METRIC_BRANCH_DIVERGENT,    WB_METRIC_INST,
    WB_METRIC_THREAD_INST,    WB_METRIC_THREAD_INST_PRED_ON, WB_METRIC_IDC_DIVERGENT,
    WB_METRIC_IDC_REPLAYS,
};

enum { METRICS = WB_ARRAY_LENGTH(metrics) };

struct range {
    const struct wb_cupti *cupti;
    const char *names[METRICS];
    void *profiler, *host;
    uint8_t *availability, *config, *data; /* images, opaque */
    size_t config_size, data_size;
};

/* Tells the host object what is wanted and takes the configuration image from it. */
static bool configure_host(struct range *range, struct wb_job_child *child, const char *chip)
{
    const struct wb_cupti *cupti = range->cupti;
    struct cupti_host_initialize initialize = {WB_CUPTI_SIZE(cupti_host_initialize, pHostObject),
                                               NULL,
                                               CUPTI_PROFILER_TYPE_RANGE,
                                               chip,
                                               range->availability,
                                               NULL};
    if (!wb_gpu_cupti_ok(child, cupti->host_initialize(&initialize),
                         "cuptiProfilerHostInitialize")) {
        return false;
    }
    range->host = initialize.pHostObject;
    struct cupti_host_add_metrics add = {WB_CUPTI_SIZE(cupti_host_add_metrics, numMetrics), NULL,
                                         range->host, range->names, METRICS};
    struct cupti_host_image_size size = {WB_CUPTI_SIZE(cupti_host_image_size, configImageSize),
                                         NULL, range->host, 0};
    if (!wb_gpu_cupti_ok(child, cupti->host_add_metrics(&add),
                         "cuptiProfilerHostConfigAddMetrics") ||
        !wb_gpu_cupti_ok(child, cupti->host_image_size(&size),
                         "cuptiProfilerHostGetConfigImageSize")) {
        return false;
    }
    range->config_size = size.configImageSize;
    range->config = wb_arena_alloc(child->arena, range->config_size);
    struct cupti_host_image image = {WB_CUPTI_SIZE(cupti_host_image, pConfigImage), NULL,
                                     range->host, range->config_size, range->config};
    return wb_gpu_cupti_ok(child, cupti->host_image(&image), "cuptiProfilerHostGetConfigImage");
}

static bool read_availability(struct range *range, struct wb_job_child *child,
                              const struct wb_gpu *gpu)
{
    struct cupti_availability p = {WB_CUPTI_SIZE(cupti_availability, pCounterAvailabilityImage),
                                   NULL, gpu->context, 0, NULL};
    if (!wb_gpu_cupti_ok(child, range->cupti->availability(&p),
                         "cuptiProfilerGetCounterAvailability")) {
        return false;
    }
    range->availability = wb_arena_alloc(child->arena, p.counterAvailabilityImageSize);
    p.pCounterAvailabilityImage = range->availability;
    return wb_gpu_cupti_ok(child, range->cupti->availability(&p),
                           "cuptiProfilerGetCounterAvailability");
}

static bool make_data_image(struct range *range, struct wb_job_child *child)
{
    struct cupti_range_data_size size = {
        .structSize = WB_CUPTI_SIZE(cupti_range_data_size, counterDataSize),
        .pRangeProfilerObject = range->profiler,
        .pMetricNames = range->names,
        .numMetrics = METRICS,
        .maxNumOfRanges = 1,
        .maxNumRangeTreeNodes = 1,
    };
    if (!wb_gpu_cupti_ok(child, range->cupti->range_data_size(&size),
                         "cuptiRangeProfilerGetCounterDataSize")) {
        return false;
    }
    range->data_size = size.counterDataSize;
    range->data = wb_arena_alloc(child->arena, range->data_size);
    struct cupti_range_data_init p = {WB_CUPTI_SIZE(cupti_range_data_init, pCounterData), NULL,
                                      range->profiler, range->data_size, range->data};
    return wb_gpu_cupti_ok(child, range->cupti->range_data_init(&p),
                           "cuptiRangeProfilerCounterDataImageInitialize");
}

static bool begin(struct range *range, struct wb_job_child *child)
{
    struct cupti_range_set_config config = {
        .structSize = WB_CUPTI_SIZE(cupti_range_set_config, targetNestingLevel),
        .pRangeProfilerObject = range->profiler,
        .configSize = range->config_size,
        .pConfig = range->config,
        .counterDataImageSize = range->data_size,
        .pCounterDataImage = range->data,
        .range = CUPTI_AUTO_RANGE,
        .replayMode = CUPTI_KERNEL_REPLAY,
        .maxRangesPerPass = 1,
        .numNestingLevels = 1,
        .minNestingLevel = 1,
    };
    struct cupti_range_object object = {WB_CUPTI_SIZE(cupti_range_object, pRangeProfilerObject),
                                        NULL, range->profiler};
    return wb_gpu_cupti_ok(child, range->cupti->range_set_config(&config),
                           "cuptiRangeProfilerSetConfig") &&
           wb_gpu_cupti_ok(child, range->cupti->range_start(&object), "cuptiRangeProfilerStart");
}

static void *start(struct wb_job_child *child, const struct wb_gpu *gpu)
{
    struct range *range = wb_arena_alloc(child->arena, sizeof *range);
    const char *chip = wb_gpu_start_cupti(child, gpu);
    if (!chip) {
        return NULL;
    }
    range->cupti = &gpu->cupti;
    if (!range->cupti->has_ranges) {
        snprintf(child->result->not_measured, sizeof child->result->not_measured,
                 "%s is too old: it has no Range Profiler.", range->cupti->path);
        return NULL;
    }
    for (size_t i = 0; i < METRICS; i++) {
        range->names[i] = wb_arena_printf(child->arena, "%s.sum", wb_metric_cupti[metrics[i]]);
    }
    struct cupti_range_enable enable = {WB_CUPTI_SIZE(cupti_range_enable, pRangeProfilerObject),
                                        NULL, gpu->context, NULL};
    if (!wb_gpu_cupti_ok(child, range->cupti->range_enable(&enable), "cuptiRangeProfilerEnable")) {
        return NULL;
    }
    range->profiler = enable.pRangeProfilerObject;
    bool ok = read_availability(range, child, gpu) && configure_host(range, child, chip) &&
              make_data_image(range, child) && begin(range, child);
    return ok ? range : NULL;
}

/* ---- after the launch --------------------------------------------------------------------- */

static bool decode(struct range *range, struct wb_job_child *child)
{
    struct cupti_range_stop end = {
        .structSize = WB_CUPTI_SIZE(cupti_range_stop, isAllPassSubmitted),
        .pRangeProfilerObject = range->profiler,
    };
    struct cupti_range_decode decode = {WB_CUPTI_SIZE(cupti_range_decode, numOfRangeDropped), NULL,
                                        range->profiler, 0};
    struct cupti_range_data_info info = {WB_CUPTI_SIZE(cupti_range_data_info, numTotalRanges), NULL,
                                         range->data, range->data_size, 0};
    if (!wb_gpu_cupti_ok(child, range->cupti->range_stop(&end), "cuptiRangeProfilerStop") ||
        !wb_gpu_cupti_ok(child, range->cupti->range_decode(&decode),
                         "cuptiRangeProfilerDecodeData") ||
        !wb_gpu_cupti_ok(child, range->cupti->range_data_info(&info),
                         "cuptiRangeProfilerGetCounterDataInfo")) {
        return false;
    }
    if (info.numTotalRanges != 1 || decode.numOfRangeDropped) {
        snprintf(child->result->not_measured, sizeof child->result->not_measured,
                 "The Range Profiler returned %zu ranges for one launch and dropped %zu.",
                 info.numTotalRanges, decode.numOfRangeDropped);
        return false;
    }
    return true;
}

static bool stop(struct wb_job_child *child, const struct wb_gpu *gpu, void *state)
{
    (void)gpu;
    struct range *range = state;
    double values[METRICS] = {0};
    if (!decode(range, child)) {
        return false;
    }
    struct cupti_host_evaluate p = {
        .structSize = WB_CUPTI_SIZE(cupti_host_evaluate, pMetricValues),
        .pHostObject = range->host,
        .pCounterDataImage = range->data,
        .counterDataImageSize = range->data_size,
        .ppMetricNames = range->names,
        .numMetrics = METRICS,
        .pMetricValues = values,
    };
    if (!wb_gpu_cupti_ok(child, range->cupti->host_evaluate(&p),
                         "cuptiProfilerHostEvaluateToGpuValues")) {
        return false;
    }
    struct wb_counters *counters = &child->result->counters;
    for (size_t i = 0; i < METRICS; i++) {
        counters->total.v[metrics[i]] = (uint64_t)(values[i] + 0.5);
        counters->present |= 1u << metrics[i];
    }
    struct cupti_range_object disable = {WB_CUPTI_SIZE(cupti_range_object, pRangeProfilerObject),
                                         NULL, range->profiler};
    struct cupti_host_deinitialize end = {WB_CUPTI_SIZE(cupti_host_deinitialize, pHostObject), NULL,
                                          range->host};
    range->cupti->range_disable(&disable);
    range->cupti->host_deinitialize(&end);
    return true;
}

const struct wb_gpu_meter wb_gpu_range_meter = {.start = start, .stop = stop};

void wb_gpu_range_rest(struct wb_counts *out, uint32_t *present, struct wb_device_job *job)
{
    const struct wb_device_case *c = job->cases;
    struct wb_status status = {0};
    struct wb_arena arena;
    wb_arena_init(&arena);
    void **before = wb_arena_alloc(&arena, c->buffer_count * sizeof *before);
    for (unsigned i = 0; i < c->buffer_count; i++) {
        before[i] = wb_arena_copy(&arena, c->buffers[i].data, c->buffers[i].size);
    }
    if (!wb_gpu_range_totals(out, present, job, &status)) {
        *present = 0;
    }
    for (unsigned i = 0; i < c->buffer_count; i++) {
        if (c->buffers[i].size) {
            memcpy(c->buffers[i].data, before[i], c->buffers[i].size);
        }
    }
    for (unsigned m = 0; m < WB_SASS_METRIC_COUNT; m++) {
        out->v[m] = 0;
        *present &= ~(1u << m);
    }
    wb_arena_finish(&arena);
}

bool wb_gpu_range_totals(struct wb_counts *out, uint32_t *present, struct wb_device_job *job,
                         struct wb_status *status)
{
    struct wb_job_kind kind = wb_gpu_job_kind(&wb_gpu_range_meter);
    struct wb_device_result result;
    struct wb_arena arena;
    wb_arena_init(&arena);
    bool ok = wb_job_run(&result, &arena, job, &kind, status);
    if (ok && result.fault.kind != WB_REASON_NONE) {
        ok = WB_FAIL(status, NO_DEVICE, "%s", result.fault.message);
    } else if (ok && !result.counters.present) {
        ok = WB_FAIL(status, UNSUPPORTED, "%s", result.not_measured);
    }
    if (ok) {
        *out = result.counters.total;
        *present = result.counters.present;
    }
    wb_arena_finish(&arena);
    return ok;
}
