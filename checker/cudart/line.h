/* SPDX-License-Identifier: MIT
 * line: appends one line of the run log at a time. Private to log.c, leaks.c and crash.c.
 */
#ifndef WB_CUDART_LINE_H
#define WB_CUDART_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Finds out whether there is a run log; its file is opened with the first line. */
void wb_line_start(void);
bool wb_line_wanted(void);
/* One write(2) to the end of the file, so lines of several processes do not mix. A log that cannot
 * be written is complained of once, then there is none. May be called in a signal handler. */
void wb_line_write(const char *text, size_t size);
/* The object with "type" and "pid" added, and released. */
void wb_line_write_json(const char *type, json_t *object);
/* Any text as JSON: bytes that are not UTF-8 become '?'. NULL becomes null. */
json_t *wb_line_text(const char *text);

#endif
