/* SPDX-License-Identifier: MIT
 * What a program made and must give back (log.h): one table for all kinds, and at the end one line
 * of the log for each place that still has something.
 */
#include "enter.h"
#include "line.h"
#include "log.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *one, *several, *call;
} kinds[] = {
#define X(name, one, several, call) [WB_RESOURCE_##name] = {one, several, call},
    WB_RESOURCE_LIST(X)
#undef X
};

struct resource {
    enum wb_resource kind;
    const void *handle;
    size_t size, number; /* number: order of making */
    const struct wb_place *place;
};

static void *table; /* of tsearch */
static size_t live, made;
static struct resource **lost; /* what a reset of the device took */
static size_t lost_count;

static int by_handle(const void *a, const void *b)
{
    const struct resource *x = a, *y = b;
    if (x->kind != y->kind) {
        return (x->kind > y->kind) - (x->kind < y->kind);
    }
    return (x->handle > y->handle) - (x->handle < y->handle);
}

static struct resource *find(enum wb_resource kind, const void *handle)
{
    struct resource key = {.kind = kind, .handle = handle};
    struct resource **found = tfind(&key, &table, by_handle);
    return found ? *found : NULL;
}

void wb_resource_made(enum wb_resource kind, const void *handle, size_t size)
{
    if (!wb_log_wanted()) {
        return;
    }
    wb_resource_gone(kind, handle); /* told twice: the later one counts */
    struct resource *resource = malloc(sizeof *resource);
    if (resource) {
        *resource = (struct resource){kind, handle, size, made++, wb_call_place()};
        live += tsearch(resource, &table, by_handle) != NULL;
    }
}

void wb_resource_gone(enum wb_resource kind, const void *handle)
{
    struct resource *resource = find(kind, handle);
    if (resource) {
        tdelete(resource, &table, by_handle);
        free(resource);
        live--;
    }
}

const struct wb_place *wb_resource_place(enum wb_resource kind, const void *handle)
{
    struct resource *resource = find(kind, handle);
    return resource ? resource->place : NULL;
}

/* ---- walking through all --------------------------------------------------------------------- */

static struct resource **collected; /* twalk takes no context */
static size_t collected_count;

static void collect(const void *node, VISIT visit, int depth)
{
    (void)depth;
    if (visit == preorder || visit == leaf) {
        collected[collected_count++] = *(struct resource *const *)node;
    }
}

static void keep(void *resource)
{
    (void)resource; /* it is in `lost` now */
}

/* Handles may come back after a reset, so what it took is kept apart. */
void wb_resource_lose_all(void)
{
    struct resource **grown = realloc(lost, (lost_count + live + 1) * sizeof *grown);
    if (grown) {
        lost = grown;
        collected = lost;
        collected_count = lost_count;
        twalk(table, collect);
        lost_count = collected_count;
    }
    tdestroy(table, grown ? keep : free);
    table = NULL;
    live = 0;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* What was made at one place stands together; otherwise the order of making. */
static int by_place(const void *a, const void *b)
{
    const struct resource *x = *(struct resource *const *)a, *y = *(struct resource *const *)b;
    if (x->kind != y->kind) {
        return (x->kind > y->kind) - (x->kind < y->kind);
    }
    if (x->place != y->place) {
        return (x->place > y->place) - (x->place < y->place);
    }
    return (x->number > y->number) - (x->number < y->number);
}

struct group {
    const struct resource *first;
    size_t count, bytes;
};

static int by_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return (x->first->number > y->first->number) - (x->first->number < y->first->number);
}

static size_t make_groups(struct group *groups, struct resource *const *list, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct resource *r = list[i], *before = n ? groups[n - 1].first : NULL;
        if (!before || before->kind != r->kind || before->place != r->place) {
            groups[n++] = (struct group){.first = r};
        }
        groups[n - 1].count++;
        groups[n - 1].bytes += r->size;
    }
    qsort(groups, n, sizeof *groups, by_first);
    return n;
}

static void write_group(const struct group *group)
{
    char text[WB_PLACE_TEXT];
    const struct resource *r = group->first;
    wb_line_write_json(
        "leak", json_pack("{s:s, s:s, s:s, s:I, s:I, s:o, s:i, s:o}", "one", kinds[r->kind].one,
                          "several", kinds[r->kind].several, "call", kinds[r->kind].call, "count",
                          (json_int_t)group->count, "bytes", (json_int_t)group->bytes, "file",
                          wb_line_text(r->place->file), "line", (int)r->place->line, "text",
                          wb_line_text(wb_place_text(text, sizeof text, r->place))));
}

void wb_log_leaks(void)
{
    const size_t most = live + lost_count + 1;
    collected = calloc(most, sizeof *collected);
    struct group *groups = calloc(most, sizeof *groups);
    if (collected && groups) {
        for (collected_count = 0; collected_count < lost_count; collected_count++) {
            collected[collected_count] = lost[collected_count];
        }
        twalk(table, collect);
        qsort(collected, collected_count, sizeof *collected, by_place);
        size_t count = make_groups(groups, collected, collected_count);
        for (size_t i = 0; i < count; i++) {
            write_group(&groups[i]);
        }
    }
    free(groups);
    free(collected);
}
