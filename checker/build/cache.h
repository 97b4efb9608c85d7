/* SPDX-License-Identifier: MIT
 * Compiled files on disk, one file per entry: FOLDER/cubin/KEY.
 */
#ifndef WB_BUILD_CACHE_H
#define WB_BUILD_CACHE_H

#include <warpbook/base.h>

enum { WB_CACHE_MAX_ENTRIES = 512 };

struct wb_cache_entry {
    struct wb_bytes cubin;
    char *output; /* what the compiler printed: warnings survive */
};

/* False if there is no such entry; one that is damaged is removed. */
bool wb_cache_load(struct wb_cache_entry *out, struct wb_arena *arena, const char *folder,
                   const char *key);
/* Keeps an entry, and only the newest WB_CACHE_MAX_ENTRIES of all. A cache that cannot be written
 * is no error: the next check is slower, that is all. */
void wb_cache_store(struct wb_arena *arena, const char *folder, const char *key,
                    const struct wb_cache_entry *entry);

#endif
