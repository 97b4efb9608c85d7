/* SPDX-License-Identifier: MIT
 * Result trees for the tests of reports, each with one thing that reports must get right. To add
 * one: a row in report_trees.c.
 */
#ifndef WARPBOOK_TESTS_REPORT_TREES_H
#define WARPBOOK_TESTS_REPORT_TREES_H

#include <warpbook/report.h>

struct report_tree {
    const char *name;
    void (*make)(struct wb_result *out, struct wb_arena *arena);
};

extern const struct report_tree report_trees[];
extern const size_t report_tree_count;

/* The criteria and limits that the trees were graded with. */
extern const struct wb_lesson report_lesson;

/* Makes the named tree; aborts if there is none. `attempt` replaces its path if not NULL. */
void report_tree_make(struct wb_result *out, struct wb_arena *arena, const char *name,
                      const char *attempt);

/* The file that the trees' findings and counters speak of. */
extern const char report_source[];

#endif
