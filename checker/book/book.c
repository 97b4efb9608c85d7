/* SPDX-License-Identifier: MIT
 * Finds the tree and reads what lessons are in it. A lesson is a folder lessons/NN-slug that holds
 * a check.c; its title is the first heading of its README.md, its part the heading of
 * lessons/README.md that its row stands below.
 */
#include <warpbook/book.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CHAPTER = 1024 * 1024 };

/* ---- title ------------------------------------------------------------------------------- */

/* "Lesson 07: Warp-aligned branch" -> "Warp-aligned branch". */
static const char *skip_number(const char *heading)
{
    const char *p = heading;
    if (strncasecmp(p, "lesson ", 7) == 0) {
        p += 7;
    }
    if (!isdigit((unsigned char)*p)) {
        return heading;
    }
    p += strspn(p, "0123456789");
    p += strspn(p, " .:-\t");
    return *p ? p : heading;
}

/* "warp-aligned-branch" -> "Warp aligned branch": for a chapter without a heading. */
static char *title_from_slug(struct wb_arena *arena, const char *slug)
{
    char *title = wb_arena_strdup(arena, slug);
    for (char *p = title; *p; p++) {
        *p = *p == '-' ? ' ' : *p;
    }
    title[0] = (char)toupper((unsigned char)title[0]);
    return title;
}

static char *read_title(struct wb_arena *arena, const char *folder, const char *slug)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    const char *path = wb_path_join(arena, folder, "README.md");
    if (wb_file_read(&text, arena, path, MAX_CHAPTER, &ignored)) {
        char *rest = (char *)text.data, *line;
        while ((line = strsep(&rest, "\r\n"))) {
            if (wb_starts_with(line, "# ")) {
                const char *title = skip_number(line + 2 + strspn(line + 2, " "));
                if (*title) {
                    return wb_arena_strdup(arena, title);
                }
            }
        }
    }
    return title_from_slug(arena, slug);
}

/* ---- parts ------------------------------------------------------------------------------- */

/* Gives each lesson the heading of lessons/README.md that its row stands below. Without the page,
 * or a row in it, a lesson belongs to no part. */
static void read_parts(struct wb_book *book, struct wb_arena *arena, const char *folder)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    char *part = NULL, *rest, *line;
    if (!wb_file_read(&text, arena, wb_path_join(arena, folder, "README.md"), MAX_CHAPTER,
                      &ignored)) {
        return;
    }
    rest = (char *)text.data;
    while ((line = strsep(&rest, "\r\n"))) {
        part = wb_starts_with(line, "## ") ? line + 3 : part;
        const char *target = strstr(line, "](");
        for (size_t i = 0; target && i < book->lesson_count; i++) {
            size_t length = strlen(book->lessons[i].name);
            if (strncmp(target + 2, book->lessons[i].name, length) == 0 &&
                target[2 + length] == '/') {
                book->lessons[i].part = part;
            }
        }
    }
}

/* ---- lessons ----------------------------------------------------------------------------- */

/* The slug behind "NN-", or NULL if the folder is not named like a lesson. */
static const char *slug_of(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    bool lesson = digits >= 2 && digits <= 4 && name[digits] == '-' && name[digits + 1];
    return lesson ? name + digits + 1 : NULL;
}

static void lesson_init(struct wb_book_lesson *lesson, struct wb_arena *arena,
                        const struct wb_book *book, const char *build_dir, char *name)
{
    char *solutions = wb_arena_printf(arena, "%s/solutions/%s", book->root, name);
    lesson->number = atoi(name);
    lesson->name = name;
    lesson->folder = wb_arena_printf(arena, "%s/lessons/%s", book->root, name);
    lesson->title = read_title(arena, lesson->folder, slug_of(name));
    lesson->stub = wb_path_join(arena, lesson->folder, "exercise.cu");
    lesson->reference = wb_path_join(arena, lesson->folder, "reference.cu");
    lesson->exercise = wb_arena_printf(arena, "%s/exercises/%s.cu", book->root, name);
    lesson->solution = wb_path_join(arena, solutions, "solution.cu");
    lesson->wrong = wb_path_join(arena, solutions, "wrong");
    lesson->checker = wb_arena_printf(arena, "%s/lessons/check-%s", build_dir, name);
}

static int compare_lessons(const void *a, const void *b)
{
    const struct wb_book_lesson *left = a, *right = b;
    if (left->number != right->number) {
        return left->number < right->number ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

static bool read_lessons(struct wb_book *book, struct wb_arena *arena, const char *build_dir,
                         struct wb_status *status)
{
    const char *folder = wb_path_join(arena, book->root, "lessons");
    char **names;
    size_t count;
    if (!wb_dir_list(&names, &count, arena, folder, status)) {
        return false;
    }
    book->lessons = wb_arena_alloc(arena, (count + 1) * sizeof *book->lessons);
    for (size_t i = 0; i < count; i++) {
        const char *check = wb_arena_printf(arena, "%s/%s/check.c", folder, names[i]);
        if (slug_of(names[i]) && wb_file_exists(check)) {
            lesson_init(&book->lessons[book->lesson_count++], arena, book, build_dir, names[i]);
        }
    }
    qsort(book->lessons, book->lesson_count, sizeof *book->lessons, compare_lessons);
    read_parts(book, arena, folder);
    return true;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static char *absolute(struct wb_arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = real ? wb_arena_strdup(arena, real) : NULL;
    free(real);
    return copy;
}

/* The nearest folder at or above the working folder that holds lessons/ and exercises/. */
static char *search_upwards(struct wb_arena *arena)
{
    char *folder = absolute(arena, ".");
    while (folder) {
        if (wb_dir_exists(wb_path_join(arena, folder, "lessons")) &&
            wb_dir_exists(wb_path_join(arena, folder, "exercises"))) {
            return folder;
        }
        folder = strcmp(folder, "/") == 0 ? NULL : wb_path_folder(arena, folder);
    }
    return NULL;
}

static char *find_root(struct wb_arena *arena, const char *configured, struct wb_status *status)
{
    const char *chosen = getenv("WARPBOOK_ROOT");
    bool from_environment = chosen && *chosen;
    char *root = from_environment ? absolute(arena, chosen) : search_upwards(arena);
    if (!from_environment && !root && configured) {
        chosen = configured;
        root = absolute(arena, configured);
    }
    if (root && wb_dir_exists(wb_path_join(arena, root, "lessons"))) {
        return root;
    }
    if (from_environment) {
        WB_FAIL(status, NOT_FOUND,
                "WARPBOOK_ROOT is \"%s\", but there is no folder lessons/ in it. Unset it, or set "
                "it to the folder that holds lessons/ and exercises/.",
                chosen);
    } else {
        WB_FAIL(status, NOT_FOUND,
                "No workbook was found: neither the working folder nor one above it holds lessons/ "
                "and exercises/%s%s. Change to the workbook's folder, or set WARPBOOK_ROOT to it.",
                chosen ? ", nor does " : "", chosen ? chosen : "");
    }
    return NULL;
}

bool wb_book_open(struct wb_book *out, struct wb_arena *arena, const char *configured,
                  const char *build_dir, struct wb_status *status)
{
    *out = (struct wb_book){0};
    out->root = find_root(arena, configured, status);
    if (!out->root) {
        return false;
    }
    const char *cache = getenv("WARPBOOK_CACHE");
    out->cache =
        cache && *cache ? wb_arena_strdup(arena, cache) : wb_path_join(arena, out->root, ".cache");
    if (!build_dir) {
        build_dir = wb_path_join(arena, out->root, "build");
    }
    return read_lessons(out, arena, build_dir, status);
}
