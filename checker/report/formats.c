/* SPDX-License-Identifier: MIT
 * The formats a report can have. To add one: a file here with a wb_report_<name>, a row below.
 */
#include <warpbook/report.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct wb_report_format *const wb_report_formats[] = {
    &wb_report_terminal, &wb_report_json, &wb_report_junit, &wb_report_html, NULL};

bool wb_report_wants_colour(int fd)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    bool refused = no_colour && *no_colour;
    return !refused && term && *term && strcmp(term, "dumb") != 0 && isatty(fd);
}
