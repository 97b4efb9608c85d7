/* SPDX-License-Identifier: MIT
 * cli: what the commands of `warpbook` share. One cmd_<name>.c per command; to add one: its file,
 * its line below, its row in main.c.
 */
#ifndef WARPBOOK_CLI_CLI_H
#define WARPBOOK_CLI_CLI_H

#include "console.h"

#include <warpbook/book.h>

#include <argp.h>

struct cli {
    struct wb_arena arena;
    struct wb_str out;     /* what goes to standard output, written when the command is done */
    struct wb_paint paint; /* paints on `out` */
    struct wb_book book;   /* empty until cli_open_book */
};

struct cli_command {
    const char *name, *arguments, *description;
    int (*run)(struct cli *cli, int argc, char **argv); /* argv[0]: "warpbook NAME" */
};

extern const struct cli_command cli_commands[]; /* ends with name NULL */

int cli_cmd_check(struct cli *cli, int argc, char **argv);
int cli_cmd_compare(struct cli *cli, int argc, char **argv);
int cli_cmd_diff(struct cli *cli, int argc, char **argv);
int cli_cmd_doctor(struct cli *cli, int argc, char **argv);
int cli_cmd_exec(struct cli *cli, int argc, char **argv);
int cli_cmd_help(struct cli *cli, int argc, char **argv);
int cli_cmd_hint(struct cli *cli, int argc, char **argv);
int cli_cmd_lay(struct cli *cli, int argc, char **argv);
int cli_cmd_lesson(struct cli *cli, int argc, char **argv);
int cli_cmd_list(struct cli *cli, int argc, char **argv);
int cli_cmd_next(struct cli *cli, int argc, char **argv);
int cli_cmd_reset(struct cli *cli, int argc, char **argv);
int cli_cmd_solution(struct cli *cli, int argc, char **argv);
int cli_cmd_status(struct cli *cli, int argc, char **argv); /* no command given */
int cli_cmd_version(struct cli *cli, int argc, char **argv);

/* ---- cli.c -------------------------------------------------------------------------------- */

/* Where the build put the check programs: WARPBOOK_BUILD, else what Meson knew. */
const char *cli_build_root(void);
/* CLI_PASSED, or the exit code for a tree that cannot be used. */
int cli_open_book(struct cli *cli);
/* Opens the book and finds a lesson in it. */
int cli_find_lesson(const struct wb_book_lesson **out, struct cli *cli, const char *what);
/* A path without the root of the tree. */
const char *cli_shown(const struct cli *cli, const char *path);
/* One line on standard output. */
void cli_say(struct cli *cli, const char *format, ...) WB_PRINTF(2, 3);
/* Writes what was painted so far. */
bool cli_flush(struct cli *cli);

/* The state of a lesson; trouble reading it is complained of and counts as started. */
enum wb_bench_state cli_state(struct cli *cli, const struct wb_book_lesson *lesson);
/* The first lesson that is not passed, or NULL. */
const struct wb_book_lesson *cli_next_lesson(struct cli *cli);

/* ---- arguments.c: for commands that take only a lesson and one flag or number --------------- */

struct cli_arguments {
    const char *lesson; /* NULL if none was given */
    bool flag;
    long number; /* -1 if not given */
};

struct cli_usage {
    const char *arguments, *doc;
    bool needs_lesson, takes_lesson;
    const char *flag, *flag_doc;                   /* "yes": the option --yes; NULL: none */
    const char *number, *number_name, *number_doc; /* "level", "L": the option --level L */
};

/* Exits with CLI_USAGE, or 0 for --help, as argp does. */
void cli_parse(struct cli_arguments *out, const struct cli_usage *usage, int argc, char **argv);

/* ---- run_checker.c ------------------------------------------------------------------------ */

/* Becomes the check program; returns only if that fails. */
int cli_exec_checker(struct cli *cli, const struct wb_book_lesson *lesson,
                     const char *const *arguments, size_t count);

/* What a check program said in JSON. */
struct cli_outcome {
    int exit_code;
    char *verdict, *reason, *message; /* message: of the first criterion that failed, or "" */
    char *attempt, *device;
    double points, max_points;
    struct json_t *report; /* borrowed until cli_outcome_finish */
};
/* Runs a check program with --json=- and reads its report. False if there was none; *status says
 * why, in the check program's own words if it had any. */
bool cli_run_checker(struct cli_outcome *out, struct cli *cli, const struct wb_book_lesson *lesson,
                     const char *const *arguments, size_t count, struct wb_status *status);
void cli_outcome_finish(struct cli_outcome *outcome);

#endif
