/* SPDX-License-Identifier: MIT
 * Finds a lesson by what a learner types, and suggests close names when there is none.
 */
#include <warpbook/book.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 64, MAX_SUGGESTIONS = 3 };

/* What was typed may be a path to an exercise: its name without folder and ".cu". */
static void bare_name(char out[MAX_NAME], const char *what)
{
    const char *base = wb_ends_with(what, ".cu") ? wb_path_base(what) : what;
    size_t length = strlen(base);
    if (wb_ends_with(base, ".cu")) {
        length -= 3;
    } else if (wb_ends_with(base, "/")) {
        length -= 1;
    }
    length = length < MAX_NAME ? length : MAX_NAME - 1;
    memcpy(out, base, length);
    out[length] = '\0';
}

static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 9 && text[digits] == '\0';
}

static const char *slug_of(const struct wb_book_lesson *lesson)
{
    return strchr(lesson->name, '-') + 1;
}

static bool matches(const struct wb_book_lesson *lesson, const char *name)
{
    return is_number(name) ? atoi(name) == lesson->number
                           : strcmp(name, lesson->name) == 0 || strcmp(name, slug_of(lesson)) == 0;
}

/* Levenshtein distance: how many letters must be added, removed or changed. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[MAX_NAME + 1];
    size_t b_length = strlen(b) < MAX_NAME ? strlen(b) : MAX_NAME;
    for (unsigned j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            unsigned insert_or_remove = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            diagonal = row[j];
            row[j] = change < insert_or_remove ? change : insert_or_remove;
        }
    }
    return row[b_length];
}

/* 0 is best; UINT_MAX is not close. Part of a name counts as close. */
static unsigned remoteness(const struct wb_book_lesson *lesson, const char *name)
{
    unsigned whole = distance(name, lesson->name), slug = distance(name, slug_of(lesson));
    unsigned best = whole < slug ? whole : slug;
    if (strlen(name) >= 3 && strstr(lesson->name, name)) {
        return 1;
    }
    return best <= 1 + strlen(name) / 3 ? best : (unsigned)-1;
}

static void suggest(const struct wb_book *book, const char *what, const char *name,
                    struct wb_status *status)
{
    struct wb_arena arena;
    struct wb_str list;
    unsigned given = 0;
    wb_arena_init(&arena);
    wb_str_init(&list, &arena);
    for (unsigned level = 0; !is_number(name) && level <= 1 + MAX_NAME / 3; level++) {
        for (size_t i = 0; i < book->lesson_count && given < MAX_SUGGESTIONS; i++) {
            if (remoteness(&book->lessons[i], name) == level) {
                wb_str_printf(&list, "%s%s", given++ ? " or " : "", book->lessons[i].name);
            }
        }
    }
    if (given) {
        WB_FAIL(status, NOT_FOUND, "There is no lesson \"%.60s\"; did you mean %s?", what,
                wb_str_get(&list));
    } else {
        WB_FAIL(status, NOT_FOUND,
                "There is no lesson \"%.60s\". `" WB_PROGRAM " list` shows which there are.", what);
    }
    wb_arena_finish(&arena);
}

const struct wb_book_lesson *wb_book_find(const struct wb_book *book, const char *what,
                                          struct wb_status *status)
{
    char name[MAX_NAME];
    bare_name(name, what);
    for (size_t i = 0; i < book->lesson_count; i++) {
        if (matches(&book->lessons[i], name)) {
            return &book->lessons[i];
        }
    }
    suggest(book, what, name, status);
    return NULL;
}
