/* SPDX-License-Identifier: MIT
 * Temporary folders.
 */
#include "temporary.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16, STALE_S = 600 /* far longer than a compilation may take */ };

/* The name travels through nvcc's shell commands: nothing that a shell would act on. */
static bool is_plain(const char *path)
{
    return path && path[0] == '/' && !strpbrk(path, "\"$`\\\n\r");
}

/* A folder of ours whose owner was killed. Its age counts as well: the number may be that of a
 * process that lives where we cannot see it. */
static bool is_stale(const char *path, const char *name)
{
    struct stat info;
    int owner;
    return sscanf(name, "warpbook-%d-", &owner) == 1 && owner > 0 && lstat(path, &info) == 0 &&
           S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           time(NULL) - info.st_mtime > STALE_S && kill(owner, 0) != 0 && errno == ESRCH;
}

static void remove_stale(struct wb_arena *arena, const char *folder)
{
    char **names;
    size_t count;
    if (wb_dir_list(&names, &count, arena, folder, NULL)) {
        for (size_t i = 0; i < count; i++) {
            char *path = wb_path_join(arena, folder, names[i]);
            if (is_stale(path, names[i])) {
                wb_temporary_remove(path);
            }
        }
    }
}

char *wb_temporary_make(struct wb_arena *arena, struct wb_status *status)
{
    const char *wish = getenv("TMPDIR");
    const char *const folders[] = {is_plain(wish) ? wish : "/tmp", "/tmp"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(folders); i++) {
        char *path = wb_arena_printf(arena, "%s/warpbook-%d-XXXXXX", folders[i], (int)getpid());
        if (mkdtemp(path)) {
            remove_stale(arena, folders[i]);
            return path;
        }
    }
    WB_FAIL(status, IO, "No temporary folder could be made in %s: %s.", folders[0],
            strerror(errno));
    return NULL;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    remove(path);
    return 0; /* go on, whatever happened */
}

void wb_temporary_remove(const char *path)
{
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
