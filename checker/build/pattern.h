/* SPDX-License-Identifier: MIT
 * Patterns for compiler messages: text in which % stands for anything, and is remembered.
 */
#ifndef WB_BUILD_PATTERN_H
#define WB_BUILD_PATTERN_H

#include <warpbook/base.h>

enum { WB_MAX_CAPTURES = 4 };

struct wb_captures {
    const char *start[WB_MAX_CAPTURES];
    size_t length[WB_MAX_CAPTURES];
    unsigned count;
};

/* Does `text` begin with something that fits? Each % takes as little as possible,
 * one at the end of the pattern takes the rest. */
bool wb_pattern_matches(struct wb_captures *captures, const char *pattern, const char *text);
/* The same anywhere in `text`. */
bool wb_pattern_found(struct wb_captures *captures, const char *pattern, const char *text);
/* `model` with $1 to $4 replaced by what was remembered; 0x... is written as a decimal. */
char *wb_pattern_fill(struct wb_arena *arena, const char *model,
                      const struct wb_captures *captures);

#endif
