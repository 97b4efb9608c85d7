/* SPDX-License-Identifier: MIT
 * Complaints about a lesson's files, and the table of what is looked at. To look at more: a
 * function in an audit_*.c and a row here.
 */
#include <warpbook/author.h>

#include <string.h>

const struct wb_audit wb_audits[] = {
    {"the files are complete", wb_audit_files},
    {"the hints are three", wb_audit_hints},
    {"the lists name the lesson", wb_audit_lists},
    {"the links lead somewhere", wb_audit_links},
    {"the translation follows the English text", wb_audit_translation},
    {0},
};

void wb_complain(struct wb_complaints *list, const char *root, const char *path, unsigned line,
                 const char *format, ...)
{
    size_t length = strlen(root);
    bool below = strncmp(path, root, length) == 0 && path[length] == '/';
    va_list arguments;
    va_start(arguments, format);
    list->items =
        wb_arena_grow(list->arena, list->items, &list->capacity, list->count, sizeof *list->items);
    list->items[list->count++] = (struct wb_complaint){
        .file = wb_arena_strdup(list->arena, below ? path + length + 1 : path),
        .line = line,
        .what = wb_arena_vprintf(list->arena, format, arguments),
    };
    va_end(arguments);
}

const char *wb_complaints_text(const struct wb_complaints *list, const char *between)
{
    struct wb_str text;
    wb_str_init(&text, list->arena);
    for (size_t i = 0; i < list->count; i++) {
        const struct wb_complaint *complaint = &list->items[i];
        wb_str_printf(&text, "%s%s:", i ? between : "", complaint->file);
        if (complaint->line) {
            wb_str_printf(&text, "%u:", complaint->line);
        }
        wb_str_printf(&text, " %s", complaint->what);
    }
    return wb_str_get(&text);
}
