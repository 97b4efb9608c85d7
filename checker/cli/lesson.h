/* SPDX-License-Identifier: MIT
 * lesson: the commands of `warpbook lesson`, one lesson_<name>.c each; their table is in
 * cmd_lesson.c.
 */
#ifndef WARPBOOK_CLI_LESSON_H
#define WARPBOOK_CLI_LESSON_H

#include "cli.h"

#include <warpbook/author.h>

int cli_lesson_check(struct cli *cli, int argc, char **argv);
int cli_lesson_new(struct cli *cli, int argc, char **argv);
int cli_lesson_stamp(struct cli *cli, int argc, char **argv);

#endif
