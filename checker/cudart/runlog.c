/* SPDX-License-Identifier: MIT
 * Reads a run log (see warpbook/cudart.h; log.c writes it). The program that wrote it may have
 * scribbled over everything it can reach, so each line is checked: numbers of kernels, places and
 * counts count up from 1 in each process and exist before they are used. To read another kind of
 * line, add a function and its row in `kinds`.
 */
#include <warpbook/cudart.h>

#include <jansson.h>
#include <limits.h>
#include <string.h>

/* What was numbered by one process; pointers into the arena. */
struct process {
    json_int_t pid;
    struct wb_run_place **places;
    struct wb_run_kernel **kernels;
    struct wb_run_counts **counts;
    size_t place_count, place_capacity, kernel_count, kernel_capacity, counts_count,
        counts_capacity;
};

struct reading {
    struct wb_runlog *out;
    struct wb_arena *arena;
    struct process *processes, *process; /* process: of the line that is being read */
    size_t process_count, process_capacity;
    size_t kernel_capacity, launch_capacity, call_capacity, finding_capacity, leak_capacity;
    const char *wrong; /* what is wrong with the line */
};

static const struct wb_run_place nowhere = {.text = "an unknown place"};

static bool wrong(struct reading *reading, const char *what)
{
    reading->wrong = what;
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A number from 0 to `max`. */
static bool get_number(uint64_t *out, struct reading *reading, const json_t *value, uint64_t max)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number > max) {
        return wrong(reading, "a number is missing or too large");
    }
    *out = (uint64_t)number;
    return true;
}

static bool get_unsigned(unsigned *out, struct reading *reading, const json_t *object,
                         const char *key)
{
    uint64_t number;
    if (!get_number(&number, reading, json_object_get(object, key), INT_MAX)) {
        return false;
    }
    *out = (unsigned)number;
    return true;
}

/* On the arena; NULL for null. */
static const char *get_text(struct reading *reading, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? wb_arena_strdup(reading->arena, text) : NULL;
}

static bool get_dimensions(struct wb_dim3 *out, struct reading *reading, const json_t *object,
                           const char *key)
{
    const json_t *array = json_object_get(object, key);
    uint64_t x, y, z;
    if (json_array_size(array) != 3 ||
        !get_number(&x, reading, json_array_get(array, 0), UINT_MAX) ||
        !get_number(&y, reading, json_array_get(array, 1), UINT_MAX) ||
        !get_number(&z, reading, json_array_get(array, 2), UINT_MAX)) {
        return wrong(reading, "dimensions are missing");
    }
    *out = (struct wb_dim3){(unsigned)x, (unsigned)y, (unsigned)z};
    return true;
}

static bool get_counts(struct wb_counts *out, struct reading *reading, const json_t *array)
{
    if (json_array_size(array) != WB_METRIC_COUNT) {
        return wrong(reading, "counters are missing");
    }
    for (size_t m = 0; m < WB_METRIC_COUNT; m++) {
        if (!get_number(&out->v[m], reading, json_array_get(array, m), INT64_MAX)) {
            return false;
        }
    }
    return true;
}

/* The item with the number at `key`; 0 or an unknown number is wrong. */
static void *get_item(struct reading *reading, const json_t *object, const char *key,
                      void *const *items, size_t count)
{
    unsigned number;
    if (!get_unsigned(&number, reading, object, key)) {
        return NULL;
    }
    if (number == 0 || number > count) {
        wrong(reading, "it refers to something that was not there before");
        return NULL;
    }
    return items[number - 1];
}

static bool is_next(struct reading *reading, const json_t *object, size_t count)
{
    unsigned number;
    if (!get_unsigned(&number, reading, object, "id")) {
        return false;
    }
    return number == count + 1 || wrong(reading, "it has the wrong number");
}

/* A new last item of a list in the arena. */
#define APPEND(reading, list, count, capacity)                                                     \
    ((list) = wb_arena_grow((reading)->arena, (list), &(capacity), (count), sizeof *(list)),       \
     memset(&(list)[count], 0, sizeof *(list)), &(list)[(count)++])

/* ---- what is numbered ------------------------------------------------------------------------ */

static bool get_place(struct wb_run_place *out, struct reading *reading, const json_t *object)
{
    out->file = get_text(reading, object, "file");
    out->text = get_text(reading, object, "text");
    out->text = out->text ? out->text : nowhere.text;
    return get_unsigned(&out->line, reading, object, "line");
}

static bool read_place(struct reading *reading, const json_t *object)
{
    struct process *process = reading->process;
    struct wb_run_place *place = wb_arena_alloc(reading->arena, sizeof *place);
    if (!is_next(reading, object, process->place_count) || !get_place(place, reading, object)) {
        return false;
    }
    *APPEND(reading, process->places, process->place_count, process->place_capacity) = place;
    return true;
}

static bool same_kernel(const struct wb_run_kernel *a, const struct wb_run_kernel *b)
{
    return strcmp(a->symbol, b->symbol) == 0 && a->registers == b->registers &&
           a->static_shared == b->static_shared && a->local_bytes == b->local_bytes;
}

/* The kernel of that kind that another process brought, or this one. */
static struct wb_run_kernel *known_kernel(struct reading *reading, struct wb_run_kernel *kernel)
{
    struct wb_runlog *log = reading->out;
    for (size_t i = 0; i < log->kernel_count; i++) {
        if (same_kernel(log->kernels[i], kernel)) {
            return log->kernels[i];
        }
    }
    *APPEND(reading, log->kernels, log->kernel_count, reading->kernel_capacity) = kernel;
    return kernel;
}

static bool read_kernel(struct reading *reading, const json_t *object)
{
    struct process *process = reading->process;
    struct wb_run_kernel *kernel = wb_arena_alloc(reading->arena, sizeof *kernel);
    kernel->symbol = get_text(reading, object, "symbol");
    kernel->name = get_text(reading, object, "name");
    kernel->present = UINT32_MAX;
    if (!kernel->symbol || !kernel->name) {
        return wrong(reading, "a kernel has no name");
    }
    if (!is_next(reading, object, process->kernel_count) ||
        !get_unsigned(&kernel->registers, reading, object, "registers") ||
        !get_unsigned(&kernel->static_shared, reading, object, "static_shared") ||
        !get_unsigned(&kernel->local_bytes, reading, object, "local_bytes")) {
        return false;
    }
    *APPEND(reading, process->kernels, process->kernel_count, process->kernel_capacity) =
        known_kernel(reading, kernel);
    return true;
}

static bool get_lines(struct wb_run_counts *out, struct reading *reading, const json_t *array)
{
    size_t i, capacity = 0;
    json_t *line;
    json_array_foreach(array, i, line)
    {
        uint64_t number;
        const char *file = json_string_value(json_array_get(line, 0));
        struct wb_pc_counts *row = APPEND(reading, out->lines, out->line_count, capacity);
        if (!get_number(&number, reading, json_array_get(line, 1), INT_MAX) ||
            !get_counts(&row->counts, reading, json_array_get(line, 2))) {
            return false;
        }
        const char *before = i ? out->lines[i - 1].file : NULL; /* mostly the same file */
        row->line = (unsigned)number;
        row->file = file && before && strcmp(file, before) == 0 ? before
                    : file ? wb_arena_strdup(reading->arena, file)
                           : NULL;
    }
    return true;
}

static bool read_counts(struct reading *reading, const json_t *object)
{
    struct process *process = reading->process;
    struct wb_run_counts *counts = wb_arena_alloc(reading->arena, sizeof *counts);
    unsigned present;
    if (!is_next(reading, object, process->counts_count) ||
        !get_unsigned(&present, reading, object, "present") ||
        !get_counts(&counts->total, reading, json_object_get(object, "total")) ||
        !get_lines(counts, reading, json_object_get(object, "lines"))) {
        return false;
    }
    counts->present = present;
    *APPEND(reading, process->counts, process->counts_count, process->counts_capacity) = counts;
    return true;
}

/* ---- what happened --------------------------------------------------------------------------- */

static bool read_launch(struct reading *reading, const json_t *object)
{
    struct wb_runlog *log = reading->out;
    struct process *process = reading->process;
    struct wb_run_launch launch = {0};
    uint64_t stream;
    struct wb_run_kernel *kernel =
        get_item(reading, object, "kernel", (void *const *)process->kernels, process->kernel_count);
    launch.kernel = kernel;
    launch.counts =
        get_item(reading, object, "counts", (void *const *)process->counts, process->counts_count);
    launch.place =
        get_item(reading, object, "place", (void *const *)process->places, process->place_count);
    if (!kernel || !launch.counts || !launch.place ||
        !get_dimensions(&launch.grid, reading, object, "grid") ||
        !get_dimensions(&launch.block, reading, object, "block") ||
        !get_dimensions(&launch.cluster, reading, object, "cluster") ||
        !get_unsigned(&launch.dynamic_shared, reading, object, "dynamic_shared") ||
        !get_number(&stream, reading, json_object_get(object, "stream"), INT64_MAX)) {
        return false;
    }
    launch.stream = stream;
    kernel->launches++;
    kernel->present &= launch.counts->present;
    wb_counts_add(&kernel->total, &launch.counts->total);
    *APPEND(reading, log->launches, log->launch_count, reading->launch_capacity) = launch;
    return true;
}

static bool read_call(struct reading *reading, const json_t *object)
{
    struct wb_runlog *log = reading->out;
    struct process *process = reading->process;
    unsigned result;
    struct wb_run_call call = {.name = get_text(reading, object, "name"),
                               .injected = json_is_true(json_object_get(object, "injected"))};
    call.place =
        get_item(reading, object, "place", (void *const *)process->places, process->place_count);
    if (!call.place || !get_unsigned(&result, reading, object, "result")) {
        return false;
    }
    call.result = (int)result;
    *APPEND(reading, log->calls, log->call_count, reading->call_capacity) = call;
    return call.name || wrong(reading, "a call has no name");
}

static bool read_finding(struct reading *reading, const json_t *object)
{
    struct wb_runlog *log = reading->out;
    const char *kind = json_string_value(json_object_get(object, "kind"));
    struct wb_run_finding finding = {.kind = wb_reason_find(kind ? kind : ""),
                                     .message = get_text(reading, object, "message"),
                                     .advice = get_text(reading, object, "advice")};
    if (finding.kind == WB_REASON_COUNT || !finding.message || !finding.advice) {
        return wrong(reading, "a finding of an unknown kind");
    }
    const json_t *other = json_object_get(object, "other");
    if (other) {
        finding.note = get_text(reading, other, "note");
        if (!finding.note || !get_place(&finding.other, reading, other)) {
            return wrong(reading, "another place of a finding is none");
        }
    }
    *APPEND(reading, log->findings, log->finding_count, reading->finding_capacity) = finding;
    return get_place(&log->findings[log->finding_count - 1].place, reading, object);
}

static bool read_leak(struct reading *reading, const json_t *object)
{
    struct wb_runlog *log = reading->out;
    uint64_t count;
    const char *one = json_string_value(json_object_get(object, "one"));
    const char *several = json_string_value(json_object_get(object, "several"));
    struct wb_run_leak leak = {.call = get_text(reading, object, "call")};
    if (!one || !several || !leak.call ||
        !get_number(&count, reading, json_object_get(object, "count"), INT64_MAX) ||
        !get_number(&leak.bytes, reading, json_object_get(object, "bytes"), INT64_MAX)) {
        return wrong(reading, "a leak of nothing");
    }
    leak.count = count;
    leak.what = wb_arena_printf(reading->arena, "%llu %s", (unsigned long long)count,
                                count == 1 ? one : several);
    *APPEND(reading, log->leaks, log->leak_count, reading->leak_capacity) = leak;
    return get_place(&log->leaks[log->leak_count - 1].place, reading, object);
}

static bool read_end(struct reading *reading, const json_t *object)
{
    reading->out->ended = true;
    reading->out->exit_code = (int)json_integer_value(json_object_get(object, "exit_code"));
    return true;
}

static const struct {
    const char *type;
    bool (*read)(struct reading *reading, const json_t *object);
} kinds[] = {
    {"launch", read_launch}, {"call", read_call},     {"place", read_place},
    {"counts", read_counts}, {"kernel", read_kernel}, {"finding", read_finding},
    {"leak", read_leak},     {"end", read_end},
};

/* ---- lines ----------------------------------------------------------------------------------- */

static struct process *find_process(struct reading *reading, json_int_t pid)
{
    for (size_t i = reading->process_count; i > 0; i--) {
        if (reading->processes[i - 1].pid == pid) {
            return &reading->processes[i - 1];
        }
    }
    struct process *process =
        APPEND(reading, reading->processes, reading->process_count, reading->process_capacity);
    process->pid = pid;
    return process;
}

static bool read_object(struct reading *reading, const json_t *object)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    const json_t *pid = json_object_get(object, "pid");
    if (!type || !json_is_integer(pid)) {
        return wrong(reading, "it is no line of a run log");
    }
    reading->process = find_process(reading, json_integer_value(pid));
    for (size_t i = 0; i < WB_ARRAY_LENGTH(kinds); i++) {
        if (strcmp(kinds[i].type, type) == 0) {
            return kinds[i].read(reading, object);
        }
    }
    return wrong(reading, "it is of an unknown type");
}

static bool read_line(struct reading *reading, const char *line, size_t size)
{
    json_t *object = json_loadb(line, size, 0, NULL);
    bool ok = object ? read_object(reading, object) : wrong(reading, "it is not JSON");
    json_decref(object);
    return ok;
}

bool wb_runlog_read(struct wb_runlog *out, struct wb_arena *arena, const char *path,
                    struct wb_status *status)
{
    const size_t max = (size_t)4 << 30;
    struct reading reading = {.out = out, .arena = arena};
    struct wb_bytes bytes;
    size_t number = 0;
    *out = (struct wb_runlog){0};
    if (!wb_file_exists(path)) {
        return true;
    }
    if (!wb_file_read(&bytes, arena, path, max, status)) {
        return false;
    }
    const char *line = (const char *)bytes.data, *end = line + bytes.size, *next;
    for (; (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1) {
        number++;
        if (!read_line(&reading, line, (size_t)(next - line))) {
            return WB_FAIL(status, BAD_INPUT, "Line %zu of the run log %s cannot be read: %s.",
                           number, path, reading.wrong);
        }
    }
    return true;
}
