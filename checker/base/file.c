/* SPDX-License-Identifier: MIT
 * Files, folders and paths. Writing goes through a temporary neighbour, so that a full disk or a
 * crash leaves the old file.
 */
#include <warpbook/base.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static bool read_all(struct wb_bytes *out, struct wb_arena *arena, int fd, const char *path,
                     size_t max, struct wb_status *status)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return WB_FAIL(status, IO, "%s cannot be read: %s.", path, strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return WB_FAIL(status, BAD_INPUT, "%s is not a regular file.", path);
    }
    if ((uint64_t)info.st_size > max) {
        return WB_FAIL(status, LIMIT, "%s has %lld bytes; at most %zu are read.", path,
                       (long long)info.st_size, max);
    }
    size_t size = (size_t)info.st_size, got = 0;
    uint8_t *data = wb_arena_alloc(arena, size + 1);
    while (got < size) {
        ssize_t n = read(fd, data + got, size - got);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return WB_FAIL(status, IO, "%s cannot be read: %s.", path, strerror(errno));
        }
        if (n == 0) { /* it shrank while we read */
            break;
        }
        got += (size_t)n;
    }
    data[got] = 0;
    *out = (struct wb_bytes){data, got};
    return true;
}

bool wb_file_read(struct wb_bytes *out, struct wb_arena *arena, const char *path, size_t max,
                  struct wb_status *status)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return WB_FAIL(status, NOT_FOUND, "%s does not exist.", path);
    }
    if (fd < 0) {
        return WB_FAIL(status, IO, "%s cannot be opened: %s.", path, strerror(errno));
    }
    bool ok = read_all(out, arena, fd, path, max, status);
    close(fd);
    return ok;
}

static bool write_all(int fd, const void *data, size_t size)
{
    const uint8_t *next = data;
    while (size) {
        ssize_t n = write(fd, next, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        next += n;
        size -= (size_t)n;
    }
    return true;
}

static bool is_same_file(int fd, const struct stat *file)
{
    struct stat open_file;
    return fstat(fd, &open_file) == 0 && open_file.st_dev == file->st_dev &&
           open_file.st_ino == file->st_ino;
}

bool wb_file_in_place(int *fd, const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0 || S_ISDIR(file.st_mode)) {
        return false;
    }
    for (int own = STDOUT_FILENO; own <= STDERR_FILENO; own++) {
        if (is_same_file(own, &file)) {
            *fd = fcntl(own, F_DUPFD_CLOEXEC, 0);
            return true;
        }
    }
    if (S_ISREG(file.st_mode)) {
        return false;
    }
    *fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return true;
}

char *wb_path_target(struct wb_arena *arena, const char *path)
{
    char *target = realpath(path, NULL);
    char *copy = wb_arena_strdup(arena, target ? target : path);
    free(target);
    return copy;
}

static bool write_in_place(int fd, const char *path, const void *data, size_t size,
                           struct wb_status *status)
{
    bool written = fd >= 0 && write_all(fd, data, size);
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    return written || WB_FAIL(status, IO, "%s cannot be written: %s.", path, strerror(error));
}

static bool replace(const char *path, const void *data, size_t size, struct wb_status *status)
{
    char temporary[4096];
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= sizeof temporary) {
        return WB_FAIL(status, BAD_INPUT, "The path %.200s... is too long.", path);
    }
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        return WB_FAIL(status, IO, "%s cannot be written: %s.", path, strerror(errno));
    }
    bool written = write_all(fd, data, size) && fchmod(fd, 0644) == 0;
    int error = errno;
    if (close(fd) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && rename(temporary, path) == 0) {
        return true;
    }
    if (written) {
        error = errno;
    }
    unlink(temporary);
    return WB_FAIL(status, IO, "%s cannot be written: %s.", path, strerror(error));
}

bool wb_file_write(const char *path, const void *data, size_t size, struct wb_status *status)
{
    int fd;
    if (wb_file_in_place(&fd, path)) {
        return write_in_place(fd, path, data, size, status);
    }
    char *target = realpath(path, NULL);
    bool written = replace(target ? target : path, data, size, status);
    free(target);
    return written;
}

bool wb_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool wb_dir_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool wb_dir_make(const char *path, struct wb_status *status)
{
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) {
        return WB_FAIL(status, BAD_INPUT, "The folder path \"%.200s\" cannot be used.", path);
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0755) != 0 && !wb_dir_exists(part)) {
            return WB_FAIL(status, IO, "The folder %s cannot be made: %s.", part, strerror(errno));
        }
    }
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool wb_dir_list(char ***names, size_t *count, struct wb_arena *arena, const char *path,
                 struct wb_status *status)
{
    DIR *dir = opendir(path);
    if (!dir) {
        return wb_status_set(status, errno == ENOENT ? WB_NOT_FOUND : WB_IO,
                             __FILE__ ":" WB_STRINGIFY(__LINE__),
                             "The folder %s cannot be read: %s.", path, strerror(errno));
    }
    char **list = NULL;
    size_t capacity = 0, n = 0;
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        list = wb_arena_grow(arena, list, &capacity, n, sizeof *list);
        list[n++] = wb_arena_strdup(arena, entry->d_name);
    }
    closedir(dir);
    list = wb_arena_grow(arena, list, &capacity, n, sizeof *list);
    list[n] = NULL;
    qsort(list, n, sizeof *list, compare_names);
    *names = list;
    *count = n;
    return true;
}

char *wb_path_join(struct wb_arena *arena, const char *folder, const char *name)
{
    bool plain = folder[0] == '\0' || wb_ends_with(folder, "/");
    return wb_arena_printf(arena, plain ? "%s%s" : "%s/%s", folder, name);
}

const char *wb_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *wb_path_folder(struct wb_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) {
        return wb_arena_strdup(arena, ".");
    }
    return wb_arena_strndup(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

void wb_hash_hex(char out[33], const void *data, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(data, size);
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}
