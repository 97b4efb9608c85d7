/* SPDX-License-Identifier: MIT
 * author: what those who write lessons need: what is wrong with a lesson's files, whether its
 * translation follows the English text, and new lessons. Part of book.
 */
#ifndef WARPBOOK_AUTHOR_H
#define WARPBOOK_AUTHOR_H

#include <warpbook/book.h>

/* ---- complaints --------------------------------------------------------------------------- */

struct wb_complaint {
    char *file;    /* below the tree's root */
    unsigned line; /* 0 if none */
    char *what;    /* a sentence, and one next step */
};

struct wb_complaints {
    struct wb_arena *arena;
    struct wb_complaint *items;
    size_t count, capacity;
};

/* `path` may be below `root`, which is then cut off. */
void wb_complain(struct wb_complaints *list, const char *root, const char *path, unsigned line,
                 const char *format, ...) WB_PRINTF(5, 6);
/* "file:line: what" of each; "" if there are none. */
const char *wb_complaints_text(const struct wb_complaints *list, const char *between);

/* One thing that is looked at in a lesson's files. */
struct wb_audit {
    const char *name; /* "the files are complete" */
    void (*run)(struct wb_complaints *out, const struct wb_book *book,
                const struct wb_book_lesson *lesson);
};

extern const struct wb_audit wb_audits[]; /* ends with name NULL */

void wb_audit_files(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson);
void wb_audit_hints(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson);
void wb_audit_lists(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson);
void wb_audit_links(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson);
void wb_audit_translation(struct wb_complaints *out, const struct wb_book *book,
                          const struct wb_book_lesson *lesson);

/* ---- translations ------------------------------------------------------------------------- */

/* README.zh-CN.md ends with a comment that holds the hash of the README.md that it translates. */
enum wb_translation {
    WB_TRANSLATION_CURRENT,
    WB_TRANSLATION_UNSTAMPED, /* no such comment */
    WB_TRANSLATION_STALE,     /* README.md has changed since, and the page does not say so */
    WB_TRANSLATION_WARNS      /* README.md has changed since, and a banner says so */
};

bool wb_translation_look(enum wb_translation *out, const struct wb_book_lesson *lesson,
                         struct wb_status *status);
/* Writes the hash of README.md as it is now, and takes a banner away. */
bool wb_translation_stamp(const struct wb_book_lesson *lesson, struct wb_status *status);
/* Puts the banner on top, in Chinese; once is enough. The hash stays. */
bool wb_translation_warn(const struct wb_book_lesson *lesson, struct wb_status *status);

/* ---- new lessons -------------------------------------------------------------------------- */

/* Lays lessons/NAME and solutions/NAME from the folders `skeleton` of both, and adds NAME to
 * lessons/meson.build and lessons/README.md. BAD_INPUT: the name has the wrong form or is taken;
 * nothing was changed then. *files names what was written, below the root, NULL-terminated. */
bool wb_lesson_new(char ***files, struct wb_arena *arena, const struct wb_book *book,
                   const char *name, struct wb_status *status);

#endif
