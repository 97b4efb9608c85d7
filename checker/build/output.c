/* SPDX-License-Identifier: MIT
 * Cleaning compiler output. It quotes the learner's file and so may hold any bytes at all.
 */
#include "output.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at `s`, 0 if it is none. Overlong forms and surrogates are none. */
static size_t character_length(const unsigned char *s, size_t left)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : 4;
    if (length == 1) {
        return s[0] == '\n' || s[0] == '\t' || (s[0] >= ' ' && s[0] != 0x7f);
    }
    if (length > left || s[0] < 0xc2 || s[0] > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : length;
}

/* Length of "FOLDER/" and, behind it, nvcc's "tmpxft_<number>_<number>-<number>_". */
static size_t temporary_length(const char *text, const char *folder)
{
    size_t length = strlen(folder);
    if (strncmp(text, folder, length) != 0 || text[length] != '/') {
        return 0;
    }
    int more = 0;
    sscanf(text + length + 1, "tmpxft_%*8[0-9a-f]_%*8[0-9a-f]-%*d_%n", &more);
    return length + 1 + (size_t)more;
}

char *wb_output_clean(struct wb_arena *arena, const char *data, size_t size, const char *temporary)
{
    struct wb_str str;
    wb_str_init(&str, arena);
    wb_str_add(&str, "");
    for (size_t i = 0; i < size;) {
        size_t skipped = temporary ? temporary_length(data + i, temporary) : 0;
        if (skipped) {
            i += skipped;
            continue;
        }
        size_t length = character_length((const unsigned char *)data + i, size - i);
        if (data[i] != '\r') { /* a learner's file may have Windows line ends */
            wb_str_add_bytes(&str, length ? data + i : "?", length ? length : 1);
        }
        i += length ? length : 1;
    }
    return str.data;
}

char *wb_output_rebase(struct wb_arena *arena, const char *text, const char *from, const char *to)
{
    size_t length = strlen(from);
    struct wb_str str;
    wb_str_init(&str, arena);
    wb_str_add(&str, "");
    while (*text) {
        const char *hit = length > 1 ? strstr(text, from) : NULL; /* "/" starts every path */
        if (!hit) {
            wb_str_add(&str, text);
            break;
        }
        wb_str_add_bytes(&str, text, (size_t)(hit - text));
        bool starts = hit == text || strchr("\n \t\"'(", hit[-1]);
        wb_str_add(&str, starts ? to : from);
        text = hit + length;
    }
    return str.data;
}
