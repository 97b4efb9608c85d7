/* SPDX-License-Identifier: MIT
 * The shared state of one grading: findings, file names, and the end by an error of ours.
 */
#include "grader.h"
#include "cases.h"

#include <string.h>

const char *const wb_verdict_name[] = {
    [WB_PASSED] = "passed",   [WB_FAILED] = "failed",           [WB_ERROR] = "error",
    [WB_SKIPPED] = "skipped", [WB_NOT_STARTED] = "not-started",
};

static struct wb_measurement *make_measurements(struct wb_arena *arena,
                                                const struct wb_lesson *lesson)
{
    struct wb_measurement *list = wb_arena_alloc(arena, lesson->task_count * sizeof *list);
    for (unsigned i = 0; i < lesson->task_count; i++) {
        const struct wb_task *task = &lesson->tasks[i];
        list[i].kernel = wb_task_name(task);
        if (!task->function && wb_size_count(task->measured)) {
            list[i].not_measured = wb_arena_strdup(arena, "The kernel was not run.");
        }
    }
    return list;
}

void wb_grader_init(struct wb_grader *grader, struct wb_result *out, struct wb_arena *arena,
                    const struct wb_lesson *lesson, const struct wb_grade_options *options)
{
    const char *shown = options->shown ? options->shown : options->attempt;
    *out = (struct wb_result){
        .lesson = lesson->name,
        .title = options->title,
        .attempt = wb_arena_strdup(arena, shown),
        .device = *options->info,
        .verdict = WB_PASSED,
        .criteria = wb_arena_alloc(arena, lesson->criterion_count * sizeof *out->criteria),
        .criterion_count = lesson->criterion_count,
        .reference = make_measurements(arena, lesson),
        .measured = make_measurements(arena, lesson),
        .task_count = lesson->task_count,
        .seed = options->seed,
    };
    for (unsigned i = 0; i < lesson->criterion_count; i++) {
        out->criteria[i] = (struct wb_criterion_result){
            .id = lesson->criteria[i].id,
            .title = lesson->criteria[i].title,
            .verdict = WB_SKIPPED,
            .max_points = lesson->criteria[i].points,
        };
    }
    *grader = (struct wb_grader){
        .result = out,
        .arena = arena,
        .lesson = lesson,
        .options = options,
        .tasks = wb_arena_alloc(arena, lesson->task_count * sizeof *grader->tasks),
    };
}

bool wb_grader_own_file(const struct wb_grader *grader, const char *file)
{
    const char *attempt = grader->options->attempt;
    return file && (strcmp(file, grader->result->attempt) == 0 || strcmp(file, attempt) == 0 ||
                    strcmp(wb_path_base(file), wb_path_base(attempt)) == 0);
}

char *wb_grader_file(const struct wb_grader *grader, const char *file)
{
    if (!file) {
        return NULL;
    }
    return wb_grader_own_file(grader, file) ? grader->result->attempt
                                            : wb_arena_strdup(grader->arena, file);
}

void wb_grader_find(struct wb_grader *grader, enum wb_reason kind, const char *file, unsigned line,
                    const char *advice, const char *format, ...)
{
    struct wb_result *result = grader->result;
    result->findings = wb_arena_grow(grader->arena, result->findings, &grader->finding_capacity,
                                     result->finding_count, sizeof *result->findings);
    struct wb_finding *finding = &result->findings[result->finding_count++];
    va_list arguments;
    va_start(arguments, format);
    *finding = (struct wb_finding){
        .kind = kind,
        .file = wb_grader_file(grader, file),
        .line = line,
        .message = wb_arena_vprintf(grader->arena, format, arguments),
        .advice = wb_arena_strdup(grader->arena, advice ? advice : wb_reason_advice[kind]),
        .task = grader->task ? wb_task_name(grader->task) : NULL,
    };
    va_end(arguments);
}

bool wb_grader_error(struct wb_grader *grader, enum wb_reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    grader->result->verdict = WB_ERROR;
    grader->result->reason = reason;
    grader->result->message = wb_arena_vprintf(grader->arena, format, arguments);
    va_end(arguments);
    wb_grader_skip_all(grader, "Not reached.");
    return false;
}

void wb_grader_skip_all(struct wb_grader *grader, const char *message)
{
    for (size_t i = 0; i < grader->result->criterion_count; i++) {
        grader->result->criteria[i].verdict = WB_SKIPPED;
        grader->result->criteria[i].message = wb_arena_strdup(grader->arena, message);
    }
}
