/* SPDX-License-Identifier: MIT
 * The "warpbook-report/1" of docs/report-schema.json. What a device could not measure is absent;
 * what there is nothing to say about is null.
 */
#include "json.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char *const severity_name[] = {
    [WB_SEVERITY_ERROR] = "error", [WB_SEVERITY_WARNING] = "warning", [WB_SEVERITY_NOTE] = "note"};

json_t *wb_json_text(struct wb_arena *arena, const char *text)
{
    return text ? json_string_nocheck(wb_utf8_clean(arena, text, NULL)) : json_null();
}

static json_t *positive_or_null(unsigned number)
{
    return number ? json_integer(number) : json_null();
}

static json_t *criterion(struct wb_arena *arena, const struct wb_criterion_result *from)
{
    return json_pack("{s:o, s:o, s:s, s:s, s:f, s:f, s:o}", "id", wb_json_text(arena, from->id),
                     "title", wb_json_text(arena, from->title), "verdict",
                     wb_verdict_name[from->verdict], "reason", wb_reason_code[from->reason],
                     "points", from->points, "max_points", from->max_points, "message",
                     wb_json_text(arena, from->message));
}

static json_t *finding(struct wb_arena *arena, const struct wb_finding *from)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "kind", wb_reason_code[from->kind], "file",
                     wb_json_text(arena, from->file), "line", positive_or_null(from->line), "task",
                     wb_json_text(arena, from->task), "message",
                     wb_json_text(arena, from->message ? from->message : ""), "advice",
                     wb_json_text(arena, from->advice));
}

static json_t *diagnostic(struct wb_arena *arena, const struct wb_diagnostic *from)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "severity", severity_name[from->severity], "file",
                     wb_json_text(arena, from->file), "line", positive_or_null(from->line),
                     "column", positive_or_null(from->column), "message",
                     wb_json_text(arena, from->message ? from->message : ""));
}

static json_t *report(struct wb_arena *arena, const struct wb_result *result)
{
    json_t *criteria = json_array(), *findings = json_array(), *diagnostics = json_array();
    for (size_t i = 0; i < result->criterion_count; i++) {
        json_array_append_new(criteria, criterion(arena, &result->criteria[i]));
    }
    for (size_t i = 0; i < result->finding_count; i++) {
        json_array_append_new(findings, finding(arena, &result->findings[i]));
    }
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        json_array_append_new(diagnostics, diagnostic(arena, &result->diagnostics[i]));
    }
    json_t *counters = json_pack(
        "{s:o, s:o}", "reference",
        wb_json_counters(arena, &result->device, result->reference, result->task_count), "attempt",
        wb_json_counters(arena, &result->device, result->measured, result->task_count));
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:I, s:f}",
        "schema", "warpbook-report/1", "lesson", wb_json_text(arena, result->lesson), "title",
        wb_json_text(arena, result->title), "attempt", wb_json_text(arena, result->attempt),
        "device", wb_json_device(arena, &result->device), "verdict",
        wb_verdict_name[result->verdict], "reason", wb_reason_code[result->reason], "message",
        wb_json_text(arena, result->message), "points", result->points, "max_points",
        result->max_points, "criteria", criteria, "counters", counters, "findings", findings,
        "diagnostics", diagnostics, "output", wb_json_text(arena, result->output), "seed",
        (json_int_t)result->seed, "duration_ms", result->duration_ms);
}

void wb_json_render(struct wb_str *out, const struct wb_result *result, size_t indent)
{
    json_t *root = report(out->arena, result);
    char *text = root ? json_dumps(root, JSON_INDENT(indent) | JSON_REAL_PRECISION(15)) : NULL;
    if (!text) {
        abort(); /* out of memory, as the arena does */
    }
    wb_str_add(out, text);
    wb_str_add(out, "\n");
    free(text);
    json_decref(root);
}

static void render(struct wb_str *out, const struct wb_result *result,
                   const struct wb_report_options *options)
{
    (void)options;
    wb_json_render(out, result, 2);
}

const struct wb_report_format wb_report_json = {
    .name = "json", .description = "warpbook-report/1, for scripts", .render = render};
