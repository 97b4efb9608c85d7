/* SPDX-License-Identifier: MIT
 * Where reports go. Files come first: whatever happens to the terminal, they are written.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { FILE_FORMATS = 3 };

struct target {
    const struct wb_report_format *format;
    const char *path; /* NULL: not wanted; "-": standard output */
};

static void targets_of(struct target out[FILE_FORMATS], const struct check *check)
{
    const struct cli_check_options *options = &check->options.common;
    out[0] = (struct target){&wb_report_json, options->json};
    out[1] = (struct target){&wb_report_html, options->html};
    out[2] = (struct target){&wb_report_junit, options->junit};
}

static void render(struct wb_str *out, struct check *check, const struct wb_result *result,
                   const struct wb_report_format *format, struct wb_report_options options)
{
    options.lesson = &wb_lesson;
    options.folder = check->folder;
    wb_str_init(out, &check->arena);
    format->render(out, result, &options);
}

void check_render(struct wb_str *out, struct check *check, const struct wb_result *result,
                  struct wb_report_options options)
{
    render(out, check, result, &wb_report_terminal, options);
}

static bool write_target(struct check *check, const struct wb_result *result,
                         const struct target *target)
{
    struct wb_str text;
    struct wb_status status = {0};
    render(&text, check, result, target->format, (struct wb_report_options){0});
    if (strcmp(target->path, "-") == 0) {
        return cli_console_write(STDOUT_FILENO, &text);
    }
    if (!wb_file_write(target->path, text.data, text.length, &status)) {
        cli_complain("The %s report was not written: %s", target->format->name, status.message);
        return false;
    }
    return true;
}

bool check_write_files(struct check *check, const struct wb_result *result)
{
    struct target targets[FILE_FORMATS];
    bool ok = true;
    targets_of(targets, check);
    for (int i = 0; i < FILE_FORMATS; i++) {
        if (targets[i].path && !write_target(check, result, &targets[i])) {
            ok = false;
        }
    }
    return ok;
}

int check_report(struct check *check, const struct wb_result *result)
{
    struct wb_str text;
    int fd = cli_check_to_stdout(&check->options.common) ? STDERR_FILENO : STDOUT_FILENO;
    bool written = check_write_files(check, result);
    check_render(&text, check, result, cli_console_options(fd));
    bool shown = cli_console_write(fd, &text);
    written = written && (shown || fd == STDERR_FILENO); /* its reader wants the other one */
    return written ? cli_exit_of(result->verdict) : CLI_BROKEN;
}
