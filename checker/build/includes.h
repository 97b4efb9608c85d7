/* SPDX-License-Identifier: MIT
 * A source and the files that it includes: what a compilation reads besides the toolkit's headers.
 */
#ifndef WB_BUILD_INCLUDES_H
#define WB_BUILD_INCLUDES_H

#include <warpbook/base.h>

enum { WB_INCLUDES_MAX_FILES = 64 };

struct wb_includes {
    struct {
        char *path; /* absolute */
        struct wb_bytes text;
    } files[WB_INCLUDES_MAX_FILES]; /* the source first */
    size_t count;
    bool complete;         /* false: it may read others, too */
    char *refused;         /* a file that must not be read is included; NULL: none is */
    unsigned refused_line; /* in the source; 0: in another file */
};

/* `path` is absolute. Files may be included from the source's folder and the folders below it. */
void wb_includes_follow(struct wb_includes *out, struct wb_arena *arena, const char *path,
                        const struct wb_bytes *source);

#endif
