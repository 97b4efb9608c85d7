/* SPDX-License-Identifier: MIT
 * How far a counted number is from its limit: for authors, who choose limits.
 */
#include "rules.h"

#include <math.h>

bool wb_criterion_room(double *room, const struct wb_criterion *criterion,
                       const struct wb_measurement *measured)
{
    const struct wb_rule *rule = wb_rule(criterion->kind);
    double value;
    if (!rule->name || criterion->limit == 0 || !wb_rule_counted(rule, measured, criterion) ||
        !rule->value(&value, measured, criterion)) {
        return false;
    }
    double over = (value - criterion->limit) / fabs(criterion->limit);
    *room = rule->at_least ? over : -over;
    return true;
}

bool wb_criterion_counts(const struct wb_criterion *criterion)
{
    return wb_rule(criterion->kind)->name != NULL;
}
