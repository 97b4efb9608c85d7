/* SPDX-License-Identifier: MIT
 * The "warpbook-counters/1" of docs/counters-schema.json. A counter that a device cannot give is
 * absent, never 0.
 */
#include "json.h"

static const char *const device_kind[] = {
    [WB_DEVICE_NONE] = "none", [WB_DEVICE_SIM] = "sim", [WB_DEVICE_GPU] = "gpu"};

json_t *wb_json_device(struct wb_arena *arena, const struct wb_device_info *device)
{
    char capability[32];
    snprintf(capability, sizeof capability, "%u.%u", device->major, device->minor);
    return json_pack("{s:s, s:o, s:s, s:s}", "kind", device_kind[device->kind], "name",
                     wb_json_text(arena, device->name), "compute_capability", capability,
                     "counters", device->counters ? device->counters : "none");
}

static json_t *dimensions(struct wb_dim3 d)
{
    return json_pack("[i, i, i]", (int)d.x, (int)d.y, (int)d.z);
}

/* Adds the metrics of the bits `known` to an object, and returns it. */
static json_t *add_counts(json_t *object, const struct wb_counts *counts, uint32_t known)
{
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        if (known >> m & 1) {
            json_object_set_new(object, wb_metric_name[m], json_integer((json_int_t)counts->v[m]));
        }
    }
    return object;
}

static json_t *lines(struct wb_arena *arena, const struct wb_counters *counters)
{
    size_t count = 0;
    struct wb_pc_counts *rows = wb_counters_by_line(arena, &count, counters);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *line = json_pack("{s:o, s:o}", "file", wb_json_text(arena, rows[i].file), "line",
                                 rows[i].line ? json_integer(rows[i].line) : json_null());
        json_array_append_new(
            array, add_counts(line, &rows[i].counts, counters->present & ~counters->only_total));
    }
    return array;
}

static json_t *launch(struct wb_arena *arena, const struct wb_measurement *from)
{
    struct wb_dim3 cluster = {1, 1, 1};
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:o}", "kernel",
        wb_json_text(arena, from->kernel ? from->kernel : ""), "grid", dimensions(from->grid),
        "block", dimensions(from->block), "cluster", dimensions(cluster), "dynamic_shared",
        (int)from->dynamic_shared, "registers", (int)from->registers, "static_shared",
        (int)from->static_shared, "local_bytes", (int)from->local_bytes, "counters",
        add_counts(json_object(), &from->counters.total, from->counters.present), "lines",
        lines(arena, &from->counters));
    if (!from->measured && from->not_measured && from->not_measured[0]) {
        json_object_set_new(object, "not_measured", wb_json_text(arena, from->not_measured));
    }
    return object;
}

json_t *wb_json_counters(struct wb_arena *arena, const struct wb_device_info *device,
                         const struct wb_measurement *measurements, size_t count)
{
    if (!measurements || count == 0) {
        return json_null();
    }
    json_t *launches = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(launches, launch(arena, &measurements[i]));
    }
    return json_pack("{s:s, s:o, s:o}", "schema", "warpbook-counters/1", "device",
                     wb_json_device(arena, device), "launches", launches);
}
