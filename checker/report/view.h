/* SPDX-License-Identifier: MIT
 * view: what reports for people derive from a result tree, in words: the comparison of reference,
 * target and attempt, the device line, the next step, lines of the learner's file. Terminal and
 * HTML both render this, so they cannot disagree. Private to report.
 */
#ifndef WARPBOOK_REPORT_VIEW_H
#define WARPBOOK_REPORT_VIEW_H

#include <warpbook/report.h>

/* How a target is meant. */
enum wb_bound { WB_BOUND_AT_LEAST, WB_BOUND_AT_MOST, WB_BOUND_EXACT };

/* One number of a measurement. */
struct wb_view_value {
    char *text;   /* "87.50 %"; "no branch"; "not measured" */
    bool known;   /* `share` means something */
    double share; /* of the full bar, 0 to 1 */
};

struct wb_view_row {
    const char *label;                  /* "branch efficiency" */
    struct wb_view_value reference;     /* text NULL: there is no reference */
    struct wb_view_value target, yours; /* target.text NULL: the lesson sets none */
    enum wb_bound bound;                /* of the target */
    enum wb_verdict verdict;            /* of the criterion with that target; SKIPPED if none */
};

struct wb_view_table {
    const char *kernel;
    struct wb_view_row *rows;
    size_t row_count; /* 0: nothing was measured */
    bool has_reference, has_target;
    const char *not_measured; /* the sentence, or NULL */
};

struct wb_view {
    const struct wb_result *result;
    char *heading;                /* "Lesson 07: Warp-aligned branch" */
    char *points;                 /* "40 of 100 points" */
    char *device;                 /* "measured: NVIDIA H200, CUPTI"; NULL if there was none */
    const char *next;             /* one next step, or NULL */
    struct wb_view_table *tables; /* one per task of which there is something to say */
    size_t table_count;
    char **lines; /* of the attempt's file; NULL if it cannot be read */
    size_t line_count;
};

extern const char *const wb_verdict_title[]; /* "PASSED" ... "NOT STARTED" */

void wb_view_init(struct wb_view *view, struct wb_arena *arena, const struct wb_result *result,
                  const struct wb_report_options *options);
/* True if the two findings say the same but for their message: one heading or advice serves both.
 */
bool wb_view_same_place(const struct wb_finding *a, const struct wb_finding *b);
bool wb_view_same_advice(const struct wb_finding *a, const struct wb_finding *b);
/* The kernel or function to name beside a finding: NULL where the lesson has only one. */
const char *wb_view_task(const struct wb_view *view, const struct wb_finding *finding);
/* "12.5", "40": points without needless digits. */
char *wb_view_points(struct wb_arena *arena, double points);
/* True if `file`, as a compiler or a device names it, is the attempt, whose lines may be quoted. No
 * other file is ever quoted: the learner's #line directives choose these names. */
bool wb_view_is_attempt(const struct wb_view *view, const char *file);

#endif
