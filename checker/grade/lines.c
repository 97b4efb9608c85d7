/* SPDX-License-Identifier: MIT
 * Which lines of the learner's file lost points. Instructions that a library function or a header
 * brought in count for the learner's line before them, and the finding says so.
 */
#include "grader.h"

#include <stdlib.h>

enum { SHOWN_LANE_LINES = 3, SHOWN_BRANCH_LINES = 8 };

/* Files of the list that owned_lines returns: its own two strings, compared by address. */
static const char own[] = "own", library[] = "library";

/* Counts by line of the attempt; file is `own` or `library`. Lines that have no line of the
 * attempt before them have line 0. */
static struct wb_pc_counts *owned_lines(size_t *count, const struct wb_grader *g, unsigned task)
{
    const struct wb_counters *counters = &g->result->measured[task].counters;
    struct wb_counters owned = *counters;
    unsigned line = 0;
    owned.pcs = wb_arena_copy(g->arena, counters->pcs, counters->pc_count * sizeof *owned.pcs);
    for (size_t i = 0; i < owned.pc_count; i++) {
        struct wb_pc_counts *pc = &owned.pcs[i];
        bool is_own = pc->line && wb_grader_own_file(g, pc->file);
        line = is_own ? pc->line : line;
        pc->line = line;
        pc->file = is_own ? own : library;
    }
    return wb_counters_by_line(g->arena, count, &owned);
}

/* Ends a sentence: whose code it is, if not the learner's. */
static const char *place(const struct wb_pc_counts *line)
{
    if (line->file == own) {
        return "";
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

static int by_divergent(const void *a, const void *b)
{
    const struct wb_pc_counts *x = a, *y = b;
    int order = (divergent(y) > divergent(x)) - (divergent(y) < divergent(x));
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static unsigned long long lost_lanes(const struct wb_pc_counts *line)
{
    uint64_t slots = 32 * line->counts.v[WB_METRIC_INST];
    uint64_t used = line->counts.v[WB_METRIC_THREAD_INST_PRED_ON];
    return slots > used ? slots - used : 0;
}

static int by_lost_lanes(const void *a, const void *b)
{
    const struct wb_pc_counts *x = a, *y = b;
    int order = (lost_lanes(y) > lost_lanes(x)) - (lost_lanes(y) < lost_lanes(x));
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void sort(struct wb_pc_counts *lines, size_t count,
                 int (*compare)(const void *, const void *))
{
    if (count) {
        qsort(lines, count, sizeof *lines, compare);
    }
}

static void find_branches_of(struct wb_grader *g, const struct wb_pc_counts *line)
{
    unsigned long long split = divergent(line), all = split + uniform(line);
    if (split) {
        wb_grader_find(g, WB_REASON_DIVERGENT_BRANCHES, g->options->attempt, line->line, NULL,
                       "%llu of %llu branch decisions split the warp%s.", split, all, place(line));
    } else {
        wb_grader_find(g, WB_REASON_OVER_BUDGET, g->options->attempt, line->line,
                       "Look for a division, a loop or an `if` in this line, and do without it.",
                       "%llu branch decisions were made%s; they split no warp, but the lesson asks "
                       "for none.",
                       all, place(line));
    }
}

void wb_grader_find_branches(struct wb_grader *g, unsigned task, bool uniform_too)
{
    size_t count, shown = 0;
    struct wb_pc_counts *lines = owned_lines(&count, g, task);
    sort(lines, count, by_divergent);
    for (size_t i = 0; i < count && shown < SHOWN_BRANCH_LINES; i++) {
        if (divergent(&lines[i]) || (uniform_too && uniform(&lines[i]))) {
            find_branches_of(g, &lines[i]);
            shown++;
        }
    }
}

void wb_grader_find_lanes(struct wb_grader *g, unsigned task)
{
    size_t count;
    struct wb_pc_counts *lines = owned_lines(&count, g, task);
    unsigned long long all = 0;
    for (size_t i = 0; i < count; i++) {
        all += lost_lanes(&lines[i]);
    }
    sort(lines, count, by_lost_lanes);
    for (size_t i = 0; i < count && i < SHOWN_LANE_LINES; i++) {
        unsigned long long lost = lost_lanes(&lines[i]);
        if (lost == 0 || lost < all / 10) {
            return; /* a guard's few lanes are not worth a line */
        }
        double lanes = 0;
        wb_lanes(&lanes, &lines[i].counts);
        wb_grader_find(g, WB_REASON_LOW_LANE_EFFICIENCY, g->options->attempt, lines[i].line, NULL,
                       "On average only %.1f of 32 lanes worked%s; lanes sat idle %llu times.",
                       lanes, place(&lines[i]), lost);
    }
}
