/* SPDX-License-Identifier: MIT
 * Trials of a host function: is everything given back, is every failure told to the caller, did a
 * kernel do the work? What is right is never decided by the run log, which a process can forge: a
 * failure is told by what the function returns, and the work of kernels by what is missing when
 * none runs.
 */
#include "host.h"

#include "compare.h"

#include <stdio.h>
#include <string.h>

/* The calls that a trial makes, at the task's measured size. */
struct trial {
    struct wb_grader *g;
    unsigned index;
    const struct wb_task *task;
    struct wb_arena scratch;
    struct wb_device_case *cases;
    struct wb_host_call *calls;
    struct wb_host_result *results;
    size_t count;
};

/* ---- words ---------------------------------------------------------------------------------- */

/* "1st", "2nd", "11th" */
static const char *ordinal(char out[16], unsigned number)
{
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    bool teen = number % 100 / 10 == 1;
    snprintf(out, 16, "%u%s", number, ends[!teen && number % 10 < 4 ? number % 10 : 0]);
    return out;
}

/* "When the 2nd cudaMalloc fails" */
static const char *when_text(struct wb_arena *arena, const struct wb_failure *failure)
{
    char number[16];
    return wb_arena_printf(arena, "When the %s %s fails", ordinal(number, failure->nth),
                           strcmp(failure->call, "launch") == 0 ? "launch of a kernel"
                                                                : failure->call);
}

static void fail_trial(struct trial *trial, enum wb_criterion_kind kind, enum wb_reason reason,
                       char *message)
{
    struct wb_trial *out = &trial->g->tasks[trial->index].trials[kind];
    if (out->reason == WB_REASON_NONE) {
        out->reason = reason;
        out->message = message;
    }
}

/* ---- leaks ---------------------------------------------------------------------------------- */

/* Reports what one call left behind; `when` begins the sentence. Only the first call that leaks. */
static void judge_leaks(struct trial *trial, const struct wb_host_result *result, const char *when)
{
    struct wb_grader *g = trial->g;
    if (g->tasks[trial->index].trials[WB_NO_LEAK].reason != WB_REASON_NONE) {
        return;
    }
    if (!result->log.ended) {
        fail_trial(trial, WB_NO_LEAK, WB_REASON_LEAK,
                   wb_arena_printf(g->arena,
                                   "%s, it could not be seen what was freed: the record "
                                   "of the CUDA calls is not whole.",
                                   when));
        return;
    }
    for (size_t i = 0; i < result->log.leak_count; i++) {
        const struct wb_run_leak *leak = &result->log.leaks[i];
        char *text = wb_arena_printf(g->arena, "%s, %s made at %s %s never given back by %s.", when,
                                     leak->what, wb_call_place_text(g->arena, &leak->place),
                                     leak->count == 1 ? "is" : "are", leak->call);
        wb_grader_find(g, WB_REASON_LEAK, leak->place.file, leak->place.line, NULL, "%s", text);
        fail_trial(trial, WB_NO_LEAK, WB_REASON_LEAK, text);
    }
}

static bool uses_device(const struct wb_runlog *log)
{
    bool uses = log->launch_count > 0;
    for (size_t i = 0; i < log->call_count; i++) {
        uses = uses || wb_starts_with(log->calls[i].name, "cudaMalloc") ||
               wb_starts_with(log->calls[i].name, "cudaMemcpy");
    }
    return uses;
}

/* Who uses no device has nothing to free, which is no merit. */
static void judge_use(struct trial *trial)
{
    const struct wb_task_state *state = &trial->g->tasks[trial->index];
    bool uses = false;
    for (size_t i = 0; i < state->call_count; i++) {
        uses = uses || uses_device(&state->calls[i].log);
    }
    if (!uses) {
        fail_trial(trial, WB_NO_LEAK, WB_REASON_NO_LAUNCH,
                   wb_arena_printf(trial->g->arena,
                                   "`%s` does not use the device, so it had nothing to free.",
                                   trial->task->function));
    }
}

static void judge_sizes(struct trial *trial)
{
    const struct wb_task_state *state = &trial->g->tasks[trial->index];
    for (size_t i = 0; i < state->call_count; i++) {
        const struct wb_size size =
            i < trial->task->size_count ? trial->task->sizes[i] : trial->task->measured;
        const char *text = wb_size_text(trial->g->arena, trial->task, size);
        judge_leaks(trial, &state->calls[i], wb_arena_printf(trial->g->arena, "At %s", text));
    }
}

/* ---- failures ------------------------------------------------------------------------------- */

static int status_of(const struct trial *trial, size_t i)
{
    int value = 0, row = wb_task_status(trial->task);
    if (row >= 0) {
        memcpy(&value, wb_case_buffer(&trial->cases[i], trial->task, (unsigned)row)->data,
               sizeof value);
    }
    return value;
}

/* The call that was made to fail, or NULL: the function does not make so many. */
static const struct wb_run_call *injected_call(const struct wb_host_result *result)
{
    for (size_t i = 0; i < result->log.call_count; i++) {
        if (result->log.calls[i].injected) {
            return &result->log.calls[i];
        }
    }
    return NULL;
}

static void find_ignored(struct trial *trial, const struct wb_run_place *place, char *text)
{
    static const char advice[] =
        "Look at what every call returns; after a failure free what was allocated and return the "
        "error. For a launch, cudaGetLastError() tells.";
    wb_grader_find(trial->g, WB_REASON_UNCHECKED_ERROR, place->file, place->line, advice, "%s",
                   text);
    fail_trial(trial, WB_ERRORS_RETURNED, WB_REASON_UNCHECKED_ERROR, text);
}

/* One failure; true if it was told to the caller and nothing else went wrong. */
static bool judge_failure(struct trial *trial, size_t i, const struct wb_run_call *call)
{
    struct wb_grader *g = trial->g;
    const struct wb_host_result *result = &trial->results[i];
    const struct wb_run_finding *finding = wb_call_finding(result);
    const char *when = when_text(g->arena, &trial->task->failures[i]);
    const char *name = trial->task->function;
    if (result->fault.kind != WB_REASON_NONE) {
        const struct wb_fault *fault = &result->fault;
        char *text = wb_arena_printf(g->arena, "%s: %s.", when, fault->message);
        wb_grader_find(g, fault->kind, fault->line ? fault->file : call->place->file,
                       fault->line ? fault->line : call->place->line, NULL, "%s", text);
        fail_trial(trial, WB_ERRORS_RETURNED, fault->kind, text);
    } else if (status_of(trial, i) == 0) {
        find_ignored(trial, call->place,
                     wb_arena_printf(g->arena, "%s (%s), `%s` returns 0 all the same.", when,
                                     wb_call_place_text(g->arena, call->place), name));
    } else if (finding) {
        find_ignored(trial, call->place,
                     wb_arena_printf(g->arena, "%s (%s), `%s` goes on: %s.", when,
                                     wb_call_place_text(g->arena, call->place), name,
                                     finding->message));
    } else {
        judge_leaks(trial, result, when);
        return true;
    }
    return false;
}

static void judge_failures(struct trial *trial)
{
    size_t failed = 0, told = 0;
    for (size_t i = 0; i < trial->task->failure_count; i++) {
        const struct wb_run_call *call = injected_call(&trial->results[i]);
        if (call) {
            failed++;
            told += judge_failure(trial, i, call);
        }
    }
    if (failed == 0 && trial->task->failure_count) {
        fail_trial(trial, WB_ERRORS_RETURNED, WB_REASON_UNCHECKED_ERROR,
                   wb_arena_printf(trial->g->arena,
                                   "`%s` makes none of the calls that could be made to fail.",
                                   trial->task->function));
    }
    struct wb_trial *out = &trial->g->tasks[trial->index].trials[WB_ERRORS_RETURNED];
    if (!out->message) {
        out->message =
            wb_arena_printf(trial->g->arena, "%zu of %zu failures are returned.", told, failed);
    }
}

/* ---- launches ------------------------------------------------------------------------------- */

static uint64_t threads_of(const struct wb_runlog *log)
{
    uint64_t threads = 0;
    for (size_t i = 0; i < log->launch_count; i++) {
        const struct wb_dim3 g = log->launches[i].grid, b = log->launches[i].block;
        threads += (uint64_t)g.x * g.y * g.z * b.x * b.y * b.z;
    }
    return threads;
}

/* True if the outputs of the call are those that the oracle wants. */
static bool is_right(struct trial *trial, size_t i)
{
    struct wb_grader *g = trial->g;
    const struct wb_task *task = trial->task;
    struct wb_ran ran = {.task = task, .launch = &trial->cases[i]};
    struct wb_check check;
    wb_case_make(&ran.given, &trial->scratch, g->lesson, trial->index, task->measured,
                 g->options->seed);
    wb_case_make(&ran.right, &trial->scratch, g->lesson, trial->index, task->measured,
                 g->options->seed);
    if (task->oracle) {
        task->oracle(&ran.right);
    }
    wb_check_case(&check, &trial->scratch, &ran);
    return check.reason == WB_REASON_NONE;
}

static void judge_launches(struct trial *trial, const struct wb_criterion *criterion)
{
    struct wb_grader *g = trial->g;
    const struct wb_task_state *state = &g->tasks[trial->index];
    const size_t dropped = trial->count - 1;
    if (trial->results[dropped].fault.kind == WB_REASON_NONE && is_right(trial, dropped)) {
        char *text = wb_arena_printf(
            g->arena,
            "`%s` gives the same result when its kernels are not run: the host computes "
            "it.",
            trial->task->function);
        wb_grader_find(g, WB_REASON_NO_LAUNCH, g->options->attempt, 0, NULL, "%s", text);
        fail_trial(trial, WB_ON_DEVICE, WB_REASON_NO_LAUNCH, text);
        return;
    }
    for (size_t i = 0; i < state->call_count; i++) {
        struct wb_size size =
            i < trial->task->size_count ? trial->task->sizes[i] : trial->task->measured;
        uint64_t threads = threads_of(&state->calls[i].log);
        if ((double)threads < criterion->limit * (double)wb_size_count(size)) {
            char *text = wb_arena_printf(
                g->arena, "At %s kernels were launched with %s threads for %s elements.",
                wb_size_text(g->arena, trial->task, size), wb_count_text(g->arena, threads),
                wb_count_text(g->arena, wb_size_count(size)));
            wb_grader_find(g, WB_REASON_NO_LAUNCH, g->options->attempt, 0,
                           threads ? "Launch enough blocks that each element has a thread." : NULL,
                           "%s", text);
            fail_trial(trial, WB_ON_DEVICE, WB_REASON_NO_LAUNCH, text);
            return;
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* "launch" is whichever of these the compiler makes of <<<...>>> or the author calls. */
static const char *failing_calls(struct wb_arena *arena, const struct wb_failure *failure)
{
    if (strcmp(failure->call, "launch") == 0) {
        return wb_arena_printf(arena,
                               "cudaLaunchKernel:%u,cudaLaunchKernelExC:%u,"
                               "cudaLaunchCooperativeKernel:%u",
                               failure->nth, failure->nth, failure->nth);
    }
    return wb_arena_printf(arena, "%s:%u", failure->call, failure->nth);
}

/* One call for each failure, and the last with launches dropped. */
static bool make_calls(struct trial *trial, struct wb_status *status)
{
    const struct wb_task *task = trial->task;
    struct wb_arena *scratch = &trial->scratch;
    trial->count = task->failure_count + 1;
    trial->cases = wb_arena_alloc(scratch, trial->count * sizeof *trial->cases);
    trial->calls = wb_arena_alloc(scratch, trial->count * sizeof *trial->calls);
    trial->results = wb_arena_alloc(scratch, trial->count * sizeof *trial->results);
    for (size_t i = 0; i < trial->count; i++) {
        struct wb_case given;
        wb_case_make(&given, scratch, trial->g->lesson, trial->index, task->measured,
                     trial->g->options->seed);
        wb_case_launch(&trial->cases[i], scratch, task, &given);
        trial->calls[i] = wb_task_call(task, &trial->cases[i]);
        if (i < task->failure_count) {
            trial->calls[i].failing = failing_calls(scratch, &task->failures[i]);
        }
    }
    trial->calls[trial->count - 1].drop_launches = true;
    return wb_host_run(trial->results, trial->g->arena, trial->g->host, trial->calls, trial->count,
                       status);
}

static const struct wb_criterion *find_criterion(const struct trial *trial,
                                                 enum wb_criterion_kind kind)
{
    for (unsigned i = 0; i < trial->g->lesson->criterion_count; i++) {
        const struct wb_criterion *criterion = &trial->g->lesson->criteria[i];
        if (criterion->kind == kind && criterion->task == trial->index) {
            return criterion;
        }
    }
    return NULL;
}

static void judge(struct trial *trial)
{
    struct wb_trial *trials = trial->g->tasks[trial->index].trials;
    const struct wb_criterion *on_device = find_criterion(trial, WB_ON_DEVICE);
    if (on_device) {
        judge_launches(trial, on_device);
    }
    judge_use(trial);
    judge_sizes(trial);
    judge_failures(trial);
    if (!trials[WB_ON_DEVICE].message) {
        trials[WB_ON_DEVICE].message = wb_arena_strdup(
            trial->g->arena, "The kernels do the work: without them the result is not right.");
    }
    if (!trials[WB_NO_LEAK].message) {
        trials[WB_NO_LEAK].message =
            wb_arena_strdup(trial->g->arena, "Everything is given back, also after failures.");
    }
}

bool wb_grader_trials(struct wb_grader *g, unsigned index)
{
    struct trial trial = {.g = g, .index = index, .task = &g->lesson->tasks[index]};
    struct wb_status status = {0};
    bool wanted = find_criterion(&trial, WB_ON_DEVICE) || find_criterion(&trial, WB_NO_LEAK) ||
                  find_criterion(&trial, WB_ERRORS_RETURNED);
    if (!wanted || g->tasks[index].reason != WB_REASON_NONE) {
        return true;
    }
    wb_arena_init(&trial.scratch);
    bool ok = make_calls(&trial, &status);
    if (ok) {
        judge(&trial);
    } else {
        wb_grader_error(g, WB_REASON_CHECKER_ERROR, "%s", status.message);
    }
    wb_arena_finish(&trial.scratch);
    return ok;
}
