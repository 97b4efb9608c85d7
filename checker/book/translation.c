/* SPDX-License-Identifier: MIT
 * Does a chapter's translation follow its English text? The translation's last line is a comment
 * with the hash of the README.md that it was made from:
 *   <!-- README.md: 0123456789abcdef0123456789abcdef -->
 */
#include <warpbook/author.h>

#include <string.h>

enum { MAX_FILE = 1024 * 1024 };

static const char mark[] = "<!-- README.md: ";
static const char banner[] =
    "> **注意：**英文版在本页翻译之后有过改动，这里的内容可能已经过时。如有出入，"
    "请以[英文版](README.md)为准。\n\n";

struct pages {
    struct wb_arena arena;
    const char *path; /* of the translation */
    char hash[33];    /* of the English text */
    char *body;       /* the translation without banner and comment */
    char stamped[33]; /* "" if none */
    bool warns;
};

static bool pages_read(struct pages *pages, const struct wb_book_lesson *lesson,
                       struct wb_status *status)
{
    struct wb_bytes english, translation;
    struct wb_arena *arena = &pages->arena;
    pages->path = wb_path_join(arena, lesson->folder, "README.zh-CN.md");
    if (!wb_file_read(&english, arena, wb_path_join(arena, lesson->folder, "README.md"), MAX_FILE,
                      status) ||
        !wb_file_read(&translation, arena, pages->path, MAX_FILE, status)) {
        return false;
    }
    wb_hash_hex(pages->hash, english.data, english.size);
    pages->body = (char *)translation.data;
    pages->warns = wb_starts_with(pages->body, banner);
    if (pages->warns) {
        pages->body += strlen(banner);
    }
    char *comment = strstr(pages->body, mark);
    if (comment) {
        const char *hash = comment + strlen(mark);
        memcpy(pages->stamped, hash, strspn(hash, "0123456789abcdef") == 32 ? 32 : 0);
        *comment = '\0';
    }
    size_t length = strlen(pages->body);
    while (length && strchr("\r\n", pages->body[length - 1])) {
        pages->body[--length] = '\0';
    }
    return true;
}

static enum wb_translation state_of(const struct pages *pages)
{
    if (!*pages->stamped) {
        return WB_TRANSLATION_UNSTAMPED;
    }
    if (strcmp(pages->stamped, pages->hash) == 0) {
        return WB_TRANSLATION_CURRENT;
    }
    return pages->warns ? WB_TRANSLATION_WARNS : WB_TRANSLATION_STALE;
}

bool wb_translation_look(enum wb_translation *out, const struct wb_book_lesson *lesson,
                         struct wb_status *status)
{
    struct pages pages = {0};
    wb_arena_init(&pages.arena);
    bool ok = pages_read(&pages, lesson, status);
    if (ok) {
        *out = state_of(&pages);
    }
    wb_arena_finish(&pages.arena);
    return ok;
}

static bool write_pages(const struct wb_book_lesson *lesson, bool warn, struct wb_status *status)
{
    struct pages pages = {0};
    wb_arena_init(&pages.arena);
    bool ok = pages_read(&pages, lesson, status);
    if (ok) {
        char *text = wb_arena_printf(&pages.arena, "%s%s\n\n%s%s -->\n", warn ? banner : "",
                                     pages.body, mark, warn ? pages.stamped : pages.hash);
        ok = wb_file_write(pages.path, text, strlen(text), status);
    }
    wb_arena_finish(&pages.arena);
    return ok;
}

bool wb_translation_stamp(const struct wb_book_lesson *lesson, struct wb_status *status)
{
    return write_pages(lesson, false, status);
}

bool wb_translation_warn(const struct wb_book_lesson *lesson, struct wb_status *status)
{
    return write_pages(lesson, true, status);
}

void wb_audit_translation(struct wb_complaints *out, const struct wb_book *book,
                          const struct wb_book_lesson *lesson)
{
    enum wb_translation state;
    struct wb_status ignored = {0};
    const char *path = wb_path_join(out->arena, lesson->folder, "README.zh-CN.md");
    if (!wb_translation_look(&state, lesson, &ignored)) {
        return; /* a page is missing: wb_audit_files says so */
    }
    if (state == WB_TRANSLATION_UNSTAMPED) {
        wb_complain(out, book->root, path, 1,
                    "Nothing says which English text this translates. When it is complete, run "
                    "`" WB_PROGRAM " lesson stamp %d`.",
                    lesson->number);
    } else if (state == WB_TRANSLATION_STALE) {
        wb_complain(out, book->root, path, 1,
                    "README.md has changed since this was translated. Translate what changed and "
                    "run `" WB_PROGRAM " lesson stamp %d`; or put a banner over the page with "
                    "`" WB_PROGRAM " lesson stamp --stale %d`.",
                    lesson->number, lesson->number);
    }
}
