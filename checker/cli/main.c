/* SPDX-License-Identifier: MIT
 * `warpbook`: the table of commands, and finding one in it.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct cli_command cli_commands[] = {
    {"list", "", "the lessons and how far you are", cli_cmd_list},
    {"next", "", "the next lesson to work on", cli_cmd_next},
    {"check", "[LESSON | --all]", "compile, run and grade an exercise", cli_cmd_check},
    {"hint", "LESSON", "show the next hint", cli_cmd_hint},
    {"diff", "LESSON", "what you changed in an exercise", cli_cmd_diff},
    {"reset", "LESSON", "put an exercise back as it was; yours is kept", cli_cmd_reset},
    {"solution", "LESSON", "show a solution, once you have tried", cli_cmd_solution},
    {"compare", "LESSON", "reference against solution, measured", cli_cmd_compare},
    {"exec", "PROGRAM [ARGS]", "run a CUDA program on the embedded device", cli_cmd_exec},
    {"doctor", "", "what works on this machine, and how to fix the rest", cli_cmd_doctor},
    {"lay", "", "lay the exercises that are missing", cli_cmd_lay},
    {"lesson", "COMMAND", "for authors of lessons: check, new, stamp", cli_cmd_lesson},
    {"help", "[COMMAND]", "this list, or the options of a command", cli_cmd_help},
    {"version", "", "which Warpbook this is", cli_cmd_version},
    {0}};

static const struct cli_command *find_command(const char *name)
{
    static const char *const aliases[][2] = {
        {"--help", "help"}, {"-h", "help"}, {"-?", "help"}, {"--version", "version"}};
    for (size_t i = 0; i < WB_ARRAY_LENGTH(aliases); i++) {
        name = strcmp(name, aliases[i][0]) == 0 ? aliases[i][1] : name;
    }
    for (int i = 0; cli_commands[i].name; i++) {
        if (strcmp(cli_commands[i].name, name) == 0) {
            return &cli_commands[i];
        }
    }
    return NULL;
}

/* Letters that two words share in order: a cheap likeness that is good enough for typing errors. */
static size_t likeness(const char *a, const char *b)
{
    size_t row[32] = {0}, n = strlen(b) < 31 ? strlen(b) : 31;
    for (; *a; a++) {
        size_t diagonal = 0;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j];
            size_t best = above > row[j - 1] ? above : row[j - 1];
            row[j] = *a == b[j - 1] ? diagonal + 1 : best;
            diagonal = above;
        }
    }
    return row[n];
}

static const char *close_command(const char *name)
{
    const char *best = NULL;
    size_t best_score = 0;
    for (int i = 0; cli_commands[i].name; i++) {
        size_t shared = likeness(name, cli_commands[i].name);
        size_t longer = strlen(name) > strlen(cli_commands[i].name) ? strlen(name)
                                                                    : strlen(cli_commands[i].name);
        if (shared * 2 > longer && shared * 100 / longer > best_score) {
            best = cli_commands[i].name;
            best_score = shared * 100 / longer;
        }
    }
    return best;
}

static int unknown(const char *name)
{
    const char *close = close_command(name);
    if (close) {
        cli_complain("There is no command \"%s\"; did you mean `" WB_PROGRAM " %s`?", name, close);
    } else {
        cli_complain("There is no command \"%s\". `" WB_PROGRAM " help` lists them.", name);
    }
    return CLI_USAGE;
}

/* argv[0] becomes "warpbook NAME": argp's messages and help begin with it. */
static int run_command(struct cli *cli, const struct cli_command *command, int argc, char **argv)
{
    argv[0] = wb_arena_printf(&cli->arena, "warpbook %s", command->name);
    return command->run(cli, argc, argv);
}

int cli_cmd_help(struct cli *cli, int argc, char **argv)
{
    struct wb_paint *paint = &cli->paint;
    if (argc > 1 && argv[1][0] != '-') {
        const struct cli_command *command = find_command(argv[1]);
        char *help[] = {argv[1], "--help", NULL};
        if (command && command->run == cli_cmd_help) {
            help[1] = NULL;
        }
        return command ? run_command(cli, command, help[1] ? 2 : 1, help) : unknown(argv[1]);
    }
    cli_say(cli, "Warpbook: learn to keep warps together, measured.");
    cli_say(cli, "%s", "");
    for (int i = 0; cli_commands[i].name; i++) {
        wb_paint_to(paint, 2);
        wb_paint_printf(paint, WB_STYLE_STRONG, WB_PROGRAM " %s", cli_commands[i].name);
        wb_paint_printf(paint, WB_STYLE_PLAIN, " %s", cli_commands[i].arguments);
        wb_paint_to(paint, 37);
        wb_paint_text(paint, WB_STYLE_PLAIN, cli_commands[i].description);
        wb_paint_line(paint);
    }
    cli_say(cli, "%s", "");
    cli_say(cli,
            "A LESSON is a number or a name. `" WB_PROGRAM " COMMAND --help` has the options.");
    cli_say(cli, "Exit codes: 0 passed, 1 failed, 2 usage, 3 broken, 77 not started or skipped.");
    return CLI_PASSED;
}

static int run(struct cli *cli, int argc, char **argv)
{
    if (argc < 2) {
        return cli_cmd_status(cli, argc, argv);
    }
    const struct cli_command *command = find_command(argv[1]);
    return command ? run_command(cli, command, argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
    struct cli cli = {0};
    cli_console_start();
    argp_err_exit_status = CLI_USAGE;
    wb_arena_init(&cli.arena);
    wb_str_init(&cli.out, &cli.arena);
    cli_console_paint(&cli.paint, &cli.out, STDOUT_FILENO);
    int code = run(&cli, argc, argv);
    cli_obey_signals();
    if (!cli_flush(&cli) && code == CLI_PASSED) {
        code = CLI_BROKEN;
    }
    wb_arena_finish(&cli.arena);
    return code;
}
