/* SPDX-License-Identifier: MIT
 * The report a learner reads. One function per section, in the order of `sections`; each leaves
 * a blank line before what it prints and prints nothing when it has nothing to say.
 */
#include "text.h"
#include "view.h"

#include <warpbook/paint.h>

#include <string.h>

enum {
    INDENT = 2,
    EXCERPT_BEFORE = 2,
    EXCERPT_AFTER = 1,
    MAX_FINDINGS = 8,
    MAX_DIAGNOSTICS = 12,
    MAX_OUTPUT_LINES = 20
};

struct page {
    struct wb_paint paint;
    struct wb_arena *arena;
    struct wb_view view;
};

static const struct {
    enum wb_mark mark;
    enum wb_style style, strong;
} looks[] = {
    [WB_PASSED] = {WB_MARK_GOOD, WB_STYLE_GOOD, WB_STYLE_GOOD_STRONG},
    [WB_FAILED] = {WB_MARK_BAD, WB_STYLE_BAD, WB_STYLE_BAD_STRONG},
    [WB_ERROR] = {WB_MARK_BAD, WB_STYLE_BAD, WB_STYLE_BAD_STRONG},
    [WB_SKIPPED] = {WB_MARK_NONE, WB_STYLE_WARN, WB_STYLE_WARN_STRONG},
    [WB_NOT_STARTED] = {WB_MARK_NONE, WB_STYLE_WARN, WB_STYLE_WARN_STRONG},
};

/* A line that starts at a column. */
static void line_at(struct page *page, unsigned column, enum wb_style style, const char *text)
{
    wb_paint_to(&page->paint, column);
    wb_paint_text(&page->paint, style, text);
    wb_paint_line(&page->paint);
}

static void paragraph(struct page *page, unsigned indent, enum wb_style style, const char *text)
{
    wb_paint_to(&page->paint, indent);
    wb_paint_wrapped(&page->paint, style, indent, text);
    wb_paint_line(&page->paint);
}

/* Text that ends at a column. */
static void text_to(struct page *page, unsigned end, enum wb_style style, const char *text)
{
    unsigned columns = wb_paint_columns(&page->paint, text);
    wb_paint_to(&page->paint, end > columns ? end - columns : 0);
    wb_paint_text(&page->paint, style, text);
}

/* ---- heading, verdict, criteria ----------------------------------------------------------- */

static void show_verdict(struct page *page)
{
    const struct wb_result *result = page->view.result;
    struct wb_paint *paint = &page->paint;
    wb_paint_text(paint, WB_STYLE_STRONG, page->view.heading);
    wb_paint_line(paint);
    if (result->attempt) {
        line_at(page, 0, WB_STYLE_FAINT, result->attempt);
    }
    wb_paint_line(paint);
    wb_paint_to(paint, INDENT);
    wb_paint_text(paint, looks[result->verdict].strong, wb_verdict_title[result->verdict]);
    if (result->max_points > 0 && result->verdict != WB_ERROR) {
        wb_paint_printf(paint, WB_STYLE_PLAIN, "   %s", page->view.points);
    }
    wb_paint_line(paint);
    if (result->message) {
        paragraph(page, INDENT, WB_STYLE_PLAIN, result->message);
    }
}

static void show_criterion(struct page *page, const struct wb_criterion_result *criterion)
{
    struct wb_paint *paint = &page->paint;
    const char *points =
        wb_arena_printf(page->arena, "%s / %s", wb_view_points(page->arena, criterion->points),
                        wb_view_points(page->arena, criterion->max_points));
    wb_paint_to(paint, INDENT);
    wb_paint_text(paint, looks[criterion->verdict].style,
                  wb_paint_mark(paint, looks[criterion->verdict].mark));
    wb_paint_to(paint, INDENT + 2);
    wb_paint_text(paint, WB_STYLE_PLAIN, criterion->title);
    text_to(page, 64, WB_STYLE_PLAIN, points);
    wb_paint_line(paint);
    if (criterion->message && criterion->message[0]) {
        paragraph(page, INDENT + 4, WB_STYLE_FAINT, criterion->message);
    }
}

static void show_criteria(struct page *page)
{
    const struct wb_result *result = page->view.result;
    if (result->criterion_count == 0 || result->verdict == WB_ERROR) {
        return; /* after an error of ours, "not reached" says nothing */
    }
    wb_paint_line(&page->paint);
    for (size_t i = 0; i < result->criterion_count; i++) {
        show_criterion(page, &result->criteria[i]);
    }
}

/* ---- comparison --------------------------------------------------------------------------- */

/* The cells of one line, right-aligned; the column behind the last. */
static unsigned show_cells(struct page *page, const struct wb_view_table *table,
                           const char *reference, const char *target, const char *yours,
                           enum wb_style style, enum wb_style yours_style)
{
    enum { LABEL = 22, CELL = 14 };
    unsigned end = LABEL;
    if (table->has_reference) {
        text_to(page, end += CELL, style, reference);
    }
    if (table->has_target) {
        text_to(page, end += CELL, style, target);
    }
    text_to(page, end += CELL, yours_style, yours);
    return end;
}

static const char *target_text(const struct page *page, const struct wb_view_row *row)
{
    if (!row->target.text || row->bound == WB_BOUND_EXACT) {
        return row->target.text ? row->target.text : "";
    }
    enum wb_mark mark = row->bound == WB_BOUND_AT_LEAST ? WB_MARK_AT_LEAST : WB_MARK_AT_MOST;
    return wb_arena_printf(page->arena, "%s %s", wb_paint_mark(&page->paint, mark),
                           row->target.text);
}

static void show_row(struct page *page, const struct wb_view_table *table,
                     const struct wb_view_row *row)
{
    struct wb_paint *paint = &page->paint;
    bool judged = row->target.text && row->verdict <= WB_FAILED;
    enum wb_style style = judged ? looks[row->verdict].style : WB_STYLE_PLAIN;
    wb_paint_to(paint, INDENT);
    wb_paint_text(paint, WB_STYLE_PLAIN, row->label);
    unsigned end = show_cells(page, table, row->reference.text, target_text(page, row),
                              row->yours.text, WB_STYLE_PLAIN, style);
    if (judged) {
        wb_paint_to(paint, end + 1);
        wb_paint_text(paint, style, wb_paint_mark(paint, looks[row->verdict].mark));
    }
    wb_paint_line(paint);
}

static void show_table(struct page *page, const struct wb_view_table *table)
{
    struct wb_paint *paint = &page->paint;
    wb_paint_line(paint);
    wb_paint_to(paint, INDENT);
    wb_paint_text(paint, WB_STYLE_STRONG, page->view.table_count > 1 ? table->kernel : "");
    show_cells(page, table, "reference", "target", "yours", WB_STYLE_FAINT, WB_STYLE_FAINT);
    wb_paint_line(paint);
    for (size_t i = 0; i < table->row_count; i++) {
        show_row(page, table, &table->rows[i]);
    }
}

static void show_comparison(struct page *page)
{
    const char *not_measured = NULL;
    bool error = page->view.result->verdict == WB_ERROR;
    for (size_t i = 0; i < page->view.table_count; i++) {
        const struct wb_view_table *table = &page->view.tables[i];
        if (table->row_count) {
            show_table(page, table);
        }
        not_measured = not_measured ? not_measured : table->not_measured;
    }
    if (page->view.device) {
        wb_paint_line(&page->paint);
    }
    if (not_measured && *not_measured && !error) {
        paragraph(page, INDENT, WB_STYLE_WARN, not_measured);
    }
    if (page->view.device) {
        line_at(page, INDENT, WB_STYLE_FAINT, page->view.device);
    }
}

/* ---- findings ----------------------------------------------------------------------------- */

static void show_excerpt(struct page *page, unsigned line)
{
    struct wb_paint *paint = &page->paint;
    unsigned count = (unsigned)page->view.line_count;
    if (line == 0 || line > count) {
        return;
    }
    unsigned first = line > EXCERPT_BEFORE ? line - EXCERPT_BEFORE : 1;
    unsigned last = line + EXCERPT_AFTER < count ? line + EXCERPT_AFTER : count;
    for (unsigned n = first; n <= last; n++) {
        enum wb_style style = n == line ? WB_STYLE_PLAIN : WB_STYLE_FAINT;
        wb_paint_to(paint, INDENT + 2);
        wb_paint_text(paint, WB_STYLE_BAD, n == line ? wb_paint_mark(paint, WB_MARK_POINTER) : " ");
        wb_paint_printf(paint, style, "%5u ", n);
        wb_paint_text(paint, WB_STYLE_FAINT, wb_paint_mark(paint, WB_MARK_MARGIN));
        wb_paint_to(paint, paint->column + 1);
        wb_paint_clipped(paint, style, page->view.lines[n - 1]);
        wb_paint_line(paint);
    }
}

static void show_place(struct page *page, const char *file, unsigned line)
{
    if (file && line) {
        wb_paint_printf(&page->paint, WB_STYLE_STRONG, "%s:%u: ", file, line);
    } else if (file) {
        wb_paint_printf(&page->paint, WB_STYLE_STRONG, "%s: ", file);
    }
}

/* `before` and `after` are its neighbours or NULL: what they share is said once. */
static void show_finding(struct page *page, const struct wb_finding *before,
                         const struct wb_finding *finding, const struct wb_finding *after)
{
    struct wb_paint *paint = &page->paint;
    const char *advice = finding->advice ? finding->advice : "";
    const char *task = wb_view_task(&page->view, finding);
    bool said_later = (after && wb_view_same_advice(finding, after)) ||
                      (page->view.next && strcmp(advice, page->view.next) == 0);
    if (!before || !wb_view_same_place(before, finding)) {
        wb_paint_line(paint);
        wb_paint_to(paint, INDENT);
        show_place(page, finding->file, finding->line);
        wb_paint_text(paint, WB_STYLE_BAD, wb_reason_code[finding->kind]);
        if (task) {
            wb_paint_printf(paint, WB_STYLE_PLAIN, " in `%s`", task);
        }
        wb_paint_line(paint);
    }
    if (finding->message && finding->message[0]) {
        paragraph(page, INDENT + 2, WB_STYLE_PLAIN, finding->message);
    }
    if (wb_view_is_attempt(&page->view, finding->file)) {
        show_excerpt(page, finding->line);
    }
    if (advice[0] && !said_later) {
        paragraph(page, INDENT + 2, WB_STYLE_NOTE, advice);
    }
}

static void show_more(struct page *page, size_t left, const char *what)
{
    if (left) {
        line_at(page, INDENT, WB_STYLE_FAINT,
                wb_arena_printf(page->arena, "... and %zu more %s%s", left, what,
                                left == 1 ? "" : "s"));
    }
}

static void show_findings(struct page *page)
{
    const struct wb_result *result = page->view.result;
    size_t shown = result->finding_count < MAX_FINDINGS ? result->finding_count : MAX_FINDINGS;
    const struct wb_finding *all = result->findings;
    for (size_t i = 0; i < shown; i++) {
        show_finding(page, i ? &all[i - 1] : NULL, &all[i], i + 1 < shown ? &all[i + 1] : NULL);
    }
    show_more(page, result->finding_count - shown, "finding");
}

/* ---- compiler and kernel ------------------------------------------------------------------ */

static void show_diagnostic(struct page *page, const struct wb_diagnostic *diagnostic)
{
    static const struct {
        const char *name;
        enum wb_style style;
    } severities[] = {[WB_SEVERITY_ERROR] = {"error", WB_STYLE_BAD},
                      [WB_SEVERITY_WARNING] = {"warning", WB_STYLE_WARN},
                      [WB_SEVERITY_NOTE] = {"note", WB_STYLE_FAINT}};
    struct wb_paint *paint = &page->paint;
    wb_paint_to(paint, INDENT + 2);
    show_place(page, diagnostic->file, diagnostic->line);
    wb_paint_text(paint, severities[diagnostic->severity].style,
                  severities[diagnostic->severity].name);
    wb_paint_text(paint, WB_STYLE_PLAIN, ": ");
    wb_paint_wrapped(paint, WB_STYLE_PLAIN, INDENT + 6,
                     diagnostic->message ? diagnostic->message : "");
    wb_paint_line(paint);
}

static void show_compiler(struct page *page)
{
    const struct wb_result *result = page->view.result;
    size_t count = result->diagnostic_count;
    size_t shown = count < MAX_DIAGNOSTICS ? count : MAX_DIAGNOSTICS;
    if (count) {
        wb_paint_line(&page->paint);
        line_at(page, INDENT, WB_STYLE_STRONG, "The compiler says");
    }
    for (size_t i = 0; i < shown; i++) {
        show_diagnostic(page, &result->diagnostics[i]);
    }
    show_more(page, count - shown, "message");
}

static void show_output(struct page *page)
{
    const char *rest = page->view.result->output;
    struct wb_paint *paint = &page->paint;
    char *line = wb_text_line(page->arena, &rest);
    if (!line) {
        return;
    }
    wb_paint_line(paint);
    line_at(page, INDENT, WB_STYLE_STRONG, "Your code printed");
    for (unsigned shown = 0; line && shown < MAX_OUTPUT_LINES; shown++) {
        wb_paint_to(paint, INDENT + 2);
        wb_paint_text(paint, WB_STYLE_FAINT, wb_paint_mark(paint, WB_MARK_MARGIN));
        wb_paint_to(paint, paint->column + 1);
        wb_paint_clipped(paint, WB_STYLE_PLAIN, line);
        wb_paint_line(paint);
        line = wb_text_line(page->arena, &rest);
    }
    if (line) {
        line_at(page, INDENT + 2, WB_STYLE_FAINT, "... (more was printed)");
    }
}

/* ---- end ---------------------------------------------------------------------------------- */

static void show_next(struct page *page)
{
    struct wb_paint *paint = &page->paint;
    if (!page->view.next) {
        return;
    }
    wb_paint_line(paint);
    wb_paint_to(paint, INDENT);
    wb_paint_text(paint, WB_STYLE_STRONG, "Next: ");
    wb_paint_wrapped(paint, WB_STYLE_PLAIN, INDENT + 6, page->view.next);
    wb_paint_line(paint);
}

static void show_footer(struct page *page)
{
    const struct wb_result *result = page->view.result;
    const char *dot = wb_paint_mark(&page->paint, WB_MARK_DOT);
    if (result->criterion_count == 0) {
        return;
    }
    wb_paint_line(&page->paint);
    wb_paint_to(&page->paint, INDENT);
    wb_paint_printf(&page->paint, WB_STYLE_FAINT, "seed %llu ", (unsigned long long)result->seed);
    wb_paint_text(&page->paint, WB_STYLE_FAINT, dot);
    wb_paint_printf(&page->paint, WB_STYLE_FAINT, " %.2f s", result->duration_ms / 1000);
    wb_paint_line(&page->paint);
}

static void render(struct wb_str *out, const struct wb_result *result,
                   const struct wb_report_options *options)
{
    static const struct wb_report_options defaults = {0};
    static void (*const sections[])(struct page *) = {show_verdict,  show_criteria, show_comparison,
                                                      show_findings, show_compiler, show_output,
                                                      show_next,     show_footer};
    options = options ? options : &defaults;
    struct page page = {.arena = out->arena};
    wb_paint_init(&page.paint, out, options->colour, options->ascii, options->width);
    wb_view_init(&page.view, out->arena, result, options);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(sections); i++) {
        sections[i](&page);
    }
}

const struct wb_report_format wb_report_terminal = {
    .name = "terminal", .description = "for people, on a terminal", .render = render};
