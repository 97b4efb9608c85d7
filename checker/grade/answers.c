/* SPDX-License-Identifier: MIT
 * The questions of a chapter: __constant__ variables of the exercise file, read from the cubin's
 * image without running anything.
 */
#include "grader.h"

#include "values.h"

#include <math.h>
#include <string.h>

enum { CONSTANT_BANK = 3 }; /* where nvcc puts __constant__ variables */

enum answer { ANSWER_RIGHT, ANSWER_WRONG, ANSWER_OPEN, ANSWER_MISSING, ANSWER_OTHER_TYPE };

/* Bytes of a variable, or NULL where the image ends before it. */
static const uint8_t *variable_bytes(const struct wb_cubin *cubin, const struct wb_variable *v)
{
    struct wb_const_bank image = {cubin->global_init, cubin->global_init_size};
    if (v->bank == CONSTANT_BANK) {
        image = cubin->kernel_count ? cubin->kernels[0].bank[CONSTANT_BANK]
                                    : (struct wb_const_bank){NULL, 0};
    }
    bool inside = v->offset <= image.size && v->size <= image.size - v->offset;
    return image.data && inside ? image.data + v->offset : NULL;
}

static bool is_open(enum wb_type type, double value)
{
    return value == (type == WB_U32 ? (double)UINT32_MAX : -1);
}

static enum answer read_answer(const struct wb_question *question, const struct wb_cubin *cubin)
{
    for (size_t i = 0; i < cubin->variable_count; i++) {
        const struct wb_variable *variable = &cubin->variables[i];
        if (strcmp(variable->name, question->symbol) != 0) {
            continue;
        }
        if (variable->size != wb_type_size(question->type)) {
            return ANSWER_OTHER_TYPE;
        }
        const uint8_t *bytes = variable_bytes(cubin, variable);
        uint64_t aligned[1] = {0};
        if (bytes) {
            memcpy(aligned, bytes, variable->size);
        }
        double value = wb_value_get(question->type, aligned, 0);
        if (is_open(question->type, value)) {
            return ANSWER_OPEN;
        }
        return fabs(value - question->answer) <= question->tolerance ? ANSWER_RIGHT : ANSWER_WRONG;
    }
    return ANSWER_MISSING;
}

static void find_answer(struct wb_grader *g, const struct wb_question *question, enum answer answer)
{
    const char *file = g->options->attempt, *name = question->symbol;
    const enum wb_reason kind = WB_REASON_WRONG_ANSWER;
    const char *type = wb_type_c_name(question->type);
    switch (answer) {
    case ANSWER_RIGHT:
        break;
    case ANSWER_WRONG:
        wb_grader_find(g, kind, file, 0,
                       question->hint ? question->hint : "Read the chapter again.",
                       "`%s` is not the right answer.", name);
        break;
    case ANSWER_OPEN:
        wb_grader_find(g, kind, file, 0, "Write your answer in the place of -1.",
                       "`%s` is not answered yet.", name);
        break;
    case ANSWER_MISSING:
        wb_grader_find(g, kind, file, 0,
                       wb_arena_printf(g->arena,
                                       "Put `__constant__ %s %s = -1;` back and answer "
                                       "it there.",
                                       type, name),
                       "The file no longer defines `%s`.", name);
        break;
    case ANSWER_OTHER_TYPE:
        wb_grader_find(g, kind, file, 0,
                       wb_arena_printf(g->arena, "Declare it as `__constant__ %s %s`.", type, name),
                       "`%s` has another type than %s.", name, type);
        break;
    }
}

void wb_grader_answers(struct wb_grader *g, struct wb_criterion_result *out,
                       const struct wb_cubin *cubin)
{
    static const char *const words[] = {[ANSWER_WRONG] = "is not right",
                                        [ANSWER_OPEN] = "is not answered yet",
                                        [ANSWER_MISSING] = "is no longer in the file",
                                        [ANSWER_OTHER_TYPE] = "has another type"};
    unsigned count = g->lesson->question_count, right = 0;
    struct wb_str text;
    wb_str_init(&text, g->arena);
    for (unsigned i = 0; i < count; i++) {
        const struct wb_question *question = &g->lesson->questions[i];
        enum answer answer = read_answer(question, cubin);
        find_answer(g, question, answer);
        if (answer == ANSWER_RIGHT) {
            right++;
        } else {
            wb_str_printf(&text, "%s `%s` %s", text.length ? "," : ":", question->symbol,
                          words[answer]);
        }
    }
    out->verdict = right == count ? WB_PASSED : WB_FAILED;
    out->points = count ? out->max_points * right / count : out->max_points;
    out->message =
        wb_arena_printf(g->arena, "%u of %u answers are right%s.", right, count, wb_str_get(&text));
}
