/* SPDX-License-Identifier: MIT
 * The beginners' mistakes that we have words for.
 */
#ifndef WB_BUILD_MISTAKES_H
#define WB_BUILD_MISTAKES_H

#include <stdbool.h>
#include <stddef.h>

enum wb_mistake_place {
    WB_PLACE_ERROR,  /* where the compiler says */
    WB_PLACE_BEFORE, /* if that is the first word of a line: the end of the code before it */
    WB_PLACE_NOTE    /* where the note behind the error says, if there is one */
};

struct wb_mistake {
    const char *pattern; /* found anywhere in the compiler's message; % is anything */
    const char *summary; /* goes on after "line 12: "; $1 is what the first % stood for */
    const char *advice;  /* one next step, whole sentences */
    enum wb_mistake_place place;
    bool spelling; /* only if $1 looks like a misspelt name; that name is $2 */
};

extern const struct wb_mistake
    wb_mistakes[]; /* the first that fits counts: special before general */
extern const size_t wb_mistake_count;

#endif
