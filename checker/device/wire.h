/* SPDX-License-Identifier: MIT
 * wire: numbers and strings as bytes, to bring a child's answer through a pipe. The reader trusts
 * nothing: after the first value that does not fit, `bad` stays set and every value is 0 or NULL.
 */
#ifndef WARPBOOK_DEVICE_WIRE_H
#define WARPBOOK_DEVICE_WIRE_H

#include <warpbook/base.h>

void wb_wire_put(struct wb_str *out, uint64_t number);
void wb_wire_put_string(struct wb_str *out, const char *string); /* NULL stays NULL */

struct wb_wire {
    const uint8_t *at;
    size_t left;
    bool bad;
};

uint64_t wb_wire_get(struct wb_wire *wire);
/* A number up to `max`: a larger one makes the wire bad. */
uint64_t wb_wire_get_upto(struct wb_wire *wire, uint64_t max);
/* A string of ours again; NULL where NULL was put, and when the wire is bad. */
char *wb_wire_get_string(struct wb_wire *wire, struct wb_arena *arena);
/* The same into a fixed buffer, cut to fit; "" for NULL. */
void wb_wire_copy_string(char *out, size_t size, struct wb_wire *wire);
/* True when everything was read and all of it was good. */
bool wb_wire_ended(const struct wb_wire *wire);

/* Writes all of it, however many calls that takes. */
bool wb_wire_send(int fd, const void *data, size_t size);

#endif
