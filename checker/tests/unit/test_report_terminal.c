/* SPDX-License-Identifier: MIT
 * The terminal report. The whole of it is compared with stored text in tests/cli/golden; here are
 * the rules that hold for every report.
 */
#include "report_trees.h"

#include <warpbook/paint.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *render(struct wb_arena *arena, const struct wb_result *result,
                          struct wb_report_options options)
{
    struct wb_str out;
    wb_str_init(&out, arena);
    options.lesson = &report_lesson;
    wb_report_terminal.render(&out, result, &options);
    return wb_str_get(&out);
}

static const char *render_tree(struct wb_arena *arena, const char *name,
                               struct wb_report_options options)
{
    struct wb_result result;
    report_tree_make(&result, arena, name, NULL);
    return render(arena, &result, options);
}

static void test_no_control_characters(void **state)
{
    (void)state;
    for (size_t i = 0; i < report_tree_count; i++) {
        for (int ascii = 0; ascii < 2; ascii++) {
            struct wb_arena arena;
            wb_arena_init(&arena);
            const char *text = render_tree(&arena, report_trees[i].name,
                                           (struct wb_report_options){.ascii = ascii});
            assert_true(strlen(text) > 20);
            for (const char *p = text; *p; p++) {
                unsigned char byte = (unsigned char)*p;
                bool fine =
                    (byte >= 0x20 && byte < 0x7f) || byte == '\n' || (!ascii && byte > 0x7f);
                if (!fine) {
                    fail_msg("%s: byte %02x after %.40s", report_trees[i].name, byte, text);
                }
            }
            wb_arena_finish(&arena);
        }
    }
}

/* With colour: the only escape sequences are ours, and each style is ended. */
static void test_only_our_escapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < report_tree_count; i++) {
        struct wb_arena arena;
        wb_arena_init(&arena);
        const char *text =
            render_tree(&arena, report_trees[i].name, (struct wb_report_options){.colour = true});
        unsigned open = 0, sequences = 0;
        for (const char *p = strchr(text, '\033'); p; p = strchr(p + 1, '\033')) {
            size_t length = strspn(p + 2, "0123456789;");
            assert_true(p[1] == '[' && length > 0 && p[2 + length] == 'm');
            open = strncmp(p, "\033[0m", 4) == 0 ? 0 : open + 1;
            assert_true(open <= 1);
            sequences++;
        }
        assert_int_equal(open, 0);
        assert_true(sequences > 0);
        wb_arena_finish(&arena);
    }
}

static void expect_lines(const char *text, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!strstr(text, lines[i])) {
            fail_msg("missing: %s\nin:\n%s", lines[i], text);
        }
    }
}

static void test_failed(void **state)
{
    static const char *const lines[] = {
        "Lesson 07: Warp-aligned branch\n",
        "  FAILED   40 of 100 points\n",
        "  x No branch splits a warp                               0 / 40\n",
        "                           reference        target         yours\n",
        "  branch efficiency          50.00 %                     50.00 %\n",
        "  divergent branches             512             0           512 x\n",
        "  busy lanes of 32              19.5       >= 30.0          19.5 x\n",
        "\n  embedded sm_90 device\n",
        "  exercises/07-warp-aligned-branch.cu:8: divergent-branches\n",
        "07-warp-aligned-branch.cu:6: warning: variable \"j\" was declared",
        "    | thread 1 says 7\n",
        "  Next: Make the condition the same for all 32 threads of a warp.\n",
        "  seed 20260101 - 0.31 s\n",
    };
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *text = render_tree(&arena, "failed", (struct wb_report_options){.ascii = true});
    expect_lines(text, lines, WB_ARRAY_LENGTH(lines));
    wb_arena_finish(&arena);
}

static void test_branch_free_is_not_zero_percent(void **state)
{
    static const char *const lines[] = {
        "  branch efficiency          50.00 %                   no branch\n",
        "  divergent branches             512             0             0 +\n",
        "  measured: NVIDIA H200, CUPTI\n",
    };
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *text =
        render_tree(&arena, "branch-free", (struct wb_report_options){.ascii = true});
    expect_lines(text, lines, WB_ARRAY_LENGTH(lines));
    wb_arena_finish(&arena);
}

static void test_not_measured_says_why(void **state)
{
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *text = render_tree(&arena, "not-measured", (struct wb_report_options){0});
    assert_non_null(strstr(text, "ERR_NVGPUCTRPERM"));
    assert_non_null(strstr(text, "\n  NVIDIA H200\n"));
    assert_null(strstr(text, "measured: NVIDIA"));
    wb_arena_finish(&arena);
}

static void test_unknown_metrics_are_not_zero(void **state)
{
    struct wb_arena arena;
    (void)state;
    wb_arena_init(&arena);
    const char *text = render_tree(&arena, "two-tasks", (struct wb_report_options){0});
    const char *row = strstr(text, "divergent branches");
    assert_non_null(row);
    assert_non_null(strstr(row, "not measured"));
    assert_true(strstr(row, "not measured") < strchr(row, '\n'));
    assert_non_null(strstr(text, "The kernel faulted before it could be measured."));
    wb_arena_finish(&arena);
}

/* One heading for what has one subject: each function, and all answers together. */
static void test_findings_of_different_functions(void **state)
{
    static const char *const lines[] = {
        "branch.cu: wrong-answer in `first`\n    At n = 5, `y` is wrong.\n",
        "branch.cu: wrong-answer in `second`\n    At n = 7, `y` is wrong.\n",
        "branch.cu: wrong-answer\n    `answer_one` is not right.\n    `answer_two` is not right.\n",
    };
    struct wb_arena arena;
    struct wb_result result;
    (void)state;
    wb_arena_init(&arena);
    expect_lines(render_tree(&arena, "host", (struct wb_report_options){0}), lines,
                 WB_ARRAY_LENGTH(lines));
    report_tree_make(&result, &arena, "host", NULL);
    result.task_count = 1; /* the only function needs no name, but answers stay apart */
    result.findings[1].task = result.findings[0].task;
    const char *text = render(&arena, &result, (struct wb_report_options){0});
    assert_non_null(strstr(text, "wrong-answer\n    At n = 5, `y` is wrong.\n    At n = 7"));
    assert_non_null(strstr(text, "wrong-answer\n    `answer_one` is"));
    result.findings[1].task = "second";
    result.findings[1].kind = WB_REASON_COPY_KIND; /* what values only follow from */
    result.findings[1].advice = "Copy it back.";
    result.findings[0].kind = WB_REASON_NAN;
    text = render(&arena, &result, (struct wb_report_options){0});
    assert_non_null(strstr(text, "Next: Copy it back.\n"));
    result.findings[0].kind = result.findings[1].kind = WB_REASON_WRONG_ANSWER;
    result.findings[1].advice = result.findings[0].advice;
    wb_arena_finish(&arena);
}

static void test_lines_fit_the_width(void **state)
{
    static const char *const names[] = {"failed", "passed", "compile-error", "not-measured"};
    (void)state;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(names); i++) {
        struct wb_arena arena;
        struct wb_str ignored;
        struct wb_paint paint;
        wb_arena_init(&arena);
        wb_str_init(&ignored, &arena);
        wb_paint_init(&paint, &ignored, false, false, 0);
        char *text = wb_arena_strdup(
            &arena, render_tree(&arena, names[i], (struct wb_report_options){.width = 72}));
        char *line;
        while ((line = strsep(&text, "\n"))) {
            if (wb_paint_columns(&paint, line) > 72) {
                fail_msg("%s: too wide: %s", names[i], line);
            }
        }
        wb_arena_finish(&arena);
    }
}

/* ---- lines of the learner's file ---------------------------------------------------------- */

struct folder {
    char path[32];
};

static int folder_setup(void **state)
{
    struct folder *folder = malloc(sizeof *folder);
    struct wb_arena arena;
    struct wb_status status = {0};
    strcpy(folder->path, "/tmp/warpbook-test-XXXXXX");
    if (!mkdtemp(folder->path)) {
        return -1;
    }
    wb_arena_init(&arena);
    bool ok = wb_file_write(wb_path_join(&arena, folder->path, "mine.cu"), report_source,
                            strlen(report_source), &status) &&
              wb_file_write(wb_path_join(&arena, folder->path, "secret.txt"),
                            "1\n2\n3\n4\n5\n6\n7\nSECRET\n9\n", 23, &status);
    wb_arena_finish(&arena);
    *state = folder;
    return ok ? 0 : -1;
}

static int folder_teardown(void **state)
{
    struct folder *folder = *state;
    struct wb_arena arena;
    wb_arena_init(&arena);
    unlink(wb_path_join(&arena, folder->path, "mine.cu"));
    unlink(wb_path_join(&arena, folder->path, "secret.txt"));
    wb_arena_finish(&arena);
    int failed = rmdir(folder->path);
    free(folder);
    return failed;
}

static void test_excerpt(void **state)
{
    const struct folder *folder = *state;
    struct wb_result result;
    struct wb_arena arena;
    wb_arena_init(&arena);
    report_tree_make(&result, &arena, "failed", "mine.cu");
    result.findings[0].file = "/somewhere/else/mine.cu"; /* as the compiler saw it */
    const char *text =
        render(&arena, &result, (struct wb_report_options){.folder = folder->path, .ascii = true});
    assert_non_null(strstr(text, "    >    8 |         if (i % 2 == 0) {\n"));
    assert_non_null(strstr(text, "         7 |     if (i < n) {\n"));
    result.findings[0].file = "exercises/07-warp-aligned-branch.cu";
    wb_arena_finish(&arena);
}

/* A #line directive may name any file; only the attempt's own lines are quoted. */
static void test_no_other_file_is_quoted(void **state)
{
    const struct folder *folder = *state;
    struct wb_result result;
    struct wb_arena arena;
    wb_arena_init(&arena);
    report_tree_make(&result, &arena, "failed", "mine.cu");
    result.findings[0].file = wb_path_join(&arena, folder->path, "secret.txt");
    for (int i = 0; wb_report_formats[i]; i++) {
        struct wb_str out;
        struct wb_report_options options = {.folder = folder->path, .lesson = &report_lesson};
        wb_str_init(&out, &arena);
        wb_report_formats[i]->render(&out, &result, &options);
        assert_null(strstr(wb_str_get(&out), "SECRET"));
        assert_non_null(strstr(wb_str_get(&out), "secret.txt"));
        assert_null(strstr(wb_str_get(&out), "\u25b6")); /* nor are others in its place */
        assert_null(strstr(wb_str_get(&out), "class=\"excerpt"));
    }
    result.findings[0].file = "exercises/07-warp-aligned-branch.cu";
    wb_arena_finish(&arena);
}

static void test_wants_colour(void **state)
{
    int pipes[2], master = posix_openpt(O_RDWR | O_NOCTTY);
    (void)state;
    if (master < 0) {
        print_message("# not run: this machine has no pseudo-terminals\n");
        return;
    }
    assert_true(grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_int_equal(pipe(pipes), 0);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    assert_true(wb_report_wants_colour(terminal));
    assert_false(wb_report_wants_colour(pipes[1]));
    setenv("NO_COLOR", "1", 1);
    assert_false(wb_report_wants_colour(terminal));
    setenv("NO_COLOR", "", 1); /* empty is as if it were not there */
    assert_true(wb_report_wants_colour(terminal));
    setenv("TERM", "dumb", 1);
    assert_false(wb_report_wants_colour(terminal));
    unsetenv("TERM");
    assert_false(wb_report_wants_colour(terminal));
    close(terminal);
    close(master);
    close(pipes[0]);
    close(pipes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_control_characters),
        cmocka_unit_test(test_only_our_escapes),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_branch_free_is_not_zero_percent),
        cmocka_unit_test(test_not_measured_says_why),
        cmocka_unit_test(test_findings_of_different_functions),
        cmocka_unit_test(test_unknown_metrics_are_not_zero),
        cmocka_unit_test(test_lines_fit_the_width),
        cmocka_unit_test_setup_teardown(test_excerpt, folder_setup, folder_teardown),
        cmocka_unit_test_setup_teardown(test_no_other_file_is_quoted, folder_setup,
                                        folder_teardown),
        cmocka_unit_test(test_wants_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
