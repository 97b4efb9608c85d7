/* SPDX-License-Identifier: MIT
 * Telling a broken tool chain or machine from a mistake in the learner's file.
 */
#ifndef WB_BUILD_TOOL_H
#define WB_BUILD_TOOL_H

#include <warpbook/build.h>

/* True, and a status for the user, if a line of the output speaks of nvcc's own trouble. Lines
 * that start with `source` quote the learner and are not believed. */
bool wb_tool_has_problem(struct wb_status *status, struct wb_arena *arena, const char *output,
                         const char *source, const struct wb_toolchain *toolchain);

#endif
