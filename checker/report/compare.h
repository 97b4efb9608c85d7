/* SPDX-License-Identifier: MIT
 * compare: fills the tables of a view. Private to report.
 */
#ifndef WARPBOOK_REPORT_COMPARE_H
#define WARPBOOK_REPORT_COMPARE_H

#include "view.h"

/* `lesson` names the targets; it may be NULL. */
void wb_view_compare(struct wb_view *view, struct wb_arena *arena, const struct wb_lesson *lesson);

#endif
