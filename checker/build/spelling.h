/* SPDX-License-Identifier: MIT
 * Guessing what a misspelt name was meant to be.
 */
#ifndef WB_BUILD_SPELLING_H
#define WB_BUILD_SPELLING_H

#include <warpbook/base.h>

/* The name that `word` was probably meant to be: one of CUDA's, else one used in `text`; NULL if
 * nothing is close. Short names are never guessed. */
char *wb_spelling_guess(struct wb_arena *arena, const char *word, const char *text);

#endif
