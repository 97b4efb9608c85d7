/* SPDX-License-Identifier: MIT
 * Which lines of the learner's file lost points. Instructions that a library function or a header
 * brought in count for the learner's line before them, and the finding says so.
 */
#include "grader.h"
#include "rules.h"

#include <stdlib.h>

enum { SHOWN_LANE_LINES = 3, SHOWN_BRANCH_LINES = 8 };

/* Files of the list that owned_lines returns: its own two strings, compared by address. */
static const char own[] = "own", library[] = "library";

/* The EXIT of a bounds guard: each warp meets it at most once, and fewer than one lane of a warp
 * takes it. The lanes that sit it out are those that have an element. */
static bool is_guard(const struct wb_pc_counts *pc, const struct wb_measurement *measured)
{
    const struct wb_dim3 grid = measured->grid, block = measured->block;
    uint64_t warps = (uint64_t)grid.x * grid.y * grid.z * ((block.x * block.y * block.z + 31) / 32);
    uint64_t executed = pc->counts.v[WB_METRIC_INST];
    return executed <= warps && pc->counts.v[WB_METRIC_THREAD_INST_PRED_ON] < executed;
}

/* Counts by line of the attempt, of the instructions that the criterion counts; file is `own` or
 * `library`. Lines that have no line of the attempt before them have line 0. */
static struct wb_pc_counts *owned_lines(size_t *count, const struct wb_grader *g,
                                        const struct wb_criterion *criterion, bool guards)
{
    const struct wb_measurement *measured = &g->result->measured[criterion->task];
    struct wb_counters owned = measured->counters;
    unsigned line = 0;
    size_t kept = 0;
    owned.pcs = wb_arena_copy(g->arena, owned.pcs, owned.pc_count * sizeof *owned.pcs);
    for (size_t i = 0; i < owned.pc_count; i++) {
        struct wb_pc_counts pc = owned.pcs[i];
        bool is_own = pc.line && wb_grader_own_file(g, pc.file);
        line = is_own ? pc.line : line;
        pc.line = line;
        pc.file = is_own ? own : library;
        if (wb_rule_counts(criterion, &pc) && (guards || !is_guard(&pc, measured))) {
            owned.pcs[kept++] = pc;
        }
    }
    owned.pc_count = kept;
    return wb_counters_by_line(g->arena, count, &owned);
}

/* Where it was: the compiler's line information is not exact, and some code is a library's. */
static const char *place(const struct wb_pc_counts *line)
{
    if (line->file == own) {
        return " at or near this line";
    }
    return line->line ? " in a library function that is used near this line"
                      : " in a library function";
}

static uint64_t uniform(const struct wb_pc_counts *line)
{
    return line->counts.v[WB_METRIC_BRANCH_UNIFORM];
}

static uint64_t divergent(const struct wb_pc_counts *line)
{
    return line->counts.v[WB_METRIC_BRANCH_DIVERGENT];
}

static uint64_t lost_lanes(const struct wb_counts *counts)
{
    uint64_t slots = 32 * counts->v[WB_METRIC_INST];
    uint64_t used = counts->v[WB_METRIC_THREAD_INST_PRED_ON];
    return slots > used ? slots - used : 0;
}

/* Orders from the larger to the smaller. */
static int by_size(uint64_t a, uint64_t b)
{
    return (b > a) - (b < a);
}

static int by_branches(const void *a, const void *b)
{
    const struct wb_pc_counts *x = a, *y = b;
    int order = by_size(divergent(x), divergent(y));
    order = order ? order : by_size(uniform(x), uniform(y));
    return order ? order : by_size(y->line, x->line);
}

static int by_lost_lanes(const void *a, const void *b)
{
    const struct wb_pc_counts *x = a, *y = b;
    int order = by_size(lost_lanes(&x->counts), lost_lanes(&y->counts));
    return order ? order : by_size(y->line, x->line);
}

static void sort(struct wb_pc_counts *lines, size_t count,
                 int (*compare)(const void *, const void *))
{
    if (count) {
        qsort(lines, count, sizeof *lines, compare);
    }
}

/* NULL: the reason's own. */
static const char *branch_advice(const struct wb_criterion *criterion,
                                 const struct wb_pc_counts *line)
{
    if (criterion->advice) {
        return criterion->advice;
    }
    if (criterion->kind == WB_MAX_BRANCHES) {
        return "Look for a division, a loop or an `if` at or near this line, and do without it.";
    }
    if (10 * divergent(line) < divergent(line) + uniform(line)) {
        return "Only few warps split here: find out what is special about their elements or their "
               "place.";
    }
    return NULL;
}

static void find_branches_of(struct wb_grader *g, const struct wb_criterion *criterion,
                             const struct wb_pc_counts *line)
{
    uint64_t split = divergent(line);
    const char *advice = branch_advice(criterion, line), *file = g->options->attempt;
    const char *all = wb_count_text(g->arena, split + uniform(line));
    if (split) {
        wb_grader_find(g, WB_REASON_DIVERGENT_BRANCHES, file, line->line, advice,
                       "%s of %s branch decisions%s split the warp.",
                       wb_count_text(g->arena, split), all, place(line));
    } else {
        wb_grader_find(g, WB_REASON_OVER_BUDGET, file, line->line, advice,
                       "%s branch decisions were made%s; they split no warp, but the lesson allows "
                       "%s.",
                       all, place(line),
                       criterion->limit > 0
                           ? wb_arena_printf(g->arena, "only %g in all", criterion->limit)
                           : "none");
    }
}

void wb_grader_find_branches(struct wb_grader *g, const struct wb_criterion *criterion)
{
    const bool uniform_too = criterion->kind == WB_MAX_BRANCHES;
    size_t count, shown = 0;
    struct wb_pc_counts *lines = owned_lines(&count, g, criterion, true);
    sort(lines, count, by_branches);
    for (size_t i = 0; i < count && shown < SHOWN_BRANCH_LINES; i++) {
        if (divergent(&lines[i]) || (uniform_too && uniform(&lines[i]))) {
            find_branches_of(g, criterion, &lines[i]);
            shown++;
        }
    }
}

static int by_replays(const void *a, const void *b)
{
    const struct wb_pc_counts *x = a, *y = b;
    int order = by_size(x->counts.v[WB_METRIC_IDC_REPLAYS], y->counts.v[WB_METRIC_IDC_REPLAYS]);
    return order ? order : by_size(y->line, x->line);
}

void wb_grader_find_constants(struct wb_grader *g, const struct wb_criterion *criterion)
{
    size_t count, shown = 0;
    const struct wb_counts *total = &g->result->measured[criterion->task].counters.total;
    struct wb_pc_counts *lines = owned_lines(&count, g, criterion, true);
    sort(lines, count, by_replays);
    for (size_t i = 0; i < count && shown < SHOWN_LANE_LINES; i++) {
        uint64_t loads = lines[i].counts.v[WB_METRIC_IDC_DIVERGENT];
        if (loads) {
            wb_grader_find(g, WB_REASON_CONSTANT_DIVERGENCE, g->options->attempt, lines[i].line,
                           criterion->advice,
                           "%s loads of constants%s named several addresses in one warp and were "
                           "repeated %s times.",
                           wb_count_text(g->arena, loads), place(&lines[i]),
                           wb_count_text(g->arena, lines[i].counts.v[WB_METRIC_IDC_REPLAYS]));
            shown++;
        }
    }
    if (shown == 0) {
        wb_grader_find(g, WB_REASON_CONSTANT_DIVERGENCE, g->options->attempt, 0, criterion->advice,
                       "%s loads of constants named several addresses in one warp.",
                       wb_count_text(g->arena, total->v[WB_METRIC_IDC_DIVERGENT]));
    }
}

/* ---- anything else that is counted ---------------------------------------------------------- */

/* Instructions that the criterion does not count are taken out, then lines are sorted by cost. */
static struct wb_pc_counts *costly_lines(size_t *count, struct wb_grader *g,
                                         const struct wb_criterion *criterion)
{
    const struct wb_rule *rule = wb_rule(criterion->kind);
    struct wb_pc_counts *lines = owned_lines(count, g, criterion, true);
    for (size_t i = 1; i < *count; i++) { /* few lines: put each in its place */
        struct wb_pc_counts line = lines[i];
        size_t to = i;
        for (; to > 0 && rule->cost(&lines[to - 1]) < rule->cost(&line); to--) {
            lines[to] = lines[to - 1];
        }
        lines[to] = line;
    }
    return lines;
}

void wb_grader_find_cost(struct wb_grader *g, const struct wb_criterion *criterion)
{
    const struct wb_rule *rule = wb_rule(criterion->kind);
    const enum wb_reason reason = rule->reason;
    const char *counted = criterion->counted ? criterion->counted : "instructions";
    size_t count = 0, shown = 0;
    const struct wb_pc_counts *lines = rule->cost ? costly_lines(&count, g, criterion) : NULL;
    for (; shown < count && shown < SHOWN_LANE_LINES && rule->cost(&lines[shown]); shown++) {
        const char *cost = wb_count_text(g->arena, rule->cost(&lines[shown]));
        char *text = wb_arena_printf(g->arena, rule->says, cost, counted);
        wb_grader_find(g, reason, g->options->attempt, lines[shown].line, criterion->advice,
                       "%s%s.", text, place(&lines[shown]));
    }
    if (shown == 0) {
        wb_grader_find(g, reason, g->options->attempt, 0, criterion->advice, "%s.",
                       wb_rule_text(g->arena, rule, criterion,
                                    &g->result->reference[criterion->task],
                                    &g->result->measured[criterion->task]));
    }
}

/* False if no line is worth naming: each lost less than a tenth of what is lost in all. */
static bool find_lanes(struct wb_grader *g, const struct wb_criterion *criterion, bool guards)
{
    const struct wb_counts *total = &g->result->measured[criterion->task].counters.total;
    size_t count, shown = 0;
    struct wb_pc_counts *lines = owned_lines(&count, g, criterion, guards);
    sort(lines, count, by_lost_lanes);
    for (; shown < count && shown < SHOWN_LANE_LINES; shown++) {
        const struct wb_pc_counts *line = &lines[shown];
        uint64_t lost = lost_lanes(&line->counts);
        if (lost == 0 || lost < lost_lanes(total) / 10) {
            break;
        }
        double lanes = 0;
        wb_lanes(&lanes, &line->counts);
        wb_grader_find(g, WB_REASON_LOW_LANE_EFFICIENCY, g->options->attempt, line->line,
                       criterion->advice,
                       "On average only %.1f of 32 lanes worked%s; lanes sat idle %s times.", lanes,
                       place(line), wb_count_text(g->arena, lost));
    }
    return shown > 0;
}

void wb_grader_find_lanes(struct wb_grader *g, const struct wb_criterion *criterion)
{
    if (!find_lanes(g, criterion, false)) {
        find_lanes(g, criterion, true); /* a guard is not to blame, unless nothing else is */
    }
}
