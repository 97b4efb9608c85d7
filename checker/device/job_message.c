/* SPDX-License-Identifier: MIT
 * The message a job's child sends: its status, or its result with fault and counters. A new field
 * of struct wb_device_result is put and got here, in the same order; bump VERSION with it.
 */
#include "job.h"

#include "wire.h"

#include <string.h>

#define MAGIC UINT64_C(0x424f4a4b4f4f4257) /* "WBOOKJOB" */

enum { VERSION = 3, MAX_PCS = 1 << 20, MAX_FINDINGS = 1 << 10 };

static void put_dim3(struct wb_str *out, struct wb_dim3 dim)
{
    wb_wire_put(out, dim.x);
    wb_wire_put(out, dim.y);
    wb_wire_put(out, dim.z);
}

static void put_waiting(struct wb_str *out, const struct wb_waiting *place)
{
    wb_wire_put(out, place->what);
    wb_wire_put(out, place->pc);
    wb_wire_put(out, place->line);
    wb_wire_put(out, place->last_line);
    wb_wire_put_string(out, place->file);
    wb_wire_put(out, place->detail);
    wb_wire_put(out, place->threads);
    wb_wire_put(out, place->warps);
    wb_wire_put(out, place->blocks);
    put_dim3(out, place->block);
    wb_wire_put(out, place->warp);
    wb_wire_put(out, place->lanes);
}

static void put_fault(struct wb_str *out, const struct wb_fault *fault)
{
    wb_wire_put(out, fault->kind);
    wb_wire_put(out, fault->pc);
    wb_wire_put(out, fault->line);
    wb_wire_put_string(out, fault->file);
    put_dim3(out, fault->block);
    put_dim3(out, fault->thread);
    wb_wire_put(out, fault->address);
    wb_wire_put_string(out, fault->message);
    wb_wire_put(out, fault->refusal);
    wb_wire_put(out, fault->waiting_count);
    wb_wire_put(out, fault->waiting_more);
    for (unsigned i = 0; i < fault->waiting_count; i++) {
        put_waiting(out, &fault->waiting[i]);
    }
}

static void put_counts(struct wb_str *out, const struct wb_counts *counts)
{
    for (size_t i = 0; i < WB_METRIC_COUNT; i++) {
        wb_wire_put(out, counts->v[i]);
    }
}

static bool same_string(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A file's name is sent once for the whole run of instructions that share it. */
static void put_counters(struct wb_str *out, const struct wb_counters *counters)
{
    wb_wire_put(out, counters->present);
    put_counts(out, &counters->total);
    wb_wire_put(out, counters->pc_count);
    const char *file = NULL;
    for (size_t i = 0; i < counters->pc_count; i++) {
        const struct wb_pc_counts *row = &counters->pcs[i];
        wb_wire_put(out, row->pc);
        wb_wire_put(out, row->line);
        bool same = same_string(row->file, file);
        wb_wire_put(out, same);
        if (!same) {
            wb_wire_put_string(out, row->file);
            file = row->file;
        }
        put_counts(out, &row->counts);
    }
}

static void put_findings(struct wb_str *out, const struct wb_guard_findings *findings)
{
    wb_wire_put(out, findings->count);
    wb_wire_put(out, findings->left_out);
    for (size_t i = 0; i < findings->count; i++) {
        const struct wb_guard_finding *f = &findings->items[i];
        wb_wire_put(out, f->kind);
        wb_wire_put(out, f->pc);
        wb_wire_put(out, f->other_pc);
        wb_wire_put(out, f->line);
        wb_wire_put(out, f->other_line);
        wb_wire_put_string(out, f->file);
        wb_wire_put_string(out, f->other_file);
        put_dim3(out, f->block);
        put_dim3(out, f->thread);
        wb_wire_put(out, f->count);
        wb_wire_put(out, f->address);
        wb_wire_put_string(out, f->message);
    }
}

void wb_job_encode(struct wb_str *out, const struct wb_device_result *result,
                   const struct wb_status *status)
{
    wb_wire_put(out, MAGIC);
    wb_wire_put(out, VERSION);
    wb_wire_put(out, status ? status->code : WB_OK);
    if (status) {
        wb_wire_put_string(out, status->message);
        return;
    }
    put_fault(out, &result->fault);
    put_findings(out, &result->findings);
    wb_wire_put(out, result->found_in);
    put_counters(out, &result->counters);
    wb_wire_put_string(out, result->not_measured);
    wb_wire_put(out, result->registers);
    wb_wire_put(out, result->static_shared);
    wb_wire_put(out, result->local_bytes);
}

static struct wb_dim3 get_dim3(struct wb_wire *wire)
{
    struct wb_dim3 dim;
    dim.x = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    dim.y = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    dim.z = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    return dim;
}

static void get_waiting(struct wb_waiting *place, struct wb_wire *wire, struct wb_arena *arena)
{
    place->what = (enum wb_waiting_for)wb_wire_get_upto(wire, WB_WAITING_COUNT - 1);
    place->pc = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
    place->line = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    place->last_line = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    place->file = wb_wire_get_string(wire, arena);
    place->detail = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
    place->threads = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    place->warps = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    place->blocks = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    place->block = get_dim3(wire);
    place->warp = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    place->lanes = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
}

static void get_fault(struct wb_fault *fault, struct wb_wire *wire, struct wb_arena *arena)
{
    fault->kind = (enum wb_reason)wb_wire_get_upto(wire, WB_REASON_COUNT - 1);
    fault->pc = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
    fault->line = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    fault->file = wb_wire_get_string(wire, arena);
    fault->block = get_dim3(wire);
    fault->thread = get_dim3(wire);
    fault->address = wb_wire_get(wire);
    wb_wire_copy_string(fault->message, sizeof fault->message, wire);
    fault->refusal = (enum wb_refusal)wb_wire_get_upto(wire, WB_REFUSAL_COUNT - 1);
    fault->waiting_count = (unsigned)wb_wire_get_upto(wire, WB_MAX_WAITING);
    fault->waiting_more = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
    for (unsigned i = 0; i < fault->waiting_count; i++) {
        get_waiting(&fault->waiting[i], wire, arena);
    }
}

static void get_counts(struct wb_counts *counts, struct wb_wire *wire)
{
    for (size_t i = 0; i < WB_METRIC_COUNT; i++) {
        counts->v[i] = wb_wire_get(wire);
    }
}

static void get_counters(struct wb_counters *counters, struct wb_wire *wire, struct wb_arena *arena)
{
    counters->present = (uint32_t)wb_wire_get_upto(wire, (1u << WB_METRIC_COUNT) - 1);
    get_counts(&counters->total, wire);
    counters->pc_count = wb_wire_get_upto(wire, MAX_PCS);
    /* No row is smaller than its counts, so the rows fit if the bytes that are left do. */
    if (counters->pc_count > wire->left / sizeof(struct wb_counts)) {
        wire->bad = true;
        counters->pc_count = 0;
    }
    counters->pcs = wb_arena_alloc(arena, counters->pc_count * sizeof *counters->pcs);
    const char *file = NULL;
    for (size_t i = 0; i < counters->pc_count; i++) {
        struct wb_pc_counts *row = &counters->pcs[i];
        row->pc = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
        row->line = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
        if (!wb_wire_get_upto(wire, true)) {
            file = wb_wire_get_string(wire, arena);
        }
        row->file = file;
        get_counts(&row->counts, wire);
        wire->bad |= i > 0 && row->pc <= row[-1].pc; /* sorted, as the header promises */
    }
}

static void get_findings(struct wb_guard_findings *findings, struct wb_wire *wire,
                         struct wb_arena *arena)
{
    findings->count = wb_wire_get_upto(wire, MAX_FINDINGS);
    findings->left_out = wb_wire_get(wire);
    findings->items = wb_arena_alloc(arena, (findings->count + 1) * sizeof *findings->items);
    for (size_t i = 0; i < findings->count; i++) {
        struct wb_guard_finding *f = &findings->items[i];
        *f = (struct wb_guard_finding){0};
        f->kind = (enum wb_reason)wb_wire_get_upto(wire, WB_REASON_COUNT - 1);
        f->pc = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
        f->other_pc = (uint32_t)wb_wire_get_upto(wire, UINT32_MAX);
        f->line = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
        f->other_line = (unsigned)wb_wire_get_upto(wire, UINT32_MAX);
        f->file = wb_wire_get_string(wire, arena);
        f->other_file = wb_wire_get_string(wire, arena);
        f->block = get_dim3(wire);
        f->thread = get_dim3(wire);
        f->count = wb_wire_get(wire);
        f->address = wb_wire_get(wire);
        wb_wire_copy_string(f->message, sizeof f->message, wire);
    }
}

bool wb_job_decode(struct wb_device_result *result, bool *failed, struct wb_status *status,
                   struct wb_arena *arena, const void *message, size_t size)
{
    struct wb_wire wire = {.at = message, .left = size};
    if (wb_wire_get(&wire) != MAGIC || wb_wire_get(&wire) != VERSION) {
        return false;
    }
    enum wb_code code = (enum wb_code)wb_wire_get_upto(&wire, WB_INTERNAL);
    *failed = code != WB_OK;
    if (*failed) {
        char text[sizeof status->message];
        wb_wire_copy_string(text, sizeof text, &wire);
        wb_status_set(status, code, __FILE__, "%s", text);
        return wb_wire_ended(&wire);
    }
    get_fault(&result->fault, &wire, arena);
    get_findings(&result->findings, &wire, arena);
    result->found_in = wb_wire_get(&wire);
    get_counters(&result->counters, &wire, arena);
    wb_wire_copy_string(result->not_measured, sizeof result->not_measured, &wire);
    result->registers = (unsigned)wb_wire_get_upto(&wire, UINT32_MAX);
    result->static_shared = (unsigned)wb_wire_get_upto(&wire, UINT32_MAX);
    result->local_bytes = (unsigned)wb_wire_get_upto(&wire, UINT32_MAX);
    return wb_wire_ended(&wire);
}
