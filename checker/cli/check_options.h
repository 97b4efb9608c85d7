/* SPDX-License-Identifier: MIT
 * check_options: the options of a check, the same for `warpbook check` and the check programs.
 */
#ifndef WARPBOOK_CLI_CHECK_OPTIONS_H
#define WARPBOOK_CLI_CHECK_OPTIONS_H

#include <warpbook/base.h>

#include <argp.h>

/* As they were written; NULL if not given. Each has a row in check_options.c. */
struct cli_check_options {
    char *attempt, *device, *json, *html, *junit, *seed, *thorough;
};

/* A parser to be used as a child; its input is a struct cli_check_options. */
extern const struct argp cli_check_argp;

/* Appends "--name=value" for each that was given; returns the new count. */
size_t cli_check_arguments(const char **argv, size_t count, struct wb_arena *arena,
                           const struct cli_check_options *options);
enum { CLI_CHECK_OPTION_COUNT = 7 };

/* True if one of the reports goes to standard output. */
bool cli_check_to_stdout(const struct cli_check_options *options);
/* The seed as a number; the default one if none was given. */
uint64_t cli_check_seed(const struct cli_check_options *options);

#endif
