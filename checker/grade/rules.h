/* SPDX-License-Identifier: MIT
 * rules: the criteria that hold a number of the counted launch against a limit. One row a kind.
 */
#ifndef WARPBOOK_GRADE_RULES_H
#define WARPBOOK_GRADE_RULES_H

#include <warpbook/grade.h>

struct wb_rule {
    const char *name, *unit, *of; /* `of` follows the attempt's value; name NULL: no such rule */
    uint32_t needs;               /* bits of metrics */
    /* False: there is none, which is full marks. */
    bool (*value)(double *value, const struct wb_measurement *measured,
                  const struct wb_criterion *criterion);
    bool at_least;         /* the limit is a lower one */
    int digits;            /* after the point */
    const char *without;   /* said where there is no value */
    enum wb_reason reason; /* of the finding; NONE: lines.c has words of its own for this kind */
    /* What an instruction or a line adds to a missed limit, and the sentence's beginning that tells
     * it, with a %s for the count. NULL: no line is to blame. */
    uint64_t (*cost)(const struct wb_pc_counts *row);
    const char *says;
};

/* The kind's row; its name is NULL if the kind is decided otherwise. */
const struct wb_rule *wb_rule(enum wb_criterion_kind kind);
/* Whether the device gave what the rule needs. */
bool wb_rule_counted(const struct wb_rule *rule, const struct wb_measurement *measured,
                     const struct wb_criterion *criterion);
bool wb_rule_meets(const struct wb_rule *rule, double value, double limit);
/* "lanes: reference 19.5, target at least 28, yours 30.6 of 32" */
char *wb_rule_text(struct wb_arena *arena, const struct wb_rule *rule,
                   const struct wb_criterion *criterion, const struct wb_measurement *reference,
                   const struct wb_measurement *yours);
/* Whether an instruction is one of those that the criterion counts. */
bool wb_rule_counts(const struct wb_criterion *criterion, const struct wb_pc_counts *row);

#endif
