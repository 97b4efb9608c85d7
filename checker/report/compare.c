/* SPDX-License-Identifier: MIT
 * The comparison "reference, target, yours". Each compared quantity is one row of `quantities`:
 * add a row to show another. Quantities that not every lesson cares about appear only where a
 * criterion sets a target for them.
 */
#include "compare.h"

#include <string.h>

enum unit { PERCENT, COUNT, LANES };

struct quantity {
    const char *label;
    /* False: nothing of the kind was executed. */
    bool (*value)(double *out, const struct wb_counts *counts);
    uint32_t needs; /* metrics, as bits of wb_counters.present */
    enum unit unit;
    enum wb_criterion_kind criterion; /* the one that sets its target */
    bool always;                      /* shown without a target, too */
};

static bool divergent(double *out, const struct wb_counts *counts)
{
    *out = (double)counts->v[WB_METRIC_BRANCH_DIVERGENT];
    return true;
}

static bool branches(double *out, const struct wb_counts *counts)
{
    *out = (double)(counts->v[WB_METRIC_BRANCH_UNIFORM] + counts->v[WB_METRIC_BRANCH_DIVERGENT]);
    return true;
}

#define BIT(metric) (UINT32_C(1) << WB_METRIC_##metric)
#define BRANCH_BITS (BIT(BRANCH_UNIFORM) | BIT(BRANCH_DIVERGENT))

static const struct quantity quantities[] = {
    {"branch efficiency", wb_branch_efficiency, BRANCH_BITS, PERCENT, WB_MIN_BRANCH_EFFICIENCY,
     true},
    {"divergent branches", divergent, BRANCH_BITS, COUNT, WB_MAX_DIVERGENT, true},
    {"branches executed", branches, BRANCH_BITS, COUNT, WB_MAX_BRANCHES, false},
    {"busy lanes of 32", wb_lanes, BIT(INST) | BIT(THREAD_INST_PRED_ON), LANES, WB_MIN_LANES, true},
};

static char *number(struct wb_arena *arena, enum unit unit, double value)
{
    switch (unit) {
    case PERCENT:
        return wb_arena_printf(arena, "%.2f %%", value);
    case LANES:
        return wb_arena_printf(arena, "%.1f", value);
    case COUNT:
        break;
    }
    return wb_count_text(arena, (uint64_t)value);
}

/* The value at which a bar is full; 0 for counts, where it is the largest of the row. */
static double full_scale(enum unit unit)
{
    return unit == PERCENT ? 100 : unit == LANES ? 32 : 0;
}

static struct wb_view_value value_of(struct wb_arena *arena, const struct quantity *quantity,
                                     const struct wb_measurement *measurement)
{
    double value;
    if (!measurement->measured ||
        (measurement->counters.present & quantity->needs) != quantity->needs) {
        return (struct wb_view_value){.text = wb_arena_strdup(arena, "not measured")};
    }
    if (!quantity->value(&value, &measurement->counters.total)) {
        return (struct wb_view_value){.text = wb_arena_strdup(arena, "no branch")};
    }
    return (struct wb_view_value){number(arena, quantity->unit, value), true, value};
}

static const struct wb_criterion *find_criterion(const struct wb_lesson *lesson,
                                                 enum wb_criterion_kind kind, size_t task)
{
    for (unsigned i = 0; lesson && i < lesson->criterion_count; i++) {
        if (lesson->criteria[i].kind == kind && lesson->criteria[i].task == task) {
            return &lesson->criteria[i];
        }
    }
    return NULL;
}

static enum wb_verdict verdict_of(const struct wb_result *result,
                                  const struct wb_criterion *criterion)
{
    for (size_t i = 0; i < result->criterion_count; i++) {
        if (strcmp(result->criteria[i].id, criterion->id) == 0) {
            return result->criteria[i].verdict;
        }
    }
    return WB_SKIPPED;
}

static void scale(struct wb_view_row *row, double full)
{
    struct wb_view_value *values[] = {&row->reference, &row->target, &row->yours};
    for (size_t i = 0; full == 0 && i < WB_ARRAY_LENGTH(values); i++) {
        full = values[i]->known && values[i]->share > full ? values[i]->share : full;
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(values); i++) {
        values[i]->share =
            full > 0 && values[i]->share < full ? values[i]->share / full : values[i]->share > 0;
    }
}

static void add_row(struct wb_view_table *table, struct wb_arena *arena,
                    const struct wb_result *result, const struct quantity *quantity,
                    const struct wb_criterion *criterion, size_t task)
{
    struct wb_view_row *row = &table->rows[table->row_count++];
    *row = (struct wb_view_row){.label = quantity->label, .verdict = WB_SKIPPED};
    row->yours = value_of(arena, quantity, &result->measured[task]);
    if (table->has_reference) {
        row->reference = value_of(arena, quantity, &result->reference[task]);
    }
    if (criterion) {
        table->has_target = true;
        row->bound = quantity->unit != COUNT ? WB_BOUND_AT_LEAST
                     : criterion->limit > 0  ? WB_BOUND_AT_MOST
                                             : WB_BOUND_EXACT;
        row->target = (struct wb_view_value){number(arena, quantity->unit, criterion->limit), true,
                                             criterion->limit};
        row->verdict = verdict_of(result, criterion);
    }
    scale(row, full_scale(quantity->unit));
}

static void fill_table(struct wb_view_table *table, struct wb_arena *arena,
                       const struct wb_result *result, const struct wb_lesson *lesson, size_t task)
{
    const struct wb_measurement *measured = &result->measured[task];
    *table = (struct wb_view_table){.kernel = measured->kernel};
    if (!measured->measured && result->reason != WB_REASON_COMPILE_ERROR) {
        table->not_measured = measured->not_measured; /* an error of ours or of the kernel's */
    }
    table->has_reference = result->reference && result->reference[task].measured;
    if (!measured->measured && !table->has_reference) {
        return;
    }
    table->rows = wb_arena_alloc(arena, WB_ARRAY_LENGTH(quantities) * sizeof *table->rows);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(quantities); i++) {
        const struct wb_criterion *criterion =
            find_criterion(lesson, quantities[i].criterion, task);
        if (criterion || quantities[i].always) {
            add_row(table, arena, result, &quantities[i], criterion, task);
        }
    }
}

void wb_view_compare(struct wb_view *view, struct wb_arena *arena, const struct wb_lesson *lesson)
{
    const struct wb_result *result = view->result;
    if (!result->measured) {
        return;
    }
    view->tables = wb_arena_alloc(arena, (result->task_count + 1) * sizeof *view->tables);
    for (size_t i = 0; i < result->task_count; i++) {
        struct wb_view_table *table = &view->tables[view->table_count];
        fill_table(table, arena, result, lesson, i);
        view->table_count += table->row_count > 0 || table->not_measured;
    }
}
