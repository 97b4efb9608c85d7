/* SPDX-License-Identifier: MIT
 * One static page that needs nothing else: report.html is embedded at build time, and at its
 * markers the title, the report and its JSON are put in. The report itself needs no JavaScript.
 */
#include "html.h"
#include "json.h"
#include "text.h"

#include <string.h>

extern const char wb_report_template[];

struct page {
    struct wb_str *out;
    struct wb_view view;
};

void wb_html_text(struct wb_str *out, const char *text)
{
    while (text && *text) {
        const char *start = text;
        uint32_t code = wb_utf8_next(&text);
        switch (code) {
        case '<':
            wb_str_add(out, "&lt;");
            break;
        case '>':
            wb_str_add(out, "&gt;");
            break;
        case '&':
            wb_str_add(out, "&amp;");
            break;
        case '"':
            wb_str_add(out, "&quot;");
            break;
        case '\'':
            wb_str_add(out, "&#39;");
            break;
        case '\n':
        case '\t':
            wb_str_add_bytes(out, start, 1);
            break;
        default:
            if (code == WB_UTF8_BAD || wb_code_is_hidden(code)) {
                wb_str_add(out, "\uFFFD");
            } else {
                wb_str_add_bytes(out, start, (size_t)(text - start));
            }
        }
    }
}

/* <element class="name">text</element>; `name` may be NULL. */
static void element(struct page *page, const char *tag, const char *name, const char *text)
{
    wb_str_printf(page->out, "<%s%s%s%s>", tag, name ? " class=\"" : "", name ? name : "",
                  name ? "\"" : "");
    wb_html_text(page->out, text);
    wb_str_printf(page->out, "</%s>\n", tag);
}

static void card(struct page *page, const char *title)
{
    wb_str_add(page->out, "<section class=\"card\">\n");
    element(page, "h2", NULL, title);
}

static void card_end(struct page *page)
{
    wb_str_add(page->out, "</section>\n");
}

/* ---- head and criteria -------------------------------------------------------------------- */

static const char *const mark[] = {[WB_PASSED] = "\u2713",
                                   [WB_FAILED] = "\u2717",
                                   [WB_ERROR] = "\u2717",
                                   [WB_SKIPPED] = "\u2013",
                                   [WB_NOT_STARTED] = "\u2013"};

static void head(struct page *page)
{
    const struct wb_result *result = page->view.result;
    struct wb_str *out = page->out;
    wb_str_printf(out, "<header class=\"card %s\">\n<div class=\"top\">\n",
                  wb_verdict_name[result->verdict]);
    element(page, "h1", NULL, page->view.heading);
    if (result->max_points > 0 && result->verdict != WB_ERROR) {
        wb_str_printf(out, "<span class=\"score\"><b>%s</b> / %s points</span>\n",
                      wb_view_points(out->arena, result->points),
                      wb_view_points(out->arena, result->max_points));
    }
    element(page, "span", "badge", wb_verdict_title[result->verdict]);
    wb_str_add(out, "</div>\n");
    element(page, "p", "soft mono", result->attempt);
    if (result->message) {
        element(page, "p", NULL, result->message);
    }
    wb_str_add(out, "</header>\n");
}

static void next_step(struct page *page)
{
    if (page->view.next) {
        wb_str_add(page->out, "<section class=\"card next\"><b>Next step.</b> ");
        wb_html_text(page->out, page->view.next);
        card_end(page);
    }
}

static void criteria(struct page *page)
{
    const struct wb_result *result = page->view.result;
    struct wb_str *out = page->out;
    if (result->criterion_count == 0 || result->verdict == WB_ERROR) {
        return; /* after an error of ours, "not reached" says nothing */
    }
    card(page, "Criteria");
    wb_str_add(out, "<ul class=\"criteria\">\n");
    for (size_t i = 0; i < result->criterion_count; i++) {
        const struct wb_criterion_result *criterion = &result->criteria[i];
        wb_str_printf(out, "<li class=\"%s\">", wb_verdict_name[criterion->verdict]);
        element(page, "span", "mark", mark[criterion->verdict]);
        element(page, "span", NULL, criterion->title);
        wb_str_printf(out, "<span class=\"points\">%s / %s</span>",
                      wb_view_points(out->arena, criterion->points),
                      wb_view_points(out->arena, criterion->max_points));
        if (criterion->message && criterion->message[0]) {
            element(page, "p", NULL, criterion->message);
        }
        wb_str_add(out, "</li>\n");
    }
    wb_str_add(out, "</ul>\n");
    card_end(page);
}

/* ---- comparison --------------------------------------------------------------------------- */

static void bar(struct page *page, const char *name, const char *bound,
                const struct wb_view_value *value)
{
    if (!value->text) {
        return;
    }
    wb_str_printf(page->out, "<div class=\"bar %s\"><span>%s</span><i style=\"--share:%.4f\"></i>",
                  name, name, value->known ? value->share : 0);
    wb_str_printf(page->out, "<span>%s", bound);
    wb_html_text(page->out, value->text);
    wb_str_add(page->out, "</span></div>\n");
}

static const char *const bound_sign[] = {
    [WB_BOUND_AT_LEAST] = "\u2265 ", [WB_BOUND_AT_MOST] = "\u2264 ", [WB_BOUND_EXACT] = ""};

static void comparison_table(struct page *page, const struct wb_view_table *table)
{
    struct wb_str *out = page->out;
    if (page->view.table_count > 1) {
        element(page, "h3", NULL, table->kernel);
    }
    wb_str_add(out, "<div class=\"compare\">\n");
    for (size_t i = 0; i < table->row_count; i++) {
        const struct wb_view_row *row = &table->rows[i];
        bool judged = row->target.text && row->verdict <= WB_FAILED;
        wb_str_printf(out, "<div class=\"%s\">", judged ? wb_verdict_name[row->verdict] : "");
        element(page, "h4", NULL, row->label);
        bar(page, "reference", "", &row->reference);
        bar(page, "target", bound_sign[row->bound], &row->target);
        bar(page, "yours", "", &row->yours);
        wb_str_add(out, "</div>\n");
    }
    wb_str_add(out, "</div>\n");
}

static void comparison(struct page *page)
{
    const char *not_measured = NULL;
    if (page->view.table_count == 0 || page->view.result->verdict == WB_ERROR) {
        return;
    }
    card(page, "How well the warps stay together");
    for (size_t i = 0; i < page->view.table_count; i++) {
        const struct wb_view_table *table = &page->view.tables[i];
        if (table->row_count) {
            comparison_table(page, table);
        }
        not_measured = not_measured ? not_measured : table->not_measured;
    }
    if (not_measured) {
        element(page, "p", NULL, not_measured);
    }
    if (page->view.device) {
        element(page, "p", "soft", page->view.device);
    }
    card_end(page);
}

/* ---- findings, compiler, kernel ----------------------------------------------------------- */

static void place(struct page *page, const char *file, unsigned line)
{
    if (file) {
        wb_str_add(page->out, "<span class=\"mono\">");
        wb_html_text(page->out, file);
        if (line) {
            wb_str_printf(page->out, ":%u", line);
        }
        wb_str_add(page->out, "</span> ");
    }
}

/* `before` and `after` are its neighbours or NULL: what they share is said once. */
static void one_finding(struct page *page, const struct wb_finding *before,
                        const struct wb_finding *finding, const struct wb_finding *after)
{
    const char *task = wb_view_task(&page->view, finding);
    if (!before || !wb_view_same_place(before, finding)) {
        wb_str_printf(page->out, "%s<div class=\"finding\">\n", before ? "</div>\n" : "");
        place(page, finding->file, finding->line);
        element(page, "span", "tag", wb_reason_code[finding->kind]);
        if (task) {
            wb_str_add(page->out, "in ");
            element(page, "span", "mono", task);
        }
    }
    element(page, "p", NULL, finding->message);
    if (wb_view_is_attempt(&page->view, finding->file)) {
        wb_html_excerpt(page->out, &page->view, finding->line);
    }
    bool said_later = after && wb_view_same_advice(finding, after);
    if (finding->advice && finding->advice[0] && !said_later) {
        element(page, "p", "advice", finding->advice);
    }
}

static void findings(struct page *page)
{
    size_t count = page->view.result->finding_count;
    const struct wb_finding *all = page->view.result->findings;
    if (count == 0) {
        return;
    }
    card(page, "Findings");
    for (size_t i = 0; i < count; i++) {
        one_finding(page, i ? &all[i - 1] : NULL, &all[i], i + 1 < count ? &all[i + 1] : NULL);
    }
    wb_str_add(page->out, "</div>\n");
    card_end(page);
}

static void compiler(struct page *page)
{
    static const struct {
        const char *name, *look;
    } severities[] = {[WB_SEVERITY_ERROR] = {"error", "tag"},
                      [WB_SEVERITY_WARNING] = {"warning", "tag warning"},
                      [WB_SEVERITY_NOTE] = {"note", "tag note"}};
    const struct wb_result *result = page->view.result;
    if (result->diagnostic_count == 0) {
        return;
    }
    card(page, "What the compiler says");
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        const struct wb_diagnostic *diagnostic = &result->diagnostics[i];
        wb_str_add(page->out, "<div class=\"finding\">\n");
        place(page, diagnostic->file, diagnostic->line);
        element(page, "span", severities[diagnostic->severity].look,
                severities[diagnostic->severity].name);
        element(page, "p", NULL, diagnostic->message);
        wb_str_add(page->out, "</div>\n");
    }
    card_end(page);
}

static void output(struct page *page)
{
    const char *text = page->view.result->output;
    if (text && *text) {
        card(page, "What your code printed");
        element(page, "pre", NULL, text);
        card_end(page);
    }
}

static void source(struct page *page)
{
    if (page->view.line_count) {
        card(page, "Line by line");
        wb_html_source(page->out, &page->view);
        card_end(page);
    }
}

/* ---- how it was run ----------------------------------------------------------------------- */

static void fact(struct page *page, const char *name, const char *value)
{
    element(page, "dt", NULL, name);
    element(page, "dd", NULL, value);
}

static const char *dim3_text(struct wb_arena *arena, struct wb_dim3 d)
{
    return d.y <= 1 && d.z <= 1 ? wb_arena_printf(arena, "%u", d.x)
           : d.z <= 1           ? wb_arena_printf(arena, "%u x %u", d.x, d.y)
                                : wb_arena_printf(arena, "%u x %u x %u", d.x, d.y, d.z);
}

static void run_facts(struct page *page)
{
    const struct wb_result *result = page->view.result;
    struct wb_arena *arena = page->out->arena;
    card(page, "How it was run");
    wb_str_add(page->out, "<dl>\n");
    if (page->view.device) {
        fact(page, "device", page->view.device);
    }
    for (size_t i = 0; result->measured && i < result->task_count; i++) {
        const struct wb_measurement *m = &result->measured[i];
        if (m->measured) {
            fact(page, m->kernel,
                 wb_arena_printf(arena,
                                 "%s blocks of %s threads, %u registers, %u + %u bytes of shared "
                                 "memory, %u bytes of local memory",
                                 dim3_text(arena, m->grid), dim3_text(arena, m->block),
                                 m->registers, m->static_shared, m->dynamic_shared,
                                 m->local_bytes));
        }
    }
    fact(page, "seed", wb_arena_printf(arena, "%llu", (unsigned long long)result->seed));
    fact(page, "time", wb_arena_printf(arena, "%.2f s", result->duration_ms / 1000));
    wb_str_add(page->out, "</dl>\n");
    card_end(page);
}

/* ---- the template ------------------------------------------------------------------------- */

static void put_title(struct page *page)
{
    wb_html_text(page->out, page->view.heading);
    wb_str_printf(page->out, " \u2013 %s", wb_verdict_title[page->view.result->verdict]);
}

static void put_body(struct page *page)
{
    static void (*const parts[])(struct page *) = {
        head, next_step, criteria, comparison, findings, compiler, output, source, run_facts};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(parts); i++) {
        parts[i](page);
    }
}

/* In JSON '<' stands inside strings only; written as an escape it cannot end the script. */
static void put_json(struct page *page)
{
    struct wb_str json;
    wb_str_init(&json, page->out->arena);
    wb_json_render(&json, page->view.result, 0);
    for (const char *p = wb_str_get(&json); *p; p++) {
        if (*p == '<') {
            wb_str_add(page->out, "\\u003c");
        } else {
            wb_str_add_bytes(page->out, p, 1);
        }
    }
}

static const struct {
    const char *marker;
    void (*put)(struct page *page);
} markers[] = {{"@TITLE@", put_title}, {"@BODY@", put_body}, {"@JSON@", put_json}};

static void render(struct wb_str *out, const struct wb_result *result,
                   const struct wb_report_options *options)
{
    struct page page = {.out = out};
    const char *rest = wb_report_template;
    wb_view_init(&page.view, out->arena, result, options);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(markers); i++) { /* in the order of the page */
        const char *place_of = strstr(rest, markers[i].marker);
        if (place_of) {
            wb_str_add_bytes(out, rest, (size_t)(place_of - rest));
            markers[i].put(&page);
            rest = place_of + strlen(markers[i].marker);
        }
    }
    wb_str_add(out, rest);
}

const struct wb_report_format wb_report_html = {
    .name = "html", .description = "one page for a browser", .render = render};
