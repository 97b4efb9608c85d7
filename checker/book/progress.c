/* SPDX-License-Identifier: MIT
 * Reads and writes cache/progress.json:
 *   {"schema": "warpbook-progress/1", "lessons": {"07-...": {"passed": "<hash>", "hints": 1}}}
 * A lock file beside it keeps check programs that run at the same time from losing an entry.
 */
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { MAX_FILE = 4 * 1024 * 1024 };
#define SCHEMA "warpbook-progress/1"

char *wb_book_spare_name(struct wb_arena *arena, const char *path)
{
    for (unsigned n = 1;; n++) {
        char *name = wb_arena_printf(arena, "%s.~%u~", path, n);
        if (faccessat(AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
            return name;
        }
    }
}

static char *progress_path(struct wb_arena *arena, const struct wb_book *book)
{
    return wb_path_join(arena, book->cache, "progress.json");
}

/* The whole file, or NULL if it is missing (*damaged: false) or not what we wrote. */
static json_t *load(bool *damaged, struct wb_arena *arena, const char *path)
{
    struct wb_bytes text;
    struct wb_status status = {0};
    *damaged = false;
    if (!wb_file_read(&text, arena, path, MAX_FILE, &status)) {
        *damaged = status.code != WB_NOT_FOUND;
        return NULL;
    }
    json_t *root = json_loadb((const char *)text.data, text.size, 0, NULL);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema && strcmp(schema, SCHEMA) == 0 && json_is_object(json_object_get(root, "lessons"))) {
        return root;
    }
    json_decref(root);
    *damaged = true;
    return NULL;
}

static void entry_read(struct wb_progress *out, const json_t *root, const char *lesson)
{
    const json_t *entry = json_object_get(json_object_get(root, "lessons"), lesson);
    const char *passed = json_string_value(json_object_get(entry, "passed"));
    json_int_t hints = json_integer_value(json_object_get(entry, "hints"));
    *out = (struct wb_progress){.hints = hints > 0 && hints < 1000 ? (unsigned)hints : 0};
    if (passed && strlen(passed) < sizeof out->passed) {
        strcpy(out->passed, passed);
    }
}

static bool entry_write(json_t *root, const char *lesson, const struct wb_progress *progress)
{
    json_t *entry = json_object();
    if (progress->passed[0]) {
        json_object_set_new(entry, "passed", json_string(progress->passed));
    }
    if (progress->hints) {
        json_object_set_new(entry, "hints", json_integer(progress->hints));
    }
    return json_object_set_new(json_object_get(root, "lessons"), lesson, entry) == 0;
}

void wb_progress_get(struct wb_progress *out, const struct wb_book *book, const char *lesson)
{
    struct wb_arena arena;
    bool damaged;
    wb_arena_init(&arena);
    json_t *root = load(&damaged, &arena, progress_path(&arena, book));
    entry_read(out, root, lesson);
    json_decref(root);
    wb_arena_finish(&arena);
}

static bool set_aside(struct wb_arena *arena, const char *path, struct wb_status *status)
{
    const char *spare = wb_book_spare_name(arena, path);
    if (rename(path, spare) != 0) {
        return WB_FAIL(status, IO, "The damaged %s cannot be moved out of the way: %s.", path,
                       strerror(errno));
    }
    return true;
}

static bool save(const char *path, const json_t *root, struct wb_status *status)
{
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS);
    if (!text) {
        return WB_FAIL(status, NO_MEMORY, "There is not enough memory to save %s.", path);
    }
    bool saved = wb_file_write(path, text, strlen(text), status);
    free(text);
    return saved;
}

/* The lock is held. */
static bool update(struct wb_arena *arena, const char *path, const char *lesson,
                   void (*change)(struct wb_progress *progress, const void *context),
                   const void *context, struct wb_status *status)
{
    bool damaged;
    struct wb_progress progress, before;
    json_t *root = load(&damaged, arena, path);
    if (damaged && !set_aside(arena, path, status)) {
        return false;
    }
    if (!root) {
        root = json_pack("{s:s, s:{}}", "schema", SCHEMA, "lessons");
    }
    entry_read(&progress, root, lesson);
    before = progress;
    change(&progress, context);
    bool saved = strcmp(before.passed, progress.passed) == 0 && before.hints == progress.hints;
    if (!saved) {
        saved = entry_write(root, lesson, &progress) && save(path, root, status);
    }
    json_decref(root);
    return saved;
}

bool wb_progress_update(const struct wb_book *book, const char *lesson,
                        void (*change)(struct wb_progress *progress, const void *context),
                        const void *context, struct wb_status *status)
{
    if (!wb_dir_make(book->cache, status)) {
        return false;
    }
    struct wb_arena arena;
    wb_arena_init(&arena);
    const char *path = progress_path(&arena, book);
    const char *lock = wb_arena_printf(&arena, "%s.lock", path);
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    bool ok = fd >= 0 && flock(fd, LOCK_EX) == 0;
    if (!ok) {
        WB_FAIL(status, IO, "%s cannot be locked: %s.", lock, strerror(errno));
    }
    ok = ok && update(&arena, path, lesson, change, context, status);
    if (fd >= 0) {
        close(fd);
    }
    wb_arena_finish(&arena);
    return ok;
}
