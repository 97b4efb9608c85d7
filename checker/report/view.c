/* SPDX-License-Identifier: MIT
 * The parts of a view that are words; the numbers are in compare.c.
 */
#include "view.h"
#include "compare.h"
#include "text.h"

#include <string.h>

enum { MAX_SOURCE = 1024 * 1024 };

const char *const wb_verdict_title[] = {[WB_PASSED] = "PASSED",
                                        [WB_FAILED] = "FAILED",
                                        [WB_ERROR] = "ERROR",
                                        [WB_SKIPPED] = "SKIPPED",
                                        [WB_NOT_STARTED] = "NOT STARTED"};

char *wb_view_points(struct wb_arena *arena, double points)
{
    return wb_arena_printf(arena, "%.4g", points);
}

static char *heading(struct wb_arena *arena, const struct wb_result *result)
{
    int digits = (int)strspn(result->lesson, "0123456789");
    const char *title = result->title ? result->title : result->lesson;
    return digits ? wb_arena_printf(arena, "Lesson %.*s: %s", digits, result->lesson, title)
                  : wb_arena_printf(arena, "%s", title);
}

static bool anything_measured(const struct wb_result *result)
{
    for (size_t i = 0; i < result->task_count; i++) {
        if (result->measured && result->measured[i].measured) {
            return true;
        }
    }
    return false;
}

static char *device_line(struct wb_arena *arena, const struct wb_result *result)
{
    const struct wb_device_info *device = &result->device;
    const char *name = device->name;
    if (!name[0]) {
        return NULL;
    }
    if (device->kind == WB_DEVICE_SIM) {
        return wb_arena_strdup(arena, name);
    }
    if (anything_measured(result)) {
        return wb_arena_printf(arena, "measured: %s, %s", name,
                               device->counters && wb_starts_with(device->counters, "cupti")
                                   ? "CUPTI"
                                   : device->counters);
    }
    return wb_arena_strdup(arena, name);
}

/* The advice of the finding that decided the verdict, or of a copy that went wrong before and that
 * it only follows from; else of any, else of the reason. */
static const char *advice(const struct wb_result *result)
{
    const char *any = NULL;
    for (size_t i = 0; i < result->finding_count; i++) {
        const struct wb_finding *finding = &result->findings[i];
        if (finding->advice && finding->advice[0]) {
            if (finding->kind == result->reason || finding->kind == WB_REASON_COPY_KIND) {
                return finding->advice;
            }
            any = any ? any : finding->advice;
        }
    }
    return any ? any : wb_reason_advice[result->reason];
}

static const char *next_step(struct wb_arena *arena, const struct wb_result *result)
{
    const char *text = NULL;
    switch (result->verdict) {
    case WB_PASSED:
        text = "`" WB_PROGRAM " next` names the next lesson.";
        break;
    case WB_NOT_STARTED:
        if (result->criterion_count) { /* else the exercise is missing, and the message says so */
            text = wb_arena_printf(arena, "Edit %s, then check it again.", result->attempt);
        }
        break;
    case WB_FAILED:
    case WB_ERROR:
        text = advice(result);
        break;
    case WB_SKIPPED:
        break;
    }
    return text && *text ? text : NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool wb_view_same_place(const struct wb_finding *a, const struct wb_finding *b)
{
    return a->kind == b->kind && a->line == 0 && b->line == 0 && same_text(a->file, b->file) &&
           same_text(a->task, b->task);
}

bool wb_view_same_advice(const struct wb_finding *a, const struct wb_finding *b)
{
    return a->kind == b->kind && same_text(a->advice, b->advice);
}

const char *wb_view_task(const struct wb_view *view, const struct wb_finding *finding)
{
    return view->result->task_count > 1 ? finding->task : NULL;
}

static void read_lines(struct wb_view *view, struct wb_arena *arena, const char *folder)
{
    struct wb_bytes text;
    struct wb_status ignored = {0};
    const char *path = view->result->attempt;
    if (!path) {
        return;
    }
    if (folder && path[0] != '/') {
        path = wb_path_join(arena, folder, path);
    }
    if (!wb_file_read(&text, arena, path, MAX_SOURCE, &ignored)) {
        return;
    }
    const char *rest = (const char *)text.data;
    size_t capacity = 0;
    char *line;
    while ((line = wb_text_line(arena, &rest))) {
        view->lines =
            wb_arena_grow(arena, view->lines, &capacity, view->line_count, sizeof *view->lines);
        view->lines[view->line_count++] = line;
    }
}

bool wb_view_is_attempt(const struct wb_view *view, const char *file)
{
    const char *attempt = view->result->attempt;
    return file && attempt && strcmp(wb_path_base(file), wb_path_base(attempt)) == 0;
}

void wb_view_init(struct wb_view *view, struct wb_arena *arena, const struct wb_result *result,
                  const struct wb_report_options *options)
{
    *view = (struct wb_view){.result = result};
    view->heading = heading(arena, result);
    view->points = wb_arena_printf(arena, "%s of %s points", wb_view_points(arena, result->points),
                                   wb_view_points(arena, result->max_points));
    view->device = device_line(arena, result);
    view->next = next_step(arena, result);
    wb_view_compare(view, arena, options ? options->lesson : NULL);
    read_lines(view, arena, options ? options->folder : NULL);
}
