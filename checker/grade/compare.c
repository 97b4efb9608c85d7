/* SPDX-License-Identifier: MIT
 * Compares one case with what it was given and with the oracle, and says what is wrong.
 */
#include "compare.h"

#include "values.h"

#include <math.h>
#include <string.h>

enum { SHOWN_ELEMENTS = 4 };

static const char *size_text(struct wb_arena *arena, const struct wb_ran *ran)
{
    return wb_launch_text(arena, ran->task, ran->given.size, ran->launch);
}

static const char *who(struct wb_arena *arena, const struct wb_ran *ran)
{
    return ran->task->function ? wb_arena_printf(arena, "`%s`", ran->task->function) : "the kernel";
}

/* ---- guard zones -------------------------------------------------------------------------- */

static bool check_guards(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran)
{
    for (unsigned p = 0; p < ran->task->param_count; p++) {
        if (!wb_param_is_array(&ran->task->params[p])) {
            continue;
        }
        const struct wb_device_buffer *buffer = wb_case_buffer(ran->launch, ran->task, p);
        if (buffer->guard_hit == 0) {
            continue;
        }
        out->reason = WB_REASON_OUT_OF_BOUNDS;
        out->param = p;
        out->message = wb_arena_printf(
            arena, "At %s %s wrote outside of `%s`: %s bytes %s. `%s` has %s elements.",
            size_text(arena, ran), who(arena, ran), buffer->name,
            wb_count_text(arena, buffer->guard_offset),
            buffer->guard_hit < 0 ? "before its start" : "past its end", buffer->name,
            wb_count_text(arena, ran->given.count[p]));
        return false;
    }
    return true;
}

/* ---- inputs ------------------------------------------------------------------------------- */

static bool check_inputs(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran)
{
    for (unsigned p = 0; p < ran->task->param_count; p++) {
        const struct wb_param *param = &ran->task->params[p];
        if (param->kind != WB_PARAM_IN) {
            continue;
        }
        const char *now = wb_case_buffer(ran->launch, ran->task, p)->data;
        const char *then = ran->given.data[p];
        size_t size = wb_type_size(param->type), first = 0;
        while (first < ran->given.count[p] &&
               memcmp(now + first * size, then + first * size, size) == 0) {
            first++;
        }
        if (first == ran->given.count[p]) {
            continue;
        }
        char is[WB_VALUE_TEXT], was[WB_VALUE_TEXT];
        wb_value_texts(is, was, param->type, wb_value_get(param->type, now, first),
                       wb_value_get(param->type, then, first));
        out->reason = WB_REASON_INPUT_MODIFIED;
        out->param = p;
        out->message = wb_arena_printf(
            arena, "At %s %s changed its input `%s`: %s[%zu] was %s and is %s now.",
            size_text(arena, ran), who(arena, ran), param->name, param->name, first, was, is);
        return false;
    }
    return true;
}

/* ---- the status of a host function -------------------------------------------------------- */

static bool check_status(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran)
{
    for (unsigned p = 0; p < ran->task->param_count; p++) {
        if (ran->task->params[p].kind != WB_PARAM_STATUS) {
            continue;
        }
        const int *value = wb_case_buffer(ran->launch, ran->task, p)->data;
        if (*value != 0) {
            out->reason = WB_REASON_WRONG_ANSWER;
            out->param = p;
            out->wrong = out->count = 1;
            out->message =
                wb_arena_printf(arena, "At %s `%s` returned %d, which means that it failed.%s",
                                size_text(arena, ran), ran->task->function, *value,
                                ran->failure ? ran->failure : "");
            out->advice = ran->failure && *ran->failure
                              ? "Look at what the call that failed was given; for a launch, at the "
                                "numbers of blocks and threads."
                              : "No CUDA call failed: find the line that returns this number.";
            return false;
        }
    }
    return true;
}

/* ---- outputs ------------------------------------------------------------------------------ */

static enum wb_reason reason_of(const struct wb_pattern *pattern, size_t index)
{
    const struct wb_param *param = &pattern->task->params[pattern->param];
    if (param->kind == WB_PARAM_OUT && wb_unwritten_at(param->type, pattern->got, index)) {
        return WB_REASON_NOT_WRITTEN;
    }
    return isnan(wb_value_get(param->type, pattern->got, index)) ? WB_REASON_NAN
                                                                 : WB_REASON_WRONG_ANSWER;
}

static void describe_element(struct wb_str *text, const struct wb_pattern *pattern, size_t index)
{
    const struct wb_param *param = &pattern->task->params[pattern->param];
    struct wb_place place = wb_place_of(pattern->task, pattern->param, pattern->right->size,
                                        pattern->launch, pattern->count, index);
    const char *thread = pattern->task->remapped ? "" : wb_place_thread(text->arena, &place);
    char got[WB_VALUE_TEXT], want[WB_VALUE_TEXT];
    wb_value_texts(got, want, param->type, wb_value_get(param->type, pattern->got, index),
                   wb_value_get(param->type, pattern->right->data[pattern->param], index));
    wb_str_printf(text, "\n  %s", wb_place_element(text->arena, param->name, &place, index));
    if (reason_of(pattern, index) == WB_REASON_NOT_WRITTEN) {
        wb_str_printf(text, " was never written, expected %s", want);
    } else {
        wb_str_printf(text, " is %s, expected %s", got, want);
    }
    for (unsigned q = 0; q < pattern->task->param_count; q++) {
        if (wb_tells_of_each(pattern, q)) {
            const struct wb_param *input = &pattern->task->params[q];
            wb_str_printf(text, "; %s[%zu] is %.0f", input->name, index,
                          wb_value_get(input->type, pattern->given->data[q], index));
        }
    }
    wb_str_printf(text, "%s%s", *thread ? "; " : "", thread);
}

static void describe_pattern(struct wb_check *out, struct wb_arena *arena,
                             const struct wb_pattern *pattern, const struct wb_ran *ran)
{
    const struct wb_param *param = &pattern->task->params[pattern->param];
    struct wb_str text;
    wb_str_init(&text, arena);
    if (param->kind == WB_PARAM_RETURN) {
        char got[WB_VALUE_TEXT], want[WB_VALUE_TEXT];
        wb_value_texts(got, want, param->type, wb_value_get(param->type, pattern->got, 0),
                       wb_value_get(param->type, pattern->right->data[pattern->param], 0));
        out->message = wb_arena_printf(arena, "At %s `%s` returned %s, expected %s.",
                                       size_text(arena, ran), wb_task_name(ran->task), got, want);
        return;
    }
    wb_str_printf(&text, "At %s, %s of %s elements of `%s` %s wrong:", size_text(arena, ran),
                  wb_count_text(arena, pattern->wrong_count), wb_count_text(arena, pattern->count),
                  param->name, pattern->wrong_count == 1 ? "is" : "are");
    size_t shown = 0;
    for (size_t i = 0; i < pattern->count && shown < SHOWN_ELEMENTS; i++) {
        if (pattern->wrong[i]) {
            describe_element(&text, pattern, i);
            shown++;
        }
    }
    if (shown < pattern->wrong_count) {
        wb_str_printf(&text, "\n  and %s more", wb_count_text(arena, pattern->wrong_count - shown));
    }
    out->message = text.data;
}

static bool check_output(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran,
                         unsigned p)
{
    const struct wb_param *param = &ran->task->params[p];
    struct wb_arena scratch;
    wb_arena_init(&scratch);
    size_t count = ran->right.count[p], first = count;
    uint8_t *wrong = wb_arena_alloc(&scratch, count);
    struct wb_pattern pattern = {.task = ran->task,
                                 .param = p,
                                 .launch = ran->launch,
                                 .given = &ran->given,
                                 .right = &ran->right,
                                 .got = wb_case_buffer(ran->launch, ran->task, p)->data,
                                 .count = count,
                                 .wrong = wrong};
    for (size_t i = count; i-- > 0;) {
        wrong[i] = !wb_value_right(wb_value_get(param->type, pattern.got, i),
                                   wb_value_get(param->type, ran->right.data[p], i),
                                   ran->task->absolute, ran->task->relative);
        pattern.wrong_count += wrong[i];
        first = wrong[i] ? i : first;
    }
    if (pattern.wrong_count) {
        out->reason = reason_of(&pattern, first);
        out->param = p;
        out->wrong = pattern.wrong_count;
        out->count = count;
        describe_pattern(out, arena, &pattern, ran);
        if (param->kind != WB_PARAM_RETURN) {
            wb_guess_contents(&out->guess, arena, &pattern);
        }
        if (!out->guess.cause && param->kind != WB_PARAM_RETURN) {
            wb_guess_region(&out->guess, &pattern);
        }
    }
    wb_arena_finish(&scratch);
    return out->reason == WB_REASON_NONE;
}

/* ---- outputs of which many are right -------------------------------------------------------- */

static bool check_written(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran,
                          unsigned p)
{
    const struct wb_param *param = &ran->task->params[p];
    const void *data = wb_case_buffer(ran->launch, ran->task, p)->data;
    size_t i = 0;
    while (i < ran->given.count[p] && !wb_unwritten_at(param->type, data, i)) {
        i++;
    }
    if (param->kind != WB_PARAM_OUT || i == ran->given.count[p]) {
        return true;
    }
    const char *element = param->count == wb_count_dim3
                              ? wb_arena_printf(arena, "%s->%c", param->name, "xyz"[i])
                              : wb_arena_printf(arena, "%s[%zu]", param->name, i);
    out->reason = WB_REASON_NOT_WRITTEN;
    out->param = p;
    out->wrong = 1;
    out->count = ran->given.count[p];
    out->message = wb_arena_printf(arena, "At %s %s never writes `%s`.", size_text(arena, ran),
                                   who(arena, ran), element);
    return false;
}

/* The lesson's own judgement. */
static bool check_accepted(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran)
{
    struct wb_case got = ran->given;
    struct wb_objection objection = {.advice = NULL};
    wb_str_init(&objection.why, arena);
    for (unsigned p = 0; p < ran->task->param_count; p++) {
        if (wb_param_is_output(&ran->task->params[p])) {
            got.data[p] = wb_case_buffer(ran->launch, ran->task, p)->data;
            if (!check_written(out, arena, ran, p)) {
                return false;
            }
        }
    }
    if (ran->task->accept(&objection, &got)) {
        return true;
    }
    out->reason = WB_REASON_WRONG_ANSWER;
    out->wrong = out->count = 1;
    out->advice = objection.advice;
    out->message =
        wb_arena_printf(arena, "At %s: %s", size_text(arena, ran), wb_str_get(&objection.why));
    return false;
}

void wb_check_case(struct wb_check *out, struct wb_arena *arena, const struct wb_ran *ran)
{
    *out = (struct wb_check){.reason = WB_REASON_NONE};
    if (!check_guards(out, arena, ran) || !check_inputs(out, arena, ran) ||
        !check_status(out, arena, ran)) {
        return;
    }
    if (ran->task->accept) {
        check_accepted(out, arena, ran);
        return;
    }
    for (unsigned p = 0; p < ran->task->param_count; p++) {
        if (wb_param_is_output(&ran->task->params[p]) && !check_output(out, arena, ran, p)) {
            return;
        }
    }
}
