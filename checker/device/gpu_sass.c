/* SPDX-License-Identifier: MIT
 * Counters per instruction through CUPTI's SASS metrics. The order of the calls matters, and so
 * does that a process measures one kernel only (a second configuration is refused):
 *   properties of each metric, set-config, enable | launch | data properties, flush, disable, unset
 */
#include "gpu_run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for if a device refuses to collect everything at once. */
static const uint32_t branches_only =
    1u << WB_METRIC_BRANCH_UNIFORM | 1u << WB_METRIC_BRANCH_DIVERGENT | 1u << WB_METRIC_INST |
    1u << WB_METRIC_THREAD_INST | 1u << WB_METRIC_THREAD_INST_PRED_ON;

struct sass {
    const struct wb_cupti *cupti;
    uint64_t id[WB_METRIC_COUNT]; /* CUPTI's number of the metric */
    uint32_t present;             /* the metrics that are collected */
};

static bool not_measured(struct wb_job_child *child, const char *why)
{
    snprintf(child->result->not_measured, sizeof child->result->not_measured, "%s", why);
    return false;
}

/* Asks which metrics this chip has. */
static void find_metrics(struct sass *sass, const char *chip)
{
    for (size_t m = 0; m < WB_SASS_METRIC_COUNT; m++) {
        struct cupti_sass_properties p = {WB_CUPTI_SIZE(cupti_sass_properties, metric), NULL, chip,
                                          wb_metric_cupti[m]};
        if (sass->cupti->sass_properties(&p) == 0) {
            sass->id[m] = p.metric.metricId;
            sass->present |= 1u << m;
        }
    }
}

static int set_config(struct sass *sass, uint32_t metrics)
{
    struct cupti_sass_metric configs[WB_METRIC_COUNT];
    struct cupti_sass_set_config p = {WB_CUPTI_SIZE(cupti_sass_set_config, deviceIndex)};
    p.pConfigs = configs;
    for (size_t m = 0; m < WB_METRIC_COUNT; m++) {
        if (metrics >> m & 1) {
            configs[p.numOfMetricConfig++] =
                (struct cupti_sass_metric){sass->id[m], CUPTI_SASS_GRANULARITY_GPU};
        }
    }
    sass->present = metrics;
    return sass->cupti->sass_set_config(&p);
}

static void *start(struct wb_job_child *child, const struct wb_gpu *gpu)
{
    struct sass *sass = wb_arena_alloc(child->arena, sizeof *sass);
    const char *chip = wb_gpu_start_cupti(child, gpu);
    if (!chip) {
        return NULL;
    }
    sass->cupti = &gpu->cupti;
    find_metrics(sass, chip);
    if (!(sass->present & branches_only)) {
        not_measured(child, "CUPTI has no counters per instruction for this GPU.");
        return NULL;
    }
    int result = set_config(sass, sass->present);
    if (result && (sass->present & ~branches_only)) {
        int second = set_config(sass, sass->present & branches_only);
        result = second ? result : 0;
    }
    struct cupti_sass_enable enable = {WB_CUPTI_SIZE(cupti_sass_enable, enableLazyPatching), NULL,
                                       gpu->context, true};
    bool ok = wb_gpu_cupti_ok(child, result, "cuptiSassMetricsSetConfig") &&
              wb_gpu_cupti_ok(child, sass->cupti->sass_enable(&enable), "cuptiSassMetricsEnable");
    return ok ? sass : NULL;
}

/* ---- after the launch --------------------------------------------------------------------- */

/* The counts of one record, summed over its instances. */
static struct wb_counts sum(const struct sass *sass, const struct cupti_sass_record *record,
                            size_t instances)
{
    struct wb_counts counts = {0};
    for (size_t i = 0; i < instances; i++) {
        for (size_t m = 0; m < WB_METRIC_COUNT; m++) {
            if (sass->present >> m & 1 && record->pInstanceValues[i].metricId == sass->id[m]) {
                counts.v[m] += record->pInstanceValues[i].value;
            }
        }
    }
    return counts;
}

static bool is_zero(const struct wb_counts *counts)
{
    static const struct wb_counts zero;
    return memcmp(counts, &zero, sizeof zero) == 0;
}

static int by_pc(const void *a, const void *b)
{
    uint32_t x = ((const struct wb_pc_counts *)a)->pc, y = ((const struct wb_pc_counts *)b)->pc;
    return (x > y) - (x < y);
}

/* Records come per instruction and metric, in any order: one row per instruction, sorted. */
static size_t merge(struct wb_pc_counts *rows, size_t count)
{
    size_t merged = 0;
    qsort(rows, count, sizeof *rows, by_pc);
    for (size_t i = 0; i < count; i++) {
        if (merged && rows[merged - 1].pc == rows[i].pc) {
            wb_counts_add(&rows[merged - 1].counts, &rows[i].counts);
        } else {
            rows[merged++] = rows[i];
        }
    }
    return merged;
}

static void collect(struct wb_job_child *child, const struct wb_gpu *gpu, const struct sass *sass,
                    const struct cupti_sass_record *records, size_t count, size_t instances)
{
    struct wb_counters *counters = &child->result->counters;
    counters->pcs = wb_arena_alloc(child->arena, count * sizeof *counters->pcs);
    for (size_t i = 0; i < count; i++) {
        struct wb_counts counts = sum(sass, &records[i], instances);
        const char *function = records[i].functionName;
        bool own = !function || strcmp(function, gpu->kernel->name) == 0;
        wb_counts_add(&counters->total, &counts);
        if (own && !is_zero(&counts)) {
            struct wb_pc_counts *row = &counters->pcs[counters->pc_count++];
            row->pc = records[i].pcOffset;
            row->counts = counts;
            wb_kernel_line(&row->file, &row->line, gpu->kernel, row->pc);
        }
    }
    counters->pc_count = merge(counters->pcs, counters->pc_count);
    counters->present = sass->present;
}

static bool flush(struct wb_job_child *child, const struct wb_gpu *gpu, const struct sass *sass)
{
    struct cupti_sass_data_properties data = {
        WB_CUPTI_SIZE(cupti_sass_data_properties, numOfInstances), NULL, gpu->context, 0, 0};
    if (!wb_gpu_cupti_ok(child, sass->cupti->sass_data_properties(&data),
                         "cuptiSassMetricsGetDataProperties")) {
        return false;
    }
    size_t count = data.numOfPatchedInstructionRecords, instances = data.numOfInstances;
    if (count == 0 || instances == 0) {
        return not_measured(child, "CUPTI collected nothing for this kernel.");
    }
    struct cupti_sass_record *records = wb_arena_alloc(child->arena, count * sizeof *records);
    struct cupti_sass_value *values =
        wb_arena_alloc(child->arena, count * instances * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        records[i].structSize = sizeof *records;
        records[i].pInstanceValues = values + i * instances;
    }
    struct cupti_sass_flush p = {WB_CUPTI_SIZE(cupti_sass_flush, numOfInstances),
                                 NULL,
                                 gpu->context,
                                 count,
                                 instances,
                                 records};
    if (!wb_gpu_cupti_ok(child, sass->cupti->sass_flush(&p), "cuptiSassMetricsFlushData")) {
        return false;
    }
    collect(child, gpu, sass, records, count, instances);
    return true;
}

static bool stop(struct wb_job_child *child, const struct wb_gpu *gpu, void *state)
{
    struct sass *sass = state;
    if (!flush(child, gpu, sass)) {
        return false;
    }
    /* The counters are safe; what these two answer changes nothing. */
    struct cupti_sass_disable disable = {WB_CUPTI_SIZE(cupti_sass_disable, numOfDroppedRecords),
                                         NULL, gpu->context, 0};
    struct cupti_sass_unset_config unset = {WB_CUPTI_SIZE(cupti_sass_unset_config, deviceIndex)};
    sass->cupti->sass_disable(&disable);
    sass->cupti->sass_unset_config(&unset);
    return true;
}

const struct wb_gpu_meter wb_gpu_sass_meter = {.start = start, .stop = stop};
