/* SPDX-License-Identifier: MIT
 * See log.h. What many launches have in common is written once and referred to by number: kernels,
 * places, and counts (by line), which are the same for every launch that did the same. The numbers
 * hold within one process ("pid").
 */
#include "log.h"

#include "argument.h"
#include "demangle.h"
#include "enter.h"
#include "line.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void wb_log_start(void)
{
    wb_line_start();
}

bool wb_log_wanted(void)
{
    return wb_line_wanted();
}

bool wb_trace_wanted(void)
{
    static int wanted = -1;
    if (wanted < 0) {
        const char *trace = getenv("WARPBOOK_TRACE");
        wanted = wb_line_wanted() && trace && *trace && strcmp(trace, "0") != 0;
    }
    return wanted;
}

/* ---- numbers of what was written already ---------------------------------------------------- */

enum { WB_KEY = 80 }; /* a hash of 32 digits, and some numbers */

struct number {
    char key[WB_KEY];
    unsigned number;
};

struct numbers {
    void *tree;
    unsigned count;
};

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct number *)a)->key, ((const struct number *)b)->key);
}

/* The key's number, from 1; *fresh if it was not known. 0: no memory. */
static unsigned number_of(bool *fresh, struct numbers *numbers, const char *key)
{
    struct number *made = calloc(1, sizeof *made), **found = NULL;
    *fresh = false;
    if (made) {
        snprintf(made->key, sizeof made->key, "%s", key);
        found = tsearch(made, &numbers->tree, by_key);
    }
    if (!found) {
        free(made);
        return 0;
    }
    if (*found == made) {
        made->number = ++numbers->count;
        *fresh = true;
    } else {
        free(made);
    }
    return (*found)->number;
}

/* ---- places, kernels, counts ---------------------------------------------------------------- */

/* The place's number in the log; it is written when it is first used. So with kernels, counts. */
static unsigned log_place(const struct wb_place *place)
{
    static struct numbers places;
    bool fresh;
    char key[WB_KEY], text[WB_PLACE_TEXT];
    snprintf(key, sizeof key, "%p", (const void *)place);
    unsigned number = number_of(&fresh, &places, key);
    if (fresh) {
        wb_line_write_json("place",
                           json_pack("{s:i, s:o, s:i, s:o}", "id", (int)number, "file",
                                     wb_line_text(place->file), "line", (int)place->line, "text",
                                     wb_line_text(wb_place_text(text, sizeof text, place))));
    }
    return number;
}

static unsigned log_kernel(const struct wb_kernel *kernel)
{
    static struct numbers kernels;
    bool fresh;
    char hash[33], key[WB_KEY];
    wb_hash_hex(hash, kernel->name, strlen(kernel->name)); /* its address may be used again */
    snprintf(key, sizeof key, "%s %u %u %u", hash, kernel->registers, kernel->static_shared,
             kernel->local_bytes);
    unsigned number = number_of(&fresh, &kernels, key);
    if (fresh) {
        char *name = wb_demangle_short(kernel->name);
        wb_line_write_json(
            "kernel", json_pack("{s:i, s:o, s:o, s:i, s:i, s:i}", "id", (int)number, "symbol",
                                wb_line_text(kernel->name), "name", wb_line_text(name), "registers",
                                (int)kernel->registers, "static_shared", (int)kernel->static_shared,
                                "local_bytes", (int)kernel->local_bytes));
        free(name);
    }
    return number;
}

static json_t *counts_array(const struct wb_counts *counts)
{
    json_t *array = json_array();
    for (int m = 0; m < WB_METRIC_COUNT; m++) {
        json_array_append_new(array, json_integer((json_int_t)counts->v[m]));
    }
    return array;
}

static json_t *lines_array(const struct wb_counters *counters)
{
    struct wb_arena arena;
    size_t count;
    json_t *array = json_array();
    wb_arena_init(&arena);
    const struct wb_pc_counts *rows = wb_counters_by_line(&arena, &count, counters);
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(array, json_pack("[o, i, o]", wb_line_text(rows[i].file),
                                               (int)rows[i].line, counts_array(&rows[i].counts)));
    }
    wb_arena_finish(&arena);
    return array;
}

static unsigned log_counts(unsigned kernel, const struct wb_counters *counters)
{
    static struct numbers known;
    bool fresh;
    char hash[33], key[WB_KEY];
    wb_hash_hex(hash, counters->pcs, counters->pc_count * sizeof *counters->pcs);
    snprintf(key, sizeof key, "%s %u", hash, kernel);
    unsigned number = number_of(&fresh, &known, key);
    if (fresh) {
        wb_line_write_json("counts", json_pack("{s:i, s:i, s:o, s:o}", "id", (int)number, "present",
                                               (int)counters->present, "total",
                                               counts_array(&counters->total), "lines",
                                               lines_array(counters)));
    }
    return number;
}

/* ---- launches -------------------------------------------------------------------------------- */

static struct wb_dim3 cluster_of(const struct wb_log_launch *launch)
{
    const struct wb_dim3 asked = launch->launch->cluster;
    const unsigned *declared = launch->kernel->cluster;
    if (asked.x) {
        return asked;
    }
    return declared[0] ? (struct wb_dim3){declared[0], declared[1], declared[2]}
                       : (struct wb_dim3){1, 1, 1};
}

/* By hand, because a program may launch a hundred thousand times; there is no text in it. */
static void write_launch(const struct wb_log_launch *launch, const struct wb_place *place)
{
    const struct wb_sim_launch *l = launch->launch;
    const struct wb_dim3 cluster = cluster_of(launch);
    const unsigned kernel = log_kernel(launch->kernel);
    char text[512];
    int size =
        snprintf(text, sizeof text,
                 "{\"type\":\"launch\",\"pid\":%d,\"kernel\":%u,\"place\":%u,\"counts\":%u,"
                 "\"stream\":%llu,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],"
                 "\"cluster\":[%u,%u,%u],\"dynamic_shared\":%u}\n",
                 (int)getpid(), kernel, log_place(place), log_counts(kernel, launch->counters),
                 launch->stream, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y,
                 l->block.z, cluster.x, cluster.y, cluster.z, l->dynamic_shared);
    wb_line_write(text, (size_t)size);
}

/* "; argument 2 of the kernel is an address of host memory" or "". */
static void host_argument_text(char *text, size_t size, const struct wb_log_launch *launch)
{
    const struct wb_fault *fault = launch->fault;
    unsigned number;
    *text = '\0';
    if ((fault->kind == WB_REASON_HOST_POINTER || fault->kind == WB_REASON_OUT_OF_BOUNDS) &&
        wb_argument_on_host(&number, launch)) {
        snprintf(text, size, "; argument %u of the kernel is an address of host memory", number);
    }
}

/* What the embedded device says of the address may give away more than the kind; else NULL. */
static const char *fault_advice(const struct wb_fault *fault)
{
    static const struct {
        const char *part, *advice;
    } rows[] = {
        {"a null pointer was used",
         "Give the pointer memory before the launch (cudaMalloc), and look at what that call "
         "returned."},
        {"but the block has 0 bytes",
         "The launch gives no dynamic shared memory: its size in bytes "
         "is the third value of <<<...>>>."},
        {"a trap instruction", "__trap() stops the kernel on purpose: find out why this line was "
                               "reached."},
        {"after it was freed", "Free memory only behind the last kernel and copy that use it."},
    };
    for (size_t i = 0; i < WB_ARRAY_LENGTH(rows); i++) {
        if (strstr(fault->message, rows[i].part)) {
            return rows[i].advice;
        }
    }
    return NULL;
}

static void log_fault(const struct wb_log_launch *launch, const struct wb_place *place)
{
    const struct wb_fault *fault = launch->fault;
    const struct wb_place where = {.file = fault->file, .line = fault->line};
    char launched[WB_PLACE_TEXT], argument[80], stopped[60] = "";
    char *kernel = wb_demangle_short(launch->kernel->name);
    host_argument_text(argument, sizeof argument, launch);
    enum wb_reason kind = *argument ? WB_REASON_HOST_POINTER : fault->kind;
    const char *advice = kind == fault->kind ? fault_advice(fault) : NULL;
    if (launch->stopped) {
        snprintf(stopped, sizeof stopped, ", after %llu warp instructions",
                 (unsigned long long)launch->stopped);
    }
    wb_log_finding(kind, &where, advice, "%s%s%s (kernel %s, launched at %s)", fault->message,
                   argument, stopped, kernel ? kernel : launch->kernel->name,
                   wb_place_text(launched, sizeof launched, place));
    free(kernel);
}

/* What the guard found in the kernel. */
static void log_guard(const struct wb_log_launch *launch, const struct wb_place *place)
{
    char launched[WB_PLACE_TEXT], times[60];
    char *kernel = wb_demangle_short(launch->kernel->name);
    for (size_t i = 0; i < launch->findings->count; i++) {
        const struct wb_guard_finding *f = &launch->findings->items[i];
        const struct wb_place where = {.file = f->file, .line = f->line};
        *times = '\0';
        if (f->count > 1) {
            snprintf(times, sizeof times, "; %llu accesses like this",
                     (unsigned long long)f->count);
        }
        const struct wb_place there = {.file = f->other_file, .line = f->other_line};
        const struct wb_log_other other = {&there, "the other access is here"};
        wb_log_finding_with(f->kind, &where, f->other_line ? &other : NULL, NULL,
                            "%s%s (kernel %s, launched at %s)", f->message, times,
                            kernel ? kernel : launch->kernel->name,
                            wb_place_text(launched, sizeof launched, place));
    }
    free(kernel);
}

void wb_log_launch(const struct wb_log_launch *launch)
{
    const struct wb_place *place = launch->place ? launch->place : wb_call_place();
    if (wb_line_wanted() && !launch->stopped) {
        write_launch(launch, place);
    }
    if (launch->fault && launch->fault->kind != WB_REASON_NONE) {
        log_fault(launch, place);
    }
    if (launch->findings) {
        log_guard(launch, place);
    }
}

/* ---- findings, calls, the end ---------------------------------------------------------------- */

/* A loop makes the same mistake again and again: it is told once for each kind and place. */
static bool told_before(enum wb_reason kind, const char *place)
{
    static struct numbers told;
    bool fresh;
    char key[WB_KEY + WB_PLACE_TEXT], hash[33];
    int size = snprintf(key, sizeof key, "%d %s", (int)kind, place);
    wb_hash_hex(hash, key, (size_t)size);
    return number_of(&fresh, &told, hash) != 0 && !fresh;
}

static void log_finding(enum wb_reason kind, const struct wb_place *place,
                        const struct wb_log_other *other, const char *advice, const char *format,
                        va_list arguments)
{
    char message[1024], text[WB_PLACE_TEXT], other_text[WB_PLACE_TEXT];
    vsnprintf(message, sizeof message, format, arguments);
    place = place ? place : wb_call_place();
    wb_place_text(text, sizeof text, place);
    if (told_before(kind, text)) {
        return;
    }
    if (!wb_line_wanted()) {
        fprintf(stderr, "%s: %s [%s]\n", text, message, wb_reason_code[kind]);
        return;
    }
    json_t *finding = json_pack("{s:s, s:o, s:i, s:o, s:o, s:o}", "kind", wb_reason_code[kind],
                                "file", wb_line_text(place->file), "line", (int)place->line, "text",
                                wb_line_text(text), "message", wb_line_text(message), "advice",
                                wb_line_text(advice ? advice : wb_reason_advice[kind]));
    if (other) {
        wb_place_text(other_text, sizeof other_text, other->place);
        json_object_set_new(finding, "other",
                            json_pack("{s:o, s:i, s:o, s:o}", "file",
                                      wb_line_text(other->place->file), "line",
                                      (int)other->place->line, "text", wb_line_text(other_text),
                                      "note", wb_line_text(other->text)));
    }
    wb_line_write_json("finding", finding);
}

void wb_log_finding(enum wb_reason kind, const struct wb_place *place, const char *advice,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_finding(kind, place, NULL, advice, format, arguments);
    va_end(arguments);
}

void wb_log_finding_with(enum wb_reason kind, const struct wb_place *place,
                         const struct wb_log_other *other, const char *advice, const char *format,
                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_finding(kind, place, other, advice, format, arguments);
    va_end(arguments);
}

void wb_log_call(const char *name, int result, bool planned, const struct wb_place *place)
{
    char text[256];
    int size = snprintf(
        text, sizeof text,
        "{\"type\":\"call\",\"pid\":%d,\"name\":\"%s\",\"result\":%d,\"place\":%u%s}\n",
        (int)getpid(), name, result, log_place(place), planned ? ",\"injected\":true" : "");
    wb_line_write(text, (size_t)size);
}

void wb_log_end(int exit_code)
{
    if (wb_line_wanted()) {
        wb_line_write_json("end", json_pack("{s:i}", "exit_code", exit_code));
    }
}
