/* SPDX-License-Identifier: MIT
 * book: the lessons on disk, the learner's bench (exercises/), and what was passed so far.
 */
#ifndef WARPBOOK_BOOK_H
#define WARPBOOK_BOOK_H

#include <warpbook/base.h>

/* One lesson; all paths are absolute. */
struct wb_book_lesson {
    int number;
    char *name;      /* "07-warp-aligned-branch" */
    char *title;     /* first heading of its README.md, without the number */
    char *part;      /* "I. The programming model"; NULL: none is known */
    char *folder;    /* lessons/NAME */
    char *stub;      /* lessons/NAME/exercise.cu */
    char *reference; /* lessons/NAME/reference.cu */
    char *exercise;  /* exercises/NAME.cu */
    char *solution;  /* solutions/NAME/solution.cu */
    char *wrong;     /* solutions/NAME/wrong, a folder */
    char *checker;   /* build/lessons/check-NAME, the program made from check.c */
};

struct wb_book {
    char *root;                     /* the source tree */
    char *cache;                    /* WARPBOOK_CACHE, else root/.cache */
    struct wb_book_lesson *lessons; /* sorted by number */
    size_t lesson_count;
};

/* Finds the tree: WARPBOOK_ROOT, else the folder above the working folder that holds
 * lessons/ and exercises/, else `configured` (what Meson knew; may be NULL). */
bool wb_book_open(struct wb_book *out, struct wb_arena *arena, const char *configured,
                  const char *build_dir, struct wb_status *status);

/* By number ("7", "07"), name, or slug without the number. NOT_FOUND lists close names. */
const struct wb_book_lesson *wb_book_find(const struct wb_book *book, const char *what,
                                          struct wb_status *status);

enum wb_bench_state {
    WB_BENCH_MISSING,     /* no file on the bench */
    WB_BENCH_NOT_STARTED, /* still equals the stub */
    WB_BENCH_STARTED,     /* changed, not passed as it is now */
    WB_BENCH_PASSED       /* the file as it is now has passed */
};

bool wb_bench_state(enum wb_bench_state *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson, struct wb_status *status);
/* Copies the stub to the bench if nothing is there. Never overwrites. */
bool wb_bench_lay(bool *laid, const struct wb_book_lesson *lesson, struct wb_status *status);
/* Puts the stub back; what was there goes to exercises/NAME.cu.~1~, ~2~ ...: *saved names it
 * (NULL if there was nothing to save). */
bool wb_bench_reset(char **saved, struct wb_arena *arena, const struct wb_book_lesson *lesson,
                    struct wb_status *status);
/* Remembers that the bench file as it is now passed or failed (cache/progress.json). */
bool wb_bench_remember(const struct wb_book *book, const struct wb_book_lesson *lesson, bool passed,
                       struct wb_status *status);

/* How many hints of the lesson the learner has seen, so that the next one can be shown. */
unsigned wb_bench_hints_shown(const struct wb_book *book, const struct wb_book_lesson *lesson);
bool wb_bench_remember_hints(const struct wb_book *book, const struct wb_book_lesson *lesson,
                             unsigned shown, struct wb_status *status);

#endif
