/* SPDX-License-Identifier: MIT
 * Finding programs in PATH, and the environment of a child.
 */
#include "path.h"

#include <warpbook/proc.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where PATH is unset; what POSIX's confstr(_CS_PATH) says on Linux, and the usual place. */
static const char default_path[] = "/usr/local/bin:/usr/bin:/bin";

static bool is_program(const char *path)
{
    return wb_file_exists(path) && access(path, X_OK) == 0;
}

char *wb_proc_which(struct wb_arena *arena, const char *name)
{
    if (strchr(name, '/')) {
        return is_program(name) ? wb_arena_strdup(arena, name) : NULL;
    }
    const char *folder = getenv("PATH");
    folder = folder ? folder : default_path;
    while (*name) {
        size_t length = strcspn(folder, ":");
        char *path = length ? wb_arena_printf(arena, "%.*s/%s", (int)length, folder, name)
                            : wb_arena_printf(arena, "./%s", name); /* empty: working folder */
        if (is_program(path)) {
            return path;
        }
        if (!folder[length]) {
            break;
        }
        folder += length + 1;
    }
    return NULL;
}

/* Set anew or taken away. */
static bool is_changed(const char *variable, const char *const *extra)
{
    for (; extra && *extra; extra++) {
        size_t length = strcspn(*extra, "=");
        if (strncmp(variable, *extra, length) == 0 && variable[length] == '=') {
            return true;
        }
    }
    return false;
}

static size_t list_length(const char *const *list)
{
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    return n;
}

char **wb_environment_with(struct wb_arena *arena, const char *const *extra)
{
    const char *const *own = (const char *const *)environ;
    size_t n = 0;
    char **list = wb_arena_alloc(arena, (list_length(own) + list_length(extra) + 1) * sizeof *list);
    for (; own && *own; own++) {
        if (!is_changed(*own, extra)) {
            list[n++] = wb_arena_strdup(arena, *own);
        }
    }
    for (; extra && *extra; extra++) {
        if (strchr(*extra, '=')) {
            list[n++] = wb_arena_strdup(arena, *extra);
        }
    }
    return list;
}
