/* SPDX-License-Identifier: MIT
 * Compiler output as a list of diagnostics.
 */
#ifndef WB_BUILD_DIAGNOSTICS_H
#define WB_BUILD_DIAGNOSTICS_H

#include <warpbook/build.h>

enum { WB_MAX_DIAGNOSTICS = 200 };

struct wb_diagnostics {
    struct wb_diagnostic *items;
    size_t count;
    size_t first_error; /* index; == count: there is no error */
    /* The first error is about the first word of its line: something is missing before it. */
    bool at_line_start;
};

/* `text` as from wb_output_clean. Notes in files outside `folder` (the toolkit's own headers) are
 * left out; at most WB_MAX_DIAGNOSTICS are kept. */
void wb_diagnostics_parse(struct wb_diagnostics *out, struct wb_arena *arena, const char *text,
                          const char *folder);

#endif
