/* SPDX-License-Identifier: MIT
 * Runs one task at every size (a kernel in one job, a host function in a process each), and judges
 * what came back. The oracle works in this process and only after the job's child has ended, on
 * inputs made anew from the seed: nothing that is right is ever in the memory that the attempt runs
 * in.
 */
#include "compare.h"
#include "grader.h"
#include "host.h"

static const double time_limit_s = 30; /* of a job; endless loops end by the step limit before */

/* One task's run. Lists have one entry per size. */
struct run {
    struct wb_grader *g;
    unsigned index;
    const struct wb_task *task;
    struct wb_size_check *sizes;
    struct wb_device_case *launches;
    struct wb_check *checks;
    size_t count;
    size_t done;  /* sizes that ran to their end */
    size_t wrong; /* of these */
};

/* ---- running ------------------------------------------------------------------------------ */

static bool same_size(struct wb_size a, struct wb_size b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void list_sizes(struct run *run, struct wb_arena *arena)
{
    const struct wb_task *task = run->task;
    const struct wb_size *sizes = wb_task_sizes(&run->count, arena, task);
    run->sizes = wb_arena_alloc(arena, run->count * sizeof *run->sizes);
    for (size_t i = 0; i < run->count; i++) {
        bool list = i < task->size_count && wb_task_is_list(task);
        run->sizes[i] = (struct wb_size_check){.size = sizes[i], .list = list};
    }
}

static bool launch_all(struct wb_device_result *result, struct run *run, struct wb_bytes cubin,
                       struct wb_status *status)
{
    struct wb_grader *g = run->g;
    struct wb_device_job job = {
        .cubin = cubin.data,
        .cubin_size = cubin.size,
        .kernel = run->task->kernel,
        .cases = run->launches,
        .case_count = run->count,
        .time_limit = time_limit_s,
        .guard = true,
        .toolkit_root = g->options->toolchain ? g->options->toolchain->root : NULL,
    };
    return g->options->device->run(result, g->arena, &job, status);
}

static bool plan_all(bool *failed, struct run *run, struct wb_arena *scratch,
                     struct wb_status *status)
{
    struct wb_size *sizes = wb_arena_alloc(scratch, run->count * sizeof *sizes);
    for (size_t i = 0; i < run->count; i++) {
        sizes[i] = run->sizes[i].size;
    }
    return wb_grader_plan(failed, run->g, run->index, run->launches, sizes, run->count, status);
}

static bool run_all(struct wb_device_result *result, struct run *run, struct wb_arena *scratch,
                    struct wb_bytes cubin)
{
    struct wb_grader *g = run->g;
    struct wb_status status = {WB_OK};
    run->launches = wb_arena_alloc(scratch, run->count * sizeof *run->launches);
    for (size_t i = 0; i < run->count; i++) {
        struct wb_case given;
        wb_case_make(&given, scratch, g->lesson, run->index, run->sizes[i].size, g->options->seed);
        wb_case_launch(&run->launches[i], scratch, run->task, &given);
    }
    bool failed = false;
    if (run->task->plan && !plan_all(&failed, run, scratch, &status)) {
        run->count = failed ? run->count : 0;
        return !failed || wb_grader_error(g, WB_REASON_CHECKER_ERROR, "%s", status.message);
    }
    bool ran = run->task->function
                   ? wb_grader_call(result, g, run->index, run->launches, run->count, &status)
                   : launch_all(result, run, cubin, &status);
    if (!ran) {
        return wb_grader_error(g, WB_REASON_CHECKER_ERROR, "%s", status.message);
    }
    while (run->done < run->count && run->launches[run->done].done) {
        run->done++;
    }
    if (result->fault.kind == WB_REASON_NONE && run->done < run->count) {
        return wb_grader_error(
            g, WB_REASON_CHECKER_ERROR,
            "The device ran only %zu of %zu launches of `%s` and gave no reason.", run->done,
            run->count, wb_task_name(run->task));
    }
    return true;
}

/* What the kernel printed, of all tasks. */
static void keep_output(struct wb_grader *g, const struct wb_device_result *result)
{
    if (result->output && *result->output) {
        g->result->output =
            wb_arena_printf(g->arena, "%s%s%s", g->result->output ? g->result->output : "",
                            result->output, result->output_cut ? "\n[cut]\n" : "");
    }
}

/* ---- judging ------------------------------------------------------------------------------ */

static void check_case(struct run *run, size_t i)
{
    struct wb_arena scratch;
    wb_arena_init(&scratch);
    struct wb_ran ran = {.task = run->task, .launch = &run->launches[i]};
    const struct wb_task_state *state = &run->g->tasks[run->index];
    ran.failure = state->calls ? wb_call_failure(&scratch, &state->calls[i]) : "";
    const struct wb_lesson *lesson = run->g->lesson;
    uint64_t seed = run->g->options->seed;
    wb_case_make(&ran.given, &scratch, lesson, run->index, run->sizes[i].size, seed);
    wb_case_make(&ran.right, &scratch, lesson, run->index, run->sizes[i].size, seed);
    if (run->task->oracle) {
        run->task->oracle(&ran.right);
    }
    wb_check_case(&run->checks[i], run->g->arena, &ran);
    run->sizes[i].right = run->checks[i].reason == WB_REASON_NONE;
    run->sizes[i].guess = run->checks[i].guess;
    run->wrong += !run->sizes[i].right;
    wb_arena_finish(&scratch);
}

static const char *size_name(const struct run *run, size_t i)
{
    return wb_launch_text(run->g->arena, run->task, run->sizes[i].size, &run->launches[i]);
}

static void fail(struct run *run, enum wb_reason reason, char *message)
{
    struct wb_task_state *state = &run->g->tasks[run->index];
    if (state->reason == WB_REASON_NONE) {
        state->reason = reason;
        state->message = message;
    }
}

/* The kernel is not there, or it does not take what the lesson passes, or so many threads. */
static void judge_launch(struct run *run, const struct wb_fault *fault)
{
    struct wb_arena *arena = run->g->arena;
    const struct wb_dim3 block = run->launches[run->done].block;
    char *message = wb_arena_strdup(arena, fault->message);
    const char *declaration = wb_task_declaration(arena, run->task);
    char *advice = run->task->function
                       ? wb_arena_printf(arena, "The lesson calls `%s`.", declaration)
                       : wb_arena_printf(arena, "The lesson launches `%s` in blocks of %u threads.",
                                         declaration, block.x * block.y * block.z);
    wb_grader_find(run->g, fault->kind, run->g->options->attempt, 0, advice, "%s", message);
    fail(run, fault->kind, message);
}

static void judge_stop(struct run *run, const struct wb_fault *fault)
{
    struct wb_grader *g = run->g;
    const char *size = size_name(run, run->done);
    bool whole = wb_ends_with(fault->message, ".") || wb_ends_with(fault->message, "?");
    struct wb_str places;
    wb_str_init(&places, g->arena);
    wb_fault_places(&places, fault);
    wb_grader_find(g, fault->kind, fault->file, fault->line, wb_task_advice(run->task, fault->kind),
                   "At %s%s: %s%s%s", size, fault->line ? ", at or near this line" : "",
                   fault->message, whole ? "" : ".", wb_str_get(&places));
    char *place = fault->line ? wb_arena_printf(g->arena, " (at or near line %u)", fault->line)
                              : wb_arena_strdup(g->arena, "");
    fail(run, fault->kind,
         wb_arena_printf(g->arena, "At %s `%s` was stopped: %s%s.", size, wb_task_name(run->task),
                         wb_task_reason(run->task, fault->kind), place));
}

/* Of the first size that did not end. False if that is not the learner's doing. */
static bool judge_fault(struct run *run, const struct wb_fault *fault)
{
    switch (fault->kind) {
    case WB_REASON_NONE:
        return true;
    case WB_REASON_UNSUPPORTED:
    case WB_REASON_CHECKER_ERROR:
        return wb_grader_error(run->g, fault->kind, "%s", fault->message);
    case WB_REASON_LAUNCH_FAILED:
        if (fault->line) { /* a launch that the learner's host code made */
            judge_stop(run, fault);
        } else {
            judge_launch(run, fault);
        }
        break;
    default:
        judge_stop(run, fault);
        break;
    }
    run->g->tasks[run->index].stopped = true;
    return true;
}

/* The first size with this kind of mistake becomes a finding. */
static void judge_first(struct run *run, enum wb_reason reason)
{
    for (size_t i = 0; i < run->done; i++) {
        if (run->checks[i].reason == reason) {
            wb_grader_find(run->g, reason, run->g->options->attempt, 0,
                           wb_task_advice(run->task, reason), "%s", run->checks[i].message);
            fail(run, reason,
                 wb_arena_printf(run->g->arena, "At %s: %s.", size_name(run, i),
                                 wb_task_reason(run->task, reason)));
            return;
        }
    }
}

static bool is_wrong_value(enum wb_reason reason)
{
    return reason == WB_REASON_WRONG_ANSWER || reason == WB_REASON_NOT_WRITTEN ||
           reason == WB_REASON_NAN;
}

/* What a wrong value is measured by; said where a value is wrong and not just missing. */
static void add_tolerance(struct wb_str *text, const struct wb_task *task)
{
    if (task->absolute == 0 && task->relative == 0) {
        return;
    }
    wb_str_add(text, "\nAllowed difference: ");
    if (task->absolute != 0) {
        wb_str_printf(text, "%g%s", task->absolute, task->relative != 0 ? " + " : "");
    }
    if (task->relative != 0) {
        wb_str_printf(text, "%g * |expected|", task->relative);
    }
    if (task->tolerance) {
        wb_str_printf(text, " (%s)", task->tolerance);
    }
    wb_str_add(text, ".");
}

static void judge_values(struct run *run)
{
    struct wb_grader *g = run->g;
    size_t first = 0;
    while (first < run->done && !is_wrong_value(run->checks[first].reason)) {
        first++;
    }
    if (first == run->done) {
        return;
    }
    const struct wb_check *check = &run->checks[first];
    struct wb_guess guess;
    struct wb_str text;
    wb_str_init(&text, g->arena);
    wb_str_add(&text, check->message);
    wb_guess_sizes(&guess, g->arena, run->sizes, run->done);
    if (guess.region && g->tasks[run->index].reason == WB_REASON_OUT_OF_BOUNDS) {
        guess =
            (struct wb_guess){.cause = NULL}; /* elements are missing because they went astray */
    }
    if (guess.cause) {
        bool elsewhere =
            wb_size_count(guess.size) && !same_size(guess.size, run->sizes[first].size);
        wb_str_add(&text, "\n");
        if (elsewhere) {
            wb_str_printf(&text, "At %s: ", wb_size_text(g->arena, run->task, guess.size));
        }
        wb_str_add(&text, guess.cause);
    }
    bool failed = run->task->params[check->param].kind == WB_PARAM_STATUS;
    if (check->reason == WB_REASON_WRONG_ANSWER && !failed) {
        add_tolerance(&text, run->task);
    }
    const char *advice = check->advice       ? check->advice
                         : guess.advice      ? guess.advice
                         : run->task->advice ? run->task->advice
                                             : wb_task_advice(run->task, check->reason);
    wb_grader_find(g, check->reason, g->options->attempt, 0, advice, "%s", text.data);
    const char *where = size_name(run, first);
    bool one = run->task->accept || !wb_param_is_array(&run->task->params[check->param]);
    fail(run, check->reason,
         one ? wb_arena_printf(g->arena, "Wrong at %zu of %zu sizes, first at %s.", run->wrong,
                               run->count, where)
             : wb_arena_printf(
                   g->arena, "Wrong at %zu of %zu sizes, first at %s: %s of %s elements of `%s`.",
                   run->wrong, run->count, where, wb_count_text(g->arena, check->wrong),
                   wb_count_text(g->arena, check->count), run->task->params[check->param].name));
}

/* A fault tells more than a wrong value, which may only follow from it; so does what the guard
 * found. */
static bool judge(struct run *run, const struct wb_device_result *result, struct wb_bytes cubin)
{
    struct wb_size *sizes = wb_arena_alloc(run->g->arena, (run->count + 1) * sizeof *sizes);
    for (size_t i = 0; i < run->count; i++) {
        sizes[i] = run->sizes[i].size;
    }
    if (!run->task->function) {
        wb_grader_guard_gpu(run->g, run->index, cubin);
    }
    if (!judge_fault(run, &result->fault)) {
        return false;
    }
    wb_grader_guard(run->g, run->index, result, sizes);
    judge_first(run, WB_REASON_OUT_OF_BOUNDS);
    judge_first(run, WB_REASON_INPUT_MODIFIED);
    judge_values(run);
    struct wb_task_state *state = &run->g->tasks[run->index];
    if (state->reason == WB_REASON_NONE) {
        state->message = wb_arena_printf(run->g->arena, "Right at all %zu sizes.", run->count);
    }
    return true;
}

bool wb_grader_correctness(struct wb_grader *g, unsigned index, struct wb_bytes cubin)
{
    struct wb_arena scratch;
    wb_arena_init(&scratch);
    struct run run = {.g = g, .index = index, .task = &g->lesson->tasks[index]};
    struct wb_device_result result = {0};
    list_sizes(&run, &scratch);
    bool ok = run_all(&result, &run, &scratch, cubin);
    if (ok) {
        keep_output(g, &result);
        run.checks = wb_arena_alloc(&scratch, run.count * sizeof *run.checks);
        for (size_t i = 0; i < run.done; i++) {
            check_case(&run, i);
        }
        ok = judge(&run, &result, cubin);
    }
    wb_arena_finish(&scratch);
    return ok;
}
