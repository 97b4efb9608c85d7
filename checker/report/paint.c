/* SPDX-License-Identifier: MIT
 * Painting on a terminal; see paint.h. add_code is the terminal format's escaping function:
 * nothing reaches the output but through it, except our own style sequences and marks.
 */
#include <warpbook/paint.h>

#include "text.h"

#include <limits.h>
#include <string.h>

static const char *const style_ansi[] = {
#define X(name, ansi) [WB_STYLE_##name] = ansi,
    WB_STYLE_LIST(X)
#undef X
};

static const char *const mark_text[][2] = {
#define X(name, utf8, ascii) [WB_MARK_##name] = {utf8, ascii},
    WB_MARK_LIST(X)
#undef X
};

void wb_paint_init(struct wb_paint *paint, struct wb_str *out, bool colour, bool ascii,
                   unsigned width)
{
    *paint = (struct wb_paint){out, colour, ascii, width ? width : 96, 0};
    if (paint->width < 40) {
        paint->width = 40; /* narrower than the tables */
    }
}

const char *wb_paint_mark(const struct wb_paint *paint, enum wb_mark mark)
{
    return mark_text[mark][paint->ascii];
}

/* Writes a printable form of the character at *text, moves behind it; the columns it took. `before`
 * columns of the same text stand before it. */
static unsigned add_code(struct wb_str *out, const char **text, bool ascii, unsigned before)
{
    enum { TAB = 4 };
    const char *start = *text;
    uint32_t code = wb_utf8_next(text);
    if (code == '\t') {
        unsigned spaces = TAB - before % TAB;
        wb_str_printf(out, "%*s", (int)spaces, "");
        return spaces;
    }
    if (code == WB_UTF8_BAD || code < 0x20 || code == 0x7f) {
        wb_str_printf(out, "\\x%02x", (unsigned char)*start);
        return 4;
    }
    if (wb_code_is_hidden(code) || (ascii && code > 0x7f)) {
        size_t length = out->length;
        wb_str_printf(out, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
        return (unsigned)(out->length - length);
    }
    wb_str_add_bytes(out, start, (size_t)(*text - start));
    return wb_code_columns(code);
}

static void style_on(struct wb_paint *paint, enum wb_style style)
{
    if (paint->colour && style != WB_STYLE_PLAIN) {
        wb_str_printf(paint->out, "\033[%sm", style_ansi[style]);
    }
}

static void style_off(struct wb_paint *paint, enum wb_style style)
{
    if (paint->colour && style != WB_STYLE_PLAIN) {
        wb_str_add(paint->out, "\033[0m");
    }
}

/* Without a style, until the text or `room` ends; what is left of the text. */
static const char *add_text(struct wb_paint *paint, const char *text, unsigned room)
{
    unsigned columns = 0;
    while (*text && columns < room) {
        columns += add_code(paint->out, &text, paint->ascii, columns);
    }
    paint->column += columns;
    return text;
}

void wb_paint_text(struct wb_paint *paint, enum wb_style style, const char *text)
{
    if (*text) {
        style_on(paint, style);
        add_text(paint, text, UINT_MAX);
        style_off(paint, style);
    }
}

void wb_paint_clipped(struct wb_paint *paint, enum wb_style style, const char *text)
{
    static const char dots[] = "...";
    unsigned used = paint->column + (unsigned)strlen(dots);
    unsigned room = paint->width > used ? paint->width - used : 1;
    if (wb_paint_columns(paint, text) <= room + strlen(dots)) {
        wb_paint_text(paint, style, text);
        return;
    }
    style_on(paint, style);
    add_text(paint, text, room);
    add_text(paint, dots, UINT_MAX);
    style_off(paint, style);
}

void wb_paint_printf(struct wb_paint *paint, enum wb_style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    wb_paint_text(paint, style, wb_arena_vprintf(paint->out->arena, format, arguments));
    va_end(arguments);
}

unsigned wb_paint_columns(const struct wb_paint *paint, const char *text)
{
    struct wb_str ignored;
    unsigned columns = 0;
    wb_str_init(&ignored, paint->out->arena);
    while (*text) {
        columns += add_code(&ignored, &text, paint->ascii, columns);
    }
    return columns;
}

void wb_paint_to(struct wb_paint *paint, unsigned column)
{
    for (; paint->column < column; paint->column++) {
        wb_str_add(paint->out, " ");
    }
}

void wb_paint_line(struct wb_paint *paint)
{
    while (paint->out->length && paint->out->data[paint->out->length - 1] == ' ') {
        paint->out->data[--paint->out->length] = '\0';
    }
    wb_str_add(paint->out, "\n");
    paint->column = 0;
}

/* One line of text, word by word. Spaces between words stay as they are. */
static void wrap_line(struct wb_paint *paint, enum wb_style style, unsigned indent, char *line)
{
    unsigned spaces = 0;
    bool first = true;
    char *word;
    style_on(paint, style);
    for (; (word = strsep(&line, " ")); spaces++) {
        if (!*word) {
            continue;
        }
        if (!first && paint->column + spaces + wb_paint_columns(paint, word) > paint->width) {
            style_off(paint, style);
            wb_paint_line(paint);
            wb_paint_to(paint, indent);
            style_on(paint, style);
        } else {
            wb_paint_to(paint, paint->column + spaces);
        }
        add_text(paint, word, UINT_MAX);
        first = false;
        spaces = 0;
    }
    style_off(paint, style);
}

void wb_paint_wrapped(struct wb_paint *paint, enum wb_style style, unsigned indent,
                      const char *text)
{
    char *line = wb_text_line(paint->out->arena, &text);
    while (line) {
        wrap_line(paint, style, indent, line);
        line = wb_text_line(paint->out->arena, &text);
        if (line) {
            wb_paint_line(paint);
            wb_paint_to(paint, indent);
        }
    }
}
