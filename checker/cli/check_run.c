/* SPDX-License-Identifier: MIT
 * From options to a result tree.
 */
#include "check.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 4 * 1024 * 1024 };

bool check_open(struct check *check, struct wb_status *status)
{
    const char *build = getenv("WARPBOOK_BUILD");
    if (!wb_book_open(&check->book, &check->arena, WB_SOURCE_ROOT,
                      build && *build ? build : WB_BUILD_ROOT, status)) {
        return false;
    }
    for (size_t i = 0; i < check->book.lesson_count; i++) {
        if (strcmp(check->book.lessons[i].name, wb_lesson.name) == 0) {
            check->lesson = &check->book.lessons[i];
            return true;
        }
    }
    return WB_FAIL(status, NOT_FOUND,
                   "The lesson %s is not in %s/lessons (a lesson is a folder with a check.c). Has "
                   "the folder been moved or renamed? `git status` shows it.",
                   wb_lesson.name, check->book.root);
}

bool check_prepare(struct check *check, struct wb_status *status)
{
    const char *nvcc = WB_NVCC[0] ? WB_NVCC : NULL;
    bool ok = wb_toolchain_find(&check->toolchain, &check->arena, nvcc, check->book.root, status) &&
              wb_device_open(&check->device, &check->info, check->options.common.device,
                             check->toolchain.root, status);
    cli_obey_signals();
    return ok;
}

const char *check_shown(const struct check *check, const char *path)
{
    size_t length = strlen(check->book.root);
    bool inside = strncmp(path, check->book.root, length) == 0 && path[length] == '/';
    return inside ? path + length + 1 : path;
}

void check_grade(struct wb_result *out, struct check *check, const char *path, const char *shown)
{
    struct wb_grade_options options = {
        .attempt = path,
        .shown = shown,
        .reference = check->lesson->reference,
        .title = check->lesson->title,
        .device = check->device,
        .info = &check->info,
        .toolchain = &check->toolchain,
        .cache_dir = check->book.cache,
        .programs = WB_BUILD_ROOT "/checker",
        .thorough = check->options.common.thorough != NULL,
        .seed = cli_check_seed(&check->options.common),
    };
    wb_grade(out, &check->arena, &wb_lesson, &options);
    cli_obey_signals();
}

/* A result without grading. */
static void result_without(struct wb_result *out, const struct check *check,
                           enum wb_verdict verdict, const char *message)
{
    const char *attempt = check->options.common.attempt;
    *out = (struct wb_result){
        .lesson = check->lesson->name,
        .title = check->lesson->title,
        .attempt = (char *)(attempt ? attempt : check_shown(check, check->lesson->exercise)),
        .device = check->info,
        .verdict = verdict,
        .reason = verdict == WB_ERROR ? WB_REASON_CHECKER_ERROR : WB_REASON_NONE,
        .message = (char *)message,
        .seed = cli_check_seed(&check->options.common),
    };
}

static void result_error(struct wb_result *out, struct check *check, const struct wb_status *status)
{
    result_without(out, check, WB_ERROR, wb_arena_strdup(&check->arena, status->message));
}

bool check_is_started(bool *started, struct check *check, struct wb_status *status)
{
    enum wb_bench_state state;
    if (!wb_bench_state(&state, &check->book, check->lesson, status)) {
        return false;
    }
    *started = state == WB_BENCH_STARTED || state == WB_BENCH_PASSED;
    return true;
}

/* "" if the file cannot be read. */
static void file_hash(char out[33], struct check *check, const char *path)
{
    struct wb_bytes bytes;
    struct wb_status ignored = {0};
    out[0] = '\0';
    if (wb_file_read(&bytes, &check->arena, path, MAX_SOURCE, &ignored)) {
        wb_hash_hex(out, bytes.data, bytes.size);
    }
}

static bool same_file(const char *a, const char *b)
{
    char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
    bool same = real_a && real_b && strcmp(real_a, real_b) == 0;
    free(real_a);
    free(real_b);
    return same;
}

/* Not if the learner saved another version while this one was being checked. */
static void remember(struct check *check, const struct wb_result *result, const char before[33])
{
    char now[33];
    struct wb_status status = {0};
    if (result->verdict != WB_PASSED && result->verdict != WB_FAILED) {
        return;
    }
    file_hash(now, check, check->lesson->exercise);
    if (strcmp(before, now) == 0 &&
        !wb_bench_remember(&check->book, check->lesson, result->verdict == WB_PASSED, &status)) {
        cli_complain("Your progress could not be saved: %s", status.message);
    }
}

static void grade_bench(struct wb_result *out, struct check *check)
{
    char before[33];
    bool started;
    struct wb_status status = {0};
    file_hash(before, check, check->lesson->exercise);
    if (!check_is_started(&started, check, &status)) {
        result_error(out, check, &status);
        return;
    }
    check->folder = check->book.root;
    check_grade(out, check, check->lesson->exercise, check_shown(check, check->lesson->exercise));
    if (!started && out->verdict == WB_FAILED) {
        out->verdict = WB_NOT_STARTED;
        out->message = "This is still the exercise as it was laid; below is what the check says "
                       "about it.";
    }
    remember(check, out, before);
}

void check_attempt(struct wb_result *out, struct check *check)
{
    struct wb_status status = {0};
    const char *attempt = check->options.common.attempt;
    const char *exercise = check->lesson->exercise;
    if (!attempt && !wb_file_exists(exercise) && !wb_dir_exists(exercise)) {
        result_without(out, check, WB_NOT_STARTED,
                       wb_arena_printf(&check->arena,
                                       "%s is missing. `" WB_PROGRAM " reset %d` lays a fresh one.",
                                       check_shown(check, exercise), check->lesson->number));
    } else if (!check_prepare(check, &status)) {
        result_error(out, check, &status);
    } else if (!attempt || same_file(attempt, exercise)) {
        grade_bench(out, check);
    } else {
        check_grade(out, check, attempt, attempt);
    }
}
