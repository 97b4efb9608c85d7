/* SPDX-License-Identifier: MIT
 * The learner's file before the compiler sees it.
 */
#ifndef WB_BUILD_SOURCE_H
#define WB_BUILD_SOURCE_H

#include "includes.h"

#include <warpbook/build.h>

enum { WB_SOURCE_MAX_SIZE = 1 << 20 };

struct wb_source {
    const char *given;  /* path as the learner wrote it */
    char *path;         /* absolute */
    char *folder;       /* of `path`, ending in '/' */
    char *given_folder; /* of `given`: "" or ending in '/' */
    struct wb_bytes text;
    struct wb_includes includes;
    char *refused; /* why the compiler need not be asked; NULL: it is plain text */
    const char *refused_advice;
    unsigned refused_line; /* 0: the file as a whole */
};

/* NOT_FOUND, IO or BAD_INPUT (a folder, or a path that no compiler can be given). A file that is
 * too large or no text, or includes one that it must not, is the learner's mistake: `refused` says
 * so. */
bool wb_source_read(struct wb_source *out, struct wb_arena *arena, const char *path,
                    struct wb_status *status);
/* The last line above `line` that has code on it, 0 if there is none. Lines count from 1. */
unsigned wb_source_code_line_before(const struct wb_source *source, unsigned line);

#endif
