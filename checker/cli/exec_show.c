/* SPDX-License-Identifier: MIT
 * What `warpbook exec` says at the end: the trace, a table with a row for each kernel, and what was
 * found, as compilers say it. To add a column: a function and its row in `columns`.
 */
#include "exec.h"

#include <string.h>
#include <unistd.h>

/* ---- the table ------------------------------------------------------------------------------- */

static const char *say_launches(struct wb_arena *arena, const struct wb_run_kernel *kernel)
{
    return wb_arena_printf(arena, "%zu", kernel->launches);
}

static const char *say_branches(struct wb_arena *arena, const struct wb_run_kernel *kernel)
{
    double percent;
    bool any = wb_branch_efficiency(&percent, &kernel->total);
    return any ? wb_arena_printf(arena, "%.2f %%", percent) : "no branch";
}

static const char *say_lanes(struct wb_arena *arena, const struct wb_run_kernel *kernel)
{
    double lanes;
    return wb_lanes(&lanes, &kernel->total) ? wb_arena_printf(arena, "%.1f", lanes) : "-";
}

static const char *say_pair(struct wb_arena *arena, const struct wb_run_kernel *kernel,
                            enum wb_metric real, enum wb_metric ideal)
{
    if (!(kernel->present >> real & 1) || !(kernel->present >> ideal & 1)) {
        return "-";
    }
    return wb_arena_printf(arena, "%llu/%llu", (unsigned long long)kernel->total.v[real],
                           (unsigned long long)kernel->total.v[ideal]);
}

static const char *say_sectors(struct wb_arena *arena, const struct wb_run_kernel *kernel)
{
    return say_pair(arena, kernel, WB_METRIC_GLOBAL_SECTORS, WB_METRIC_GLOBAL_SECTORS_IDEAL);
}

static const char *say_wavefronts(struct wb_arena *arena, const struct wb_run_kernel *kernel)
{
    return say_pair(arena, kernel, WB_METRIC_SHARED_WAVEFRONTS, WB_METRIC_SHARED_WAVEFRONTS_IDEAL);
}

static const char *say_registers(struct wb_arena *arena, const struct wb_run_kernel *kernel)
{
    return wb_arena_printf(arena, "%u", kernel->registers);
}

static const struct {
    const char *title;
    const char *(*say)(struct wb_arena *arena, const struct wb_run_kernel *kernel);
} columns[] = {
    {"launches", say_launches},           {"branch efficiency", say_branches},
    {"lanes of 32", say_lanes},           {"sectors/ideal", say_sectors},
    {"wavefronts/ideal", say_wavefronts}, {"registers", say_registers},
};

enum { COLUMNS = WB_ARRAY_LENGTH(columns), GAP = 2, NAME_MOST = 40 };

struct table {
    struct wb_paint *paint;
    unsigned name_width, width[COLUMNS];
};

/* Long template names are cut in the middle of nowhere, but the whole one is in the JSON. */
static const char *short_name(const struct wb_paint *paint, const char *name)
{
    if (wb_paint_columns(paint, name) <= NAME_MOST) {
        return name;
    }
    return wb_arena_printf(paint->out->arena, "%.*s...", NAME_MOST - 3, name);
}

static unsigned at_least(unsigned width, const struct wb_paint *paint, const char *text)
{
    unsigned needed = wb_paint_columns(paint, text);
    return needed > width ? needed : width;
}

static void measure(struct table *table, const struct wb_runlog *log)
{
    const struct wb_paint *paint = table->paint;
    table->name_width = at_least(0, paint, "kernel");
    for (int c = 0; c < COLUMNS; c++) {
        table->width[c] = at_least(0, paint, columns[c].title);
    }
    for (size_t i = 0; i < log->kernel_count; i++) {
        const struct wb_run_kernel *kernel = log->kernels[i];
        table->name_width = at_least(table->name_width, paint, short_name(paint, kernel->name));
        for (int c = 0; c < COLUMNS; c++) {
            table->width[c] =
                at_least(table->width[c], paint, columns[c].say(paint->out->arena, kernel));
        }
    }
}

/* `kernel` NULL: the head. */
static void show_row(const struct table *table, const struct wb_run_kernel *kernel)
{
    struct wb_paint *paint = table->paint;
    unsigned end = table->name_width;
    wb_paint_text(paint, kernel ? WB_STYLE_STRONG : WB_STYLE_FAINT,
                  kernel ? short_name(paint, kernel->name) : "kernel");
    for (int c = 0; c < COLUMNS; c++) {
        const char *text = kernel ? columns[c].say(paint->out->arena, kernel) : columns[c].title;
        end += GAP + table->width[c];
        wb_paint_to(paint, end - wb_paint_columns(paint, text));
        wb_paint_text(paint, kernel ? WB_STYLE_PLAIN : WB_STYLE_FAINT, text);
    }
    wb_paint_line(paint);
}

static void show_table(struct wb_paint *paint, const struct wb_runlog *log)
{
    struct table table = {.paint = paint};
    measure(&table, log);
    show_row(&table, NULL);
    for (size_t i = 0; i < log->kernel_count; i++) {
        show_row(&table, log->kernels[i]);
    }
}

/* ---- trace and findings ---------------------------------------------------------------------- */

/* Files below the working folder are named from there, wherever they stand in the text. */
static const char *shown(const struct wb_paint *paint, const char *text)
{
    struct wb_str out;
    char here[4096];
    const char *folder = getcwd(here, sizeof here) && here[1]
                             ? wb_arena_printf(paint->out->arena, "%s/", here)
                             : NULL;
    if (!folder) {
        return text;
    }
    wb_str_init(&out, paint->out->arena);
    for (const char *found; (found = strstr(text, folder)); text = found + strlen(folder)) {
        wb_str_add_bytes(&out, text, (size_t)(found - text));
    }
    wb_str_add(&out, text);
    return wb_str_get(&out);
}

static void show_calls(struct wb_paint *paint, const struct wb_runlog *log)
{
    for (size_t i = 0; i < log->call_count; i++) {
        const struct wb_run_call *call = &log->calls[i];
        wb_paint_printf(paint, WB_STYLE_FAINT, "%s: ", shown(paint, call->place->text));
        wb_paint_printf(paint, WB_STYLE_PLAIN, "%s", call->name);
        wb_paint_printf(paint, call->result ? WB_STYLE_WARN : WB_STYLE_PLAIN, " = %s%s",
                        wb_cudart_error_name(call->result),
                        call->injected ? " (asked for by WARPBOOK_INJECT)" : "");
        wb_paint_line(paint);
    }
}

static void show_note(struct wb_paint *paint, const char *where, const char *text)
{
    wb_paint_printf(paint, WB_STYLE_STRONG, "%s: ", shown(paint, where));
    wb_paint_text(paint, WB_STYLE_NOTE, "note: ");
    wb_paint_text(paint, WB_STYLE_PLAIN, shown(paint, text));
    wb_paint_line(paint);
}

static void show_head(struct wb_paint *paint, enum wb_style style, const char *grade,
                      enum wb_reason kind, const struct wb_run_place *place, const char *message)
{
    wb_paint_printf(paint, WB_STYLE_STRONG, "%s: ", shown(paint, place->text));
    wb_paint_printf(paint, style, "%s: ", grade);
    wb_paint_printf(paint, WB_STYLE_PLAIN, "%s [%s]", shown(paint, message), wb_reason_code[kind]);
    wb_paint_line(paint);
}

const char *cli_exec_leak_text(struct wb_arena *arena, const struct wb_run_leak *leak)
{
    const char *bytes =
        leak->bytes ? wb_arena_printf(arena, " (%llu bytes)", (unsigned long long)leak->bytes) : "";
    return wb_arena_printf(arena, "%s%s made here %s never given back with %s", leak->what, bytes,
                           leak->count == 1 ? "was" : "were", leak->call);
}

/* Lines of the host program are known only if it was compiled for debugging. */
static bool lacks_lines(const struct wb_runlog *log)
{
    bool lacks = false;
    for (size_t i = 0; i < log->finding_count; i++) {
        lacks = lacks || !log->findings[i].place.file;
    }
    for (size_t i = 0; i < log->leak_count; i++) {
        lacks = lacks || !log->leaks[i].place.file;
    }
    return lacks;
}

static void show_findings(struct wb_paint *paint, const struct wb_runlog *log)
{
    for (size_t i = 0; i < log->finding_count; i++) {
        const struct wb_run_finding *finding = &log->findings[i];
        show_head(paint, WB_STYLE_BAD_STRONG, "error", finding->kind, &finding->place,
                  finding->message);
        if (finding->note) {
            show_note(paint, finding->other.text, finding->note);
        }
        show_note(paint, finding->place.text, finding->advice);
    }
    for (size_t i = 0; i < log->leak_count; i++) {
        const struct wb_run_leak *leak = &log->leaks[i];
        show_head(paint, WB_STYLE_WARN_STRONG, "warning", WB_REASON_LEAK, &leak->place,
                  cli_exec_leak_text(paint->out->arena, leak));
        show_note(paint, leak->place.text, wb_reason_advice[WB_REASON_LEAK]);
    }
    if (lacks_lines(log)) {
        wb_paint_text(paint, WB_STYLE_PLAIN,
                      "For lines of the host program, compile it with -g as well.");
        wb_paint_line(paint);
    }
}

void cli_exec_show(struct wb_paint *paint, const struct wb_runlog *log)
{
    show_calls(paint, log);
    if (log->kernel_count) {
        show_table(paint, log);
    } else {
        wb_paint_text(paint, WB_STYLE_PLAIN, "No kernel ran to its end.");
        wb_paint_line(paint);
    }
    show_findings(paint, log);
}
