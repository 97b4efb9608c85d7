/* SPDX-License-Identifier: MIT
 * Criteria: verdict, points and a message for each. Those that hold a counter against a limit are
 * rows of a table in rules.c.
 */
#include "grader.h"

#include "rules.h"

#include <string.h>

static const enum wb_reason failed_reason[WB_CRITERION_KIND_COUNT] = {
#define X(name, reason) [WB_##name] = WB_REASON_##reason,
    WB_CRITERION_LIST(X)
#undef X
};

/* ---- counters against limits -------------------------------------------------------------- */

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
    const struct wb_rule *rule = wb_rule(criterion->kind);
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
    if (!wb_rule_counted(rule, yours, criterion)) {
        out->max_points = 0;
        out->message = wb_arena_printf(g->arena, "Not measured: %s",
                                       yours->measured ? "the device does not give these counters."
                                       : yours->not_measured ? yours->not_measured
                                                             : "the lesson does not count here.");
        return;
    }
    double value;
    bool passed =
        !rule->value(&value, yours, criterion) || wb_rule_meets(rule, value, criterion->limit);
    out->verdict = passed ? WB_PASSED : WB_FAILED;
    if (!passed && criterion->kind == WB_MAX_BRANCHES &&
        yours->counters.total.v[WB_METRIC_BRANCH_DIVERGENT] == 0) {
        out->reason = WB_REASON_OVER_BUDGET;
    }
    out->message =
        wb_rule_text(g->arena, rule, criterion, &g->result->reference[criterion->task], yours);
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
    return wb_rule(c->kind)->name && g->result->criteria[criterion].verdict == WB_FAILED &&
           g->tasks[c->task].measured_fault == WB_REASON_NONE;
}

static void find_costs(struct wb_grader *g, unsigned task)
{
    for (unsigned i = 0; i < g->lesson->criterion_count; i++) {
        const struct wb_criterion *criterion = &g->lesson->criteria[i];
        if (criterion->task == task && lost_by_counter(g, i) &&
            wb_rule(criterion->kind)->reason != WB_REASON_NONE) {
            wb_grader_find_cost(g, criterion);
        }
    }
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
    find_costs(g, task); /* often they only follow from the above */
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
