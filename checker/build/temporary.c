/* SPDX-License-Identifier: MIT
 * Temporary folders.
 */
#include "temporary.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_FOLDERS = 16 };

/* The name travels through nvcc's shell commands: nothing that a shell would act on. */
static bool is_plain(const char *path)
{
    return path && path[0] == '/' && !strpbrk(path, "\"$`\\\n\r");
}

char *wb_temporary_make(struct wb_arena *arena, struct wb_status *status)
{
    const char *wish = getenv("TMPDIR");
    const char *const folders[] = {is_plain(wish) ? wish : "/tmp", "/tmp"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(folders); i++) {
        char *path = wb_path_join(arena, folders[i], "warpbook-XXXXXX");
        if (mkdtemp(path)) {
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
