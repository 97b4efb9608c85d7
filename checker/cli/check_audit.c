/* SPDX-License-Identifier: MIT
 * What is wrong with what a check.c says: its points, its sizes, and limits that do not separate.
 * A rule about sizes is a row of `size_rules`.
 */
#include "check.h"

#include <string.h>

static const double least_room = 0.01; /* of the limit */

/* About check.c. */
#define COMPLAIN(out, check, ...)                                                                  \
    wb_complain((out), (check)->book.root,                                                         \
                wb_path_join((out)->arena, (check)->lesson->folder, "check.c"), 0, __VA_ARGS__)

/* ---- points ------------------------------------------------------------------------------- */

void check_audit_points(struct wb_complaints *out, const struct check *check)
{
    int points = 0;
    for (unsigned i = 0; i < wb_lesson.criterion_count; i++) {
        points += wb_lesson.criteria[i].points;
    }
    if (points != 100) {
        COMPLAIN(out, check, "The points of all criteria add up to %d. Make it 100.", points);
    }
}

/* ---- sizes -------------------------------------------------------------------------------- */

static bool power_of_two(unsigned n)
{
    return (n & (n - 1)) == 0;
}

/* No index that mixes up width and height is seen here. */
static bool is_square(const struct wb_task *task, struct wb_size size)
{
    (void)task;
    return size.y <= 1 || size.x == size.y;
}

static bool is_power(const struct wb_task *task, struct wb_size size)
{
    (void)task;
    return power_of_two(size.x) && power_of_two(size.y) && power_of_two(size.z);
}

static bool is_whole_warps(const struct wb_task *task, struct wb_size size)
{
    (void)task;
    return (size.x % 32 == 0 && size.y > 0) || size.x == 0;
}

static bool is_one_block(const struct wb_task *task, struct wb_size size)
{
    return size.x <= task->block.x && size.y <= task->block.y && size.z <= task->block.z;
}

static bool any_task(const struct wb_task *task)
{
    (void)task;
    return true;
}

static bool has_rows(const struct wb_task *task)
{
    for (unsigned i = 0; i < task->size_count; i++) {
        if (task->sizes[i].y > 1) {
            return true;
        }
    }
    return false;
}

static bool covers(const struct wb_task *task)
{
    return task->kernel && !task->launch && task->block.x;
}

/* A rule is broken if all sizes are of that kind. */
static const struct {
    bool (*applies)(const struct wb_task *task);
    bool (*hides)(const struct wb_task *task, struct wb_size size);
    const char *what;
} size_rules[] = {
    {any_task, is_power,
     "are powers of two: what is wrong at a ragged end never shows. Add a prime, like 997."},
    {any_task, is_whole_warps,
     "are whole warps: a missing guard never shows. Add 31, 33 and a prime."},
    {has_rows, is_square,
     "are square: swapped width and height never show. Add shapes like 31 x 33."},
    {covers, is_one_block,
     "fit into one block: a kernel without blockIdx passes. Add a size of some blocks and a rest."},
};

/* A task whose kernel or function is told no size has but one. */
static bool is_told_a_size(const struct wb_task *task)
{
    for (unsigned p = 0; p < task->param_count; p++) {
        enum wb_param_kind kind = task->params[p].kind;
        if (kind == WB_PARAM_SIZE_X || kind == WB_PARAM_SIZE_Y || kind == WB_PARAM_SIZE_Z) {
            return true;
        }
    }
    return false;
}

static void audit_task_sizes(struct wb_complaints *out, const struct check *check,
                             const struct wb_task *task)
{
    for (size_t r = 0; r < WB_ARRAY_LENGTH(size_rules); r++) {
        bool all = size_rules[r].applies(task);
        for (unsigned i = 0; all && i < task->size_count; i++) {
            all = size_rules[r].hides(task, task->sizes[i]);
        }
        if (all) {
            COMPLAIN(out, check, "All sizes of `%s` %s",
                     task->kernel ? task->kernel : task->function, size_rules[r].what);
        }
    }
}

void check_audit_sizes(struct wb_complaints *out, const struct check *check)
{
    for (unsigned t = 0; t < wb_lesson.task_count; t++) {
        if (is_told_a_size(&wb_lesson.tasks[t])) {
            audit_task_sizes(out, check, &wb_lesson.tasks[t]);
        }
    }
}

/* ---- limits ------------------------------------------------------------------------------- */

static bool met(const struct wb_result *result, unsigned criterion)
{
    return result->criteria && result->criteria[criterion].verdict == WB_PASSED;
}

static void audit_room(struct wb_complaints *out, const struct check *check,
                       const struct wb_criterion *criterion, const struct wb_result *solution)
{
    double room;
    if (solution->measured &&
        wb_criterion_room(&room, criterion, &solution->measured[criterion->task]) && room > 0 &&
        room < least_room) {
        COMPLAIN(out, check,
                 "The solution is only %.2f %% away from the limit of `%s`: another compiler "
                 "may cross it. Move the limit.",
                 100 * room, criterion->id);
    }
}

void check_audit_limits(struct wb_complaints *out, const struct check *check,
                        const struct wb_result *reference, const struct wb_result *solution,
                        const bool *failed)
{
    unsigned counted = 0, separated = 0;
    for (unsigned i = 0; i < wb_lesson.criterion_count; i++) {
        const struct wb_criterion *criterion = &wb_lesson.criteria[i];
        if (!failed[i]) {
            COMPLAIN(out, check,
                     "No wrong attempt, nor the stub or the reference, fails the criterion "
                     "`%s`: nobody knows that it can fail. Add a wrong attempt that does.",
                     criterion->id);
        }
        if (wb_criterion_counts(criterion)) {
            counted++;
            separated += !met(reference, i) && met(solution, i);
            audit_room(out, check, criterion, solution);
        }
    }
    if (counted && !separated) {
        COMPLAIN(out, check,
                 "No limit separates the reference from the solution. Choose one between what "
                 "`" WB_PROGRAM " compare %d` shows of both.",
                 check->lesson->number);
    }
}
