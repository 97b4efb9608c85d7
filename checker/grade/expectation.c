/* SPDX-License-Identifier: MIT
 * Expectations: the first line of a wrong attempt says what it must get.
 *   // expect: passed
 *   // expect: failed CRITERION REASON [REASON-ON-A-GPU]
 *   // expect: error REASON
 */
#include <warpbook/grade.h>

#include <string.h>

enum { MAX_SOURCE = 4 << 20, MAX_WORDS = 5 };

static const char prefix[] = "// expect:";

static bool bad_line(struct wb_status *status, const char *path)
{
    return WB_FAIL(status, BAD_INPUT,
                   "The first line of %s must read `// expect: passed`, `// expect: failed "
                   "CRITERION REASON` or `// expect: error REASON`.",
                   path);
}

/* The reason code in `word`. */
static bool read_reason(enum wb_reason *out, const char *word, struct wb_status *status,
                        const char *path)
{
    *out = wb_reason_find(word);
    if (*out == WB_REASON_COUNT) {
        return WB_FAIL(status, BAD_INPUT,
                       "The first line of %s names the reason `%s`, which there is none of.", path,
                       word);
    }
    return true;
}

bool wb_expectation_read(struct wb_expectation *out, struct wb_arena *arena, const char *path,
                         struct wb_status *status)
{
    struct wb_bytes file;
    if (!wb_file_read(&file, arena, path, MAX_SOURCE, status)) {
        return false;
    }
    char *text = (char *)file.data, *words[MAX_WORDS], *rest;
    if (!wb_starts_with(text, prefix)) {
        return bad_line(status, path);
    }
    text += strlen(prefix);
    text[strcspn(text, "\n")] = '\0';
    size_t count = 0;
    for (char *word = strtok_r(text, " \t\r", &rest); word && count < MAX_WORDS;
         word = strtok_r(NULL, " \t\r", &rest)) {
        words[count++] = word;
    }
    *out = (struct wb_expectation){.verdict = WB_PASSED, .reason = WB_REASON_NONE};
    if (count == 1 && strcmp(words[0], wb_verdict_name[WB_PASSED]) == 0) {
        return true;
    }
    size_t reason = 1;
    if ((count == 3 || count == 4) && strcmp(words[0], wb_verdict_name[WB_FAILED]) == 0) {
        out->verdict = WB_FAILED;
        out->criterion = words[1];
        reason = 2;
    } else if (count == 2 && strcmp(words[0], wb_verdict_name[WB_ERROR]) == 0) {
        out->verdict = WB_ERROR;
    } else {
        return bad_line(status, path);
    }
    return read_reason(&out->reason, words[reason], status, path) &&
           read_reason(&out->reason_on_gpu, words[count - 1], status, path);
}

static const struct wb_criterion_result *find_criterion(const struct wb_result *result,
                                                        const char *id)
{
    for (size_t i = 0; i < result->criterion_count; i++) {
        if (strcmp(result->criteria[i].id, id) == 0) {
            return &result->criteria[i];
        }
    }
    return NULL;
}

static bool has_guard(const struct wb_device_info *device)
{
    return device->major == 9 && device->minor == 0;
}

/* Mistakes that a GPU does not look for. One that runs the embedded device's machine code has its
 * guard as well, but an order of threads that shows a race need not come up there. */
static bool is_the_guards(enum wb_reason reason, const struct wb_device_info *device)
{
    bool guarded = has_guard(device);
    switch (reason) {
    case WB_REASON_RACE:
        return true;
    case WB_REASON_UNINITIALISED_READ:
    case WB_REASON_BARRIER_DIVERGENCE:
    case WB_REASON_BAD_SHUFFLE_MASK:
    case WB_REASON_INACTIVE_LANE_READ:
    case WB_REASON_CLUSTER_EXIT:
        return !guarded;
    default:
        return false;
    }
}

/* Then values may be right each time, or wrong at once. */
static bool is_chance(const struct wb_expectation *expected, const struct wb_result *result,
                      enum wb_verdict verdict, enum wb_reason reason)
{
    bool chance = result->device.kind == WB_DEVICE_GPU && expected->verdict == WB_FAILED &&
                  is_the_guards(expected->reason_on_gpu, &result->device);
    return chance && (verdict == WB_PASSED || reason == WB_REASON_WRONG_ANSWER ||
                      reason == WB_REASON_NOT_WRITTEN || reason == WB_REASON_NAN);
}

bool wb_expectation_met(char **why, struct wb_arena *arena, const struct wb_expectation *expected,
                        const struct wb_result *result)
{
    enum wb_verdict verdict = result->verdict;
    enum wb_reason reason = result->reason;
    enum wb_reason expected_reason =
        result->device.kind == WB_DEVICE_GPU ? expected->reason_on_gpu : expected->reason;
    const char *message = result->message, *what = "the result";
    if (expected->verdict == WB_FAILED) {
        const struct wb_criterion_result *criterion = find_criterion(result, expected->criterion);
        if (!criterion) {
            *why = wb_arena_printf(arena, "The lesson has no criterion `%s`.", expected->criterion);
            return false;
        }
        verdict = criterion->verdict;
        reason = criterion->reason;
        message = criterion->message;
        what = expected->criterion;
    }
    /* with the guard a GPU finds what the embedded device finds */
    bool first = has_guard(&result->device) && reason == expected->reason;
    bool as_said = verdict == expected->verdict && (reason == expected_reason || first);
    if (as_said || is_chance(expected, result, verdict, reason)) {
        *why = NULL;
        return true;
    }
    *why = wb_arena_printf(arena, "Expected %s %s (%s), but it got %s (%s)%s%s", what,
                           wb_verdict_name[expected->verdict], wb_reason_code[expected_reason],
                           wb_verdict_name[verdict], wb_reason_code[reason], message ? ": " : ".",
                           message ? message : "");
    return false;
}
