/* SPDX-License-Identifier: MIT
 * JUnit XML, as CI systems read it: a suite per lesson, a test case per criterion, and the whole
 * terminal report as the suite's output. A check that ended before any criterion is one test case.
 */
#include "text.h"
#include "view.h"

#include <libxml/xmlwriter.h>
#include <stdlib.h>

struct suite {
    xmlTextWriter *xml;
    struct wb_arena *arena;
    const struct wb_result *result;
};

/* What XML 1.0 allows in a document, without what would hide or turn text. */
static bool allowed(uint32_t code)
{
    return code == '\t' || code == '\n' ||
           (!wb_code_is_hidden(code) && code != 0xfffe && code != 0xffff);
}

/* The format's one escaping function; libxml2 then writes < & " as entities. */
static const xmlChar *text(const struct suite *suite, const char *any)
{
    return BAD_CAST wb_utf8_clean(suite->arena, any ? any : "", allowed);
}

static void attribute(const struct suite *suite, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(suite->xml, BAD_CAST name, text(suite, value));
}

static void property(const struct suite *suite, const char *name, const char *value)
{
    xmlTextWriterStartElement(suite->xml, BAD_CAST "property");
    attribute(suite, "name", name);
    attribute(suite, "value", value);
    xmlTextWriterEndElement(suite->xml);
}

/* The element inside a test case that says how it ended; passed ones have none. */
static const char *const outcome_element[] = {[WB_FAILED] = "failure",
                                              [WB_ERROR] = "error",
                                              [WB_SKIPPED] = "skipped",
                                              [WB_NOT_STARTED] = "skipped"};

static void test_case(const struct suite *suite, const char *name, enum wb_verdict verdict,
                      enum wb_reason reason, const char *message)
{
    xmlTextWriterStartElement(suite->xml, BAD_CAST "testcase");
    attribute(suite, "classname",
              wb_arena_printf(suite->arena, "warpbook.%s", suite->result->lesson));
    attribute(suite, "name", name);
    if (outcome_element[verdict]) {
        xmlTextWriterStartElement(suite->xml, BAD_CAST outcome_element[verdict]);
        if (verdict == WB_FAILED || verdict == WB_ERROR) {
            attribute(suite, "type", wb_reason_code[reason]);
        }
        attribute(suite, "message", message ? message : wb_reason_text[reason]);
        xmlTextWriterEndElement(suite->xml);
    }
    xmlTextWriterEndElement(suite->xml);
}

static void properties(const struct suite *suite)
{
    const struct wb_result *result = suite->result;
    struct wb_arena *arena = suite->arena;
    xmlTextWriterStartElement(suite->xml, BAD_CAST "properties");
    property(suite, "attempt", result->attempt);
    property(suite, "device", result->device.name);
    property(suite, "counters", result->device.counters ? result->device.counters : "none");
    property(suite, "points", wb_view_points(arena, result->points));
    property(suite, "max_points", wb_view_points(arena, result->max_points));
    property(suite, "seed", wb_arena_printf(arena, "%llu", (unsigned long long)result->seed));
    xmlTextWriterEndElement(suite->xml);
}

/* tests, failures, errors, skipped and time: the same on <testsuites> and <testsuite>. */
static void totals(const struct suite *suite)
{
    const struct wb_result *result = suite->result;
    unsigned count[WB_NOT_STARTED + 1] = {0}, tests = (unsigned)result->criterion_count;
    for (size_t i = 0; i < result->criterion_count; i++) {
        count[result->criteria[i].verdict]++;
    }
    if (tests == 0) {
        count[result->verdict]++;
        tests = 1;
    }
    struct wb_arena *arena = suite->arena;
    attribute(suite, "tests", wb_arena_printf(arena, "%u", tests));
    attribute(suite, "failures", wb_arena_printf(arena, "%u", count[WB_FAILED]));
    attribute(suite, "errors", wb_arena_printf(arena, "%u", count[WB_ERROR]));
    attribute(suite, "skipped",
              wb_arena_printf(arena, "%u", count[WB_SKIPPED] + count[WB_NOT_STARTED]));
    attribute(suite, "time", wb_arena_printf(arena, "%.3f", result->duration_ms / 1000));
}

static void document(const struct suite *suite, const struct wb_report_options *options)
{
    const struct wb_result *result = suite->result;
    struct wb_report_options plain = {.lesson = options ? options->lesson : NULL,
                                      .folder = options ? options->folder : NULL};
    struct wb_str terminal;
    xmlTextWriterStartElement(suite->xml, BAD_CAST "testsuites");
    attribute(suite, "name", "warpbook");
    totals(suite);
    xmlTextWriterStartElement(suite->xml, BAD_CAST "testsuite");
    attribute(suite, "name", result->lesson);
    totals(suite);
    properties(suite);
    for (size_t i = 0; i < result->criterion_count; i++) {
        const struct wb_criterion_result *criterion = &result->criteria[i];
        test_case(suite, criterion->title, criterion->verdict, criterion->reason,
                  criterion->message);
    }
    if (result->criterion_count == 0) {
        test_case(suite, "check", result->verdict, result->reason, result->message);
    }
    wb_str_init(&terminal, suite->arena);
    wb_report_terminal.render(&terminal, result, &plain);
    xmlTextWriterWriteElement(suite->xml, BAD_CAST "system-out",
                              text(suite, wb_str_get(&terminal)));
    xmlTextWriterEndElement(suite->xml);
    xmlTextWriterEndElement(suite->xml);
}

static void render(struct wb_str *out, const struct wb_result *result,
                   const struct wb_report_options *options)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *xml = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (!xml) {
        abort(); /* out of memory, as the arena does */
    }
    struct suite suite = {xml, out->arena, result};
    xmlTextWriterSetIndent(xml, 1);
    xmlTextWriterStartDocument(xml, NULL, "UTF-8", NULL);
    document(&suite, options);
    xmlTextWriterEndDocument(xml);
    xmlFreeTextWriter(xml);
    wb_str_add(out, (const char *)xmlBufferContent(buffer));
    xmlBufferFree(buffer);
}

const struct wb_report_format wb_report_junit = {
    .name = "junit", .description = "JUnit XML, for CI systems", .render = render};
