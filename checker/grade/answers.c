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
        image = cubin->constants;
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

/* One finding for all answers of a state; `what` begins its sentence. */
static void find_group(struct wb_grader *g, const enum answer *answers, enum answer state,
                       const char *what, const char *advice)
{
    struct wb_str names;
    wb_str_init(&names, g->arena);
    for (unsigned i = 0; i < g->lesson->question_count; i++) {
        if (answers[i] == state) {
            wb_str_printf(&names, "%s`%s`", names.length ? ", " : "",
                          g->lesson->questions[i].symbol);
        }
    }
    if (names.length) {
        wb_grader_find(g, WB_REASON_WRONG_ANSWER, g->options->attempt, 0, advice, "%s: %s.", what,
                       wb_str_get(&names));
    }
}

static void find_answer(struct wb_grader *g, const struct wb_question *question, enum answer answer)
{
    const char *file = g->options->attempt, *name = question->symbol;
    const char *type = wb_type_c_name(question->type);
    if (answer == ANSWER_WRONG) {
        wb_grader_find(g, WB_REASON_WRONG_ANSWER, file, 0,
                       question->hint ? question->hint : "Read the chapter again.",
                       "`%s` is not the right answer.", name);
    } else if (answer == ANSWER_OTHER_TYPE) {
        wb_grader_find(g, WB_REASON_WRONG_ANSWER, file, 0,
                       wb_arena_printf(g->arena, "Declare it as `__constant__ %s %s`.", type, name),
                       "`%s` has another type than %s.", name, type);
    }
}

void wb_grader_answers(struct wb_grader *g, struct wb_criterion_result *out,
                       const struct wb_cubin *cubin)
{
    unsigned count = g->lesson->question_count, right = 0;
    enum answer *answers = wb_arena_alloc(g->arena, count * sizeof *answers);
    for (unsigned i = 0; i < count; i++) {
        answers[i] = read_answer(&g->lesson->questions[i], cubin);
        right += answers[i] == ANSWER_RIGHT;
        find_answer(g, &g->lesson->questions[i], answers[i]);
    }
    find_group(g, answers, ANSWER_OPEN, "Not answered yet",
               "Write your answer in the place of -1.");
    find_group(g, answers, ANSWER_MISSING, "The file does not define",
               "Copy the lines that begin with `__constant__` from the lesson's exercise.cu, and "
               "answer there.");
    out->verdict = right == count ? WB_PASSED : WB_FAILED;
    out->points = count ? out->max_points * right / count : out->max_points;
    out->message = wb_arena_printf(g->arena, "%u of %u answers are right.", right, count);
}
