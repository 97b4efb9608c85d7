/* SPDX-License-Identifier: MIT
 * base: what every layer stands on. A status for operations of ours that fail, an arena, a string
 * builder, files and hashes. Verdicts about a learner's code are never statuses: see grade.h.
 */
#ifndef WARPBOOK_BASE_H
#define WARPBOOK_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a user types to run the program, in every message that names a command. */
#define WB_PROGRAM "./warpbook"

#define WB_ARRAY_LENGTH(a)             (sizeof(a) / sizeof((a)[0]))
#define WB_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))

/* ---- status: an operation of ours failed ------------------------------------------------- */

/* X(ENUM, "what it means to a user") */
#define WB_CODE_LIST(X)                                                                            \
    X(OK, "no error")                                                                              \
    X(NO_MEMORY, "not enough memory")                                                              \
    X(IO, "a file could not be read or written")                                                   \
    X(NOT_FOUND, "something that was named does not exist")                                        \
    X(BAD_INPUT, "a file or an argument has the wrong form")                                       \
    X(LIMIT, "a limit on time, memory or size was reached")                                        \
    X(TOOL_MISSING, "a program that is needed is missing or too old")                              \
    X(NO_DEVICE, "the device is missing or does not work")                                         \
    X(UNSUPPORTED, "the device does not support this")                                             \
    X(INTERNAL, "a defect in Warpbook itself")

enum wb_code {
#define X(name, text) WB_##name,
    WB_CODE_LIST(X)
#undef X
};

/* Why an operation failed. All zero is success. `message` is a whole sentence for a user,
 * `place` the file:line in our source that raised it. */
struct wb_status {
    enum wb_code code;
    const char *place;
    char message[480];
};

#define WB_STRINGIFY_(x) #x
#define WB_STRINGIFY(x)  WB_STRINGIFY_(x)

/* Records a failure and is false, so that a function can `return WB_FAIL(status, IO, "...")`. */
#define WB_FAIL(status, name, ...)                                                                 \
    wb_status_set((status), WB_##name, __FILE__ ":" WB_STRINGIFY(__LINE__), __VA_ARGS__)

bool wb_status_set(struct wb_status *status, enum wb_code code, const char *place,
                   const char *format, ...) WB_PRINTF(4, 5);
const char *wb_code_text(enum wb_code code);

/* ---- arena: memory that is freed at once -------------------------------------------------- */

struct wb_arena {
    struct wb_arena_block *blocks;
};

void wb_arena_init(struct wb_arena *arena);
void wb_arena_finish(struct wb_arena *arena);
/* Zeroed, aligned to 16 bytes; never NULL (aborts when the machine has no memory left). */
void *wb_arena_alloc(struct wb_arena *arena, size_t size);
void *wb_arena_copy(struct wb_arena *arena, const void *data, size_t size);
char *wb_arena_strdup(struct wb_arena *arena, const char *string);
char *wb_arena_strndup(struct wb_arena *arena, const char *string, size_t length);
char *wb_arena_printf(struct wb_arena *arena, const char *format, ...) WB_PRINTF(2, 3);
char *wb_arena_vprintf(struct wb_arena *arena, const char *format, va_list arguments);

/* Makes room for one more item: returns `items`, moved if it was full, and updates *capacity.
 *   list = wb_arena_grow(arena, list, &capacity, count, sizeof *list);  list[count++] = ... */
void *wb_arena_grow(struct wb_arena *arena, void *items, size_t *capacity, size_t count,
                    size_t item_size);

/* ---- string builder ---------------------------------------------------------------------- */

/* Always NUL-terminated once anything was added; `data` may be NULL before. */
struct wb_str {
    struct wb_arena *arena;
    char *data;
    size_t length, capacity;
};

void wb_str_init(struct wb_str *str, struct wb_arena *arena);
void wb_str_add(struct wb_str *str, const char *string);
void wb_str_add_bytes(struct wb_str *str, const void *data, size_t size);
void wb_str_printf(struct wb_str *str, const char *format, ...) WB_PRINTF(2, 3);
const char *wb_str_get(const struct wb_str *str); /* "" when empty */

bool wb_starts_with(const char *string, const char *prefix);
bool wb_ends_with(const char *string, const char *suffix);

/* ---- files ------------------------------------------------------------------------------- */

struct wb_bytes {
    uint8_t *data; /* one more byte, 0, stands behind the last */
    size_t size;
};

/* Reads a whole regular file of at most `max` bytes. NOT_FOUND, IO or LIMIT. */
bool wb_file_read(struct wb_bytes *out, struct wb_arena *arena, const char *path, size_t max,
                  struct wb_status *status);
/* Writes to a temporary neighbour and renames: the file is whole or as before. A link stays a link,
 * and what wb_file_in_place names is written as it is. */
bool wb_file_write(const char *path, const void *data, size_t size, struct wb_status *status);
/* Whether a new file may not take the place of this one: a device, a pipe, or the file that
 * standard output or error goes to (also by the name /dev/stdout). Then *fd is open for writing, at
 * the place where that output has come to; or it is -1, see errno. */
bool wb_file_in_place(int *fd, const char *path);
bool wb_file_exists(const char *path);
bool wb_dir_exists(const char *path);
bool wb_dir_make(const char *path, struct wb_status *status); /* with its parents */
/* Names in a folder, sorted by bytes, without "." and ".."; NULL-terminated. */
bool wb_dir_list(char ***names, size_t *count, struct wb_arena *arena, const char *path,
                 struct wb_status *status);
char *wb_path_join(struct wb_arena *arena, const char *folder, const char *name);
const char *wb_path_base(const char *path); /* after the last '/' */
char *wb_path_folder(struct wb_arena *arena, const char *path);
char *wb_path_target(struct wb_arena *arena, const char *path); /* where links lead; else `path` */

/* ---- hash -------------------------------------------------------------------------------- */

/* XXH3-128 (xxHash library) of the bytes as 32 hexadecimal digits and NUL. */
void wb_hash_hex(char out[33], const void *data, size_t size);

#endif
