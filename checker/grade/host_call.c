/* SPDX-License-Identifier: MIT
 * Calls a host function at every size, each in a process of its own, and makes one answer of theirs
 * that the grading of kernels understands.
 */
#include "host.h"

#include "values.h"

#include <stdio.h>
#include <string.h>

static bool open_host(struct wb_grader *g, struct wb_status *status)
{
    const struct wb_grade_options *options = g->options;
    const struct wb_host_options host = {
        .object = g->object,
        .source = options->attempt,
        .programs = options->programs,
        .kind = options->info->kind,
        .toolkit_root = options->toolchain ? options->toolchain->root : NULL,
    };
    return g->host || wb_host_open(&g->host, g->arena, &host, status);
}

int wb_task_status(const struct wb_task *task)
{
    for (unsigned p = 0; p < task->param_count; p++) {
        if (task->params[p].kind == WB_PARAM_STATUS) {
            return (int)p;
        }
    }
    return -1;
}

struct wb_host_call wb_task_call(const struct wb_task *task, struct wb_device_case *arguments)
{
    struct wb_host_call call = {.function = task->function, .arguments = arguments, .result = -1};
    for (unsigned p = 0; p < task->param_count; p++) {
        const struct wb_param *param = &task->params[p];
        if (param->kind == WB_PARAM_RETURN || param->kind == WB_PARAM_STATUS) {
            call.result = (int)(wb_case_buffer(arguments, task, p) - arguments->buffers);
            call.result_is_float = wb_type_is_float(param->type);
        }
    }
    return call;
}

/* ---- what a run log says -------------------------------------------------------------------- */

const struct wb_run_finding *wb_call_finding(const struct wb_host_result *result)
{
    for (size_t i = 0; i < result->log.finding_count; i++) {
        const struct wb_run_finding *finding = &result->log.findings[i];
        if (finding->kind != WB_REASON_UNCHECKED_ERROR && finding->kind != WB_REASON_LEAK &&
            finding->kind != WB_REASON_COPY_KIND) {
            return finding;
        }
    }
    return NULL;
}

const char *wb_call_place_text(struct wb_arena *arena, const struct wb_run_place *place)
{
    return place->file ? wb_arena_printf(arena, "%s:%u", wb_path_base(place->file), place->line)
                       : place->text;
}

const char *wb_call_failure(struct wb_arena *arena, const struct wb_host_result *result)
{
    for (size_t i = 0; i < result->log.call_count; i++) {
        const struct wb_run_call *call = &result->log.calls[i];
        if (call->result != 0) {
            const bool launch = strncmp(call->name, "cudaLaunch", strlen("cudaLaunch")) == 0;
            return wb_arena_printf(arena, " %s at %s returned %d (%s).",
                                   launch ? "The launch" : call->name,
                                   wb_call_place_text(arena, call->place), call->result,
                                   wb_cudart_error_name(call->result));
        }
    }
    return "";
}

/* A finding tells more than the process's end, which only follows from it. */
static void take_fault(struct wb_fault *out, const struct wb_host_result *result)
{
    const struct wb_run_finding *finding = wb_call_finding(result);
    *out = result->fault;
    if (finding && result->fault.kind != WB_REASON_TIMEOUT) {
        *out = (struct wb_fault){
            .kind = finding->kind, .file = finding->place.file, .line = finding->place.line};
        snprintf(out->message, sizeof out->message, "%s", finding->message);
    }
}

/* Findings that stop nothing, of the first call that has one. */
static void find_hints(struct wb_grader *g, const struct wb_host_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < results[i].log.finding_count; k++) {
            const struct wb_run_finding *finding = &results[i].log.findings[k];
            if (finding->kind == WB_REASON_COPY_KIND) {
                wb_grader_find(g, finding->kind, finding->place.file, finding->place.line,
                               finding->advice, "%s%s.",
                               finding->place.line ? "In this line: " : "", finding->message);
                return;
            }
        }
    }
}

/* ---- all sizes ------------------------------------------------------------------------------ */

/* A few calls at once; none after one that did not return, because the next would not, either. */
static bool call_in_turn(struct wb_grader *g, struct wb_host_result *results,
                         const struct wb_host_call *calls, size_t count, struct wb_status *status)
{
    enum { TOGETHER = 4 };
    for (size_t i = 0; i < count; i += TOGETHER) {
        size_t some = count - i < TOGETHER ? count - i : TOGETHER;
        if (!wb_host_run(results + i, g->arena, g->host, calls + i, some, status)) {
            return false;
        }
        for (size_t k = i; k < i + some; k++) {
            if (results[k].fault.kind == WB_REASON_TIMEOUT) {
                return true;
            }
        }
    }
    return true;
}

bool wb_grader_call(struct wb_device_result *out, struct wb_grader *g, unsigned index,
                    struct wb_device_case *cases, size_t count, struct wb_status *status)
{
    const struct wb_task *task = &g->lesson->tasks[index];
    struct wb_task_state *state = &g->tasks[index];
    struct wb_host_call *calls = wb_arena_alloc(g->arena, count * sizeof *calls);
    state->calls = wb_arena_alloc(g->arena, count * sizeof *state->calls);
    state->call_count = count;
    for (size_t i = 0; i < count; i++) {
        calls[i] = wb_task_call(task, &cases[i]);
    }
    *out = (struct wb_device_result){0};
    if (!open_host(g, status) || !call_in_turn(g, state->calls, calls, count, status)) {
        return false;
    }
    find_hints(g, state->calls, count);
    for (size_t i = 0; i < count; i++) {
        if (!out->output || !*out->output) { /* that of one size is enough */
            out->output = state->calls[i].output;
            out->output_cut = state->calls[i].output_cut;
        }
        if (out->fault.kind == WB_REASON_NONE) {
            take_fault(&out->fault, &state->calls[i]);
        }
        cases[i].done = out->fault.kind == WB_REASON_NONE;
    }
    return true;
}
