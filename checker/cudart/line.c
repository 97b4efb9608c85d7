/* SPDX-License-Identifier: MIT
 * See line.h. A program may close descriptors that it did not open, or put another file in their
 * place; so before each line the descriptor is looked at.
 */
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    char *path; /* absolute; NULL: no log is wanted */
    int fd;
    dev_t device;
    ino_t inode;
} file = {.fd = -1};

/* Out of the way of programs that count on the numbers they get. */
static int move_up(int fd)
{
    enum { HIGH = 200 };
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (high >= 0) {
        close(fd);
    }
    return high >= 0 ? high : fd;
}

static bool open_file(void)
{
    struct stat status;
    int fd = move_up(open(file.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
    if (fd < 0 || fstat(fd, &status) != 0) {
        return false;
    }
    file.fd = fd;
    file.device = status.st_dev;
    file.inode = status.st_ino;
    return true;
}

static bool still_ours(void)
{
    struct stat status;
    return file.fd >= 0 && fstat(file.fd, &status) == 0 && status.st_dev == file.device &&
           status.st_ino == file.inode;
}

static void give_up(void)
{
    static const char words[] = "warpbook: the run log cannot be written, so counters and findings "
                                "are missing from here on\n";
    file.path = NULL;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
        return; /* nobody to tell */
    }
}

/* The program may change its folder later. */
void wb_line_start(void)
{
    const char *path = getenv("WARPBOOK_RUN_LOG");
    char folder[4096];
    if (!path || !*path) {
        return;
    }
    if (*path == '/' || !getcwd(folder, sizeof folder)) {
        file.path = strdup(path);
    } else if (asprintf(&file.path, "%s/%s", folder, path) < 0) {
        file.path = NULL;
    }
}

bool wb_line_wanted(void)
{
    return file.path != NULL;
}

void wb_line_write(const char *text, size_t size)
{
    const int before = errno;
    if (!file.path) {
        return;
    }
    if (!still_ours() && !open_file()) {
        give_up();
        return;
    }
    ssize_t written;
    do {
        written = write(file.fd, text, size);
    } while (written < 0 && errno == EINTR);
    if (written != (ssize_t)size) {
        give_up();
    }
    errno = before;
}

void wb_line_write_json(const char *type, json_t *object)
{
    json_object_set_new(object, "type", json_string(type));
    json_object_set_new(object, "pid", json_integer(getpid()));
    char *text = json_dumps(object, JSON_COMPACT);
    if (text) {
        size_t size = strlen(text);
        text[size] = '\n'; /* where the NUL was */
        wb_line_write(text, size + 1);
    }
    free(text);
    json_decref(object);
}

json_t *wb_line_text(const char *text)
{
    json_t *json = text ? json_string(text) : json_null();
    char *copy = json ? NULL : strdup(text);
    if (copy) {
        for (char *c = copy; *c; c++) {
            *c = (unsigned char)*c < 0x80 ? *c : '?';
        }
        json = json_string(copy);
    }
    free(copy);
    return json ? json : json_null();
}
