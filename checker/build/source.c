/* SPDX-License-Identifier: MIT
 * Reads the learner's file and refuses what would only confuse the compiler.
 */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* nvcc hands the path to a shell in double quotes: these would be taken as commands. */
static const char forbidden[] = "\"$`\\\n\r";

/* nvcc makes longer names of it for its own files. */
enum { MAX_NAME_LENGTH = 150 };

static bool make_absolute(struct wb_source *out, struct wb_arena *arena, struct wb_status *status)
{
    char *folder = NULL;
    if (out->given[0] != '/' && !(folder = getcwd(NULL, 0))) {
        return WB_FAIL(status, IO, "The working folder is gone: %s.", strerror(errno));
    }
    out->path =
        folder ? wb_path_join(arena, folder, out->given) : wb_arena_strdup(arena, out->given);
    free(folder);
    if (strpbrk(out->path, forbidden)) {
        return WB_FAIL(status, BAD_INPUT,
                       "nvcc cannot compile %s: its path has a quote, a $, a backslash or a line "
                       "end in it. Rename the file or its folder.",
                       out->given);
    }
    size_t base = strlen(wb_path_base(out->given));
    if (base > MAX_NAME_LENGTH) {
        return WB_FAIL(status, BAD_INPUT,
                       "The file's name is too long for nvcc: rename it to at most %d characters.",
                       (int)MAX_NAME_LENGTH);
    }
    out->folder = wb_arena_strndup(arena, out->path, strlen(out->path) - base);
    out->given_folder = wb_arena_strndup(arena, out->given, strlen(out->given) - base);
    return true;
}

static unsigned line_of(const struct wb_bytes *text, size_t offset)
{
    unsigned line = 1;
    for (size_t i = 0; i < offset; i++) {
        line += text->data[i] == '\n';
    }
    return line;
}

static void refuse_binary(struct wb_source *out, struct wb_arena *arena)
{
    const uint8_t *zero = memchr(out->text.data, 0, out->text.size);
    if (zero) {
        out->refused_line = line_of(&out->text, (size_t)(zero - out->text.data));
        out->refused =
            wb_arena_printf(arena, "line %u: there is a zero byte, so %s is not plain text",
                            out->refused_line, wb_path_base(out->given));
        out->refused_advice = "Save the file again as plain text, in the encoding UTF-8.";
    }
}

static void refuse_includes(struct wb_source *out, struct wb_arena *arena)
{
    wb_includes_follow(&out->includes, arena, out->path, &out->text);
    if (!out->refused && out->includes.refused) {
        out->refused = out->includes.refused;
        out->refused_line = out->includes.refused_line;
        out->refused_advice = "Remove the line. An attempt is one file, with the toolkit's headers "
                              "and your own, which lie in the same folder.";
    }
}

bool wb_source_read(struct wb_source *out, struct wb_arena *arena, const char *path,
                    struct wb_status *status)
{
    *out = (struct wb_source){.given = path};
    if (!make_absolute(out, arena, status)) {
        return false;
    }
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > WB_SOURCE_MAX_SIZE) {
        out->refused =
            wb_arena_printf(arena, "%s: the file has %lld bytes; at most %d are compiled",
                            wb_path_base(path), (long long)info.st_size, (int)WB_SOURCE_MAX_SIZE);
        out->refused_advice = "Hand in the .cu file itself, without data in it.";
        return true;
    }
    if (!wb_file_read(&out->text, arena, path, WB_SOURCE_MAX_SIZE, status)) {
        return false;
    }
    refuse_binary(out, arena);
    refuse_includes(out, arena);
    return true;
}

/* Something other than blanks and a // comment. */
static bool has_code(const char *line, const char *end)
{
    while (line < end && strchr(" \t\r", *line)) {
        line++;
    }
    return line < end && !(line[0] == '/' && line + 1 < end && line[1] == '/');
}

unsigned wb_source_code_line_before(const struct wb_source *source, unsigned line)
{
    const char *text = (const char *)source->text.data;
    unsigned last = 0;
    for (unsigned number = 1; text && *text && number < line; number++) {
        const char *end = text + strcspn(text, "\n");
        if (has_code(text, end)) {
            last = number;
        }
        text = *end ? end + 1 : end;
    }
    return last;
}
