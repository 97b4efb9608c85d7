/* SPDX-License-Identifier: MIT
 * paint: text for a terminal: styles, wrapping, and the one function through which every string
 * goes, so that a file name or a compiler message cannot send escape sequences. Part of report.
 */
#ifndef WARPBOOK_PAINT_H
#define WARPBOOK_PAINT_H

#include <warpbook/base.h>

/* X(ENUM, "ANSI parameters") */
#define WB_STYLE_LIST(X)                                                                           \
    X(PLAIN, "")                                                                                   \
    X(STRONG, "1")                                                                                 \
    X(FAINT, "2")                                                                                  \
    X(GOOD, "32")                                                                                  \
    X(BAD, "31")                                                                                   \
    X(WARN, "33")                                                                                  \
    X(NOTE, "36")                                                                                  \
    X(GOOD_STRONG, "1;32")                                                                         \
    X(BAD_STRONG, "1;31")                                                                          \
    X(WARN_STRONG, "1;33")

enum wb_style {
#define X(name, ansi) WB_STYLE_##name,
    WB_STYLE_LIST(X)
#undef X
};

/* X(ENUM, UTF-8, ASCII) */
#define WB_MARK_LIST(X)                                                                            \
    X(GOOD, "\u2713", "+")                                                                         \
    X(BAD, "\u2717", "x")                                                                          \
    X(NONE, "\u2013", "-")                                                                         \
    X(DOT, "\u00b7", "-")                                                                          \
    X(AT_LEAST, "\u2265", ">=")                                                                    \
    X(AT_MOST, "\u2264", "<=")                                                                     \
    X(RULE, "\u2500", "-")                                                                         \
    X(MARGIN, "\u2502", "|")                                                                       \
    X(POINTER, "\u25b6", ">")

enum wb_mark {
#define X(name, utf8, ascii) WB_MARK_##name,
    WB_MARK_LIST(X)
#undef X
};

struct wb_paint {
    struct wb_str *out;
    bool colour, ascii;
    unsigned width;  /* columns */
    unsigned column; /* where the next character goes */
};

void wb_paint_init(struct wb_paint *paint, struct wb_str *out, bool colour, bool ascii,
                   unsigned width);
const char *wb_paint_mark(const struct wb_paint *paint, enum wb_mark mark);

/* One piece of a line. Control characters, bytes that are not UTF-8 and marks that turn the
 * reading direction appear as \x1b or \u202e; tabs stand at every fourth column of the text. */
void wb_paint_text(struct wb_paint *paint, enum wb_style style, const char *text);
void wb_paint_printf(struct wb_paint *paint, enum wb_style style, const char *format, ...)
    WB_PRINTF(3, 4);
/* The same, but cut off where the line would become wider than the page. */
void wb_paint_clipped(struct wb_paint *paint, enum wb_style style, const char *text);
/* Text of one or more lines, broken between words; each line but the first starts at `indent`. */
void wb_paint_wrapped(struct wb_paint *paint, enum wb_style style, unsigned indent,
                      const char *text);
void wb_paint_to(struct wb_paint *paint, unsigned column); /* spaces up to a column */
void wb_paint_line(struct wb_paint *paint);                /* ends a line */
/* Columns that a text takes. */
unsigned wb_paint_columns(const struct wb_paint *paint, const char *text);

#endif
