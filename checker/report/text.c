/* SPDX-License-Identifier: MIT
 * Decoding of UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF), and what
 * kind of character a code point is.
 */
#include "text.h"

#include <string.h>

uint32_t wb_utf8_next(const char **text)
{
    static const struct {
        uint8_t mask, lead; /* of the first byte */
        unsigned more;      /* bytes that follow */
        uint32_t least;     /* smaller values have a shorter form */
    } forms[] = {{0x80, 0x00, 0, 0},
                 {0xe0, 0xc0, 1, 0x80},
                 {0xf0, 0xe0, 2, 0x800},
                 {0xf8, 0xf0, 3, 0x10000}};
    const uint8_t *byte = (const uint8_t *)*text;
    *text += 1;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(forms); i++) {
        if ((byte[0] & forms[i].mask) != forms[i].lead) {
            continue;
        }
        uint32_t code = byte[0] & (uint8_t)~forms[i].mask;
        for (unsigned k = 1; k <= forms[i].more; k++) {
            if ((byte[k] & 0xc0) != 0x80) {
                return WB_UTF8_BAD;
            }
            code = code << 6 | (byte[k] & 0x3f);
        }
        if (code < forms[i].least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
            return WB_UTF8_BAD;
        }
        *text += forms[i].more;
        return code;
    }
    return WB_UTF8_BAD;
}

struct range {
    uint32_t first, last;
};

static bool in_ranges(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

bool wb_code_is_hidden(uint32_t code)
{
    static const struct range hidden[] = {{0x00, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},
                                          {0x61c, 0x61c},   {0x180e, 0x180e},  {0x200b, 0x200f},
                                          {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                                          {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    return in_ranges(code, hidden, WB_ARRAY_LENGTH(hidden));
}

unsigned wb_code_columns(uint32_t code)
{
    static const struct range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0xa4cf},
                                        {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
                                        {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                                        {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    return in_ranges(code, wide, WB_ARRAY_LENGTH(wide)) ? 2 : 1;
}

char *wb_utf8_clean(struct wb_arena *arena, const char *text, bool (*keep)(uint32_t code))
{
    struct wb_str out;
    wb_str_init(&out, arena);
    wb_str_add(&out, "");
    while (*text) {
        const char *start = text;
        uint32_t code = wb_utf8_next(&text);
        if (code == WB_UTF8_BAD || (keep && !keep(code))) {
            wb_str_add(&out, "\uFFFD");
        } else {
            wb_str_add_bytes(&out, start, (size_t)(text - start));
        }
    }
    return out.data;
}

char *wb_text_line(struct wb_arena *arena, const char **rest)
{
    const char *line = *rest;
    if (!line || !*line) {
        return NULL;
    }
    size_t length = strcspn(line, "\n");
    *rest = line + length + (line[length] == '\n');
    if (length && line[length - 1] == '\r') {
        length--;
    }
    return wb_arena_strndup(arena, line, length);
}
