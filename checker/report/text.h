/* SPDX-License-Identifier: MIT
 * text: code points of strings that may hold anything. Private to report.
 */
#ifndef WARPBOOK_REPORT_TEXT_H
#define WARPBOOK_REPORT_TEXT_H

#include <warpbook/base.h>

enum { WB_UTF8_BAD = 0x110000 }; /* no code point: the byte belongs to no UTF-8 sequence */

/* The code point at *text, which moves behind it; for WB_UTF8_BAD by one byte. Not at the end. */
uint32_t wb_utf8_next(const char **text);

/* A control character, or one that is invisible or changes the direction of what follows. */
bool wb_code_is_hidden(uint32_t code);
/* 2 for the wide characters of East Asian scripts and most pictures, else 1. */
unsigned wb_code_columns(uint32_t code);

/* A copy that is UTF-8 for certain; `keep` decides on each code point, NULL keeps all. What is not
 * kept, and each byte that is no UTF-8, becomes U+FFFD. */
char *wb_utf8_clean(struct wb_arena *arena, const char *text, bool (*keep)(uint32_t code));

/* The next line of *rest, without its end; NULL when there are no more. */
char *wb_text_line(struct wb_arena *arena, const char **rest);

#endif
