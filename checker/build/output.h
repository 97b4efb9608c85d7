/* SPDX-License-Identifier: MIT
 * What nvcc printed, made fit to be stored, shown and parsed.
 */
#ifndef WB_BUILD_OUTPUT_H
#define WB_BUILD_OUTPUT_H

#include <warpbook/base.h>

/* Clean text of any bytes: control characters and what is not UTF-8 become '?'. Names of files in
 * the temporary folder, which differ from run to run, lose folder and number. */
char *wb_output_clean(struct wb_arena *arena, const char *data, size_t size, const char *temporary);
/* `text` with the folder `from` replaced by `to` ("" or ending in '/') wherever a path starts
 * with it: paths as the learner gave them instead of absolute ones. */
char *wb_output_rebase(struct wb_arena *arena, const char *text, const char *from, const char *to);

#endif
