/* SPDX-License-Identifier: MIT
 * From the compiler's first error to a sentence for a beginner. The sentences are in mistakes.c;
 * here is where they are put: which row fits, and which line is meant.
 */
#include "advice.h"

#include "mistakes.h"
#include "pattern.h"
#include "spelling.h"

#include <string.h>

static const struct wb_mistake unknown_mistake = {
    .summary = "the compiler does not understand this: $1",
    .advice = "Look at this line and at the end of the line before it. Later messages are often "
              "only a consequence of the first."};

/* The row for a message; captures are those of its pattern, $2 the guess for a misspelt name. */
static const struct wb_mistake *find_mistake(struct wb_captures *captures, struct wb_arena *arena,
                                             const char *message, const struct wb_source *source)
{
    for (size_t i = 0; i < wb_mistake_count; i++) {
        if (!wb_pattern_found(captures, wb_mistakes[i].pattern, message)) {
            continue;
        }
        if (!wb_mistakes[i].spelling) {
            return &wb_mistakes[i];
        }
        char *word = wb_arena_strndup(arena, captures->start[0], captures->length[0]);
        char *guess = wb_spelling_guess(arena, word, (const char *)source->text.data);
        if (guess) {
            captures->start[1] = guess;
            captures->length[1] = strlen(guess);
            captures->count = 2;
            return &wb_mistakes[i];
        }
    }
    captures->start[0] = message;
    captures->length[0] = strlen(message);
    captures->count = 1;
    return &unknown_mistake;
}

/* The diagnostic whose place is meant: the error's, or that of the note behind it. */
static const struct wb_diagnostic *place_of(const struct wb_mistake *mistake,
                                            const struct wb_diagnostics *diagnostics)
{
    const struct wb_diagnostic *error = &diagnostics->items[diagnostics->first_error];
    bool last = diagnostics->first_error + 1 == diagnostics->count;
    bool use_note =
        mistake->place == WB_PLACE_NOTE && !last && error[1].severity == WB_SEVERITY_NOTE;
    return use_note ? error + 1 : error;
}

void wb_advice_give(struct wb_build_result *result, struct wb_arena *arena,
                    const struct wb_diagnostics *diagnostics, const struct wb_source *source)
{
    const char *message = diagnostics->items[diagnostics->first_error].message;
    struct wb_captures captures = {0};
    const struct wb_mistake *mistake = find_mistake(&captures, arena, message, source);
    const struct wb_diagnostic *place = place_of(mistake, diagnostics);
    bool own = place->file && strcmp(place->file, source->given) == 0;
    unsigned line = place->line;
    if (mistake->place == WB_PLACE_BEFORE && diagnostics->at_line_start && own) {
        line = wb_source_code_line_before(source, line);
        line = line ? line : place->line;
    }
    const char *what = wb_pattern_fill(arena, mistake->summary, &captures);
    const char *base = wb_path_base(place->file ? place->file : source->given);
    result->summary = own && line ? wb_arena_printf(arena, "line %u: %s", line, what)
                      : line      ? wb_arena_printf(arena, "%s, line %u: %s", base, line, what)
                                  : wb_arena_printf(arena, "%s: %s", base, what);
    result->summary_line = own ? line : 0;
    result->advice = wb_pattern_fill(arena, mistake->advice, &captures);
}
