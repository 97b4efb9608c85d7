/* SPDX-License-Identifier: MIT
 * New lessons: the files of lessons/skeleton and solutions/skeleton, with @NAME@, @NUMBER@ and
 * @TITLE@ filled in, and a row in both lists of lessons. The skeleton is a lesson that works: to
 * change what a new lesson begins with, change its files.
 */
#include <warpbook/author.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 1024 * 1024, MAX_NAME = 48, MAX_FILES = 64 };

struct laying {
    struct wb_arena *arena;
    const struct wb_book *book;
    const char *name, *number, *title;
    char **files;
    size_t file_count;
    struct wb_status *status;
};

/* ---- names -------------------------------------------------------------------------------- */

/* NN-words-in-small-letters. */
static bool well_formed(const char *name)
{
    size_t digits = strspn(name, "0123456789"), length = strlen(name);
    const char *words = name + digits;
    return digits >= 2 && digits <= 4 && length <= MAX_NAME && *words == '-' &&
           strspn(words, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(words) &&
           islower((unsigned char)words[1]) && name[length - 1] != '-' && !strstr(words, "--");
}

static bool is_free(const struct laying *laying)
{
    const struct wb_book *book = laying->book;
    for (size_t i = 0; i < book->lesson_count; i++) {
        if (book->lessons[i].number == atoi(laying->number)) {
            return WB_FAIL(laying->status, BAD_INPUT,
                           "There is a lesson %s already: %s. Choose a number that is free.",
                           laying->number, book->lessons[i].name);
        }
    }
    static const char *const parents[] = {"lessons", "solutions"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(parents); i++) {
        const char *folder =
            wb_arena_printf(laying->arena, "%s/%s/%s", book->root, parents[i], laying->name);
        if (wb_dir_exists(folder) || wb_file_exists(folder)) {
            return WB_FAIL(laying->status, BAD_INPUT,
                           "%s/%s is there already. Choose another name, or take it away first.",
                           parents[i], laying->name);
        }
    }
    return true;
}

/* "29-my-lesson" -> "My lesson" */
static char *title_of(struct wb_arena *arena, const char *name)
{
    char *title = wb_arena_strdup(arena, strchr(name, '-') + 1);
    for (char *p = title; *p; p++) {
        *p = *p == '-' ? ' ' : *p;
    }
    title[0] = (char)toupper((unsigned char)title[0]);
    return title;
}

/* ---- files -------------------------------------------------------------------------------- */

static bool write_file(struct laying *laying, const char *path, const struct wb_str *text)
{
    if (laying->file_count + 1 < MAX_FILES) {
        laying->files[laying->file_count++] =
            wb_arena_strdup(laying->arena, path + strlen(laying->book->root) + 1);
    }
    return wb_dir_make(wb_path_folder(laying->arena, path), laying->status) &&
           wb_file_write(path, text->data, text->length, laying->status);
}

static void fill_in(struct wb_str *out, const struct laying *laying, const char *text)
{
    const char *const marks[][2] = {
        {"@NAME@", laying->name}, {"@NUMBER@", laying->number}, {"@TITLE@", laying->title}};
    while (*text) {
        size_t i = 0, plain = strcspn(text + 1, "@") + 1;
        while (i < WB_ARRAY_LENGTH(marks) && !wb_starts_with(text, marks[i][0])) {
            i++;
        }
        if (i < WB_ARRAY_LENGTH(marks)) {
            wb_str_add(out, marks[i][1]);
            text += strlen(marks[i][0]);
        } else {
            wb_str_add_bytes(out, text, plain);
            text += plain;
        }
    }
}

static bool lay_file(struct laying *laying, const char *from, const char *to)
{
    struct wb_bytes text;
    struct wb_str filled;
    wb_str_init(&filled, laying->arena);
    if (!wb_file_read(&text, laying->arena, from, MAX_FILE, laying->status)) {
        return false;
    }
    fill_in(&filled, laying, (char *)text.data);
    return write_file(laying, to, &filled);
}

/* The files of root/PARENT/skeleton/BELOW and of the folders in it. */
static bool lay_folder(struct laying *laying, const char *from, const char *to)
{
    char **names;
    size_t count;
    bool ok = wb_dir_list(&names, &count, laying->arena, from, laying->status);
    for (size_t i = 0; ok && i < count; i++) {
        const char *source = wb_path_join(laying->arena, from, names[i]);
        const char *target = wb_path_join(laying->arena, to, names[i]);
        ok = wb_dir_exists(source) ? lay_folder(laying, source, target)
                                   : lay_file(laying, source, target);
    }
    return ok;
}

static bool lay_part(struct laying *laying, const char *parent)
{
    const char *root = laying->book->root;
    return lay_folder(laying, wb_arena_printf(laying->arena, "%s/%s/skeleton", root, parent),
                      wb_arena_printf(laying->arena, "%s/%s/%s", root, parent, laying->name));
}

/* ---- lists -------------------------------------------------------------------------------- */

/* The number of the lesson that a row of a list names behind `mark`, or -1. */
static int number_in(const char *line, const char *mark)
{
    const char *at = strstr(line, mark);
    if (!at) {
        return -1;
    }
    at += strlen(mark);
    size_t digits = strspn(at, "0123456789");
    return digits >= 2 && at[digits] == '-' ? atoi(at) : -1;
}

/* Puts `row` behind the last row of a smaller number; false if the file has no rows at all. */
static bool add_row(struct laying *laying, const char *list, const char *mark, const char *row)
{
    struct wb_bytes text;
    struct wb_str out;
    const char *path = wb_path_join(laying->arena, laying->book->root, list);
    if (!wb_file_read(&text, laying->arena, path, MAX_FILE, laying->status)) {
        return false;
    }
    const char *start = (char *)text.data, *at = NULL;
    for (const char *line = start, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        int number = number_in(wb_arena_strndup(laying->arena, line, (size_t)(end - line)), mark);
        if (number >= 0 && number < atoi(laying->number)) {
            at = end;
        } else if (number >= 0 && !at) {
            at = line;
        }
    }
    if (!at) {
        return WB_FAIL(laying->status, NOT_FOUND,
                       "%s has no row of a lesson to put the new one beside. Add this line by "
                       "hand: %s",
                       list, row);
    }
    wb_str_init(&out, laying->arena);
    wb_str_add_bytes(&out, start, (size_t)(at - start));
    bool cut = at > start && at[-1] != '\n'; /* the file's last line has no end */
    wb_str_printf(&out, "%s%s\n%s", cut ? "\n" : "", row, at);
    return write_file(laying, path, &out);
}

static bool add_rows(struct laying *laying)
{
    struct wb_arena *arena = laying->arena;
    return add_row(laying, "lessons/meson.build", "  '",
                   wb_arena_printf(arena, "  '%s',", laying->name)) &&
           add_row(laying, "lessons/README.md", "](",
                   wb_arena_printf(arena,
                                   "| [%s %s](%s/README.md) | one idea | busy lanes | 04 | "
                                   "20 min |",
                                   laying->number, laying->title, laying->name));
}

/* ---- a lesson ----------------------------------------------------------------------------- */

bool wb_lesson_new(char ***files, struct wb_arena *arena, const struct wb_book *book,
                   const char *name, struct wb_status *status)
{
    struct laying laying = {.arena = arena, .book = book, .name = name, .status = status};
    if (!well_formed(name)) {
        return WB_FAIL(status, BAD_INPUT,
                       "\"%.60s\" is no name for a lesson. Take two digits and some words in small "
                       "letters, with hyphens between: 29-my-lesson.",
                       name);
    }
    laying.number = wb_arena_strndup(arena, name, strspn(name, "0123456789"));
    laying.title = title_of(arena, name);
    laying.files = wb_arena_alloc(arena, MAX_FILES * sizeof *laying.files);
    *files = laying.files;
    if (!is_free(&laying) || !lay_part(&laying, "lessons") || !lay_part(&laying, "solutions") ||
        !add_rows(&laying)) {
        return false;
    }
    struct wb_book_lesson lesson = {.folder =
                                        wb_arena_printf(arena, "%s/lessons/%s", book->root, name)};
    return wb_translation_stamp(&lesson, status);
}
