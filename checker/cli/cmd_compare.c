/* SPDX-License-Identifier: MIT
 * warpbook compare N: grades the reference and the solution of a lesson and sets their counters
 * side by side. setup.sh ends with it.
 */
#include "check_options.h"
#include "cli.h"

#include <warpbook/metrics.h>

#include <jansson.h>
#include <string.h>

struct compared {
    const char *name; /* "reference" */
    const char *file;
    struct cli_outcome outcome;
    struct wb_counts counts; /* of the first launch that is counted */
    bool measured;
};

/* The counters object of the attempt's first launch that has any. Lessons count one launch or a few
 * of those that they grade. */
static const json_t *first_counters(const json_t *report)
{
    const json_t *counters = json_object_get(json_object_get(report, "counters"), "attempt");
    const json_t *launches = json_object_get(counters, "launches");
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const json_t *of_launch = json_object_get(json_array_get(launches, i), "counters");
        if (json_object_size(of_launch) > 0) {
            return of_launch;
        }
    }
    return NULL;
}

static void read_counts(struct compared *compared)
{
    const json_t *counters = first_counters(compared->outcome.report);
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        const json_t *value = json_object_get(counters, wb_metric_name[m]);
        compared->counts.v[m] = (uint64_t)json_integer_value(value);
        compared->measured = compared->measured || value;
    }
}

static bool grade(struct compared *compared, struct cli *cli, const struct wb_book_lesson *lesson,
                  const struct cli_check_options *options, struct wb_status *status)
{
    struct cli_check_options with = *options;
    const char *arguments[CLI_CHECK_OPTION_COUNT];
    with.attempt = (char *)compared->file;
    size_t count = cli_check_arguments(arguments, 0, &cli->arena, &with);
    if (!cli_run_checker(&compared->outcome, cli, lesson, arguments, count, status)) {
        return false;
    }
    read_counts(compared);
    return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void cell(struct cli *cli, unsigned end, enum wb_style style, const char *text)
{
    unsigned columns = wb_paint_columns(&cli->paint, text);
    wb_paint_to(&cli->paint, end > columns ? end - columns : 0);
    wb_paint_text(&cli->paint, style, text);
}

enum { EFFICIENCY_END = 31, DIVERGENT_END = 52, LANES_END = 71, VERDICT = 75 };

static void show_head(struct cli *cli)
{
    cell(cli, EFFICIENCY_END, WB_STYLE_FAINT, "branch efficiency");
    cell(cli, DIVERGENT_END, WB_STYLE_FAINT, "divergent branches");
    cell(cli, LANES_END, WB_STYLE_FAINT, "busy lanes of 32");
    wb_paint_line(&cli->paint);
}

static void show_row(struct cli *cli, const struct compared *compared)
{
    double efficiency, lanes;
    struct wb_arena *arena = &cli->arena;
    const struct wb_counts *counts = &compared->counts;
    wb_paint_to(&cli->paint, 2);
    wb_paint_text(&cli->paint, WB_STYLE_STRONG, compared->name);
    if (compared->measured) {
        bool branches = wb_branch_efficiency(&efficiency, counts);
        cell(cli, EFFICIENCY_END, WB_STYLE_PLAIN,
             branches ? wb_arena_printf(arena, "%.2f %%", efficiency) : "no branch");
        cell(cli, DIVERGENT_END, WB_STYLE_PLAIN,
             wb_arena_printf(arena, "%llu",
                             (unsigned long long)counts->v[WB_METRIC_BRANCH_DIVERGENT]));
        cell(cli, LANES_END, WB_STYLE_PLAIN,
             wb_lanes(&lanes, counts) ? wb_arena_printf(arena, "%.1f", lanes) : "-");
    } else {
        cell(cli, EFFICIENCY_END, WB_STYLE_WARN, "not measured");
    }
    wb_paint_to(&cli->paint, VERDICT);
    wb_paint_text(&cli->paint, WB_STYLE_PLAIN, compared->outcome.verdict);
    wb_paint_line(&cli->paint);
}

static void show_table(struct cli *cli, const struct compared both[2])
{
    show_head(cli);
    show_row(cli, &both[0]);
    show_row(cli, &both[1]);
}

/* Neither was counted: by the lesson's choice, or because the device cannot. */
static void show_verdicts(struct cli *cli, const struct compared both[2])
{
    for (size_t i = 0; i < 2; i++) {
        wb_paint_to(&cli->paint, 2);
        wb_paint_text(&cli->paint, WB_STYLE_STRONG, both[i].name);
        wb_paint_to(&cli->paint, 14);
        wb_paint_text(&cli->paint, WB_STYLE_PLAIN, both[i].outcome.verdict);
        wb_paint_line(&cli->paint);
    }
    cli_say(cli, "No kernel of this lesson was counted, so there are no counters to compare: its "
                 "results are graded.");
}

static int compare(struct cli *cli, const struct wb_book_lesson *lesson,
                   const struct cli_check_options *options)
{
    struct compared both[] = {{.name = "reference", .file = lesson->reference},
                              {.name = "solution", .file = lesson->solution}};
    struct wb_status status = {0};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(both); i++) {
        if (!grade(&both[i], cli, lesson, options, &status)) {
            return cli_fail(&status);
        }
    }
    const struct cli_outcome *solution = &both[1].outcome;
    wb_paint_printf(&cli->paint, WB_STYLE_STRONG, "Lesson %02d: %s", lesson->number, lesson->title);
    wb_paint_printf(&cli->paint, WB_STYLE_PLAIN, "   on: %s",
                    *solution->device ? solution->device : "no device");
    wb_paint_line(&cli->paint);
    (both[0].measured || both[1].measured ? show_table : show_verdicts)(cli, both);
    if (solution->message[0]) {
        cli_say(cli, "%s", solution->message);
    }
    int code = solution->exit_code;
    for (size_t i = 0; i < WB_ARRAY_LENGTH(both); i++) {
        cli_outcome_finish(&both[i].outcome);
    }
    return code;
}

/* ---- options ------------------------------------------------------------------------------- */

struct compare_arguments {
    struct cli_check_options common;
    const char *lesson;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct compare_arguments *arguments = state->input;
    const struct cli_check_options *common = &arguments->common;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->lesson) {
            argp_error(state, "'%s' is one argument too many", argument);
        }
        arguments->lesson = argument;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->lesson) {
            argp_error(state, "which lesson? Give its number or its name");
        }
        if (common->attempt || common->json || common->html || common->junit) {
            argp_error(state, "compare takes --device and --seed only");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_cmd_compare(struct cli *cli, int argc, char **argv)
{
    static const struct argp_child children[] = {{&cli_check_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .children = children,
        .parser = parse,
        .args_doc = "LESSON",
        .doc = "Grades the reference and the solution of a lesson and sets their counters side by "
               "side. The exit code is that of the solution's check."};
    struct compare_arguments arguments = {0};
    const struct wb_book_lesson *lesson;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    int code = cli_find_lesson(&lesson, cli, arguments.lesson);
    return code == CLI_PASSED ? compare(cli, lesson, &arguments.common) : code;
}
