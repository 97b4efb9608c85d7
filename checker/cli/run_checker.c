/* SPDX-License-Identifier: MIT
 * Runs the check program of a lesson: instead of this program, or as a child whose JSON is read.
 */
#include "cli.h"

#include <warpbook/proc.h>

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 16, MAX_OUTPUT = 32 * 1024 * 1024 };
static const double MAX_SECONDS = 600; /* a check limits itself to much less */

static bool need_checker(const struct wb_book_lesson *lesson, struct wb_status *status)
{
    if (access(lesson->checker, X_OK) == 0) {
        return true;
    }
    return WB_FAIL(status, NOT_FOUND,
                   "The check program of lesson %s is not built (%s). Build it with `ninja -C %s`; "
                   "`sh setup.sh` does everything.",
                   lesson->name, lesson->checker, cli_build_root());
}

/* argv[0], the arguments, NULL. */
static void fill(const char *argv[MAX_ARGUMENTS], const struct wb_book_lesson *lesson,
                 const char *const *arguments, size_t count)
{
    size_t n = 0;
    argv[n++] = lesson->checker;
    for (size_t i = 0; i < count && n + 1 < MAX_ARGUMENTS; i++) {
        argv[n++] = arguments[i];
    }
    argv[n] = NULL;
}

int cli_exec_checker(struct cli *cli, const struct wb_book_lesson *lesson,
                     const char *const *arguments, size_t count)
{
    const char *argv[MAX_ARGUMENTS];
    struct wb_status status = {0};
    if (!need_checker(lesson, &status)) {
        return cli_fail(&status);
    }
    fill(argv, lesson, arguments, count);
    cli_flush(cli);
    execv(lesson->checker, (char *const *)argv);
    cli_complain("%s cannot be started: %s.", lesson->checker, strerror(errno));
    return CLI_BROKEN;
}

static char *text_of(struct wb_arena *arena, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return wb_arena_strdup(arena, text ? text : "");
}

static char *first_failure(struct wb_arena *arena, const json_t *report)
{
    size_t i;
    json_t *criterion;
    json_array_foreach(json_object_get(report, "criteria"), i, criterion)
    {
        const char *verdict = json_string_value(json_object_get(criterion, "verdict"));
        if (verdict && strcmp(verdict, "failed") == 0) {
            return text_of(arena, criterion, "message");
        }
    }
    return text_of(arena, report, "message");
}

static void outcome_init(struct cli_outcome *out, struct wb_arena *arena, json_t *report)
{
    out->report = report;
    out->verdict = text_of(arena, report, "verdict");
    out->reason = text_of(arena, report, "reason");
    out->attempt = text_of(arena, report, "attempt");
    out->device = text_of(arena, json_object_get(report, "device"), "name");
    out->message = first_failure(arena, report);
    out->points = json_number_value(json_object_get(report, "points"));
    out->max_points = json_number_value(json_object_get(report, "max_points"));
}

static const char *last_words(struct wb_arena *arena, const struct wb_proc_result *result)
{
    switch (result->end) {
    case WB_PROC_TIMEOUT:
        return "it did not end in time.";
    case WB_PROC_SIGNALED:
        return wb_arena_printf(arena, "it crashed (%s).", strsignal(result->signal));
    case WB_PROC_EXITED:
    case WB_PROC_NOT_STARTED:
        break;
    }
    const char *said = wb_starts_with(result->err, "warpbook: ") ? result->err + 10 : result->err;
    return *said ? said : "it said nothing.";
}

bool cli_run_checker(struct cli_outcome *out, struct cli *cli, const struct wb_book_lesson *lesson,
                     const char *const *arguments, size_t count, struct wb_status *status)
{
    const char *argv[MAX_ARGUMENTS], *all[MAX_ARGUMENTS] = {"--json=-"};
    struct wb_proc_result result;
    if (!need_checker(lesson, status)) {
        return false;
    }
    for (size_t i = 0; i < count && i + 2 < MAX_ARGUMENTS; i++) {
        all[i + 1] = arguments[i];
    }
    fill(argv, lesson, all, count + 1);
    struct wb_proc_spec spec = {.argv = argv,
                                .limits = {.wall_s = MAX_SECONDS, .output = MAX_OUTPUT}};
    bool ran = wb_proc_run(&result, &cli->arena, &spec, status);
    cli_obey_signals();
    if (!ran) {
        return false;
    }
    *out = (struct cli_outcome){.exit_code = result.exit_code};
    json_t *report = json_loadb(result.out, result.out_size, 0, NULL);
    if (!report) {
        return WB_FAIL(status, TOOL_MISSING, "The check program of lesson %s gave no report: %s",
                       lesson->name, last_words(&cli->arena, &result));
    }
    outcome_init(out, &cli->arena, report);
    return true;
}

void cli_outcome_finish(struct cli_outcome *outcome)
{
    json_decref(outcome->report);
    outcome->report = NULL;
}
