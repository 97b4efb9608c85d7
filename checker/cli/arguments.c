/* SPDX-License-Identifier: MIT
 * Options of the small commands: a lesson, one flag, one number. argp reads them and prints the
 * help from the same table.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>

enum { KEY_FLAG = 0x100, KEY_NUMBER };

struct parsing {
    struct cli_arguments *out;
    const struct cli_usage *usage;
};

static void parse_number(struct parsing *parsing, const char *text, struct argp_state *state)
{
    char *end;
    errno = 0;
    parsing->out->number = strtol(text, &end, 10);
    if (errno || end == text || *end || parsing->out->number < 1) {
        argp_error(state, "--%s must be a number from 1, not '%s'", parsing->usage->number, text);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct parsing *parsing = state->input;
    switch (key) {
    case KEY_FLAG:
        parsing->out->flag = true;
        return 0;
    case KEY_NUMBER:
        parse_number(parsing, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        if (!parsing->usage->takes_lesson || parsing->out->lesson) {
            argp_error(state, "'%s' is one argument too many", argument);
        }
        parsing->out->lesson = argument;
        return 0;
    case ARGP_KEY_END:
        if (parsing->usage->needs_lesson && !parsing->out->lesson) {
            argp_error(state, "which lesson? Give its number or its name");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void cli_parse(struct cli_arguments *out, const struct cli_usage *usage, int argc, char **argv)
{
    struct argp_option options[3] = {{0}};
    int count = 0;
    if (usage->flag) {
        options[count++] = (struct argp_option){usage->flag, KEY_FLAG, NULL, 0, usage->flag_doc, 0};
    }
    if (usage->number) {
        options[count++] = (struct argp_option){
            usage->number, KEY_NUMBER, usage->number_name, 0, usage->number_doc, 0};
    }
    struct argp argp = {.options = count ? options : NULL, /* argp leaks an empty list */
                        .parser = parse,
                        .args_doc = usage->arguments,
                        .doc = usage->doc};
    struct parsing parsing = {out, usage};
    *out = (struct cli_arguments){.number = -1};
    argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}
