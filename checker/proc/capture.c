/* SPDX-License-Identifier: MIT
 * Reading pipes of children: never blocks, keeps a bounded part, throws the rest away, so that a
 * child that prints without end neither stands still nor fills our memory.
 */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { CHUNK = 16 * 1024, CHUNKS_AT_ONCE = 64, FIRST_FREE_FD = 3 };

/* Moves a descriptor off 0, 1 and 2, which the child replaces. */
static bool move_up(int *fd)
{
    if (*fd >= FIRST_FREE_FD) {
        return true;
    }
    int moved = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    close(*fd);
    *fd = moved;
    return moved >= 0;
}

bool wb_capture_open(struct wb_capture *capture, int *writer, struct wb_arena *arena, size_t limit)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    bool moved = move_up(&ends[0]);
    moved = move_up(&ends[1]) && moved;
    if (!moved || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        errno = error;
        return false;
    }
    *capture = (struct wb_capture){.fd = ends[0], .limit = limit};
    wb_str_init(&capture->kept, arena);
    *writer = ends[1];
    return true;
}

void wb_capture_close(struct wb_capture *capture)
{
    if (capture->fd >= 0) {
        close(capture->fd);
        capture->fd = -1;
    }
}

void wb_capture_read(struct wb_capture *capture)
{
    char chunk[CHUNK];
    for (int i = 0; i < CHUNKS_AT_ONCE && capture->fd >= 0; i++) {
        ssize_t n = read(capture->fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && errno == EAGAIN) {
            return;
        }
        if (n <= 0) {
            wb_capture_close(capture);
            return;
        }
        size_t room = capture->limit - capture->kept.length;
        wb_str_add_bytes(&capture->kept, chunk, (size_t)n < room ? (size_t)n : room);
        capture->seen += (uint64_t)n;
    }
}
