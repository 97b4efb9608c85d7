/* SPDX-License-Identifier: MIT
 * check: the check program of one lesson, made from its check.c and this library. check_main.c
 * reads the options, check_run.c grades, check_output.c reports, check_tap.c and check_author.c
 * are the two ways in which Meson's tests run it.
 */
#ifndef WARPBOOK_CLI_CHECK_H
#define WARPBOOK_CLI_CHECK_H

#include "check_options.h"
#include "console.h"

#include <warpbook/author.h>
#include <warpbook/grade.h>

struct check_options {
    struct cli_check_options common;
    bool tap, if_started, author;
};

struct check {
    struct check_options options;
    struct wb_arena arena;
    struct wb_book book;
    const struct wb_book_lesson *lesson;
    struct wb_toolchain toolchain;
    const struct wb_device *device;
    struct wb_device_info info;
    const char *folder; /* where the attempt's path in the report starts; NULL: working folder */
};

/* ---- check_run.c -------------------------------------------------------------------------- */

/* The book and this program's lesson in it. */
bool check_open(struct check *check, struct wb_status *status);
/* The tool chain and the device. */
bool check_prepare(struct check *check, struct wb_status *status);
/* A path as messages show it: without the root of the tree. */
const char *check_shown(const struct check *check, const char *path);
/* Grades one file, named `shown` in messages; check_prepare was called. */
void check_grade(struct wb_result *out, struct check *check, const char *path, const char *shown);
/* Grades what the options say, and remembers it if it is the exercise on the bench. Trouble of
 * ours is the result, with verdict ERROR. */
void check_attempt(struct wb_result *out, struct check *check);
/* True if the exercise on the bench is there and is no longer the stub. */
bool check_is_started(bool *started, struct check *check, struct wb_status *status);

/* ---- check_output.c ----------------------------------------------------------------------- */

/* Writes the report files and the report for people; returns the exit code. */
int check_report(struct check *check, const struct wb_result *result);
/* Writes the report files. Complains and is false if one could not be written. */
bool check_write_files(struct check *check, const struct wb_result *result);
/* The report for people. */
void check_render(struct wb_str *out, struct check *check, const struct wb_result *result,
                  struct wb_report_options options);

/* ---- check_targets.c ---------------------------------------------------------------------- */

/* False, after a complaint, if a report would take the place of a file that is not a report. */
bool check_targets_are_free(struct check *check);

/* ---- check_tap.c -------------------------------------------------------------------------- */

/* TAP, one test per criterion, the report as comments. The exit code is 0 when the stream is
 * complete: the verdicts are in it. */
int check_tap(struct check *check, const struct wb_result *result);
int check_tap_skip(struct check *check, const char *why);
int check_tap_bail_out(struct check *check, const char *why);
/* One test; file and line say where the attempt is at fault. */
struct check_tap_test {
    const char *name;
    enum wb_verdict verdict;
    const char *message, *file;
    unsigned line;
};
int check_tap_run(struct check *check, const struct check_tap_test *tests, size_t count);
/* Text of any origin as one line without control characters. */
const char *check_plain(struct check *check, const char *text);

/* ---- check_author.c ----------------------------------------------------------------------- */

/* Looks at the lesson's files, and grades them against what they must get. */
int check_author(struct check *check);

/* ---- check_audit.c: complaints about this lesson's check.c ---------------------------------- */

void check_audit_points(struct wb_complaints *out, const struct check *check);
void check_audit_sizes(struct wb_complaints *out, const struct check *check);
/* From what the reference and the solution got; failed[i]: some file failed criterion i. */
void check_audit_limits(struct wb_complaints *out, const struct check *check,
                        const struct wb_result *reference, const struct wb_result *solution,
                        const bool *failed);

#endif
