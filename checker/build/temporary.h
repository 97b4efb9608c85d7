/* SPDX-License-Identifier: MIT
 * A private folder for the compiler's files.
 */
#ifndef WB_BUILD_TEMPORARY_H
#define WB_BUILD_TEMPORARY_H

#include <warpbook/base.h>

/* Makes a folder in TMPDIR, else /tmp, and removes those that killed processes left; NULL and IO
 * when neither can be written. */
char *wb_temporary_make(struct wb_arena *arena, struct wb_status *status);
/* Removes the folder and what is in it. */
void wb_temporary_remove(const char *path);

#endif
