/* SPDX-License-Identifier: MIT
 * The fake device, and the lesson of one kernel that most tests of grade use.
 */
#include "test_grade_fake.h"

#include <stdio.h>
#include <string.h>

struct fake fake;

const struct wb_device_info fake_info = {
    .kind = WB_DEVICE_SIM, .name = "fake", .arch = "sm_90", .counters = "none"};

void fake_reset(void)
{
    fake = (struct fake){.kernel = fake_scale, .fault_at = FAKE_NEVER};
}

static void run_case(struct wb_device_case *c)
{
    fake.kernel(c);
    if (fake.guard_hit) {
        c->buffers[fake.guard_buffer].guard_hit = fake.guard_hit;
        c->buffers[fake.guard_buffer].guard_offset = 4;
    }
    c->done = true;
}

static void measure(struct wb_device_result *out, const struct wb_device_job *job)
{
    const char *reference = "reference";
    out->counters = strcmp(job->cubin, reference) == 0 ? fake.reference : fake.attempt;
    out->registers = 16;
    if (fake.not_measured) {
        out->counters = (struct wb_counters){0};
        snprintf(out->not_measured, sizeof out->not_measured, "%s", fake.not_measured);
    }
    if (fake.fault_when_measured) {
        out->fault = fake.fault;
    }
}

static bool fake_run(struct wb_device_result *out, struct wb_arena *arena,
                     struct wb_device_job *job, struct wb_status *status)
{
    *out = (struct wb_device_result){0};
    fake.jobs++;
    fake.schedule = job->schedule;
    fake.schedule_seed = job->schedule_seed;
    if (fake.broken) {
        return WB_FAIL(status, NO_DEVICE, "The fake device is broken.");
    }
    assert_true(job->case_count == 1 || !job->measure);
    for (size_t i = 0; i < job->case_count; i++) {
        bool this_job = fake.fault_job == 0 || fake.fault_job == fake.jobs;
        if (!job->measure && this_job && (int)i == fake.fault_at) {
            out->fault = fake.fault;
            return true;
        }
        if (fake.forgets && i == 1) {
            return true;
        }
        run_case(&job->cases[i]);
    }
    if (job->measure) {
        measure(out, job);
    } else if (fake.output) {
        out->output = wb_arena_strdup(arena, fake.output);
    }
    return true;
}

/* Stands in for the one of the build layer. */
bool wb_build(struct wb_build_result *results, const struct wb_build_request *requests,
              size_t count, const struct wb_toolchain *toolchain, const char *cache_dir,
              struct wb_arena *arena, struct wb_status *status)
{
    (void)requests, (void)toolchain, (void)cache_dir, (void)arena;
    if (fake.no_compiler) {
        return WB_FAIL(status, TOOL_MISSING, "There is no nvcc here.");
    }
    results[0] = fake.built;
    if (count > 1) {
        results[1] = fake.built_reference;
    }
    return true;
}

const struct wb_device fake_device = {.name = "fake", .run = fake_run};

/* Every sentence is there and whole. */
static void check_texts(const struct wb_result *result)
{
    for (size_t i = 0; i < result->criterion_count; i++) {
        assert_non_null(result->criteria[i].message);
        assert_null(strstr(result->criteria[i].message, "(null)"));
    }
    for (size_t i = 0; i < result->finding_count; i++) {
        assert_null(strstr(result->findings[i].message, "(null)"));
        assert_true(result->findings[i].advice && *result->findings[i].advice);
    }
}

void fake_grade(struct wb_result *out, struct wb_arena *arena, const struct wb_lesson *lesson)
{
    static char reference[] = "reference"; /* the fake device never reads it */
    struct wb_device_info info = fake_info;
    info.kind = fake.on_gpu ? WB_DEVICE_GPU : info.kind;
    struct wb_grade_options options = {.attempt = "/somewhere/attempt.cu",
                                       .shown = "my.cu",
                                       .device = &fake_device,
                                       .info = &info,
                                       .seed = WB_DEFAULT_SEED};
    struct wb_grader grader;
    struct wb_bytes cubin = read_fixture(arena, "grade/kernels.cubin");
    wb_grader_init(&grader, out, arena, lesson, &options);
    wb_grade_cubins(&grader, cubin, (struct wb_bytes){(uint8_t *)reference, sizeof reference});
    check_texts(out);
}

float *fake_floats(const struct wb_device_case *c, unsigned buffer)
{
    return c->buffers[buffer].data;
}

int *fake_ints(const struct wb_device_case *c, unsigned buffer)
{
    return c->buffers[buffer].data;
}

int fake_int_arg(const struct wb_device_case *c, unsigned arg)
{
    int value;
    memcpy(&value, c->args[arg].value, sizeof value);
    return value;
}

void fake_scale(struct wb_device_case *c)
{
    for (int i = 0; i < fake_int_arg(c, 2); i++) {
        fake_floats(c, 1)[i] = 2 * fake_floats(c, 0)[i];
    }
}

void oracle_scale(struct wb_case *c)
{
    for (size_t i = 0; i < c->count[1]; i++) {
        ((float *)c->data[1])[i] = 2 * ((float *)c->data[0])[i];
    }
}

static const struct wb_param scale_params[] = {
    {WB_IN("in", WB_F32, 1, 2)}, {WB_OUT("out", WB_F32)}, {WB_N("n")}};

static const struct wb_task scale_task = {.kernel = "scale",
                                          .params = scale_params,
                                          .param_count = WB_ARRAY_LENGTH(scale_params),
                                          .sizes = wb_sizes_1d,
                                          .size_count = WB_SIZES_1D_COUNT,
                                          .measured = {1000, 1, 1},
                                          .block = {64, 1, 1},
                                          .oracle = oracle_scale};

static const struct wb_criterion scale_criteria[] = {
    {"correct", "The result is right", WB_CORRECT, 0, 0, 10}};

const struct wb_lesson scale_lesson = {.name = "99-scale",
                                       .tasks = &scale_task,
                                       .task_count = 1,
                                       .criteria = scale_criteria,
                                       .criterion_count = WB_ARRAY_LENGTH(scale_criteria)};

struct wb_lesson lesson_of(const struct wb_task *task, const struct wb_criterion *criteria,
                           unsigned criterion_count)
{
    struct wb_lesson lesson = scale_lesson;
    lesson.tasks = task;
    lesson.criteria = criteria;
    lesson.criterion_count = criterion_count;
    return lesson;
}

const struct wb_finding *find(const struct wb_result *result, enum wb_reason kind)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        if (result->findings[i].kind == kind) {
            return &result->findings[i];
        }
    }
    fail_msg("no finding of kind %s", wb_reason_code[kind]);
    return NULL;
}

void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in: %s", part, text);
    }
}
