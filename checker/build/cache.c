/* SPDX-License-Identifier: MIT
 * The compile cache. An entry starts with a head that holds the sizes and a hash of the rest, so
 * that a file cut short by a full disk, or changed by accident, is noticed and made anew.
 */
#include "cache.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ENTRY_SIZE = 256 << 20 };

static const char magic[8] = "WBCUBIN1";

struct entry_head {
    char magic[8];
    uint64_t cubin_size, output_size; /* cubin, then output, follow */
    char hash[32];                    /* of what follows */
};

static char *entry_path(struct wb_arena *arena, const char *folder, const char *key)
{
    return wb_arena_printf(arena, "%s/cubin/%s", folder, key);
}

static bool is_whole(const struct wb_bytes *file)
{
    struct entry_head head;
    if (file->size < sizeof head) {
        return false;
    }
    memcpy(&head, file->data, sizeof head);
    size_t rest = file->size - sizeof head;
    char hash[33];
    wb_hash_hex(hash, file->data + sizeof head, rest);
    return memcmp(head.magic, magic, sizeof magic) == 0 && head.cubin_size <= rest &&
           head.output_size == rest - head.cubin_size &&
           memcmp(head.hash, hash, sizeof head.hash) == 0;
}

bool wb_cache_load(struct wb_cache_entry *out, struct wb_arena *arena, const char *folder,
                   const char *key)
{
    char *path = entry_path(arena, folder, key);
    struct wb_bytes file;
    if (!wb_file_read(&file, arena, path, MAX_ENTRY_SIZE, NULL)) {
        return false;
    }
    if (!is_whole(&file)) {
        unlink(path);
        return false;
    }
    struct entry_head head;
    memcpy(&head, file.data, sizeof head);
    const uint8_t *cubin = file.data + sizeof head;
    out->cubin.size = head.cubin_size;
    out->cubin.data = wb_arena_alloc(arena, head.cubin_size + 1); /* aligned, and a 0 behind */
    memcpy(out->cubin.data, cubin, head.cubin_size);
    out->output = wb_arena_strndup(arena, (const char *)cubin + head.cubin_size, head.output_size);
    utimensat(AT_FDCWD, path, NULL, 0); /* used just now: among the last to be removed */
    return true;
}

struct aged {
    char *path;
    struct timespec time;
};

static int compare_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct aged *)a)->time,
                          *y = &((const struct aged *)b)->time;
    return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Removes the entries that were not used for longest. */
static void trim(struct wb_arena *arena, const char *folder)
{
    char **names;
    size_t count;
    if (!wb_dir_list(&names, &count, arena, folder, NULL) || count <= WB_CACHE_MAX_ENTRIES) {
        return;
    }
    struct aged *entries = wb_arena_alloc(arena, count * sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        struct stat info;
        entries[i].path = wb_path_join(arena, folder, names[i]);
        if (stat(entries[i].path, &info) == 0) {
            entries[i].time = info.st_mtim;
        }
    }
    qsort(entries, count, sizeof *entries, compare_age);
    for (size_t i = 0; i < count - WB_CACHE_MAX_ENTRIES; i++) {
        unlink(entries[i].path);
    }
}

void wb_cache_store(struct wb_arena *arena, const char *folder, const char *key,
                    const struct wb_cache_entry *entry)
{
    char *own_folder = wb_path_join(arena, folder, "cubin");
    if (!wb_dir_make(own_folder, NULL)) {
        return;
    }
    struct entry_head head = {.cubin_size = entry->cubin.size,
                              .output_size = strlen(entry->output)};
    struct wb_str file;
    wb_str_init(&file, arena);
    wb_str_add_bytes(&file, &head, sizeof head);
    wb_str_add_bytes(&file, entry->cubin.data, entry->cubin.size);
    wb_str_add(&file, entry->output);
    char hash[33];
    wb_hash_hex(hash, file.data + sizeof head, file.length - sizeof head);
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.hash, hash, sizeof head.hash);
    memcpy(file.data, &head, sizeof head);
    if (wb_file_write(entry_path(arena, folder, key), file.data, file.length, NULL)) {
        trim(arena, own_folder);
    }
}
