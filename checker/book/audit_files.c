/* SPDX-License-Identifier: MIT
 * Are a lesson's files there, do they hold what each must hold, and do the lists of lessons name
 * it? A file that every lesson needs is a row of `needed`.
 */
#include <warpbook/author.h>

#include <string.h>

enum { MAX_FILE = 1024 * 1024, LEAST_WRONG = 6, HINTS = 3 };

/* ---- files -------------------------------------------------------------------------------- */

static const struct {
    const char *folder, *name, *holds; /* holds NULL: anything */
    const char *what;
} needed[] = {
    {"lessons", "README.md", "# Lesson ", "the chapter, with a heading `# Lesson NN: Title`"},
    {"lessons", "README.zh-CN.md", "# ", "the chapter in Chinese, with a heading"},
    {"lessons", "reference.cu", NULL, "what results are compared with"},
    {"lessons", "exercise.cu", "TODO", "the stub, with a TODO where the learner works"},
    {"lessons", "check.c", "wb_lesson", "what is right and what is measured"},
    {"lessons", "hints.md", "## ", "three hints, each below a heading `## `"},
    {"solutions", "solution.cu", "Why this is good",
     "a solution, with a comment that begins `Why this is good:`"},
};

void wb_audit_files(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson)
{
    struct wb_status ignored = {0};
    char **names;
    size_t count, wrong = 0;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(needed); i++) {
        struct wb_bytes text;
        const char *path = wb_arena_printf(out->arena, "%s/%s/%s/%s", book->root, needed[i].folder,
                                           lesson->name, needed[i].name);
        if (!wb_file_read(&text, out->arena, path, MAX_FILE, &ignored)) {
            wb_complain(out, book->root, path, 0, "This file is missing. It holds %s.",
                        needed[i].what);
        } else if (needed[i].holds && !strstr((char *)text.data, needed[i].holds)) {
            wb_complain(out, book->root, path, 1, "`%s` is not in this file. It must hold %s.",
                        needed[i].holds, needed[i].what);
        }
    }
    bool there = wb_dir_list(&names, &count, out->arena, lesson->wrong, &ignored);
    for (size_t i = 0; there && i < count; i++) {
        wrong += wb_ends_with(names[i], ".cu");
    }
    if (wrong < LEAST_WRONG) {
        wb_complain(
            out, book->root, lesson->wrong, 0,
            "Wrong attempts: %zu, and %d is the least. A checker that was never seen to fail is "
            "not checked: add .cu files whose first line says what each must get.",
            wrong, LEAST_WRONG);
    }
}

/* ---- hints -------------------------------------------------------------------------------- */

static bool blank(const char *line)
{
    return line[strspn(line, " \t\r")] == '\0';
}

void wb_audit_hints(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    const char *path = wb_path_join(out->arena, lesson->folder, "hints.md");
    unsigned hints = 0, number = 0, heading = 0;
    bool empty = false;
    if (!wb_file_read(&text, out->arena, path, MAX_FILE, &ignored)) {
        return; /* wb_audit_files says so */
    }
    char *rest = (char *)text.data, *line;
    do {
        line = strsep(&rest, "\n");
        number++;
        bool next = line && wb_starts_with(line, "## ");
        if ((next || !line) && empty) {
            wb_complain(out, book->root, path, heading,
                        "This hint is empty. Write below the heading what it tells.");
        }
        if (next) {
            hints++;
            heading = number;
            empty = true;
        } else if (line && !blank(line)) {
            empty = false;
        }
    } while (line);
    if (hints != HINTS) {
        wb_complain(out, book->root, path, 1,
                    "There are %u hints, and there must be %d: the idea, the place, almost the "
                    "code. Each begins with a heading `## `.",
                    hints, HINTS);
    }
}

/* ---- lists of lessons --------------------------------------------------------------------- */

/* The line, from 1, of the first one that holds `what`; *line is that line. 0: none. */
static unsigned find_line(char **line, char *text, const char *what)
{
    char *rest = text;
    for (unsigned number = 1; (*line = strsep(&rest, "\n")); number++) {
        if (strstr(*line, what)) {
            return number;
        }
    }
    return 0;
}

void wb_audit_lists(struct wb_complaints *out, const struct wb_book *book,
                    const struct wb_book_lesson *lesson)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    char *line;
    const char *build = wb_path_join(out->arena, book->root, "lessons/meson.build");
    const char *table = wb_path_join(out->arena, book->root, "lessons/README.md");
    const char *row = wb_arena_printf(out->arena, "'%s'", lesson->name);
    const char *link = wb_arena_printf(out->arena, "[%02d %s](%s/README.md)", lesson->number,
                                       lesson->title, lesson->name);
    const char *target = wb_arena_printf(out->arena, "](%s/README.md)", lesson->name);
    if (!wb_file_read(&text, out->arena, build, MAX_FILE, &ignored) ||
        !find_line(&line, (char *)text.data, row)) {
        wb_complain(out, book->root, build, 0, "The lesson is not built. Add %s to the list.", row);
    }
    if (!wb_file_read(&text, out->arena, table, MAX_FILE, &ignored)) {
        wb_complain(out, book->root, table, 0, "The table of contents is missing.");
        return;
    }
    unsigned number = find_line(&line, (char *)text.data, target);
    if (!number) {
        wb_complain(out, book->root, table, 0,
                    "The table of contents does not name the lesson. Add a row with %s.", link);
    } else if (!strstr(line, link)) {
        wb_complain(out, book->root, table, number,
                    "The chapter has another title than this row. The row must begin with %s.",
                    link);
    }
}
