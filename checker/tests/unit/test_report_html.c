/* SPDX-License-Identifier: MIT
 * The HTML report: every element is closed, nothing is loaded from elsewhere, nothing a learner
 * wrote becomes markup, and the JSON in it is the JSON report.
 */
#include "report_trees.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *render(struct wb_arena *arena, const char *name, const char *attempt)
{
    struct wb_str out;
    struct wb_result result;
    struct wb_report_options options = {.lesson = &report_lesson};
    wb_str_init(&out, arena);
    report_tree_make(&result, arena, name, attempt);
    wb_report_html.render(&out, &result, &options);
    return wb_str_get(&out);
}

static bool is_void(const char *name, size_t length)
{
    return (length == 4 && strncmp(name, "meta", 4) == 0) ||
           (length == 8 && strncmp(name, "!doctype", 8) == 0);
}

/* Walks over all tags with a stack of open elements; the template and we write no others. */
static void expect_balanced(const char *tree, const char *page)
{
    const char *stack[64];
    size_t lengths[64], depth = 0;
    for (const char *p = strchr(page, '<'); p; p = strchr(p, '<')) {
        bool end = p[1] == '/';
        const char *name = p + 1 + end;
        size_t length = strcspn(name, " >\n");
        p = strchr(p, '>');
        assert_non_null(p);
        if (end) {
            bool matches = depth > 0 && lengths[depth - 1] == length &&
                           strncmp(stack[depth - 1], name, length) == 0;
            if (!matches) {
                fail_msg("%s: </%.*s> closes nothing", tree, (int)length, name);
            }
            depth--;
        } else if (!is_void(name, length)) {
            assert_true(depth < WB_ARRAY_LENGTH(stack));
            stack[depth] = name;
            lengths[depth++] = length;
        }
    }
    assert_int_equal(depth, 0);
}

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *p = strstr(text, what); p; p = strstr(p + 1, what)) {
        n++;
    }
    return n;
}

static void test_every_tree(void **state)
{
    (void)state;
    for (size_t i = 0; i < report_tree_count; i++) {
        struct wb_arena arena;
        wb_arena_init(&arena);
        const char *page = render(&arena, report_trees[i].name, NULL);
        expect_balanced(report_trees[i].name, page);
        assert_int_equal(count(page, "<script"), 1);
        assert_int_equal(count(page, "</script"), 1);
        assert_null(strstr(page, "@BODY@"));
        assert_null(strstr(page, "@TITLE@"));
        assert_null(strstr(page, "src="));
        assert_null(strstr(page, "href="));
        assert_null(strstr(page, "url("));
        assert_null(strstr(page, "@import"));
        assert_null(strchr(page, '\033'));
        wb_arena_finish(&arena);
    }
}

/* Findings of different functions stand apart; no card is shown for what nobody counts. */
static void test_host_functions(void **state)
{
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *page = render(&arena, "host", NULL);
    assert_int_equal(count(page, "<div class=\"finding\">"), 3 + 1); /* and the compiler's */
    assert_non_null(strstr(page, "in <span class=\"mono\">second</span>"));
    assert_null(strstr(page, "How well the warps stay together"));
    assert_non_null(strstr(render(&arena, "failed", NULL), "How well the warps stay together"));
    wb_arena_finish(&arena);
}

static void test_json_inside(void **state)
{
    static const char start[] = "id=\"warpbook-report\">";
    (void)state;
    for (size_t i = 0; i < report_tree_count; i++) {
        struct wb_arena arena;
        struct wb_str plain;
        struct wb_result result;
        wb_arena_init(&arena);
        wb_str_init(&plain, &arena);
        const char *json = strstr(render(&arena, report_trees[i].name, NULL), start);
        assert_non_null(json);
        json += strlen(start);
        json_t *inside = json_loadb(json, (size_t)(strstr(json, "</script>") - json), 0, NULL);
        report_tree_make(&result, &arena, report_trees[i].name, NULL);
        wb_report_json.render(&plain, &result, NULL);
        json_t *outside = json_loads(wb_str_get(&plain), 0, NULL);
        assert_non_null(inside);
        assert_true(json_equal(inside, outside));
        json_decref(inside);
        json_decref(outside);
        wb_arena_finish(&arena);
    }
}

static void test_hostile_is_shown_as_text(void **state)
{
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *page = render(&arena, "hostile", NULL);
    assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- ]]&gt; &amp; "
                                 "&quot;&#39;\uFFFD"));
    assert_null(strstr(page, "<script>alert"));
    wb_arena_finish(&arena);
}

static void test_failed(void **state)
{
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *page = render(&arena, "failed", NULL);
    assert_non_null(strstr(page, "<title>Lesson 07: Warp-aligned branch \u2013 FAILED</title>"));
    assert_non_null(strstr(page, "<header class=\"card failed\">"));
    assert_non_null(strstr(page, "<b>40</b> / 100 points"));
    assert_non_null(strstr(page, "<span>target</span><i style=\"--share:0.9375\"></i>"
                                 "<span>\u2265 30.0</span>"));
    wb_arena_finish(&arena);
}

static void test_source_with_counters(void **state)
{
    char folder[] = "/tmp/warpbook-test-XXXXXX";
    struct wb_arena arena;
    struct wb_status status = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    wb_arena_init(&arena);
    const char *path = wb_path_join(&arena, folder, "07-warp-aligned-branch.cu");
    assert_true(wb_file_write(path, report_source, strlen(report_source), &status));
    const char *page = render(&arena, "failed", path);
    unlink(path);
    rmdir(folder);
    expect_balanced("failed", page);
    /* line 8: an eighth of 40,960 warp instructions, 1,024 branches, 512 of them split */
    assert_non_null(strstr(page, "<tr class=\"hot split\"><td class=\"number\">8</td>"
                                 "<td class=\"share\" style=\"--share:0.1250\">5,120</td>"
                                 "<td>32.0</td><td>1,024</td><td>512</td>"
                                 "<td>        if (i % 2 == 0) {</td></tr>"));
    assert_non_null(strstr(page, "/* &lt;b&gt;&quot;&amp;&quot;&lt;/b&gt; \u2026 */"));
    assert_non_null(strstr(page, "<td>math.hpp:120</td>"));
    wb_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tree),  cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_json_inside), cmocka_unit_test(test_hostile_is_shown_as_text),
        cmocka_unit_test(test_failed),      cmocka_unit_test(test_source_with_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
