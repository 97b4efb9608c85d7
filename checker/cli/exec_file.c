/* SPDX-License-Identifier: MIT
 * See exec.h. A run may take an hour; that its results cannot be kept is said before it.
 */
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a block can be written: a full disk lets files be made, but not filled. */
static bool try_out(int fd)
{
    static const char block[4096];
    return write(fd, block, sizeof block) == (ssize_t)sizeof block && ftruncate(fd, 0) == 0 &&
           lseek(fd, 0, SEEK_SET) == 0;
}

/* As open(2) would have made it. */
static void set_mode(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0) {
        return; /* a file system without modes */
    }
}

static int open_neighbour(struct cli_exec_file *out, struct wb_arena *arena)
{
    out->temporary = wb_arena_printf(arena, "%s.XXXXXX", out->path);
    int fd = mkostemp(out->temporary, O_CLOEXEC);
    if (fd < 0) {
        out->temporary = NULL;
        return -1;
    }
    set_mode(fd);
    if (!try_out(fd)) {
        int error = errno;
        close(fd);
        unlink(out->temporary);
        out->temporary = NULL;
        errno = error;
        return -1;
    }
    return fd;
}

bool cli_exec_file_open(struct cli_exec_file *out, struct wb_arena *arena, const char *path,
                        struct wb_status *status)
{
    int fd;
    *out = (struct cli_exec_file){0};
    if (!path) {
        return true;
    }
    if (!*path || wb_dir_exists(path)) {
        return WB_FAIL(status, IO, "%s is %s; give the name of a file.", *path ? path : "\"\"",
                       *path ? "a folder" : "no name");
    }
    out->path = wb_path_target(arena, path);
    if (!wb_file_in_place(&fd, path)) {
        fd = open_neighbour(out, arena);
    }
    out->stream = fd < 0 ? NULL : fdopen(fd, "w");
    return out->stream ||
           WB_FAIL(status, IO, "%s cannot be written: %s. The program was not started.", path,
                   strerror(errno));
}

bool cli_exec_file_commit(struct cli_exec_file *file, struct wb_status *status)
{
    if (!file->stream) {
        return true;
    }
    bool ok = !ferror(file->stream);
    ok = fclose(file->stream) == 0 && ok;
    file->stream = NULL;
    if (ok && file->temporary) {
        ok = rename(file->temporary, file->path) == 0;
    }
    if (!ok) {
        WB_FAIL(status, IO, "%s could not be written: %s.", file->path, strerror(errno));
        cli_exec_file_finish(file);
        return false;
    }
    file->temporary = NULL;
    return true;
}

void cli_exec_file_finish(struct cli_exec_file *file)
{
    if (file->stream) {
        fclose(file->stream);
        file->stream = NULL;
    }
    if (file->temporary) {
        unlink(file->temporary);
        file->temporary = NULL;
    }
}
