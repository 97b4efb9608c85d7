/* SPDX-License-Identifier: MIT
 * Counters: one launch of the attempt and one of the reference on the same inputs, each in a job
 * of its own. What cannot be measured is said, and is never a number.
 */
#include "host.h"

static const double time_limit_s = 120; /* counting may take many passes on hardware */

/* On a GPU that costs one more launch, so only where a criterion asks for it. */
static bool counts_constants(const struct wb_lesson *lesson, unsigned task)
{
    for (unsigned i = 0; i < lesson->criterion_count; i++) {
        const struct wb_criterion *criterion = &lesson->criteria[i];
        if (criterion->kind == WB_MAX_CONSTANT_DIVERGENCE && criterion->task == task) {
            return true;
        }
    }
    return false;
}

static bool counts_opcodes(const struct wb_lesson *lesson, unsigned task)
{
    for (unsigned i = 0; i < lesson->criterion_count; i++) {
        if (lesson->criteria[i].opcodes && lesson->criteria[i].task == task) {
            return true;
        }
    }
    return false;
}

/* What each counted instruction is, as far as the machine code is one that we can read. */
static void name_opcodes(struct wb_counters *counters, struct wb_arena *arena, struct wb_bytes file,
                         const char *name)
{
    struct wb_cubin *cubin;
    struct wb_status status = {WB_OK};
    const struct wb_kernel *kernel =
        wb_cubin_parse(&cubin, arena, file.data, file.size, &status) && cubin->arch == 90
            ? wb_cubin_kernel(cubin, name)
            : NULL;
    for (size_t i = 0; kernel && i < counters->pc_count; i++) {
        counters->pcs[i].opcode = wb_kernel_opcode(arena, kernel, counters->pcs[i].pc);
    }
}

/* Runs one counted launch. The fault is NONE unless the kernel was stopped. */
static struct wb_fault measure(struct wb_measurement *out, struct wb_grader *g, unsigned index,
                               struct wb_bytes cubin, bool planned, struct wb_arena *scratch)
{
    bool failed;
    const struct wb_task *task = &g->lesson->tasks[index];
    struct wb_case given;
    struct wb_device_case launch;
    struct wb_device_result result = {0};
    struct wb_status status = {WB_OK};
    wb_case_make(&given, scratch, g->lesson, index, task->measured, g->options->seed);
    wb_case_launch(&launch, scratch, task, &given);
    if (planned && !wb_grader_plan(&failed, g, index, &launch, &task->measured, 1, &status)) {
        out->not_measured =
            wb_arena_strdup(g->arena, failed ? status.message : "No launch is planned.");
        return (struct wb_fault){.kind = WB_REASON_NONE};
    }
    struct wb_device_job job = {
        .cubin = cubin.data,
        .cubin_size = cubin.size,
        .kernel = task->kernel,
        .cases = &launch,
        .case_count = 1,
        .measure = true,
        .measure_constants = counts_constants(g->lesson, index),
        .time_limit = time_limit_s,
        .toolkit_root = g->options->toolchain ? g->options->toolchain->root : NULL,
    };
    bool ran = g->options->device->run(&result, g->arena, &job, &status);
    bool stopped = ran && result.fault.kind != WB_REASON_NONE;
    const char *why = !ran                   ? status.message
                      : stopped              ? result.fault.message
                      : *result.not_measured ? result.not_measured
                                             : "The device gave no counters.";
    out->measured = ran && !stopped && result.counters.present != 0;
    out->not_measured = out->measured ? NULL : wb_arena_strdup(g->arena, why);
    out->grid = launch.grid;
    out->block = launch.block;
    out->dynamic_shared = launch.dynamic_shared;
    out->registers = result.registers;
    out->static_shared = result.static_shared;
    out->local_bytes = result.local_bytes;
    out->counters = result.counters;
    if (out->measured && counts_opcodes(g->lesson, index)) {
        name_opcodes(&out->counters, g->arena, cubin, task->kernel);
    }
    return stopped ? result.fault : (struct wb_fault){.kind = WB_REASON_NONE};
}

/* Counters name the attempt as the user does. */
static void translate_files(struct wb_grader *g, struct wb_counters *counters)
{
    const char *seen = NULL, *shown = NULL; /* neighbours are mostly from one file */
    for (size_t i = 0; i < counters->pc_count; i++) {
        const char *file = counters->pcs[i].file;
        if (file && file != seen) {
            seen = file;
            shown = wb_grader_file(g, file);
        }
        counters->pcs[i].file = file ? shown : NULL;
    }
}

static void measure_attempt(struct wb_grader *g, unsigned index, struct wb_bytes cubin,
                            struct wb_arena *scratch)
{
    struct wb_task_state *state = &g->tasks[index];
    struct wb_measurement *out = &g->result->measured[index];
    if (state->stopped) {
        out->not_measured =
            wb_arena_strdup(g->arena, state->not_run ? "The kernel was not launched."
                                                     : "The kernel does not run to its end.");
        return;
    }
    struct wb_fault fault =
        measure(out, g, index, cubin, g->lesson->tasks[index].plan != NULL, scratch);
    translate_files(g, &out->counters);
    bool ours = fault.kind == WB_REASON_UNSUPPORTED || fault.kind == WB_REASON_CHECKER_ERROR;
    if (fault.kind != WB_REASON_NONE && !ours) {
        state->measured_fault = fault.kind;
        state->measured_message = wb_arena_printf(g->arena, "The counted launch was stopped: %s.",
                                                  wb_reason_text[fault.kind]);
        wb_grader_find(g, fault.kind, fault.file, fault.line,
                       wb_task_advice(&g->lesson->tasks[index], fault.kind),
                       "In the counted launch: %s", fault.message);
    }
}

void wb_grader_measure(struct wb_grader *g, unsigned index, struct wb_bytes attempt,
                       struct wb_bytes reference)
{
    struct wb_result *result = g->result;
    if (wb_size_count(g->lesson->tasks[index].measured) == 0) {
        return;
    }
    struct wb_arena scratch;
    wb_arena_init(&scratch);
    measure_attempt(g, index, attempt, &scratch);
    if (reference.size) {
        measure(&result->reference[index], g, index, reference, false, &scratch);
    } else {
        result->reference[index].not_measured =
            wb_arena_strdup(g->arena, "There is no reference to compare with.");
    }
    wb_arena_finish(&scratch);
}
