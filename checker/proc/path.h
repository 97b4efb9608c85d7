/* SPDX-License-Identifier: MIT
 * The environment of a child.
 */
#ifndef WB_PROC_PATH_H
#define WB_PROC_PATH_H

#include <warpbook/base.h>

/* Our own environment with `extra` ("NAME=value", NULL-terminated, may be NULL) in place of or
 * added to it. */
char **wb_environment_with(struct wb_arena *arena, const char *const *extra);

#endif
