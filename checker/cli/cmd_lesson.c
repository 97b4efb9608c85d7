/* SPDX-License-Identifier: MIT
 * warpbook lesson COMMAND: for authors of lessons. To add a command: a lesson_<name>.c, its line in
 * lesson.h, its row here.
 */
#include "lesson.h"

#include <string.h>

static const struct cli_command commands[] = {
    {"check", "[LESSON]", "check that a lesson checks", cli_lesson_check},
    {"new", "NAME", "lay a new lesson that works, to be changed", cli_lesson_new},
    {"stamp", "[--stale] [LESSON]", "note that the translation says what the chapter says",
     cli_lesson_stamp},
    {0}};

static int list_commands(struct cli *cli)
{
    for (int i = 0; commands[i].name; i++) {
        wb_paint_to(&cli->paint, 2);
        wb_paint_printf(&cli->paint, WB_STYLE_STRONG, WB_PROGRAM " lesson %s", commands[i].name);
        wb_paint_printf(&cli->paint, WB_STYLE_PLAIN, " %s", commands[i].arguments);
        wb_paint_to(&cli->paint, 45);
        wb_paint_text(&cli->paint, WB_STYLE_PLAIN, commands[i].description);
        wb_paint_line(&cli->paint);
    }
    cli_say(cli, "\ndocs/authors.md tells what a lesson is made of.");
    return CLI_PASSED;
}

int cli_cmd_lesson(struct cli *cli, int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0)) {
        return list_commands(cli);
    }
    for (int i = 0; argc > 1 && commands[i].name; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            argv[1] = wb_arena_printf(&cli->arena, "warpbook lesson %s", commands[i].name);
            return commands[i].run(cli, argc - 1, argv + 1);
        }
    }
    if (argc > 1) {
        cli_complain("There is no command \"lesson %s\". `" WB_PROGRAM
                     " lesson --help` lists them.",
                     argv[1]);
    } else {
        cli_complain("What about lessons? `" WB_PROGRAM " lesson --help` lists what there is.");
    }
    return CLI_USAGE;
}
