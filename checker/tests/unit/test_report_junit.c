/* SPDX-License-Identifier: MIT
 * The JUnit report, as an XML parser reads it.
 */
#include "report_trees.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static xmlDoc *render(const char *name)
{
    struct wb_arena arena;
    struct wb_str out;
    struct wb_result result;
    wb_arena_init(&arena);
    wb_str_init(&out, &arena);
    report_tree_make(&result, &arena, name, NULL);
    wb_report_junit.render(&out, &result, NULL);
    xmlDoc *document =
        xmlReadMemory(out.data, (int)out.length, "report.xml", NULL, XML_PARSE_NONET);
    if (!document) {
        fail_msg("%s: not XML", name);
    }
    wb_arena_finish(&arena);
    return document;
}

/* The value of an XPath expression, in a buffer that the next call reuses. */
static const char *find(xmlDoc *document, const char *expression)
{
    static char value[4096];
    xmlXPathContext *context = xmlXPathNewContext(document);
    xmlXPathObject *object = xmlXPathEval(BAD_CAST expression, context);
    xmlChar *string = xmlXPathCastToString(object);
    snprintf(value, sizeof value, "%s", (const char *)string);
    xmlFree(string);
    xmlXPathFreeObject(object);
    xmlXPathFreeContext(context);
    return value;
}

static void test_every_tree_parses(void **state)
{
    (void)state;
    for (size_t i = 0; i < report_tree_count; i++) {
        xmlDoc *document = render(report_trees[i].name);
        assert_string_equal(find(document, "string(/testsuites/testsuite/@name)"),
                            "07-warp-aligned-branch");
        /* the counts are those of the elements */
        assert_string_equal(find(document, "count(//testcase) = //testsuite/@tests"), "true");
        assert_string_equal(find(document, "count(//failure) = //testsuite/@failures"), "true");
        assert_string_equal(find(document, "count(//error) = //testsuite/@errors"), "true");
        assert_string_equal(find(document, "count(//skipped) = //testsuite/@skipped"), "true");
        xmlFreeDoc(document);
    }
}

static void test_failed(void **state)
{
    xmlDoc *document = render("failed");
    (void)state;
    assert_string_equal(find(document, "string(//testsuite/@failures)"), "2");
    assert_string_equal(find(document, "string(//testcase[2]/failure/@type)"),
                        "divergent-branches");
    assert_string_equal(find(document, "starts-with(//testcase[2]/failure/@message, '512 branch')"),
                        "true");
    assert_string_equal(find(document, "count(//testcase[1]/*)"), "0");
    assert_string_equal(find(document, "string(//property[@name='points']/@value)"), "40");
    assert_string_equal(find(document, "string(//property[@name='device']/@value)"),
                        "embedded sm_90 device");
    assert_string_equal(find(document, "contains(//system-out, 'FAILED   40 of 100 points')"),
                        "true");
    xmlFreeDoc(document);
}

static void test_error(void **state)
{
    xmlDoc *document = render("error");
    (void)state;
    assert_string_equal(find(document, "string(//testsuite/@errors)"), "1");
    assert_string_equal(find(document, "string(//testcase/error/@message)"), "No nvcc was found.");
    assert_string_equal(find(document, "string(//testcase/error/@type)"), "checker-error");
    xmlFreeDoc(document);
}

static void test_hostile(void **state)
{
    xmlDoc *document = render("hostile");
    (void)state;
    const char *attempt = find(document, "string(//property[@name='attempt']/@value)");
    assert_non_null(strstr(attempt, "</script></pre><script>alert(1)</script><!-- ]]> & \"'"));
    assert_null(strchr(attempt, '\033'));
    assert_null(strstr(attempt, "\u202e"));
    xmlFreeDoc(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tree_parses),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_hostile),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    xmlCleanupParser();
    return failed;
}
