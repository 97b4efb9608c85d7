/* SPDX-License-Identifier: MIT
 * Do the links of a lesson's pages lead somewhere? A link to a file needs the file, one with `#` a
 * heading of that name, written as GitHub writes it. What stands in code is no link.
 */
#include <warpbook/author.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILE = 1024 * 1024 };

struct page {
    struct wb_complaints *out;
    const struct wb_book *book;
    const char *path;
    unsigned line;
};

/* ---- lines that are not code -------------------------------------------------------------- */

/* The next line outside of ``` blocks, with `code` blanked out; NULL at the end. */
static char *next_line(char **rest, unsigned *number, bool *fenced)
{
    char *line;
    while ((line = strsep(rest, "\n"))) {
        ++*number;
        if (wb_starts_with(line + strspn(line, " "), "```")) {
            *fenced = !*fenced;
        } else if (!*fenced) {
            return line;
        }
    }
    return NULL;
}

static void blank_code(char *line)
{
    for (char *at = strchr(line, '`'); at; at = strchr(at, '`')) {
        char *end = strchr(at + 1, '`');
        if (!end) {
            return;
        }
        memset(at, ' ', (size_t)(end - at) + 1);
    }
}

/* ---- headings ----------------------------------------------------------------------------- */

/* "What `x` is, and why" -> "what-x-is-and-why". Letters beyond ASCII stay. */
static char *anchor_of(struct wb_arena *arena, const char *heading)
{
    char *anchor = wb_arena_alloc(arena, strlen(heading) + 1), *to = anchor;
    for (const unsigned char *p = (const unsigned char *)heading; *p && *p != '\r'; p++) {
        if (isalnum(*p) || *p == '_' || *p == '-' || *p >= 0x80) {
            *to++ = (char)(*p < 0x80 ? tolower(*p) : *p);
        } else if (*p == ' ') {
            *to++ = '-';
        }
    }
    return anchor;
}

/* True also if the page cannot be read as text: a folder, a source file's line. */
static bool has_anchor(struct wb_arena *arena, const char *path, const char *anchor)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    bool fenced = false;
    unsigned number = 0;
    if (!wb_ends_with(path, ".md") || !wb_file_read(&text, arena, path, MAX_FILE, &ignored)) {
        return true;
    }
    char *rest = (char *)text.data, *line;
    while ((line = next_line(&rest, &number, &fenced))) {
        size_t level = strspn(line, "#");
        if (level && line[level] == ' ' &&
            strcmp(anchor_of(arena, line + level + 1), anchor) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- links -------------------------------------------------------------------------------- */

static bool leads_away(const char *target)
{
    return strstr(target, "://") || wb_starts_with(target, "mailto:");
}

static void check_link(const struct page *page, char *target)
{
    struct wb_arena *arena = page->out->arena;
    struct stat info;
    char *title = strchr(target, ' '), *anchor;
    if (title) {
        *title = '\0';
    }
    if (leads_away(target)) {
        return;
    }
    anchor = strchr(target, '#');
    if (anchor) {
        *anchor++ = '\0';
    }
    const char *path =
        *target ? wb_path_join(arena, wb_path_folder(arena, page->path), target) : page->path;
    if (stat(path, &info) != 0) {
        wb_complain(page->out, page->book->root, page->path, page->line,
                    "The link to %s leads nowhere. Correct it, or take it out.", target);
    } else if (anchor && !has_anchor(arena, path, anchor)) {
        wb_complain(page->out, page->book->root, page->path, page->line,
                    "%s has no heading for #%s. Headings become small letters with hyphens for "
                    "spaces.",
                    *target ? target : "This page", anchor);
    }
}

/* Links of the lines that hold `only` (NULL: of all). */
static void check_page(struct wb_complaints *out, const struct wb_book *book, const char *path,
                       const char *only)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    struct page page = {out, book, path, 0};
    bool fenced = false;
    if (!wb_file_read(&text, out->arena, path, MAX_FILE, &ignored)) {
        return; /* wb_audit_files says so */
    }
    char *rest = (char *)text.data, *line;
    while ((line = next_line(&rest, &page.line, &fenced))) {
        if (only && !strstr(line, only)) {
            continue;
        }
        blank_code(line);
        for (char *at = strstr(line, "]("), *end; at && (end = strchr(at, ')'));
             at = strstr(end + 1, "](")) {
            *end = '\0';
            check_link(&page, at + 2);
        }
    }
}

void wb_audit_links(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson)
{
    static const char *const pages[] = {"README.md", "README.zh-CN.md", "hints.md"};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(pages); i++) {
        check_page(out, book, wb_path_join(out->arena, lesson->folder, pages[i]), NULL);
    }
    check_page(out, book, wb_path_join(out->arena, book->root, "lessons/README.md"), lesson->name);
}
