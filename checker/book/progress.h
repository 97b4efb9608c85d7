/* SPDX-License-Identifier: MIT
 * What is remembered about each lesson, in cache/progress.json. Private to book.
 */
#ifndef WARPBOOK_BOOK_PROGRESS_H
#define WARPBOOK_BOOK_PROGRESS_H

#include <warpbook/book.h>

struct wb_progress {
    char passed[33]; /* wb_hash_hex of the bench file that passed; "" if none did */
    unsigned hints;  /* how many hints were shown */
};

/* A lesson that is not in the file, and a file that is missing or damaged, are all zero. */
void wb_progress_get(struct wb_progress *out, const struct wb_book *book, const char *lesson);

/* Calls `change` on the lesson's entry while no other process may write, then saves. A damaged
 * file is kept aside as progress.json.~N~ and a new one is begun. */
bool wb_progress_update(const struct wb_book *book, const char *lesson,
                        void (*change)(struct wb_progress *progress, const void *context),
                        const void *context, struct wb_status *status);

/* PATH.~1~, or the first such name that is free. */
char *wb_book_spare_name(struct wb_arena *arena, const char *path);

#endif
