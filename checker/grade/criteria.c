/* SPDX-License-Identifier: MIT
 * Criteria: verdict, points and a message for each. A criterion that compares a counter with a
 * limit is one row of `rules`; a new one also needs a line in WB_CRITERION_LIST (grade.h).
 */
#include "grader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_TEXT = 48 };

static const enum wb_reason failed_reason[WB_CRITERION_KIND_COUNT] = {
#define X(name, reason) [WB_##name] = WB_REASON_##reason,
    WB_CRITERION_LIST(X)
#undef X
};

/* ---- counters against limits -------------------------------------------------------------- */

static bool divergent(double *value, const struct wb_counts *counts)
{
    *value = (double)counts->v[WB_METRIC_BRANCH_DIVERGENT];
    return true;
}

static bool branches(double *value, const struct wb_counts *counts)
{
    *value = (double)(counts->v[WB_METRIC_BRANCH_UNIFORM] + counts->v[WB_METRIC_BRANCH_DIVERGENT]);
    return true;
}

static const uint32_t branch_metrics =
    1u << WB_METRIC_BRANCH_UNIFORM | 1u << WB_METRIC_BRANCH_DIVERGENT;
static const uint32_t lane_metrics = 1u << WB_METRIC_INST | 1u << WB_METRIC_THREAD_INST_PRED_ON;

struct rule {
    const char *name, *unit, *of; /* `of` follows the attempt's value */
    const uint32_t *needs;        /* metrics */
    bool (*value)(double *value, const struct wb_counts *counts); /* false: there is none */
    bool at_least;                                                /* the limit is a lower one */
    int digits;                                                   /* after the point */
    const char *without; /* said where there is no value, which is full marks */
};

static const struct rule rules[WB_CRITERION_KIND_COUNT] = {
    [WB_MAX_DIVERGENT] = {"divergent branches", "", "", &branch_metrics, divergent, false, 0, ""},
    [WB_MIN_BRANCH_EFFICIENCY] = {"branch efficiency", " %", "", &branch_metrics,
                                  wb_branch_efficiency, true, 2, "no branch executed"},
    [WB_MAX_BRANCHES] = {"branches executed", "", "", &branch_metrics, branches, false, 0, ""},
    [WB_MIN_LANES] = {"lanes", "", " of 32", &lane_metrics, wb_lanes, true, 1,
                      "no instruction executed"},
};

static bool has_counters(const struct wb_measurement *measurement, const struct rule *rule)
{
    return measurement->measured && (measurement->counters.present & *rule->needs) == *rule->needs;
}

static bool meets(const struct rule *rule, double value, double limit)
{
    return rule->at_least ? value >= limit - 1e-9 : value <= limit;
}

/* With more digits where rounding would hide that the limit is missed: 29.98, not 30.0. */
static void print_value(char text[VALUE_TEXT], const struct rule *rule,
                        const struct wb_counts *counts, double limit)
{
    double value;
    if (!rule->value(&value, counts)) {
        snprintf(text, VALUE_TEXT, "%s", rule->without);
        return;
    }
    int digits = rule->digits;
    do {
        snprintf(text, VALUE_TEXT, "%.*f", digits, value);
    } while (meets(rule, strtod(text, NULL), limit) != meets(rule, value, limit) && digits++ < 12);
    strcat(text, rule->unit);
}

static char *compare_text(struct wb_arena *arena, const struct rule *rule, double limit,
                          const struct wb_measurement *reference,
                          const struct wb_measurement *yours)
{
    char value[VALUE_TEXT];
    struct wb_str text;
    wb_str_init(&text, arena);
    wb_str_printf(&text, "%s: ", rule->name);
    if (has_counters(reference, rule)) {
        print_value(value, rule, &reference->counters.total, limit);
        wb_str_printf(&text, "reference %s, ", value);
    }
    bool exact = rule->at_least ? limit == 100 : limit == 0;
    print_value(value, rule, &yours->counters.total, limit);
    wb_str_printf(&text, "target %s%g%s, yours %s%s",
                  exact            ? ""
                  : rule->at_least ? "at least "
                                   : "at most ",
                  limit, rule->unit, value, rule->of);
    return text.data;
}

static void decide_counter(struct wb_grader *g, struct wb_criterion_result *out,
                           const struct wb_criterion *criterion)
{
    const struct rule *rule = &rules[criterion->kind];
    const struct wb_measurement *yours = &g->result->measured[criterion->task];
    const struct wb_task_state *state = &g->tasks[criterion->task];
    if (state->reason != WB_REASON_NONE) {
        out->message = wb_arena_strdup(g->arena, "Not graded: the result is not right yet.");
        return;
    }
    if (state->measured_fault != WB_REASON_NONE) {
        out->verdict = WB_FAILED;
        out->reason = state->measured_fault;
        out->message = state->measured_message;
        return;
    }
    if (!has_counters(yours, rule)) {
        out->max_points = 0;
        out->message = wb_arena_printf(g->arena, "Not measured: %s",
                                       yours->measured ? "the device does not give these counters."
                                                       : yours->not_measured);
        return;
    }
    double value;
    bool passed =
        !rule->value(&value, &yours->counters.total) || meets(rule, value, criterion->limit);
    out->verdict = passed ? WB_PASSED : WB_FAILED;
    if (!passed && criterion->kind == WB_MAX_BRANCHES &&
        yours->counters.total.v[WB_METRIC_BRANCH_DIVERGENT] == 0) {
        out->reason = WB_REASON_OVER_BUDGET;
    }
    out->message = compare_text(g->arena, rule, criterion->limit,
                                &g->result->reference[criterion->task], yours);
}

/* ---- all criteria ------------------------------------------------------------------------- */

static void decide_correct(struct wb_grader *g, struct wb_criterion_result *out,
                           const struct wb_criterion *criterion)
{
    const struct wb_task_state *state = &g->tasks[criterion->task];
    out->verdict = state->reason == WB_REASON_NONE ? WB_PASSED : WB_FAILED;
    out->reason = state->reason;
    out->message = state->message;
}

/* A failed counter criterion of a task whose counted launch ran. */
static bool lost_by_counter(const struct wb_grader *g, unsigned criterion)
{
    const struct wb_criterion *c = &g->lesson->criteria[criterion];
    return rules[c->kind].name && g->result->criteria[criterion].verdict == WB_FAILED &&
           g->tasks[c->task].measured_fault == WB_REASON_NONE;
}

/* The lines that points were lost in; each kind once a task. */
static void find_lines(struct wb_grader *g, unsigned task)
{
    bool lost[WB_CRITERION_KIND_COUNT] = {false};
    for (unsigned i = 0; i < g->lesson->criterion_count; i++) {
        const struct wb_criterion *criterion = &g->lesson->criteria[i];
        lost[criterion->kind] |= criterion->task == task && lost_by_counter(g, i);
    }
    if (lost[WB_MAX_BRANCHES]) {
        wb_grader_find_branches(g, task, true);
    } else if (lost[WB_MAX_DIVERGENT] || lost[WB_MIN_BRANCH_EFFICIENCY]) {
        wb_grader_find_branches(g, task, false);
    }
    if (lost[WB_MIN_LANES]) {
        wb_grader_find_lanes(g, task);
    }
}

static void decide(struct wb_grader *g, struct wb_criterion_result *out,
                   const struct wb_criterion *criterion, const struct wb_cubin *cubin)
{
    switch (criterion->kind) {
    case WB_CORRECT:
        decide_correct(g, out, criterion);
        break;
    case WB_ANSWERS:
        wb_grader_answers(g, out, cubin);
        break;
    default:
        decide_counter(g, out, criterion);
        break;
    }
    if (out->verdict == WB_PASSED) {
        out->points = out->max_points;
    } else if (out->verdict == WB_FAILED && out->reason == WB_REASON_NONE) {
        out->reason = failed_reason[criterion->kind];
    }
}

static void decide_verdict(struct wb_grader *g)
{
    struct wb_result *result = g->result;
    bool passed = false;
    for (size_t i = 0; i < result->criterion_count; i++) {
        const struct wb_criterion_result *criterion = &result->criteria[i];
        if (criterion->verdict == WB_FAILED && result->verdict != WB_FAILED) {
            result->verdict = WB_FAILED;
            result->reason = criterion->reason;
        }
        passed |= criterion->verdict == WB_PASSED;
    }
    for (unsigned t = 0; t < g->lesson->task_count && result->verdict != WB_FAILED; t++) {
        if (g->tasks[t].reason != WB_REASON_NONE) { /* a task without a criterion of its own */
            result->verdict = WB_FAILED;
            result->reason = g->tasks[t].reason;
        }
    }
    if (result->verdict == WB_PASSED && !passed) {
        result->verdict = WB_SKIPPED;
        result->message = wb_arena_strdup(g->arena, "Nothing could be graded on this device.");
    }
}

void wb_grader_criteria(struct wb_grader *g, const struct wb_cubin *cubin)
{
    for (unsigned i = 0; i < g->lesson->criterion_count; i++) {
        decide(g, &g->result->criteria[i], &g->lesson->criteria[i], cubin);
    }
    for (unsigned t = 0; t < g->lesson->task_count; t++) {
        find_lines(g, t);
    }
    decide_verdict(g);
}
