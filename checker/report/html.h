/* SPDX-License-Identifier: MIT
 * html: the parts that the page is put together from. Private to report.
 */
#ifndef WARPBOOK_REPORT_HTML_H
#define WARPBOOK_REPORT_HTML_H

#include "view.h"

/* The format's one escaping function, for text and for quoted attributes. NULL is nothing. */
void wb_html_text(struct wb_str *out, const char *text);

/* Some lines around one of the attempt's, which is marked. */
void wb_html_excerpt(struct wb_str *out, const struct wb_view *view, unsigned line);
/* The learner's whole file with the counters of each line, and counters in other files. */
void wb_html_source(struct wb_str *out, const struct wb_view *view);

#endif
