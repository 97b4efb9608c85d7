/* SPDX-License-Identifier: MIT
 * exec: the parts of `warpbook exec` (cmd_exec.c).
 */
#ifndef WARPBOOK_CLI_EXEC_H
#define WARPBOOK_CLI_EXEC_H

#include "cli.h"

#include <warpbook/cudart.h>

#include <stdio.h>

/* ---- exec_child.c ---- */

/* Runs a program with this process's own standard input, output and error, in a changed environment
 * (as in struct wb_proc_spec). Signals that would end this process go to the program instead.
 * *wait_status is waitpid's. False if it could not be started. */
bool cli_exec_child(int *wait_status, const char *path, char *const *argv, const char *const *env,
                    struct wb_status *status);

/* ---- exec_file.c: a file that is written at the end but tried out at the start ---- */

struct cli_exec_file {
    FILE *stream; /* NULL: no file is wanted */
    char *path;   /* as the user gave it */
    char
        *temporary; /* its neighbour that is written to; NULL: a pipe or device, written as it is */
};

/* `path` may be NULL. IO when nothing can be written there. */
bool cli_exec_file_open(struct cli_exec_file *out, struct wb_arena *arena, const char *path,
                        struct wb_status *status);
/* Gives the file its name. IO when it could not be written to its end. */
bool cli_exec_file_commit(struct cli_exec_file *file, struct wb_status *status);
/* Takes it away, unless it was committed. */
void cli_exec_file_finish(struct cli_exec_file *file);

/* ---- exec_json.c ---- */

/* The "warpbook-counters/1" of docs/counters-schema.json: one launch a line. */
void cli_exec_write_counters(FILE *stream, const struct wb_runlog *log);
/* {"findings": [...]}, leaks among them, and {"calls": [...]} of a trace. */
void cli_exec_write_report(FILE *stream, const struct wb_runlog *log, bool trace);

/* ---- exec_show.c: what is said at the end, on standard error ---- */

void cli_exec_show(struct wb_paint *paint, const struct wb_runlog *log);

/* "2 device allocations (8192 bytes) were never given back to cudaFree" */
const char *cli_exec_leak_text(struct wb_arena *arena, const struct wb_run_leak *leak);

#endif
