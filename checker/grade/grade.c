/* SPDX-License-Identifier: MIT
 * The order of one grading: compile, run, measure, decide, sum up.
 */
#include "grader.h"
#include "host.h"

#include <time.h>

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

void wb_grade_cubins(struct wb_grader *g, struct wb_bytes attempt, struct wb_bytes reference)
{
    struct wb_status status = {WB_OK};
    struct wb_cubin *cubin = NULL;
    if (attempt.size && !wb_cubin_parse(&cubin, g->arena, attempt.data, attempt.size, &status)) {
        wb_grader_error(g, WB_REASON_CHECKER_ERROR, "The compiled file cannot be read: %s",
                        status.message);
        return;
    }
    for (unsigned t = 0; t < g->lesson->task_count; t++) {
        bool host = g->lesson->tasks[t].function != NULL;
        g->task = &g->lesson->tasks[t];
        if (!wb_grader_correctness(g, t, attempt) || (host && !wb_grader_trials(g, t))) {
            return;
        }
        bool right = g->tasks[t].reason == WB_REASON_NONE;
        bool orders = !host && (g->task->schedules || g->options->thorough);
        if (orders && right && !wb_grader_races(g, t, attempt)) {
            return;
        }
        if (!host) {
            wb_grader_measure(g, t, attempt, reference);
        }
    }
    wb_grader_criteria(g, cubin);
}

/* An older GPU cannot run what the lesson is about. */
static bool device_fits(struct wb_grader *g)
{
    const struct wb_device_info *info = g->options->info;
    const unsigned needs = g->lesson->compute_capability;
    if (info->kind != WB_DEVICE_GPU || info->major * 10 + info->minor >= needs) {
        return true;
    }
    g->result->verdict = WB_SKIPPED;
    g->result->message = wb_arena_printf(
        g->arena,
        "This lesson needs a GPU of compute capability %u.%u; %s has %u.%u. The embedded device "
        "can do it: `--device sim`.",
        needs / 10, needs % 10, info->name, info->major, info->minor);
    wb_grader_skip_all(g, "Not graded on this GPU.");
    return false;
}

static void sum_points(struct wb_result *result)
{
    for (size_t i = 0; i < result->criterion_count; i++) {
        result->points += result->criteria[i].points;
        result->max_points += result->criteria[i].max_points;
    }
}

void wb_grade(struct wb_result *out, struct wb_arena *arena, const struct wb_lesson *lesson,
              const struct wb_grade_options *options)
{
    double start = now_ms();
    struct wb_grader grader;
    struct wb_bytes attempt, reference;
    bool compiled;
    wb_grader_init(&grader, out, arena, lesson, options);
    if (device_fits(&grader) && wb_grader_compile(&grader, &compiled, &attempt, &reference) &&
        compiled) {
        wb_grade_cubins(&grader, attempt, reference);
        wb_host_close(grader.host);
    }
    sum_points(out);
    out->duration_ms = now_ms() - start;
}
