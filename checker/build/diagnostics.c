/* SPDX-License-Identifier: MIT
 * Parses what nvcc and the programs behind it print. One head line starts a diagnostic:
 *   x.cu(12): error: ...   x.cu(3): warning #177-D: ...   At end of source: error: ...   (cicc)
 *   x.cu:12:5: error: ...  cc1plus: fatal error: ...                                     (g++)
 *   ptxas error   : ...    ptxas x.ptx, line 29; error   : ...    nvcc fatal   : ...
 * The lines after a cicc head up to a blank one belong to it: more words, then the source line
 * and a caret. To add a form, add a function to `forms`.
 */
#include "diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct head {
    enum wb_severity severity;
    const char *file;
    size_t file_length; /* 0: none */
    unsigned line, column;
    const char *message; /* to the end of the line */
    bool has_block;      /* more lines follow, see above */
};

static const struct {
    const char *word;
    enum wb_severity severity;
} severities[] = {
    {"error", WB_SEVERITY_ERROR},
    {"Error", WB_SEVERITY_ERROR},
    {"fatal error", WB_SEVERITY_ERROR},
    {"fatal", WB_SEVERITY_ERROR},
    {"catastrophic error", WB_SEVERITY_ERROR},
    {"warning", WB_SEVERITY_WARNING},
    {"note", WB_SEVERITY_NOTE},
    {"remark", WB_SEVERITY_NOTE},
};

/* "error: text", "warning #177-D: text", "fatal   : text" -> severity and text. */
static bool parse_severity(struct head *head, const char *text)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(severities); i++) {
        if (!wb_starts_with(text, severities[i].word)) {
            continue;
        }
        const char *rest = text + strlen(severities[i].word);
        if (wb_starts_with(rest, " #")) { /* the number of the message */
            rest += 2 + strcspn(rest + 2, ": \n");
        }
        rest += strspn(rest, " ");
        if (*rest == ':') {
            head->severity = severities[i].severity;
            head->message = rest + 1 + strspn(rest + 1, " ");
            return true;
        }
    }
    return false;
}

/* Reads a number and what must follow it; NULL if either is not there. */
static const char *parse_number(unsigned *number, const char *text, const char *follow)
{
    char *end;
    if (!isdigit((unsigned char)*text)) {
        return NULL;
    }
    *number = (unsigned)strtoul(text, &end, 10);
    return wb_starts_with(end, follow) ? end + strlen(follow) : NULL;
}

static bool parse_cicc(struct head *head, const char *line)
{
    static const char end_of_source[] = "At end of source: ";
    head->has_block = true;
    if (wb_starts_with(line, end_of_source)) {
        return parse_severity(head, line + strlen(end_of_source));
    }
    size_t length = strcspn(line, "\n");
    for (size_t i = 1; i < length; i++) {
        const char *rest = line[i] == '(' ? parse_number(&head->line, line + i + 1, "): ") : NULL;
        if (rest && parse_severity(head, rest)) {
            head->file = line;
            head->file_length = i;
            return true;
        }
    }
    return false;
}

static bool parse_gcc(struct head *head, const char *line)
{
    size_t length = strcspn(line, "\n");
    for (size_t i = 1; i < length; i++) {
        if (line[i] != ':') {
            continue;
        }
        const char *rest = parse_number(&head->line, line + i + 1, ":");
        const char *behind = rest ? parse_number(&head->column, rest, ":") : NULL;
        rest = behind ? behind : rest;
        if (rest && parse_severity(head, rest + strspn(rest, " "))) {
            head->file = line;
            head->file_length = i;
            return true;
        }
        if (wb_starts_with(line + i, ": ") && parse_severity(head, line + i + 2)) {
            return true; /* "cc1plus: fatal error: ..." */
        }
    }
    return false;
}

/* ptxas, nvcc, nvlink, fatbinary, cudafe++: "TOOL error   : text", perhaps with a .ptx place. */
static bool parse_tool(struct head *head, const char *line)
{
    size_t length = strcspn(line, " \n");
    if (line[length] != ' ') {
        return false;
    }
    const char *rest = line + length + 1;
    const char *place = memmem(rest, strcspn(rest, "\n"), "; ", 2);
    if (place && parse_severity(head, place + 2)) {
        return true;
    }
    return parse_severity(head, rest);
}

static bool (*const forms[])(struct head *head, const char *line) = {parse_cicc, parse_gcc,
                                                                     parse_tool};

static bool parse_head(struct head *head, const char *line)
{
    if (*line == ' ' || *line == '\n' || *line == '\0') {
        return false;
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(forms); i++) {
        *head = (struct head){0};
        if (forms[i](head, line)) {
            return true;
        }
    }
    return false;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

static bool is_blank(const char *line)
{
    line += strspn(line, " \t");
    return *line == '\n' || *line == '\0';
}

static bool is_caret(const char *line)
{
    line += strspn(line, " ");
    return *line == '^' && is_blank(line + 1);
}

/* Reads the lines after a cicc head; joins those before source line and caret to the message. */
static const char *parse_block(struct wb_str *message, bool *at_line_start, const char *line)
{
    struct head other;
    for (; *line && !is_blank(line) && !parse_head(&other, line); line = next_line(line)) {
        const char *caret = next_line(line);
        if (is_caret(caret)) {
            *at_line_start = strspn(line, " \t") == strspn(caret, " ");
            return next_line(caret);
        }
        line += strspn(line, " \t");
        wb_str_add(message, " ");
        wb_str_add_bytes(message, line, strcspn(line, "\n"));
    }
    return line;
}

static bool is_wanted(const struct head *head, const char *folder)
{
    return head->severity != WB_SEVERITY_NOTE || head->file_length == 0 || head->file[0] != '/' ||
           wb_starts_with(head->file, folder[0] ? folder : "\n");
}

static void add(struct wb_diagnostics *out, size_t *capacity, const struct head *head,
                const struct wb_str *message, bool at_line_start)
{
    bool have_error = out->first_error < out->count;
    bool is_first_error = head->severity == WB_SEVERITY_ERROR && !have_error;
    if (out->count >= WB_MAX_DIAGNOSTICS && !is_first_error) {
        return;
    }
    struct wb_arena *arena = message->arena;
    out->items = wb_arena_grow(arena, out->items, capacity, out->count, sizeof *out->items);
    out->items[out->count] = (struct wb_diagnostic){
        .severity = head->severity,
        .file = head->file_length ? wb_arena_strndup(arena, head->file, head->file_length) : NULL,
        .line = head->line,
        .column = head->column,
        .message = message->data};
    out->at_line_start = is_first_error ? at_line_start : out->at_line_start;
    out->first_error += !have_error && !is_first_error;
    out->count++;
}

void wb_diagnostics_parse(struct wb_diagnostics *out, struct wb_arena *arena, const char *text,
                          const char *folder)
{
    size_t capacity = 0;
    *out = (struct wb_diagnostics){0};
    for (const char *line = text; *line;) {
        struct head head;
        bool at_line_start = false;
        if (!parse_head(&head, line)) {
            line = next_line(line);
            continue;
        }
        struct wb_str message;
        wb_str_init(&message, arena);
        wb_str_add_bytes(&message, head.message, strcspn(head.message, "\n"));
        line = next_line(line);
        if (head.has_block) {
            line = parse_block(&message, &at_line_start, line);
        }
        if (is_wanted(&head, folder)) {
            add(out, &capacity, &head, &message, at_line_start);
        }
    }
}
