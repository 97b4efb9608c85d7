/* SPDX-License-Identifier: MIT
 * What `warpbook exec` writes for scripts. Launch by launch: there may be a hundred thousand.
 */
#include "exec.h"

#include <warpbook/device.h>

#include <jansson.h>
#include <string.h>

/* Any text; the reader of the log let nothing through that is not UTF-8. NULL as null. */
static json_t *text(const char *string)
{
    return string ? json_string(string) : json_null();
}

static json_t *positive_or_null(unsigned number)
{
    return number ? json_integer(number) : json_null();
}

/* ---- counters -------------------------------------------------------------------------------- */

static json_t *dimensions(struct wb_dim3 d)
{
    return json_pack("[I, I, I]", (json_int_t)d.x, (json_int_t)d.y, (json_int_t)d.z);
}

/* Adds the metrics that are known to an object, and returns it. */
static json_t *add_counts(json_t *object, const struct wb_counts *counts, uint32_t present)
{
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        if (present >> m & 1) {
            json_object_set_new(object, wb_metric_name[m], json_integer((json_int_t)counts->v[m]));
        }
    }
    return object;
}

static json_t *lines(const struct wb_run_counts *counts)
{
    json_t *array = json_array();
    for (size_t i = 0; i < counts->line_count; i++) {
        const struct wb_pc_counts *row = &counts->lines[i];
        json_t *line =
            json_pack("{s:o, s:o}", "file", text(row->file), "line", positive_or_null(row->line));
        json_array_append_new(array, add_counts(line, &row->counts, counts->present));
    }
    return array;
}

static json_t *launch_json(const struct wb_run_launch *launch)
{
    const struct wb_run_kernel *kernel = launch->kernel;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "kernel", text(kernel->name), "grid",
        dimensions(launch->grid), "block", dimensions(launch->block), "cluster",
        dimensions(launch->cluster), "dynamic_shared", (json_int_t)launch->dynamic_shared,
        "registers", (json_int_t)kernel->registers, "static_shared",
        (json_int_t)kernel->static_shared, "local_bytes", (json_int_t)kernel->local_bytes,
        "counters", add_counts(json_object(), &launch->counts->total, launch->counts->present),
        "lines", lines(launch->counts));
}

static json_t *device_json(void)
{
    struct wb_device_info info;
    struct wb_status status = {0};
    char capability[32];
    if (!wb_device_sim.probe(&info, NULL, &status)) {
        return json_null();
    }
    snprintf(capability, sizeof capability, "%u.%u", info.major, info.minor);
    return json_pack("{s:s, s:s, s:s, s:s}", "kind", "sim", "name", info.name, "compute_capability",
                     capability, "counters", info.counters);
}

/* Writes the value and frees it. */
static void put(FILE *stream, json_t *value)
{
    json_dumpf(value, stream, JSON_COMPACT);
    json_decref(value);
}

void cli_exec_write_counters(FILE *stream, const struct wb_runlog *log)
{
    fputs("{\"schema\": \"warpbook-counters/1\",\n \"device\": ", stream);
    put(stream, device_json());
    fputs(",\n \"launches\": [", stream);
    for (size_t i = 0; i < log->launch_count; i++) {
        fputs(i ? ",\n  " : "\n  ", stream);
        put(stream, launch_json(&log->launches[i]));
    }
    fputs("]}\n", stream);
}

/* ---- report ---------------------------------------------------------------------------------- */

static json_t *finding_json(const char *kind, const struct wb_run_place *place, const char *message,
                            const char *advice)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "kind", kind, "file", text(place->file), "line",
                     positive_or_null(place->line), "message", text(message), "advice",
                     text(advice));
}

static json_t *findings_json(const struct wb_runlog *log)
{
    struct wb_arena arena;
    json_t *array = json_array();
    wb_arena_init(&arena);
    for (size_t i = 0; i < log->finding_count; i++) {
        const struct wb_run_finding *finding = &log->findings[i];
        json_t *object = finding_json(wb_reason_code[finding->kind], &finding->place,
                                      finding->message, finding->advice);
        if (finding->note) {
            json_object_set_new(object, "other",
                                json_pack("{s:o, s:o, s:o}", "file", text(finding->other.file),
                                          "line", positive_or_null(finding->other.line), "message",
                                          text(finding->note)));
        }
        json_array_append_new(array, object);
    }
    for (size_t i = 0; i < log->leak_count; i++) {
        json_array_append_new(array,
                              finding_json(wb_reason_code[WB_REASON_LEAK], &log->leaks[i].place,
                                           cli_exec_leak_text(&arena, &log->leaks[i]),
                                           wb_reason_advice[WB_REASON_LEAK]));
    }
    wb_arena_finish(&arena);
    return array;
}

static json_t *calls_json(const struct wb_runlog *log)
{
    json_t *array = json_array();
    for (size_t i = 0; i < log->call_count; i++) {
        const struct wb_run_call *call = &log->calls[i];
        json_array_append_new(
            array,
            json_pack("{s:o, s:s, s:o, s:o, s:b}", "name", text(call->name), "result",
                      wb_cudart_error_name(call->result), "file", text(call->place->file), "line",
                      positive_or_null(call->place->line), "injected", (int)call->injected));
    }
    return array;
}

void cli_exec_write_report(FILE *stream, const struct wb_runlog *log, bool trace)
{
    json_t *report = json_pack("{s:o}", "findings", findings_json(log));
    if (trace) {
        json_object_set_new(report, "calls", calls_json(log));
    }
    json_dumpf(report, stream, JSON_INDENT(2));
    json_decref(report);
    fputs("\n", stream);
}
