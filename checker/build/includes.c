/* SPDX-License-Identifier: MIT
 * Finds included files by reading the #include lines. A line inside #if 0 or a comment only adds a
 * file too many. What is written in any other way (#include MACRO, __has_include, #embed) is not
 * followed; but then one of three words stands somewhere else, and the list is not complete.
 * Headers in <...> belong to the toolkit: nvcc's version stands for them.
 */
#include "includes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILE_SIZE = 1 << 20 };

static const char *const telling_words[] = {"include", "import", "embed"};

struct directive {
    bool quoted; /* "name", else <name> */
    char *name;
    const char *place; /* of the name in the text */
    unsigned line;
};

/* Joins lines that end in a backslash. The line ends that were taken out follow the joined line,
 * so that it and those below keep their numbers. */
static char *join_lines(struct wb_arena *arena, const struct wb_bytes *file)
{
    const char *from = (const char *)file->data, *end = from + file->size;
    char *joined = wb_arena_alloc(arena, file->size + 1), *to = joined;
    size_t owed = 0;
    while (from < end) {
        const char *line_end = from + 1 + strspn(from + 1, " \t\r");
        if (*from == '\\' && *line_end == '\n') {
            owed++;
            from = line_end + 1;
            continue;
        }
        *to++ = *from;
        for (; *from == '\n' && owed; owed--) {
            *to++ = '\n';
        }
        from++;
    }
    return joined;
}

/* Blanks and comments. */
static const char *skip_space(const char *text)
{
    for (;;) {
        const char *close = wb_starts_with(text, "/*") ? strstr(text + 2, "*/") : NULL;
        size_t blanks = strspn(text, " \t\v\f\r");
        if (!close && !blanks) {
            return text;
        }
        text = close ? close + 2 : text + blanks;
    }
}

/* Reads the line at `text` if it is an include that can be followed. */
static bool read_directive(struct directive *out, struct wb_arena *arena, const char *text)
{
    text = skip_space(text);
    size_t mark = *text == '#' ? 1 : wb_starts_with(text, "%:") ? 2 : 0;
    if (!mark) {
        return false;
    }
    text = skip_space(text + mark);
    if (!wb_starts_with(text, "include") && !wb_starts_with(text, "import")) {
        return false;
    }
    text = skip_space(text + strspn(text, "cdeilmnoprtu"));
    const char *close = *text == '"' ? "\"\n" : *text == '<' ? ">\n" : NULL;
    size_t length = close ? strcspn(text + 1, close) : 0;
    if (!close || text[1 + length] != close[0]) {
        return false;
    }
    out->quoted = *text == '"';
    out->place = text;
    out->name = wb_arena_strndup(arena, text + 1, length);
    return true;
}

static size_t count_words(const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(telling_words); i++) {
        for (const char *hit = text; (hit = strstr(hit, telling_words[i])); hit++) {
            count++;
        }
    }
    return count;
}

/* ---- following ---------------------------------------------------------------------------- */

static void refuse(struct wb_includes *out, struct wb_arena *arena, size_t file,
                   const struct directive *directive, const char *why)
{
    if (out->refused) {
        return;
    }
    out->refused_line = file == 0 ? directive->line : 0;
    out->refused = file == 0
                       ? wb_arena_printf(arena, "line %u: %s", directive->line, why)
                       : wb_arena_printf(arena, "%s, line %u: %s",
                                         wb_path_base(out->files[file].path), directive->line, why);
}

static bool is_inside(const char *path, const char *folder)
{
    char *real_path = realpath(path, NULL), *real_folder = realpath(folder, NULL);
    size_t length = real_folder ? strlen(real_folder) : 0;
    bool inside = real_path && real_folder && strncmp(real_path, real_folder, length) == 0 &&
                  (real_path[length] == '/' || length == 1);
    free(real_path);
    free(real_folder);
    return inside;
}

static bool climbs(const char *name)
{
    return wb_starts_with(name, "../") || strstr(name, "/../");
}

static void add_file(struct wb_includes *out, struct wb_arena *arena, char *path)
{
    for (size_t i = 0; i < out->count; i++) {
        if (strcmp(out->files[i].path, path) == 0) {
            return;
        }
    }
    if (out->count == WB_INCLUDES_MAX_FILES ||
        !wb_file_read(&out->files[out->count].text, arena, path, MAX_FILE_SIZE, NULL)) {
        out->complete = false;
        return;
    }
    out->files[out->count++].path = path;
}

static void follow(struct wb_includes *out, struct wb_arena *arena, size_t file,
                   const struct directive *directive)
{
    const char *name = directive->name;
    const char *root = wb_path_folder(arena, out->files[0].path);
    const char *folder = wb_path_folder(arena, out->files[file].path);
    char *path = name[0] == '/' ? directive->name : wb_path_join(arena, folder, name);
    bool beside = directive->quoted || name[0] == '/';
    struct stat info;
    if (!beside || stat(path, &info) != 0) { /* the toolkit's, or missing: not cached then */
        if (climbs(name)) {
            refuse(out, arena, file, directive, "only files beside yours can be included");
        }
    } else if (!is_inside(path, root)) {
        refuse(out, arena, file, directive,
               S_ISREG(info.st_mode)
                   ? "only files beside yours can be included"
                   : wb_arena_printf(arena, "%s, which is to be included, is not a file", name));
    } else if (!S_ISREG(info.st_mode)) {
        refuse(out, arena, file, directive,
               wb_arena_printf(arena, "%s, which is to be included, is not a file", name));
    } else {
        add_file(out, arena, path);
    }
}

static void read_file(struct wb_includes *out, struct wb_arena *arena, size_t file)
{
    const char *text = join_lines(arena, &out->files[file].text);
    size_t understood = 0;
    const char *last = text; /* a comment over several lines may lead to one directive twice */
    struct directive directive = {.line = 1};
    for (const char *line = text; *line; directive.line++) {
        if (read_directive(&directive, arena, line) && directive.place > last) {
            last = directive.place;
            understood += 1 + count_words(directive.name);
            follow(out, arena, file, &directive);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (count_words(text) != understood ||
        strlen((char *)out->files[file].text.data) != out->files[file].text.size) {
        out->complete = false;
    }
}

void wb_includes_follow(struct wb_includes *out, struct wb_arena *arena, const char *path,
                        const struct wb_bytes *source)
{
    *out = (struct wb_includes){.count = 1, .complete = true};
    out->files[0].path = wb_arena_strdup(arena, path);
    out->files[0].text = *source;
    for (size_t i = 0; i < out->count; i++) {
        read_file(out, arena, i);
    }
}
