/* SPDX-License-Identifier: MIT
 * wb_build with the limits as an argument, so that a test need not wait for a minute.
 */
#ifndef WB_BUILD_JOB_H
#define WB_BUILD_JOB_H

#include <warpbook/build.h>
#include <warpbook/proc.h>

bool wb_build_all(struct wb_build_result *results, const struct wb_build_request *requests,
                  size_t count, const struct wb_toolchain *toolchain, const char *cache_dir,
                  const struct wb_limits *limits, struct wb_arena *arena, struct wb_status *status);

#endif
