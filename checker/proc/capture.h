/* SPDX-License-Identifier: MIT
 * One pipe from a child: the parent's end, and the bytes kept of what came.
 */
#ifndef WB_PROC_CAPTURE_H
#define WB_PROC_CAPTURE_H

#include <warpbook/base.h>

struct wb_capture {
    int fd; /* -1: closed */
    struct wb_str kept;
    size_t limit;  /* bytes kept at most */
    uint64_t seen; /* bytes that came in all */
};

/* Makes a pipe whose reading end is `capture` (never blocks) and whose writing end is *writer.
 * Both ends close on exec and are none of the standard descriptors. False: see errno. */
bool wb_capture_open(struct wb_capture *capture, int *writer, struct wb_arena *arena, size_t limit);
/* Takes what the pipe holds now, at most about one MiB; what exceeds the limit is thrown away.
 * Closes the descriptor at the end of the stream. */
void wb_capture_read(struct wb_capture *capture);
void wb_capture_close(struct wb_capture *capture);

#endif
