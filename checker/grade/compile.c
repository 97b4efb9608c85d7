/* SPDX-License-Identifier: MIT
 * Compiles the attempt and the reference, and turns a file that does not compile into findings.
 */
#include "grader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCE = 4 << 20, SHOWN_ERRORS = 10 };

/* A missing file is the learner's matter, and easily mended. */
static bool attempt_is_there(struct wb_grader *g)
{
    struct wb_arena scratch;
    struct wb_status status = {WB_OK};
    struct wb_bytes source;
    wb_arena_init(&scratch);
    bool there = wb_file_read(&source, &scratch, g->options->attempt, MAX_SOURCE, &status);
    wb_arena_finish(&scratch);
    if (!there && status.code == WB_NOT_FOUND) {
        wb_grader_error(g, WB_REASON_NONE,
                        "%s is not there. `" WB_PROGRAM " reset %.2s` puts the stub back.",
                        g->result->attempt, g->lesson->name);
    } else if (!there) {
        wb_grader_error(g, WB_REASON_NONE, "%s", status.message);
    }
    return there;
}

/* The compiler's messages, with the attempt named as the user does. */
static void keep_diagnostics(struct wb_grader *g, const struct wb_build_result *built)
{
    struct wb_result *result = g->result;
    result->diagnostic_count = built->diagnostic_count;
    result->diagnostics = wb_arena_copy(g->arena, built->diagnostics,
                                        built->diagnostic_count * sizeof *built->diagnostics);
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        result->diagnostics[i].file = wb_grader_file(g, result->diagnostics[i].file);
    }
}

/* It begins with a name, which the compiler then has in quotes: "f(int)". */
static bool begins_with_name(const struct wb_grader *g, const char *text)
{
    const char *quoted = wb_arena_printf(g->arena, "\"%.*s\"", (int)strcspn(text, " "), text);
    for (size_t i = 0; i < g->result->diagnostic_count; i++) {
        if (strstr(g->result->diagnostics[i].message, quoted)) {
            return true;
        }
    }
    return false;
}

/* The summary as a sentence for a place that is named already: without "line 4: ". */
static char *sentence(struct wb_grader *g, const struct wb_build_result *built)
{
    const char *text = built->summary ? built->summary : wb_reason_text[WB_REASON_COMPILE_ERROR];
    const char *prefix = built->summary_line ? strstr(text, ": ") : NULL;
    char *own = wb_arena_printf(g->arena, "%s%s", prefix ? prefix + 2 : text,
                                wb_ends_with(text, ".") ? "" : ".");
    if (prefix && !begins_with_name(g, own)) {
        own[0] = (char)toupper((unsigned char)own[0]);
    }
    return own;
}

/* Our summary at its place first, then what else the compiler found. */
static void find_errors(struct wb_grader *g, const struct wb_build_result *built)
{
    const struct wb_result *result = g->result;
    const enum wb_reason kind = WB_REASON_COMPILE_ERROR;
    const char *summary = sentence(g, built), *advice = built->advice;
    size_t shown = 0;
    for (size_t i = 0; i < result->diagnostic_count && shown < SHOWN_ERRORS; i++) {
        const struct wb_diagnostic *error = &result->diagnostics[i];
        if (error->severity != WB_SEVERITY_ERROR) {
            continue;
        }
        if (shown++ == 0) {
            bool own = built->summary_line != 0;
            wb_grader_find(g, kind, own ? g->options->attempt : error->file,
                           own ? built->summary_line : error->line, advice, "%s", summary);
        } else {
            wb_grader_find(g, kind, error->file, error->line, "", "%s", error->message);
        }
    }
    if (shown == 0) {
        wb_grader_find(g, kind, g->options->attempt, built->summary_line, advice, "%s", summary);
    }
}

static void fail_compile(struct wb_grader *g, const struct wb_build_result *built)
{
    struct wb_result *result = g->result;
    const char *summary = built->summary ? built->summary : wb_reason_text[WB_REASON_COMPILE_ERROR];
    find_errors(g, built);
    result->verdict = WB_FAILED;
    result->reason = WB_REASON_COMPILE_ERROR;
    wb_grader_skip_all(g, "Not reached: the file does not compile.");
    if (result->criterion_count) {
        result->criteria[0].verdict = WB_FAILED;
        result->criteria[0].reason = WB_REASON_COMPILE_ERROR;
        result->criteria[0].message = wb_arena_strdup(g->arena, summary);
    }
}

/* ---- all files ------------------------------------------------------------------------------ */

/* What the lesson needs: device code for kernels and questions, the whole file for host functions.
 */
struct needs {
    bool cubin, reference, object;
};

static struct needs needs_of(const struct wb_grader *g)
{
    struct needs needs = {.cubin = g->lesson->question_count > 0};
    for (unsigned t = 0; t < g->lesson->task_count; t++) {
        bool host = g->lesson->tasks[t].function != NULL;
        needs.object |= host;
        needs.cubin |= !host;
        needs.reference |= !host && g->options->reference;
    }
    return needs;
}

bool wb_grader_compile(struct wb_grader *g, bool *compiled, struct wb_bytes *attempt,
                       struct wb_bytes *reference)
{
    enum { CUBIN, REFERENCE, OBJECT, KINDS };
    const struct wb_grade_options *options = g->options;
    const char *arch = options->info->arch;
    const struct needs needs = needs_of(g);
    const struct {
        bool needed;
        struct wb_build_request request;
    } wanted[KINDS] = {
        [CUBIN] = {needs.cubin, {options->attempt, arch, WB_BUILD_CUBIN}},
        [REFERENCE] = {needs.reference, {options->reference, arch, WB_BUILD_CUBIN}},
        [OBJECT] = {needs.object, {options->attempt, arch, WB_BUILD_SHARED}},
    };
    struct wb_build_request requests[KINDS];
    struct wb_build_result results[KINDS] = {{0}},
                           built[KINDS] = {{.ok = true}, {.ok = true}, {.ok = true}};
    size_t count = 0;
    struct wb_status status = {WB_OK};
    if (!attempt_is_there(g)) {
        return false;
    }
    for (int i = 0; i < KINDS; i++) {
        if (wanted[i].needed) {
            requests[count++] = wanted[i].request;
        }
    }
    if (!wb_build(results, requests, count, options->toolchain, options->cache_dir, g->arena,
                  &status)) {
        return wb_grader_error(g, WB_REASON_CHECKER_ERROR, "%s", status.message);
    }
    for (int i = KINDS; i-- > 0;) {
        if (wanted[i].needed) {
            built[i] = results[--count];
        }
    }
    if (!built[REFERENCE].ok) {
        return wb_grader_error(
            g, WB_REASON_CHECKER_ERROR, "The reference %s does not compile: %s", options->reference,
            built[REFERENCE].summary ? built[REFERENCE].summary : "nvcc did not say why.");
    }
    const struct wb_build_result *own =
        needs.cubin && !(built[CUBIN].ok && needs.object) ? &built[CUBIN] : &built[OBJECT];
    keep_diagnostics(g, own);
    *compiled = own->ok;
    *attempt = built[CUBIN].cubin;
    *reference = built[REFERENCE].cubin;
    g->object = built[OBJECT].cubin;
    if (!own->ok) {
        fail_compile(g, own);
    }
    return true;
}
