/* SPDX-License-Identifier: MIT
 * The embedded device as a device: each case runs on a fresh simulator (module variables have
 * their initial values, memory holds nothing but the case's buffers) in a sealed child process.
 */
#include "job.h"
#include "launch_check.h"
#include "wire.h"

#include <warpbook/proc.h>

#include <string.h>
#include <unistd.h>

#define STEP_LIMIT    (UINT64_C(1) << 24) /* warp instructions: an endless loop ends in seconds */
#define ADDRESS_SPACE (UINT64_C(8) << 30) /* bytes of the child; more than any lesson needs */
#define PRINT_LIMIT   (UINT64_C(1) << 20) /* bytes that a kernel's printf may send on */

static bool sim_probe(struct wb_device_info *out, const char *toolkit_root,
                      struct wb_status *status)
{
    (void)toolkit_root;
    (void)status;
    *out = (struct wb_device_info){
        .kind = WB_DEVICE_SIM,
        .name = "embedded sm_90 device",
        .arch = "sm_90",
        .major = 9,
        .minor = 0,
        .counters = "sim",
    };
    return true;
}

/* A kernel's printf: straight to the output; past the limit it is dropped. */
static void print(void *context, const char *text, size_t size)
{
    uint64_t *printed = context;
    if (*printed < PRINT_LIMIT) {
        wb_wire_send(STDOUT_FILENO, text, size);
        *printed += size;
    }
}

/* Maps the buffers of a case and lays its arguments out as the kernel wants them. */
static uint8_t *make_params(struct wb_arena *arena, struct wb_sim *sim,
                            const struct wb_kernel *kernel, const struct wb_device_case *c)
{
    uint64_t *address = wb_arena_alloc(arena, c->buffer_count * sizeof *address);
    uint8_t *params = wb_arena_alloc(arena, kernel->param_size);
    for (unsigned b = 0; b < c->buffer_count; b++) {
        const struct wb_device_buffer *buffer = &c->buffers[b];
        if (!buffer->symbol) {
            address[b] = wb_sim_map(sim, buffer->data, buffer->size, buffer->name);
            if (buffer->no_value) {
                wb_sim_define(sim, address[b], buffer->size, false);
            }
            if (buffer->read_only) {
                wb_sim_protect(sim, address[b]);
            }
        }
    }
    for (unsigned i = 0; i < c->arg_count; i++) {
        const struct wb_device_arg *arg = &c->args[i];
        const void *value = arg->buffer >= 0 ? (const void *)&address[arg->buffer] : arg->value;
        memcpy(params + kernel->params[i].offset, value, kernel->params[i].size);
    }
    return params;
}

/* Fills the module's variables that the case names. False: a variable is not as it must be. */
static bool fill_symbols(struct wb_fault *fault, struct wb_sim *sim, const struct wb_device_case *c)
{
    for (unsigned b = 0; b < c->buffer_count; b++) {
        size_t size = 0;
        void *variable =
            c->buffers[b].symbol ? wb_sim_variable(sim, c->buffers[b].name, &size) : NULL;
        if (c->buffers[b].symbol &&
            !wb_launch_check_symbol(fault, &c->buffers[b], variable != NULL, size)) {
            return false;
        }
        if (variable) {
            memcpy(variable, c->buffers[b].data, size);
        }
    }
    return true;
}

/* Runs one case. False: we failed. A fault of the kernel is in child->result. */
static bool run_case(struct wb_job_child *child, const struct wb_kernel *kernel, size_t index,
                     uint64_t *printed)
{
    const struct wb_device_job *job = child->job;
    const struct wb_device_case *c = &job->cases[index];
    struct wb_counters counters = {0};
    struct wb_device_result *result = child->result;
    struct wb_guard_findings findings = {0};
    struct wb_sim *sim = NULL;
    if (!wb_launch_check_params(&result->fault, kernel, c) ||
        !wb_launch_check_shape(&result->fault, kernel, c, &wb_launch_limits_sm_90)) {
        return true;
    }
    if (!wb_sim_create(&sim, child->status)) {
        return false;
    }
    struct wb_sim_launch launch = {
        .kernel = kernel->name,
        .grid = c->grid,
        .block = c->block,
        .dynamic_shared = c->dynamic_shared,
        .params = make_params(child->arena, sim, kernel, c),
        .param_size = kernel->param_size,
        .step_limit = job->step_limit ? job->step_limit : STEP_LIMIT,
        .schedule = job->schedule,
        .schedule_seed = job->schedule_seed,
        .findings = job->guard && result->findings.count == 0 ? &findings : NULL,
        .print = print,
        .print_context = printed,
    };
    bool ok = wb_sim_load(sim, kernel->cubin, child->status);
    if (ok && fill_symbols(&result->fault, sim, c)) {
        ok = wb_sim_launch(&counters, &result->fault, child->arena, sim, &launch, child->status);
    }
    wb_sim_destroy(sim);
    if (ok && findings.count) {
        result->findings = findings;
        result->found_in = index;
    }
    if (ok && result->fault.kind == WB_REASON_NONE && job->measure) {
        result->counters = counters;
    }
    return ok;
}

static bool sim_body(struct wb_job_child *child, const void *context)
{
    (void)context;
    const struct wb_device_job *job = child->job;
    struct wb_device_result *result = child->result;
    const struct wb_kernel *kernel;
    struct wb_cubin *cubin;
    uint64_t printed = 0;
    wb_job_started(child);
    wb_proc_seal();
    if (!wb_cubin_parse(&cubin, child->arena, job->cubin, job->cubin_size, child->status)) {
        return false;
    }
    if (!wb_launch_find(&kernel, &result->fault, cubin, job->kernel)) {
        return true;
    }
    result->registers = kernel->registers;
    result->static_shared = kernel->static_shared;
    result->local_bytes = kernel->local_bytes;
    for (size_t i = 0; i < job->case_count; i++) {
        wb_job_case_begin(child, i);
        if (!run_case(child, kernel, i, &printed)) {
            return false;
        }
        if (result->fault.kind != WB_REASON_NONE) {
            break;
        }
        wb_job_case_done(child, i);
    }
    return true;
}

static const struct wb_job_kind sim_kind = {
    .where = "on the embedded device",
    .startup_s = 5,
    .cpu_time = true,
    .address_space = ADDRESS_SPACE,
    .body = sim_body,
};

static bool sim_run(struct wb_device_result *out, struct wb_arena *arena, struct wb_device_job *job,
                    struct wb_status *status)
{
    if (!wb_job_run(out, arena, job, &sim_kind, status)) {
        return false;
    }
    if (job->measure && !out->counters.present) {
        strcpy(out->not_measured, "The kernel did not run to its end.");
    }
    return true;
}

const struct wb_device wb_device_sim = {
    .name = "sim",
    .probe = sim_probe,
    .run = sim_run,
};
