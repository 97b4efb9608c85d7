/* SPDX-License-Identifier: MIT
 * The bench: the learner's copy of each exercise. Nothing here ever overwrites what a learner
 * wrote; a reset moves it to a numbered neighbour first.
 */
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SOURCE = 4 * 1024 * 1024 };

/* True also for a folder or a dangling link: something of the learner's is there. */
static bool anything_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

static bool same_bytes(const struct wb_bytes *a, const struct wb_bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static bool read_stub(struct wb_bytes *out, struct wb_arena *arena,
                      const struct wb_book_lesson *lesson, struct wb_status *status)
{
    struct wb_status why = {0};
    if (wb_file_read(out, arena, lesson->stub, MAX_SOURCE, &why)) {
        return true;
    }
    return wb_status_set(status, why.code, why.place,
                         "Lesson %s is damaged: %s `git status` shows what is missing.",
                         lesson->name, why.message);
}

static bool bench_state(enum wb_bench_state *out, struct wb_arena *arena,
                        const struct wb_book *book, const struct wb_book_lesson *lesson,
                        struct wb_status *status)
{
    struct wb_bytes mine, stub;
    if (!anything_there(lesson->exercise)) {
        *out = WB_BENCH_MISSING;
        return true;
    }
    if (!wb_file_read(&mine, arena, lesson->exercise, MAX_SOURCE, status) ||
        !read_stub(&stub, arena, lesson, status)) {
        return false;
    }
    if (same_bytes(&mine, &stub)) {
        *out = WB_BENCH_NOT_STARTED;
        return true;
    }
    struct wb_progress progress;
    char hash[33];
    wb_progress_get(&progress, book, lesson->name);
    wb_hash_hex(hash, mine.data, mine.size);
    *out = strcmp(hash, progress.passed) == 0 ? WB_BENCH_PASSED : WB_BENCH_STARTED;
    return true;
}

bool wb_bench_state(enum wb_bench_state *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson, struct wb_status *status)
{
    struct wb_arena arena;
    wb_arena_init(&arena);
    bool ok = bench_state(out, &arena, book, lesson, status);
    wb_arena_finish(&arena);
    return ok;
}

static bool lay(struct wb_arena *arena, const struct wb_bytes *stub, const char *exercise,
                struct wb_status *status)
{
    return wb_dir_make(wb_path_folder(arena, exercise), status) &&
           wb_file_write(exercise, stub->data, stub->size, status);
}

bool wb_bench_lay(bool *laid, const struct wb_book_lesson *lesson, struct wb_status *status)
{
    struct wb_arena arena;
    struct wb_bytes stub;
    *laid = false;
    if (anything_there(lesson->exercise)) {
        return true;
    }
    wb_arena_init(&arena);
    *laid =
        read_stub(&stub, &arena, lesson, status) && lay(&arena, &stub, lesson->exercise, status);
    wb_arena_finish(&arena);
    return *laid;
}

bool wb_bench_reset(char **saved, struct wb_arena *arena, const struct wb_book_lesson *lesson,
                    struct wb_status *status)
{
    struct wb_bytes stub, mine;
    struct wb_status ignored = {0};
    *saved = NULL;
    if (!read_stub(&stub, arena, lesson, status)) {
        return false; /* before anything is moved */
    }
    if (wb_file_read(&mine, arena, lesson->exercise, MAX_SOURCE, &ignored) &&
        same_bytes(&mine, &stub)) {
        return true;
    }
    if (anything_there(lesson->exercise)) {
        char *spare = wb_book_spare_name(arena, lesson->exercise);
        if (rename(lesson->exercise, spare) != 0) {
            return WB_FAIL(status, IO, "%s cannot be moved to %s: %s.", lesson->exercise, spare,
                           strerror(errno));
        }
        *saved = spare;
    }
    return lay(arena, &stub, lesson->exercise, status);
}

struct outcome {
    char hash[33];
    bool passed;
};

/* A file that fails now takes back only its own earlier pass, not that of another version. */
static void change_outcome(struct wb_progress *progress, const void *context)
{
    const struct outcome *outcome = context;
    if (outcome->passed) {
        strcpy(progress->passed, outcome->hash);
    } else if (strcmp(progress->passed, outcome->hash) == 0) {
        progress->passed[0] = '\0';
    }
}

bool wb_bench_remember(const struct wb_book *book, const struct wb_book_lesson *lesson, bool passed,
                       struct wb_status *status)
{
    struct wb_arena arena;
    struct wb_bytes mine;
    struct outcome outcome = {.passed = passed};
    wb_arena_init(&arena);
    bool ok = wb_file_read(&mine, &arena, lesson->exercise, MAX_SOURCE, status);
    if (ok) {
        wb_hash_hex(outcome.hash, mine.data, mine.size);
        ok = wb_progress_update(book, lesson->name, change_outcome, &outcome, status);
    }
    wb_arena_finish(&arena);
    return ok;
}

unsigned wb_bench_hints_shown(const struct wb_book *book, const struct wb_book_lesson *lesson)
{
    struct wb_progress progress;
    wb_progress_get(&progress, book, lesson->name);
    return progress.hints;
}

static void change_hints(struct wb_progress *progress, const void *context)
{
    progress->hints = *(const unsigned *)context;
}

bool wb_bench_remember_hints(const struct wb_book *book, const struct wb_book_lesson *lesson,
                             unsigned shown, struct wb_status *status)
{
    return wb_progress_update(book, lesson->name, change_hints, &shown, status);
}
