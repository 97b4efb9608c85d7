/* SPDX-License-Identifier: MIT
 * Numbers of a counted launch against limits. A new one is a row of `rules`, a line in
 * WB_CRITERION_LIST (grade.h), and a function that reads its value.
 */
#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_TEXT = 48 };

#define BIT(metric) (UINT32_C(1) << WB_METRIC_##metric)

/* ---- values --------------------------------------------------------------------------------- */

static double total(const struct wb_measurement *measured, enum wb_metric metric)
{
    return (double)measured->counters.total.v[metric];
}

static bool divergent(double *value, const struct wb_measurement *measured,
                      const struct wb_criterion *criterion)
{
    (void)criterion;
    *value = total(measured, WB_METRIC_BRANCH_DIVERGENT);
    return true;
}

static bool branches(double *value, const struct wb_measurement *measured,
                     const struct wb_criterion *criterion)
{
    (void)criterion;
    *value =
        total(measured, WB_METRIC_BRANCH_UNIFORM) + total(measured, WB_METRIC_BRANCH_DIVERGENT);
    return true;
}

static bool branch_efficiency(double *value, const struct wb_measurement *measured,
                              const struct wb_criterion *criterion)
{
    (void)criterion;
    return wb_branch_efficiency(value, &measured->counters.total);
}

static bool lanes(double *value, const struct wb_measurement *measured,
                  const struct wb_criterion *criterion)
{
    (void)criterion;
    return wb_lanes(value, &measured->counters.total);
}

static bool constant_divergent(double *value, const struct wb_measurement *measured,
                               const struct wb_criterion *criterion)
{
    (void)criterion;
    *value = total(measured, WB_METRIC_IDC_DIVERGENT);
    return true;
}

static bool ratio(double *value, const struct wb_measurement *measured, enum wb_metric metric,
                  enum wb_metric ideal)
{
    double least = total(measured, ideal);
    *value = least > 0 ? total(measured, metric) / least : 0;
    return least > 0;
}

static bool global_ratio(double *value, const struct wb_measurement *measured,
                         const struct wb_criterion *criterion)
{
    (void)criterion;
    return ratio(value, measured, WB_METRIC_GLOBAL_SECTORS, WB_METRIC_GLOBAL_SECTORS_IDEAL);
}

static bool shared_ratio(double *value, const struct wb_measurement *measured,
                         const struct wb_criterion *criterion)
{
    (void)criterion;
    return ratio(value, measured, WB_METRIC_SHARED_WAVEFRONTS, WB_METRIC_SHARED_WAVEFRONTS_IDEAL);
}

static bool global_sectors(double *value, const struct wb_measurement *measured,
                           const struct wb_criterion *criterion)
{
    (void)criterion;
    *value = total(measured, WB_METRIC_GLOBAL_SECTORS);
    return true;
}

static bool local_sectors(double *value, const struct wb_measurement *measured,
                          const struct wb_criterion *criterion)
{
    (void)criterion;
    *value = total(measured, WB_METRIC_LOCAL_SECTORS);
    return true;
}

static bool registers(double *value, const struct wb_measurement *measured,
                      const struct wb_criterion *criterion)
{
    (void)criterion;
    *value = measured->registers;
    return true;
}

static bool shared_bytes(double *value, const struct wb_measurement *measured,
                         const struct wb_criterion *criterion)
{
    (void)criterion;
    *value = (double)measured->static_shared + measured->dynamic_shared;
    return true;
}

/* Is the word one of the list's, which are separated by spaces? */
static bool listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t next = strcspn(at, " ");
        if (next == length && strncmp(at, word, length) == 0) {
            return true;
        }
        at += next;
    }
    return false;
}

bool wb_rule_counts(const struct wb_criterion *criterion, const struct wb_pc_counts *row)
{
    return !criterion->opcodes || (row->opcode && listed(criterion->opcodes, row->opcode));
}

/* Functions that are called have counts in the total only: without names all of it counts. */
static double sum(const struct wb_measurement *measured, const struct wb_criterion *criterion,
                  enum wb_metric metric)
{
    uint64_t count = 0;
    if (!criterion->opcodes) {
        return total(measured, metric);
    }
    for (size_t i = 0; i < measured->counters.pc_count; i++) {
        const struct wb_pc_counts *row = &measured->counters.pcs[i];
        count += wb_rule_counts(criterion, row) ? row->counts.v[metric] : 0;
    }
    return (double)count;
}

static bool executed(double *value, const struct wb_measurement *measured,
                     const struct wb_criterion *criterion)
{
    *value = sum(measured, criterion, WB_METRIC_INST);
    return true;
}

static bool thread_executed(double *value, const struct wb_measurement *measured,
                            const struct wb_criterion *criterion)
{
    *value = sum(measured, criterion, WB_METRIC_THREAD_INST_PRED_ON);
    return true;
}

/* ---- what a line costs ---------------------------------------------------------------------- */

static uint64_t more(const struct wb_pc_counts *row, enum wb_metric metric, enum wb_metric ideal)
{
    uint64_t is = row->counts.v[metric], least = row->counts.v[ideal];
    return is > least ? is - least : 0;
}

static uint64_t global_waste(const struct wb_pc_counts *row)
{
    return more(row, WB_METRIC_GLOBAL_SECTORS, WB_METRIC_GLOBAL_SECTORS_IDEAL);
}

static uint64_t shared_waste(const struct wb_pc_counts *row)
{
    return more(row, WB_METRIC_SHARED_WAVEFRONTS, WB_METRIC_SHARED_WAVEFRONTS_IDEAL);
}

static uint64_t global_cost(const struct wb_pc_counts *row)
{
    return row->counts.v[WB_METRIC_GLOBAL_SECTORS];
}

static uint64_t local_cost(const struct wb_pc_counts *row)
{
    return row->counts.v[WB_METRIC_LOCAL_SECTORS];
}

static uint64_t warp_cost(const struct wb_pc_counts *row)
{
    return row->counts.v[WB_METRIC_INST];
}

static uint64_t thread_cost(const struct wb_pc_counts *row)
{
    return row->counts.v[WB_METRIC_THREAD_INST_PRED_ON];
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct wb_rule rules[WB_CRITERION_KIND_COUNT] = {
    [WB_MAX_DIVERGENT] = {.name = "divergent branches",
                          .needs = BIT(BRANCH_UNIFORM) | BIT(BRANCH_DIVERGENT),
                          .value = divergent},
    [WB_MIN_BRANCH_EFFICIENCY] = {.name = "branch efficiency",
                                  .unit = " %",
                                  .needs = BIT(BRANCH_UNIFORM) | BIT(BRANCH_DIVERGENT),
                                  .value = branch_efficiency,
                                  .at_least = true,
                                  .digits = 2,
                                  .without = "no branch executed"},
    [WB_MAX_BRANCHES] = {.name = "branches executed",
                         .needs = BIT(BRANCH_UNIFORM) | BIT(BRANCH_DIVERGENT),
                         .value = branches},
    [WB_MIN_LANES] = {.name = "busy lanes",
                      .of = " of 32",
                      .needs = BIT(INST) | BIT(THREAD_INST_PRED_ON),
                      .value = lanes,
                      .at_least = true,
                      .digits = 1,
                      .without = "no instruction executed"},
    [WB_MAX_CONSTANT_DIVERGENCE] = {.name = "divergent loads of constants",
                                    .needs = BIT(IDC_DIVERGENT),
                                    .value = constant_divergent},
    [WB_MAX_EXECUTED] = {.reason = WB_REASON_OVER_BUDGET,
                         .name = "executed by warps",
                         .needs = BIT(INST),
                         .value = executed,
                         .cost = warp_cost,
                         .says = "Warps executed %s %s"},
    [WB_MIN_EXECUTED] = {.reason = WB_REASON_OVER_BUDGET,
                         .name = "executed by warps",
                         .needs = BIT(INST),
                         .value = executed,
                         .at_least = true},
    [WB_MAX_THREAD_EXECUTED] = {.reason = WB_REASON_OVER_BUDGET,
                                .name = "executed by threads",
                                .needs = BIT(THREAD_INST_PRED_ON),
                                .value = thread_executed,
                                .cost = thread_cost,
                                .says = "Threads executed %s %s"},
    [WB_MAX_GLOBAL_RATIO] = {.reason = WB_REASON_UNCOALESCED,
                             .name = "sectors of global memory / the least possible",
                             .needs = BIT(GLOBAL_SECTORS) | BIT(GLOBAL_SECTORS_IDEAL),
                             .value = global_ratio,
                             .digits = 2,
                             .without = "no access",
                             .cost = global_waste,
                             .says = "%s sectors of global memory more than needed were moved"},
    [WB_MAX_GLOBAL_SECTORS] = {.reason = WB_REASON_OVER_BUDGET,
                               .name = "sectors of global memory",
                               .needs = BIT(GLOBAL_SECTORS),
                               .value = global_sectors,
                               .cost = global_cost,
                               .says = "%s sectors of global memory were moved"},
    [WB_MAX_SHARED_RATIO] = {.reason = WB_REASON_BANK_CONFLICTS,
                             .name = "wavefronts of shared memory / the least possible",
                             .needs = BIT(SHARED_WAVEFRONTS) | BIT(SHARED_WAVEFRONTS_IDEAL),
                             .value = shared_ratio,
                             .digits = 2,
                             .without = "no access",
                             .cost = shared_waste,
                             .says = "Shared memory took %s wavefronts more than needed"},
    [WB_MAX_LOCAL_SECTORS] = {.reason = WB_REASON_SPILLS,
                              .name = "sectors of local memory",
                              .needs = BIT(LOCAL_SECTORS),
                              .value = local_sectors,
                              .cost = local_cost,
                              .says = "%s sectors of local memory were moved"},
    [WB_MAX_REGISTERS] = {.reason = WB_REASON_OVER_BUDGET,
                          .name = "registers of a thread",
                          .value = registers},
    [WB_MAX_SHARED_BYTES] = {.reason = WB_REASON_OVER_BUDGET,
                             .name = "bytes of shared memory",
                             .value = shared_bytes},
};

const struct wb_rule *wb_rule(enum wb_criterion_kind kind)
{
    return &rules[kind];
}

/* Names of instructions are known where the device's machine code can be read. */
bool wb_rule_counted(const struct wb_rule *rule, const struct wb_measurement *measured,
                     const struct wb_criterion *criterion)
{
    const struct wb_counters *counters = &measured->counters;
    bool named = !criterion->opcodes || (counters->pc_count && counters->pcs[0].opcode);
    return measured->measured && (counters->present & rule->needs) == rule->needs && named;
}

bool wb_rule_meets(const struct wb_rule *rule, double value, double limit)
{
    return rule->at_least ? value >= limit - 1e-9 : value <= limit + (rule->digits ? 1e-9 : 0);
}

/* ---- words ---------------------------------------------------------------------------------- */

/* With more digits where rounding would hide that the limit is missed: 29.98, not 30.0. */
static const char *value_text(struct wb_arena *arena, const struct wb_rule *rule,
                              const struct wb_measurement *measured,
                              const struct wb_criterion *criterion)
{
    double value;
    const double limit = criterion->limit;
    if (!rule->value(&value, measured, criterion)) {
        return rule->without;
    }
    if (rule->digits == 0) {
        return wb_count_text(arena, (uint64_t)value);
    }
    char text[VALUE_TEXT];
    int digits = rule->digits;
    do {
        snprintf(text, sizeof text, "%.*f", digits, value);
    } while (wb_rule_meets(rule, strtod(text, NULL), limit) != wb_rule_meets(rule, value, limit) &&
             digits++ < 12);
    return wb_arena_printf(arena, "%s%s", text, rule->unit ? rule->unit : "");
}

static const char *limit_text(struct wb_arena *arena, const struct wb_rule *rule, double limit)
{
    return rule->digits ? wb_arena_printf(arena, "%g%s", limit, rule->unit ? rule->unit : "")
                        : wb_count_text(arena, (uint64_t)limit);
}

char *wb_rule_text(struct wb_arena *arena, const struct wb_rule *rule,
                   const struct wb_criterion *criterion, const struct wb_measurement *reference,
                   const struct wb_measurement *yours)
{
    struct wb_str text;
    wb_str_init(&text, arena);
    wb_str_printf(&text, "%s%s%s: ", criterion->counted ? criterion->counted : "",
                  criterion->counted ? " " : "", rule->name);
    if (wb_rule_counted(rule, reference, criterion)) {
        wb_str_printf(&text, "reference %s, ", value_text(arena, rule, reference, criterion));
    }
    bool exact = rule->at_least ? criterion->limit == 100 : criterion->limit == 0;
    wb_str_printf(&text, "target %s%s, yours %s%s",
                  exact            ? ""
                  : rule->at_least ? "at least "
                                   : "at most ",
                  limit_text(arena, rule, criterion->limit),
                  value_text(arena, rule, yours, criterion), rule->of ? rule->of : "");
    return text.data;
}
