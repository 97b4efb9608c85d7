/* SPDX-License-Identifier: MIT
 * A cursor over untrusted little-endian bytes. Reading past the end gives 0 and sets `bad`, which
 * stays set: read a whole record first, then ask once. Nothing is ever read unaligned or outside.
 */
#ifndef WB_SASS_BYTES_H
#define WB_SASS_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wb_cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline struct wb_cursor wb_cursor(const uint8_t *data, size_t size)
{
    return (struct wb_cursor){.at = data, .end = data ? data + size : data};
}

static inline size_t wb_cursor_left(const struct wb_cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

/* The next `size` bytes, or NULL. */
static inline const uint8_t *wb_cursor_take(struct wb_cursor *cursor, uint64_t size)
{
    if (size > wb_cursor_left(cursor)) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return NULL;
    }
    const uint8_t *taken = cursor->at;
    cursor->at += size;
    return taken;
}

static inline void wb_cursor_get(struct wb_cursor *cursor, void *value, size_t size)
{
    const uint8_t *bytes = wb_cursor_take(cursor, size);
    if (bytes) {
        memcpy(value, bytes, size);
    }
}

static inline uint8_t wb_cursor_u8(struct wb_cursor *cursor)
{
    uint8_t value = 0;
    wb_cursor_get(cursor, &value, sizeof value);
    return value;
}

static inline uint16_t wb_cursor_u16(struct wb_cursor *cursor)
{
    uint16_t value = 0;
    wb_cursor_get(cursor, &value, sizeof value);
    return le16toh(value);
}

static inline uint32_t wb_cursor_u32(struct wb_cursor *cursor)
{
    uint32_t value = 0;
    wb_cursor_get(cursor, &value, sizeof value);
    return le32toh(value);
}

static inline uint64_t wb_cursor_u64(struct wb_cursor *cursor)
{
    uint64_t value = 0;
    wb_cursor_get(cursor, &value, sizeof value);
    return le64toh(value);
}

/* LEB128, as DWARF writes integers: 7 bits a byte, low ones first. Bits past 64 are dropped. */
static inline uint64_t wb_cursor_leb(struct wb_cursor *cursor, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = wb_cursor_u8(cursor);
        if (shift < 64) {
            value |= (uint64_t)(byte & 0x7f) << shift;
            shift += 7;
        }
    } while (byte & 0x80);
    if (is_signed && (byte & 0x40) && shift < 64) {
        value |= ~UINT64_C(0) << shift;
    }
    return value;
}

/* A NUL-terminated string inside the bytes, or NULL. */
static inline const char *wb_cursor_string(struct wb_cursor *cursor)
{
    size_t left = wb_cursor_left(cursor);
    const uint8_t *nul = left ? memchr(cursor->at, 0, left) : NULL;
    if (!nul) {
        cursor->bad = true;
        cursor->at = cursor->end;
        return NULL;
    }
    const char *string = (const char *)cursor->at;
    cursor->at = nul + 1;
    return string;
}

#endif
