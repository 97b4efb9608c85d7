/* SPDX-License-Identifier: MIT
 * Names of metrics and reasons, and the two ratios that are graded.
 */
#include <warpbook/metrics.h>

#include <warpbook/base.h>

#include <stdlib.h>
#include <string.h>

const char *const wb_metric_name[WB_METRIC_COUNT] = {
#define X(name, json, cupti) [WB_METRIC_##name] = json,
    WB_METRIC_LIST(X)
#undef X
};

const char *const wb_metric_cupti[WB_METRIC_COUNT] = {
#define X(name, json, cupti) [WB_METRIC_##name] = cupti,
    WB_METRIC_LIST(X)
#undef X
};

const char *const wb_reason_code[WB_REASON_COUNT] = {
#define X(name, code, text, advice) [WB_REASON_##name] = code,
    WB_REASON_LIST(X)
#undef X
};

const char *const wb_reason_text[WB_REASON_COUNT] = {
#define X(name, code, text, advice) [WB_REASON_##name] = text,
    WB_REASON_LIST(X)
#undef X
};

const char *const wb_reason_advice[WB_REASON_COUNT] = {
#define X(name, code, text, advice) [WB_REASON_##name] = advice,
    WB_REASON_LIST(X)
#undef X
};

const char *const wb_race_advice[WB_RACE_COUNT] = {
#define X(name, advice) [WB_RACE_##name] = advice,
    WB_RACE_LIST(X)
#undef X
};

enum wb_reason wb_reason_find(const char *code)
{
    int i = 0;
    while (i < WB_REASON_COUNT && strcmp(wb_reason_code[i], code) != 0) {
        i++;
    }
    return (enum wb_reason)i;
}

bool wb_counters_have(const struct wb_counters *counters, enum wb_metric metric)
{
    return counters->present >> metric & 1;
}

bool wb_branch_efficiency(double *percent, const struct wb_counts *counts)
{
    uint64_t uniform = counts->v[WB_METRIC_BRANCH_UNIFORM];
    uint64_t all = uniform + counts->v[WB_METRIC_BRANCH_DIVERGENT];
    if (all == 0) {
        return false;
    }
    *percent = 100.0 * (double)uniform / (double)all;
    return true;
}

bool wb_lanes(double *lanes, const struct wb_counts *counts)
{
    if (counts->v[WB_METRIC_INST] == 0) {
        return false;
    }
    *lanes = (double)counts->v[WB_METRIC_THREAD_INST_PRED_ON] / (double)counts->v[WB_METRIC_INST];
    return true;
}

void wb_counts_add(struct wb_counts *to, const struct wb_counts *from)
{
    for (int i = 0; i < WB_METRIC_COUNT; i++) {
        to->v[i] += from->v[i];
    }
}

static int compare_lines(const void *a, const void *b)
{
    const struct wb_pc_counts *x = a, *y = b;
    int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

struct wb_pc_counts *wb_counters_by_line(struct wb_arena *arena, size_t *count,
                                         const struct wb_counters *counters)
{
    struct wb_pc_counts *lines =
        wb_arena_copy(arena, counters->pcs, counters->pc_count * sizeof *lines);
    if (counters->pc_count) {
        qsort(lines, counters->pc_count, sizeof *lines, compare_lines);
    }
    size_t n = 0;
    for (size_t i = 0; i < counters->pc_count; i++) {
        if (n && compare_lines(&lines[n - 1], &lines[i]) == 0) {
            wb_counts_add(&lines[n - 1].counts, &lines[i].counts);
        } else {
            lines[n] = lines[i];
            lines[n++].pc = 0;
        }
    }
    *count = n;
    return lines;
}
