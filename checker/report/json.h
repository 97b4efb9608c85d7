/* SPDX-License-Identifier: MIT
 * json: a result tree as a jansson value. Private to report.
 */
#ifndef WARPBOOK_REPORT_JSON_H
#define WARPBOOK_REPORT_JSON_H

#include <warpbook/report.h>

#include <jansson.h>

/* The format's one escaping function: any string as a JSON string, NULL as null. */
json_t *wb_json_text(struct wb_arena *arena, const char *text);

json_t *wb_json_device(struct wb_arena *arena, const struct wb_device_info *device);

/* A "warpbook-counters/1" object with one launch per measurement; null if there are none. */
json_t *wb_json_counters(struct wb_arena *arena, const struct wb_device_info *device,
                         const struct wb_measurement *measurements, size_t count);

/* The whole "warpbook-report/1" as text. */
void wb_json_render(struct wb_str *out, const struct wb_result *result, size_t indent);

#endif
