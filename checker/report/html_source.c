/* SPDX-License-Identifier: MIT
 * Tables of source lines: excerpts, and the learner's whole file with what was counted on each
 * line. Counters of several kernels of one file are added up per line.
 */
#include "html.h"

enum { AROUND = 2, MAX_ELSEWHERE = 20, MAX_LINES = 4000 };

void wb_html_excerpt(struct wb_str *out, const struct wb_view *view, unsigned line)
{
    unsigned count = (unsigned)view->line_count;
    if (line == 0 || line > count) {
        return;
    }
    unsigned first = line > AROUND ? line - AROUND : 1;
    unsigned last = line + AROUND < count ? line + AROUND : count;
    wb_str_add(out, "<div class=\"excerpt scroll\"><table class=\"code\">\n");
    for (unsigned n = first; n <= last; n++) {
        wb_str_printf(out, "<tr%s><td class=\"number\">%u</td><td>",
                      n == line ? " class=\"here\"" : "", n);
        wb_html_text(out, view->lines[n - 1]);
        wb_str_add(out, "</td></tr>\n");
    }
    wb_str_add(out, "</table></div>\n");
}

/* What was counted, by line of the attempt (index line - 1) and elsewhere. */
struct line_counts {
    struct wb_counts *mine;
    struct wb_pc_counts *elsewhere;
    size_t elsewhere_count;
    uint32_t present;
    uint64_t all_inst;
};

static void gather_one(struct line_counts *out, struct wb_arena *arena, const struct wb_view *view,
                       const struct wb_counters *counters)
{
    size_t count = 0, capacity = out->elsewhere_count;
    struct wb_pc_counts *rows = wb_counters_by_line(arena, &count, counters);
    out->present |= counters->present;
    for (size_t i = 0; i < count; i++) {
        out->all_inst += rows[i].counts.v[WB_METRIC_INST];
        if (wb_view_is_attempt(view, rows[i].file) && rows[i].line >= 1 &&
            rows[i].line <= view->line_count) {
            wb_counts_add(&out->mine[rows[i].line - 1], &rows[i].counts);
        } else {
            out->elsewhere = wb_arena_grow(arena, out->elsewhere, &capacity, out->elsewhere_count,
                                           sizeof *out->elsewhere);
            out->elsewhere[out->elsewhere_count++] = rows[i];
        }
    }
}

static void gather(struct line_counts *out, struct wb_arena *arena, const struct wb_view *view)
{
    const struct wb_result *result = view->result;
    *out = (struct line_counts){0};
    out->mine = wb_arena_alloc(arena, view->line_count * sizeof *out->mine);
    for (size_t i = 0; result->measured && i < result->task_count; i++) {
        if (result->measured[i].measured) {
            gather_one(out, arena, view, &result->measured[i].counters);
        }
    }
}

/* The columns of counters; the code, or the place, follows in the last one. */
static void counter_cells(struct wb_str *out, const struct line_counts *lines,
                          const struct wb_counts *counts)
{
    double lanes, share = 0;
    uint64_t inst = counts->v[WB_METRIC_INST];
    uint64_t uniform = counts->v[WB_METRIC_BRANCH_UNIFORM];
    uint64_t divergent = counts->v[WB_METRIC_BRANCH_DIVERGENT];
    if (lines->all_inst) {
        share = (double)inst / (double)lines->all_inst;
    }
    wb_str_printf(out, "<td class=\"share\" style=\"--share:%.4f\">%s</td>", share,
                  inst ? wb_count_text(out->arena, inst) : "");
    wb_str_add(out, "<td>");
    if (wb_lanes(&lanes, counts)) {
        wb_str_printf(out, "%.1f", lanes);
    }
    wb_str_printf(out, "</td><td>%s</td><td>%s</td>",
                  uniform + divergent ? wb_count_text(out->arena, uniform + divergent) : "",
                  divergent ? wb_count_text(out->arena, divergent) : "");
}

static void row_start(struct wb_str *out, const struct wb_counts *counts)
{
    bool split = counts->v[WB_METRIC_BRANCH_DIVERGENT] > 0;
    bool hot = counts->v[WB_METRIC_INST] > 0;
    wb_str_printf(out, "<tr class=\"%s%s\">", hot ? "hot" : "", split ? " split" : "");
}

static void table_start(struct wb_str *out, const char *first, const char *last, bool counted)
{
    wb_str_printf(out, "<div class=\"scroll\"><table class=\"code\">\n<tr>%s", first);
    if (counted) {
        wb_str_add(out, "<th>warp instr.</th><th>lanes</th><th>branches</th><th>split</th>");
    }
    wb_str_printf(out, "<th>%s</th></tr>\n", last);
}

static void table_end(struct wb_str *out, size_t count, size_t shown)
{
    wb_str_add(out, "</table></div>\n");
    if (count > shown) {
        wb_str_printf(out, "<p class=\"soft\">... and %zu more lines</p>\n", count - shown);
    }
}

static void elsewhere(struct wb_str *out, const struct line_counts *lines)
{
    if (lines->elsewhere_count == 0) {
        return;
    }
    wb_str_add(out, "<h3>In other files</h3>\n");
    table_start(out, "", "place", true);
    for (size_t i = 0; i < lines->elsewhere_count && i < MAX_ELSEWHERE; i++) {
        const struct wb_pc_counts *row = &lines->elsewhere[i];
        row_start(out, &row->counts);
        counter_cells(out, lines, &row->counts);
        wb_str_add(out, "<td>");
        wb_html_text(out, row->file ? wb_path_base(row->file) : "(no source line)");
        wb_str_printf(out, row->line ? ":%u</td></tr>\n" : "</td></tr>\n", row->line);
    }
    table_end(out, lines->elsewhere_count, MAX_ELSEWHERE);
}

void wb_html_source(struct wb_str *out, const struct wb_view *view)
{
    struct line_counts lines;
    gather(&lines, out->arena, view);
    bool counted = lines.present != 0;
    table_start(out, "<th></th>", "", counted);
    for (size_t i = 0; i < view->line_count && i < MAX_LINES; i++) {
        row_start(out, &lines.mine[i]);
        wb_str_printf(out, "<td class=\"number\">%zu</td>", i + 1);
        if (counted) {
            counter_cells(out, &lines, &lines.mine[i]);
        }
        wb_str_add(out, "<td>");
        wb_html_text(out, view->lines[i]);
        wb_str_add(out, "</td></tr>\n");
    }
    table_end(out, view->line_count, MAX_LINES);
    elsewhere(out, &lines);
}
