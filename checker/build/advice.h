/* SPDX-License-Identifier: MIT
 * The first error in our words: where it really is, what it means, and one next step.
 */
#ifndef WB_BUILD_ADVICE_H
#define WB_BUILD_ADVICE_H

#include "diagnostics.h"
#include "source.h"

/* Sets summary, advice and summary_line of the result. There must be a first error. */
void wb_advice_give(struct wb_build_result *result, struct wb_arena *arena,
                    const struct wb_diagnostics *diagnostics, const struct wb_source *source);

#endif
