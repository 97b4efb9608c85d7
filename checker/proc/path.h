/* SPDX-License-Identifier: MIT
 * The environment of a child.
 */
#ifndef WB_PROC_PATH_H
#define WB_PROC_PATH_H

#include <warpbook/base.h>

/* Our own environment with the changes `extra`, as in struct wb_proc_spec. */
char **wb_environment_with(struct wb_arena *arena, const char *const *extra);

#endif
