/* SPDX-License-Identifier: MIT
 * console: the terminal as both programs see it (`warpbook` and the check programs), and the exit
 * codes.
 */
#ifndef WARPBOOK_CLI_CONSOLE_H
#define WARPBOOK_CLI_CONSOLE_H

#include <warpbook/paint.h>
#include <warpbook/report.h>

enum cli_exit {
    CLI_PASSED = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,   /* what was asked for makes no sense */
    CLI_BROKEN = 3,  /* the tool chain, the device or the tree is missing or broken */
    CLI_SKIPPED = 77 /* not started, or the device lacks a feature */
};

/* Call it first: signals are caught (cli_obey_signals), descriptors 0 to 2 are open afterwards
 * (writing to one that was closed still fails), and the locale is the user's. */
void cli_console_start(void);

/* Colour, character set and width for what is written to a descriptor. */
struct wb_report_options cli_console_options(int fd);
void cli_console_paint(struct wb_paint *paint, struct wb_str *out, int fd);

/* Writes everything. A reader that went away (| head) is no error; any other is complained of. */
bool cli_console_write(int fd, const struct wb_str *text);

/* "warpbook: ..." on standard error. */
void cli_complain(const char *format, ...) WB_PRINTF(1, 2);

/* The exit code for an operation of ours that failed; complains, too. */
int cli_fail(const struct wb_status *status);

/* After an operation: ends the program if a signal such as Ctrl-C asked for it meanwhile. */
void cli_obey_signals(void);

int cli_exit_of(enum wb_verdict verdict);

#endif
