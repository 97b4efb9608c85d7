/* SPDX-License-Identifier: MIT
 * See report_trees.h.
 */
#include "report_trees.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char report_source[] =
    "// Lesson 07: keep the warps together.\n"
    "#include <cuda_runtime.h>\n"
    "\n"
    "extern \"C\" __global__ void explog(const float *in, float *out, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) {\n"
    "        if (i % 2 == 0) {\n"
    "\t    out[i] = expf(in[i]); // a tab stands before this\n"
    "        } else {\n"
    "            out[i] = logf(in[i]); /* <b>\"&\"</b> \xe2\x80\xa6 */\n"
    "        }\n"
    "    }\n"
    "}\n";

static const struct wb_task tasks[] = {{.kernel = "explog"}, {.kernel = "second"}};

static const struct wb_criterion criteria[] = {
    {"correct", "Every element is right", WB_CORRECT, 0, 0, 40},
    {"divergence", "No branch splits a warp", WB_MAX_DIVERGENT, 0, 0, 40},
    {"lanes", "At least 30 of 32 lanes are at work", WB_MIN_LANES, 0, 30, 20},
};

const struct wb_lesson report_lesson = {
    .name = "07-warp-aligned-branch",
    .tasks = tasks,
    .task_count = WB_ARRAY_LENGTH(tasks),
    .criteria = criteria,
    .criterion_count = WB_ARRAY_LENGTH(criteria),
};

/* ---- pieces ------------------------------------------------------------------------------ */

static struct wb_device_info gpu(void)
{
    return (struct wb_device_info){.kind = WB_DEVICE_GPU,
                                   .name = "NVIDIA H200",
                                   .arch = "sm_90",
                                   .major = 9,
                                   .counters = "cupti-sass"};
}

static struct wb_device_info sim(void)
{
    return (struct wb_device_info){.kind = WB_DEVICE_SIM,
                                   .name = "embedded sm_90 device",
                                   .arch = "sm_90",
                                   .major = 9,
                                   .counters = "sim"};
}

static struct wb_counts counts(uint64_t uniform, uint64_t divergent, uint64_t inst,
                               uint64_t thread_inst)
{
    struct wb_counts out = {{0}};
    out.v[WB_METRIC_BRANCH_UNIFORM] = uniform;
    out.v[WB_METRIC_BRANCH_DIVERGENT] = divergent;
    out.v[WB_METRIC_INST] = inst;
    out.v[WB_METRIC_THREAD_INST] = thread_inst;
    out.v[WB_METRIC_THREAD_INST_PRED_ON] = thread_inst;
    return out;
}

static struct wb_measurement measurement(struct wb_arena *arena, const char *file, uint64_t uniform,
                                         uint64_t divergent, double lanes)
{
    const uint64_t inst = 40960;
    struct wb_pc_counts pcs[] = {
        {0x10, 6, file, counts(0, 0, inst / 4, 32 * inst / 4)},
        {0x20, 8, file, counts(uniform, divergent, inst / 8, 32 * inst / 8)},
        {0x30, 9, file, counts(0, 0, inst / 4, (uint64_t)(lanes * (double)inst / 4))},
        {0x40, 11, file, counts(0, 0, inst / 4, (uint64_t)(lanes * (double)inst / 4))},
        {0x50, 120, "/opt/cuda/include/math.hpp", counts(0, 0, inst / 8, inst)},
    };
    struct wb_measurement out = {.kernel = "explog",
                                 .measured = true,
                                 .grid = {64, 1, 1},
                                 .block = {256, 1, 1},
                                 .registers = 16};
    out.counters.present = 1u << WB_METRIC_BRANCH_UNIFORM | 1u << WB_METRIC_BRANCH_DIVERGENT |
                           1u << WB_METRIC_INST | 1u << WB_METRIC_THREAD_INST |
                           1u << WB_METRIC_THREAD_INST_PRED_ON;
    out.counters.pcs = wb_arena_copy(arena, pcs, sizeof pcs);
    out.counters.pc_count = WB_ARRAY_LENGTH(pcs);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(pcs); i++) {
        wb_counts_add(&out.counters.total, &pcs[i].counts);
    }
    out.counters.total.v[WB_METRIC_THREAD_INST_PRED_ON] = (uint64_t)(lanes * (double)inst);
    return out;
}

static void set_measured(struct wb_result *out, struct wb_arena *arena,
                         struct wb_measurement reference, struct wb_measurement yours)
{
    out->task_count = 1;
    out->reference = wb_arena_copy(arena, &reference, sizeof reference);
    out->measured = wb_arena_copy(arena, &yours, sizeof yours);
}

static struct wb_result start(struct wb_device_info device, enum wb_verdict verdict,
                              enum wb_reason reason)
{
    return (struct wb_result){.lesson = "07-warp-aligned-branch",
                              .title = "Warp-aligned branch",
                              .attempt = "exercises/07-warp-aligned-branch.cu",
                              .device = device,
                              .verdict = verdict,
                              .reason = reason,
                              .max_points = 100,
                              .seed = 20260101,
                              .duration_ms = 312.5};
}

static void add_criteria(struct wb_result *out, struct wb_arena *arena,
                         const enum wb_verdict verdicts[3], const enum wb_reason reasons[3],
                         const char *const messages[3])
{
    out->criterion_count = WB_ARRAY_LENGTH(criteria);
    out->criteria = wb_arena_alloc(arena, out->criterion_count * sizeof *out->criteria);
    for (size_t i = 0; i < out->criterion_count; i++) {
        double points = verdicts[i] == WB_PASSED ? criteria[i].points : 0;
        out->criteria[i] = (struct wb_criterion_result){
            criteria[i].id, criteria[i].title,  verdicts[i],         reasons[i],
            points,         criteria[i].points, (char *)messages[i],
        };
        out->points += points;
    }
}

/* ---- the trees --------------------------------------------------------------------------- */

static void make_passed(struct wb_result *out, struct wb_arena *arena)
{
    *out = start(gpu(), WB_PASSED, WB_REASON_NONE);
    add_criteria(out, arena, (enum wb_verdict[]){WB_PASSED, WB_PASSED, WB_PASSED},
                 (enum wb_reason[]){WB_REASON_NONE, WB_REASON_NONE, WB_REASON_NONE},
                 (const char *[]){"Right at 11 sizes.", "", NULL});
    set_measured(out, arena, measurement(arena, "reference.cu", 512, 512, 19.5),
                 measurement(arena, out->attempt, 1024, 0, 31.9));
}

static void make_failed(struct wb_result *out, struct wb_arena *arena)
{
    static struct wb_finding findings[] = {
        {WB_REASON_DIVERGENT_BRANCHES, "exercises/07-warp-aligned-branch.cu", 8,
         "Line 8: 512 of 1024 branch decisions split the warp.",
         "Make the condition the same for all 32 threads of a warp."},
        {WB_REASON_LOW_LANE_EFFICIENCY, "exercises/07-warp-aligned-branch.cu", 9,
         "On average 16.0 of 32 lanes are at work on line 9.",
         "Give every lane of the warp the same work."},
    };
    static struct wb_diagnostic diagnostics[] = {
        {WB_SEVERITY_WARNING, "exercises/07-warp-aligned-branch.cu", 6, 9,
         "variable \"j\" was declared but never referenced"}};
    *out = start(sim(), WB_FAILED, WB_REASON_DIVERGENT_BRANCHES);
    add_criteria(out, arena, (enum wb_verdict[]){WB_PASSED, WB_FAILED, WB_FAILED},
                 (enum wb_reason[]){WB_REASON_NONE, WB_REASON_DIVERGENT_BRANCHES,
                                    WB_REASON_LOW_LANE_EFFICIENCY},
                 (const char *[]){"Right at 11 sizes.",
                                  "512 branch decisions split their warp; the lesson allows none. "
                                  "The warps of the reference split as often.",
                                  "19.5 of 32 lanes were at work on average; the target is 30.0."});
    set_measured(out, arena, measurement(arena, "reference.cu", 512, 512, 19.5),
                 measurement(arena, out->attempt, 512, 512, 19.5));
    out->findings = findings;
    out->finding_count = WB_ARRAY_LENGTH(findings);
    out->diagnostics = diagnostics;
    out->diagnostic_count = WB_ARRAY_LENGTH(diagnostics);
    out->output = "thread 0 says 3.5\nthread 1 says 7\n";
}

static void make_compile_error(struct wb_result *out, struct wb_arena *arena)
{
    static struct wb_finding findings[] = {
        {WB_REASON_COMPILE_ERROR, "exercises/07-warp-aligned-branch.cu", 8,
         "Line 8: a semicolon is missing at the end of the line before.",
         "Put the semicolon, then check again."}};
    static struct wb_diagnostic diagnostics[] = {
        {WB_SEVERITY_ERROR, "exercises/07-warp-aligned-branch.cu", 8, 5, "expected a \";\""},
        {WB_SEVERITY_NOTE, NULL, 0, 0, "1 error detected"}};
    *out = start(sim(), WB_FAILED, WB_REASON_COMPILE_ERROR);
    add_criteria(out, arena, (enum wb_verdict[]){WB_FAILED, WB_SKIPPED, WB_SKIPPED},
                 (enum wb_reason[]){WB_REASON_COMPILE_ERROR, WB_REASON_NONE, WB_REASON_NONE},
                 (const char *[]){"The file does not compile.", "Not measured.", "Not measured."});
    out->findings = findings;
    out->finding_count = WB_ARRAY_LENGTH(findings);
    out->diagnostics = diagnostics;
    out->diagnostic_count = WB_ARRAY_LENGTH(diagnostics);
}

static void make_branch_free(struct wb_result *out, struct wb_arena *arena)
{
    make_passed(out, arena);
    set_measured(out, arena, measurement(arena, "reference.cu", 512, 512, 19.5),
                 measurement(arena, out->attempt, 0, 0, 32));
}

static void make_not_measured(struct wb_result *out, struct wb_arena *arena)
{
    static char why[] =
        "The driver does not let this user read counters "
        "(ERR_NVGPUCTRPERM): run as root or set NVreg_RestrictProfilingToAdminUsers=0.";
    struct wb_measurement nothing = {.kernel = "explog", .not_measured = why};
    *out = start(gpu(), WB_SKIPPED, WB_REASON_NONE);
    out->device.counters = "none";
    add_criteria(out, arena, (enum wb_verdict[]){WB_PASSED, WB_SKIPPED, WB_SKIPPED},
                 (enum wb_reason[]){WB_REASON_NONE, WB_REASON_NONE, WB_REASON_NONE},
                 (const char *[]){NULL, "Not measured.", "Not measured."});
    set_measured(out, arena, nothing, nothing);
}

/* The checker could not begin: as little as a tree can hold. */
static void make_error(struct wb_result *out, struct wb_arena *arena)
{
    (void)arena;
    *out = (struct wb_result){.lesson = "07-warp-aligned-branch",
                              .verdict = WB_ERROR,
                              .reason = WB_REASON_CHECKER_ERROR,
                              .message = "No nvcc was found.",
                              .attempt = "exercises/07-warp-aligned-branch.cu"};
}

static void make_not_started(struct wb_result *out, struct wb_arena *arena)
{
    make_failed(out, arena);
    out->verdict = WB_NOT_STARTED;
    out->message = "The file is still as it was laid.";
}

/* Some metrics only, two kernels, one of them without counters. */
static void make_two_tasks(struct wb_result *out, struct wb_arena *arena)
{
    make_failed(out, arena);
    struct wb_measurement two[2] = {out->measured[0], {.kernel = "second"}};
    two[0].counters.present = 1u << WB_METRIC_INST | 1u << WB_METRIC_THREAD_INST_PRED_ON;
    two[1].not_measured = "The kernel faulted before it could be measured.";
    out->task_count = 2;
    out->measured = wb_arena_copy(arena, two, sizeof two);
    out->reference = NULL;
}

/* Two functions with one kind of mistake, and answers; nothing is counted. */
static void make_host(struct wb_result *out, struct wb_arena *arena)
{
    static char file[] = "exercises/07-warp-aligned-branch.cu";
    static struct wb_finding findings[] = {
        {WB_REASON_WRONG_ANSWER, file, 0, "At n = 5, `y` is wrong.", "Go through it.", "first"},
        {WB_REASON_WRONG_ANSWER, file, 0, "At n = 7, `y` is wrong.", "Go through it.", "second"},
        {WB_REASON_WRONG_ANSWER, file, 0, "`answer_one` is not right.", "Count again.", NULL},
        {WB_REASON_WRONG_ANSWER, file, 0, "`answer_two` is not right.", "Count again.", NULL}};
    struct wb_measurement nothing[] = {{.kernel = "first"}, {.kernel = "second"}};
    make_failed(out, arena);
    out->reason = WB_REASON_WRONG_ANSWER;
    out->findings = findings;
    out->finding_count = WB_ARRAY_LENGTH(findings);
    out->task_count = WB_ARRAY_LENGTH(nothing);
    out->measured = wb_arena_copy(arena, nothing, sizeof nothing);
    out->reference = wb_arena_copy(arena, nothing, sizeof nothing);
}

/* Two launches are graded, and the second one is counted. */
static void make_second_counted(struct wb_result *out, struct wb_arena *arena)
{
    make_failed(out, arena);
    struct wb_measurement two[2] = {{.kernel = "first"}, out->measured[0]};
    out->task_count = 2;
    out->measured = wb_arena_copy(arena, two, sizeof two);
    out->reference = NULL;
}

/* Everything a learner chooses tries to get out of its place. */
#define HOSTILE                                                                                    \
    "\033]0;owned\007\033[2J</script></pre><script>alert(1)</script><!-- ]]> & \"'\xff\xc0\xaf"    \
    "\xed\xa0\x80\xe2\x80\xae"                                                                     \
    "evil\r\n%s%n\x01\x7f\xc2\x9b"                                                                 \
    "1m"

static void make_hostile(struct wb_result *out, struct wb_arena *arena)
{
    static struct wb_finding findings[] = {
        {WB_REASON_WRONG_ANSWER, HOSTILE, 3, HOSTILE, HOSTILE},
        {WB_REASON_CRASH, NULL, 0, "", NULL},
        {WB_REASON_RACE, "exercises/07-warp-aligned-branch.cu", 4000000000u, "far away", ""}};
    static struct wb_diagnostic diagnostics[] = {{WB_SEVERITY_ERROR, HOSTILE, 1, 1, HOSTILE}};
    make_failed(out, arena);
    out->reason = WB_REASON_WRONG_ANSWER;
    out->attempt = "/nowhere/" HOSTILE ".cu";
    out->message = HOSTILE;
    out->findings = findings;
    out->finding_count = WB_ARRAY_LENGTH(findings);
    out->diagnostics = diagnostics;
    out->diagnostic_count = WB_ARRAY_LENGTH(diagnostics);
    out->output = HOSTILE;
    out->criteria[0].message = HOSTILE;
    snprintf(out->device.name, sizeof out->device.name, "%s", HOSTILE);
    out->measured[0].kernel = HOSTILE;
    out->measured[0].counters.pcs[0].file = HOSTILE;
}

const struct report_tree report_trees[] = {
    {"passed", make_passed},
    {"failed", make_failed},
    {"compile-error", make_compile_error},
    {"branch-free", make_branch_free},
    {"not-measured", make_not_measured},
    {"error", make_error},
    {"not-started", make_not_started},
    {"two-tasks", make_two_tasks},
    {"host", make_host},
    {"second-counted", make_second_counted},
    {"hostile", make_hostile},
};
const size_t report_tree_count = WB_ARRAY_LENGTH(report_trees);

void report_tree_make(struct wb_result *out, struct wb_arena *arena, const char *name,
                      const char *attempt)
{
    for (size_t i = 0; i < report_tree_count; i++) {
        if (strcmp(report_trees[i].name, name) == 0) {
            report_trees[i].make(out, arena);
            if (attempt) {
                out->attempt = wb_arena_strdup(arena, attempt);
            }
            return;
        }
    }
    abort();
}
