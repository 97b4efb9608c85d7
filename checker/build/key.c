/* SPDX-License-Identifier: MIT
 * The cache key. Included files are found by reading the #include "..." lines: a line inside
 * #if 0 only adds a file too many. Headers in <...> belong to the toolkit, so nvcc's version
 * stands for them. What cannot be followed this way (#include MACRO) makes the key unusable.
 */
#include "key.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64, MAX_FILE_SIZE = 1 << 20, KEY_FORMAT = 1 };

/* Variables of the environment that change what nvcc makes. */
static const char *const variables[] = {"NVCC_CCBIN", "CPATH", "C_INCLUDE_PATH",
                                        "CPLUS_INCLUDE_PATH"};

struct closure {
    struct wb_arena *arena;
    struct wb_str text;     /* everything that is hashed */
    char *files[MAX_FILES]; /* paths found so far, the source first */
    size_t file_count;
    bool usable;
};

/* Length first, so that no two different lists of parts give the same text. */
static void add_part(struct closure *closure, const void *data, size_t size)
{
    wb_str_printf(&closure->text, "%zu:", size);
    wb_str_add_bytes(&closure->text, data, size);
}

static void add_string(struct closure *closure, const char *string)
{
    add_part(closure, string, strlen(string));
}

static void add_file(struct closure *closure, char *path)
{
    for (size_t i = 0; i < closure->file_count; i++) {
        if (strcmp(closure->files[i], path) == 0) {
            return;
        }
    }
    if (closure->file_count == MAX_FILES) {
        closure->usable = false;
        return;
    }
    closure->files[closure->file_count++] = path;
}

/* `text` stands behind the word "include", `end` is the end of its line. */
static void read_include(struct closure *closure, const char *folder, const char *text,
                         const char *end)
{
    text += strspn(text, " \t");
    if (*text == '<') {
        return;
    }
    const char *quote = *text == '"' ? memchr(text + 1, '"', (size_t)(end - text - 1)) : NULL;
    if (!quote) {
        closure->usable = false;
        return;
    }
    char *name = wb_arena_strndup(closure->arena, text + 1, (size_t)(quote - text - 1));
    char *path = name[0] == '/' ? name : wb_path_join(closure->arena, folder, name);
    if (wb_file_exists(path)) { /* else the toolkit's, or missing: not cached then */
        add_file(closure, path);
    }
}

static void read_directives(struct closure *closure, const char *path, const struct wb_bytes *file)
{
    const char *text = (const char *)file->data;
    const char *folder = wb_path_folder(closure->arena, path);
    if (strstr(text, "__has_include") || strlen(text) != file->size) {
        closure->usable = false;
    }
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        line += strspn(line, " \t");
        if (*line == '#') {
            line++;
            line += strspn(line, " \t");
            if (wb_starts_with(line, "include") || wb_starts_with(line, "import")) {
                line += strspn(line, "abcdefghijklmnopqrstuvwxyz_");
                read_include(closure, folder, line, end);
            }
        }
        line = *end ? end + 1 : end;
    }
}

void wb_key_make(struct wb_key *out, struct wb_arena *arena, const char *path,
                 const struct wb_bytes *source, const char *const *options,
                 const struct wb_toolchain *toolchain)
{
    struct closure closure = {.arena = arena, .usable = true};
    wb_str_init(&closure.text, arena);
    wb_str_printf(&closure.text, "warpbook-cubin %d ", KEY_FORMAT);
    add_string(&closure, toolchain->version);
    for (; *options; options++) {
        add_string(&closure, *options);
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(variables); i++) {
        const char *value = getenv(variables[i]);
        add_string(&closure, value ? value : "");
    }
    add_file(&closure, wb_arena_strdup(arena, path));
    for (size_t i = 0; i < closure.file_count; i++) {
        struct wb_bytes file = *source;
        if (i > 0 && !wb_file_read(&file, arena, closure.files[i], MAX_FILE_SIZE, NULL)) {
            closure.usable = false;
            break;
        }
        add_string(&closure, closure.files[i]);
        add_part(&closure, file.data, file.size);
        read_directives(&closure, closure.files[i], &file);
    }
    out->usable = closure.usable;
    wb_hash_hex(out->hex, closure.text.data, closure.text.length);
}
