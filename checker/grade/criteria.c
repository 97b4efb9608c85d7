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

static bool constant_divergent(double *value, const struct wb_counts *counts)
{
    *value = (double)counts->v[WB_METRIC_IDC_DIVERGENT];
    return true;
}

static const uint32_t constant_metrics = 1u << WB_METRIC_IDC_DIVERGENT;
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
    [WB_MIN_LANES] = {"busy lanes", "", " of 32", &lane_metrics, wb_lanes, true, 1,
                      "no instruction executed"},
    [WB_MAX_CONSTANT_DIVERGENCE] = {"divergent loads of constants", "", "", &constant_metrics,
                                    constant_divergent, false, 0, ""},
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
static const char *value_text(struct wb_arena *arena, const struct rule *rule,
                              const struct wb_counts *counts, double limit)
{
    double value;
    if (!rule->value(&value, counts)) {
        return rule->without;
    }
    if (rule->digits == 0) {
        return wb_count_text(arena, (uint64_t)value);
    }
    char text[VALUE_TEXT];
    int digits = rule->digits;
    do {
        snprintf(text, sizeof text, "%.*f", digits, value);
    } while (meets(rule, strtod(text, NULL), limit) != meets(rule, value, limit) && digits++ < 12);
    return wb_arena_printf(arena, "%s%s", text, rule->unit);
}

static const char *limit_text(struct wb_arena *arena, const struct rule *rule, double limit)
{
    return rule->digits ? wb_arena_printf(arena, "%g%s", limit, rule->unit)
                        : wb_count_text(arena, (uint64_t)limit);
}

static char *compare_text(struct wb_arena *arena, const struct rule *rule, double limit,
                          const struct wb_measurement *reference,
                          const struct wb_measurement *yours)
{
    struct wb_str text;
    wb_str_init(&text, arena);
    wb_str_printf(&text, "%s: ", rule->name);
    if (has_counters(reference, rule)) {
        wb_str_printf(&text, "reference %s, ",
                      value_text(arena, rule, &reference->counters.total, limit));
    }
    bool exact = rule->at_least ? limit == 100 : limit == 0;
    wb_str_printf(&text, "target %s%s, yours %s%s",
                  exact            ? ""
                  : rule->at_least ? "at least "
                                   : "at most ",
                  limit_text(arena, rule, limit),
                  value_text(arena, rule, &yours->counters.total, limit), rule->of);
    return text.data;
}

/* A variable of the task that lies elsewhere than in constant memory, where no load diverges. */
static const char *outside_constants(const struct wb_task *task, const struct wb_cubin *cubin)
{
    for (unsigned p = 0; p < task->param_count; p++) {
        const struct wb_param *param = &task->params[p];
        for (size_t i = 0; param->kind == WB_PARAM_SYMBOL && i < cubin->variable_count; i++) {
            const struct wb_variable *variable = &cubin->variables[i];
            if (variable->bank < 0 && strcmp(variable->name, param->name) == 0) {
                return param->name;
            }
        }
    }
    return NULL;
}

static bool decide_constants(struct wb_grader *g, struct wb_criterion_result *out,
                             const struct wb_criterion *criterion, const struct wb_cubin *cubin)
{
    const char *name = outside_constants(&g->lesson->tasks[criterion->task], cubin);
    if (!name || g->tasks[criterion->task].reason != WB_REASON_NONE) {
        return false;
    }
    out->verdict = WB_FAILED;
    out->message = wb_arena_printf(g->arena, "`%s` does not lie in constant memory.", name);
    wb_grader_find(g, WB_REASON_CONSTANT_DIVERGENCE, g->options->attempt, 0,
                   "Declare it with `__constant__` instead of `__device__`.", "%s", out->message);
    return true;
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
                                       : yours->not_measured ? yours->not_measured
                                                             : "the lesson does not count here.");
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

/* What the trials of a host function found. */
static void decide_trial(struct wb_grader *g, struct wb_criterion_result *out,
                         const struct wb_criterion *criterion)
{
    const struct wb_task_state *state = &g->tasks[criterion->task];
    const struct wb_trial *trial = &state->trials[criterion->kind];
    if (state->reason != WB_REASON_NONE) {
        out->message = wb_arena_strdup(g->arena, "Not graded: the result is not right yet.");
        return;
    }
    out->verdict = trial->reason == WB_REASON_NONE ? WB_PASSED : WB_FAILED;
    out->reason = trial->reason;
    out->message = trial->message;
}

/* A failed counter criterion of a task whose counted launch ran. */
static bool lost_by_counter(const struct wb_grader *g, unsigned criterion)
{
    const struct wb_criterion *c = &g->lesson->criteria[criterion];
    return rules[c->kind].name && g->result->criteria[criterion].verdict == WB_FAILED &&
           g->tasks[c->task].measured_fault == WB_REASON_NONE;
}

/* The lines that points were lost in; each kind once a task, branches only by the first. */
static void find_lines(struct wb_grader *g, unsigned task)
{
    static const enum wb_criterion_kind branch_kinds[] = {WB_MAX_BRANCHES, WB_MAX_DIVERGENT,
                                                          WB_MIN_BRANCH_EFFICIENCY};
    const struct wb_criterion *lost[WB_CRITERION_KIND_COUNT] = {NULL};
    g->task = &g->lesson->tasks[task];
    for (unsigned i = 0; i < g->lesson->criterion_count; i++) {
        const struct wb_criterion *criterion = &g->lesson->criteria[i];
        if (criterion->task == task && lost_by_counter(g, i)) {
            lost[criterion->kind] = criterion;
        }
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(branch_kinds); i++) {
        if (lost[branch_kinds[i]]) {
            wb_grader_find_branches(g, lost[branch_kinds[i]]);
            break;
        }
    }
    if (lost[WB_MIN_LANES]) {
        wb_grader_find_lanes(g, lost[WB_MIN_LANES]);
    }
    if (lost[WB_MAX_CONSTANT_DIVERGENCE]) {
        wb_grader_find_constants(g, lost[WB_MAX_CONSTANT_DIVERGENCE]);
    }
}

static void decide(struct wb_grader *g, struct wb_criterion_result *out,
                   const struct wb_criterion *criterion, const struct wb_cubin *cubin)
{
    g->task = criterion->kind == WB_ANSWERS ? NULL : &g->lesson->tasks[criterion->task];
    switch (criterion->kind) {
    case WB_CORRECT:
        decide_correct(g, out, criterion);
        break;
    case WB_ANSWERS:
        wb_grader_answers(g, out, cubin);
        break;
    case WB_ON_DEVICE:
    case WB_NO_LEAK:
    case WB_ERRORS_RETURNED:
        decide_trial(g, out, criterion);
        break;
    case WB_MAX_CONSTANT_DIVERGENCE:
        if (!decide_constants(g, out, criterion, cubin)) {
            decide_counter(g, out, criterion);
        }
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

/* All criteria that are (or are not) the answers to the questions. */
static void decide_all(struct wb_grader *g, const struct wb_cubin *cubin, bool answers)
{
    for (unsigned i = 0; i < g->lesson->criterion_count; i++) {
        const struct wb_criterion *criterion = &g->lesson->criteria[i];
        if ((criterion->kind == WB_ANSWERS) == answers) {
            decide(g, &g->result->criteria[i], criterion, cubin);
        }
    }
}

void wb_grader_criteria(struct wb_grader *g, const struct wb_cubin *cubin)
{
    decide_all(g, cubin, false);
    for (unsigned t = 0; t < g->lesson->task_count; t++) {
        find_lines(g, t);
    }
    decide_all(g, cubin, true); /* what is found about answers stands last */
    decide_verdict(g);
}
