/* SPDX-License-Identifier: MIT
 * report: renders a result tree. One file per format, one row per format in wb_report_formats.
 */
#ifndef WARPBOOK_REPORT_H
#define WARPBOOK_REPORT_H

#include <warpbook/grade.h>

/* All zero is a good default; renderers also take NULL for it. */
struct wb_report_options {
    bool colour;    /* ANSI colours (terminal only) */
    bool ascii;     /* the terminal does not show UTF-8 (terminal only) */
    unsigned width; /* columns to wrap at; 0: 96 (terminal only) */
    /* What was graded: names the targets of the comparison. NULL: no targets are shown. */
    const struct wb_lesson *lesson;
    /* Where a relative path of an attempt starts, to quote its lines; NULL: the working folder. */
    const char *folder;
};

struct wb_report_format {
    const char *name; /* "terminal", "json", "junit", "html" */
    const char *description;
    void (*render)(struct wb_str *out, const struct wb_result *result,
                   const struct wb_report_options *options);
};

extern const struct wb_report_format wb_report_terminal, wb_report_json, wb_report_junit,
    wb_report_html;
extern const struct wb_report_format *const wb_report_formats[]; /* NULL-terminated */

/* True if colour should be used on this descriptor: a terminal, NO_COLOR unset, TERM not dumb. */
bool wb_report_wants_colour(int fd);

#endif
