/* SPDX-License-Identifier: MIT
 * wire: see wire.h. A number is 8 bytes in the machine's own order (both ends are one program); a
 * string is its length plus one and its bytes, or 0 for NULL.
 */
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void wb_wire_put(struct wb_str *out, uint64_t number)
{
    wb_str_add_bytes(out, &number, sizeof number);
}

void wb_wire_put_string(struct wb_str *out, const char *string)
{
    if (!string) {
        wb_wire_put(out, 0);
        return;
    }
    size_t length = strlen(string);
    wb_wire_put(out, length + 1);
    wb_str_add_bytes(out, string, length);
}

/* The next `size` bytes, or NULL. */
static const uint8_t *take(struct wb_wire *wire, uint64_t size)
{
    if (wire->bad || size > wire->left) {
        wire->bad = true;
        return NULL;
    }
    const uint8_t *bytes = wire->at;
    wire->at += size;
    wire->left -= size;
    return bytes;
}

uint64_t wb_wire_get(struct wb_wire *wire)
{
    uint64_t number = 0;
    const uint8_t *bytes = take(wire, sizeof number);
    if (bytes) {
        memcpy(&number, bytes, sizeof number);
    }
    return number;
}

uint64_t wb_wire_get_upto(struct wb_wire *wire, uint64_t max)
{
    uint64_t number = wb_wire_get(wire);
    if (number > max) {
        wire->bad = true;
        return 0;
    }
    return number;
}

/* The bytes of a string, without an end mark; NULL for NULL and on bad wires. */
static const char *take_string(struct wb_wire *wire, size_t *length)
{
    uint64_t code = wb_wire_get(wire);
    *length = code ? code - 1 : 0;
    return code ? (const char *)take(wire, code - 1) : NULL;
}

char *wb_wire_get_string(struct wb_wire *wire, struct wb_arena *arena)
{
    size_t length;
    const char *bytes = take_string(wire, &length);
    return bytes ? wb_arena_strndup(arena, bytes, length) : NULL;
}

void wb_wire_copy_string(char *out, size_t size, struct wb_wire *wire)
{
    size_t length;
    const char *bytes = take_string(wire, &length);
    length = bytes ? (length < size ? length : size - 1) : 0;
    if (length) {
        memcpy(out, bytes, length);
    }
    out[length] = 0;
}

bool wb_wire_ended(const struct wb_wire *wire)
{
    return !wire->bad && wire->left == 0;
}

bool wb_wire_send(int fd, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size) {
        ssize_t written = write(fd, at, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}
