/* SPDX-License-Identifier: MIT
 * Before anything is done: no report may replace the attempt, another report, or a file of the
 * workbook.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { REPORTS = 3 };

/* The full path, links resolved, also of a file that is not there yet; NULL: nor is its folder. */
static const char *full_path(struct check *check, const char *path)
{
    char *whole = realpath(path, NULL);
    char *folder = whole ? NULL : realpath(wb_path_folder(&check->arena, path), NULL);
    const char *full = whole    ? wb_arena_strdup(&check->arena, whole)
                       : folder ? wb_path_join(&check->arena, folder, wb_path_base(path))
                                : NULL;
    free(whole);
    free(folder);
    return full;
}

/* Also true for two names of one file. */
static bool is_same(struct check *check, const char *a, const char *b)
{
    struct stat info_a, info_b;
    if (stat(a, &info_a) == 0 && stat(b, &info_b) == 0) {
        return S_ISREG(info_a.st_mode) && info_a.st_dev == info_b.st_dev &&
               info_a.st_ino == info_b.st_ino;
    }
    const char *full_a = full_path(check, a), *full_b = full_path(check, b);
    return full_a && full_b && strcmp(full_a, full_b) == 0;
}

/* In lessons/, solutions/ or exercises/: what learners and authors write lies there. */
static bool is_of_workbook(struct check *check, const char *path)
{
    static const char *const folders[] = {"lessons", "solutions", "exercises"};
    const char *full = full_path(check, path);
    for (size_t i = 0; full && i < WB_ARRAY_LENGTH(folders); i++) {
        const char *folder =
            full_path(check, wb_path_join(&check->arena, check->book.root, folders[i]));
        if (folder && wb_starts_with(full, folder) && full[strlen(folder)] == '/') {
            return wb_file_exists(path);
        }
    }
    return false;
}

bool check_targets_are_free(struct check *check)
{
    const struct cli_check_options *options = &check->options.common;
    const char *attempt = options->attempt ? options->attempt : check->lesson->exercise;
    const struct {
        const char *option, *path;
    } reports[REPORTS] = {
        {"json", options->json}, {"html", options->html}, {"junit", options->junit}};
    for (size_t i = 0; i < REPORTS; i++) {
        const char *path = reports[i].path;
        if (!path || strcmp(path, "-") == 0) {
            continue;
        }
        if (is_same(check, path, attempt) || is_of_workbook(check, path)) {
            cli_complain("--%s=%s would replace a file of yours or of the workbook with the "
                         "report. Choose another name.",
                         reports[i].option, path);
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            const char *other = reports[k].path;
            if (other && strcmp(other, "-") != 0 && is_same(check, path, other)) {
                cli_complain("--%s and --%s name the same file, %s. Choose two names.",
                             reports[k].option, reports[i].option, path);
                return false;
            }
        }
    }
    return true;
}
