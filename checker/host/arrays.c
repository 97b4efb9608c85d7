/* SPDX-License-Identifier: MIT
 * Each array ends close to the end of its last page: reading or writing past it stops at once, at
 * the line that does it. It begins at a multiple of 16, as malloc promises. What is left of its
 * pages before and behind it holds a pattern.
 *
 * The runner can write to the plan too; the parent lays it out anew before it believes any of it.
 */
#include "arrays.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 16 };

static uint64_t whole_pages(uint64_t size)
{
    return (size + WB_PLAN_PAGE - 1) / WB_PLAN_PAGE * WB_PLAN_PAGE;
}

/* Everything but the bytes of the arrays. */
static void lay_out(struct wb_plan *plan, const struct wb_host_call *call)
{
    const struct wb_device_case *arguments = call->arguments;
    uint64_t end = whole_pages(sizeof *plan);
    *plan = (struct wb_plan){.arg_count = arguments->arg_count,
                             .array_count = arguments->buffer_count,
                             .result_is_float = call->result_is_float};
    memcpy(plan->args, arguments->args, sizeof plan->args);
    for (unsigned i = 0; i < plan->array_count; i++) {
        struct wb_plan_array *array = &plan->arrays[i];
        array->size = arguments->buffers[i].size;
        array->pages = end + WB_PLAN_PAGE;
        array->page_bytes = whole_pages(array->size ? array->size : 1);
        array->at = array->pages + (array->page_bytes - array->size) / ALIGNMENT * ALIGNMENT;
        end = array->pages + array->page_bytes;
    }
    plan->size = end + WB_PLAN_PAGE;
    if (call->result >= 0) {
        plan->result_size = (unsigned)arguments->buffers[call->result].size;
    }
    snprintf(plan->function, sizeof plan->function, "%s", call->function);
}

static bool map_memory(struct wb_arrays *out, struct wb_status *status)
{
    out->fd = memfd_create("arrays", MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    if (out->fd >= 0 && ftruncate(out->fd, (off_t)out->size) == 0) {
        memory = mmap(NULL, out->size, PROT_READ | PROT_WRITE, MAP_SHARED, out->fd, 0);
    }
    if (memory == MAP_FAILED) {
        int error = errno;
        if (out->fd >= 0) {
            close(out->fd);
        }
        return WB_FAIL(status, NO_MEMORY, "There is no memory for %llu MiB of arrays: %s.",
                       (unsigned long long)out->size >> 20, strerror(error));
    }
    out->plan = memory;
    return true;
}

bool wb_arrays_make(struct wb_arrays *out, const struct wb_host_call *call, const char *object,
                    bool on_gpu, struct wb_status *status)
{
    struct wb_plan plan;
    lay_out(&plan, call);
    plan.on_gpu = on_gpu;
    snprintf(plan.object, sizeof plan.object, "%s", object);
    out->size = plan.size;
    if (!map_memory(out, status)) {
        return false;
    }
    *out->plan = plan;
    for (unsigned i = 0; i < plan.array_count; i++) {
        const struct wb_plan_array *array = &plan.arrays[i];
        const struct wb_device_buffer *buffer = &call->arguments->buffers[i];
        memset((uint8_t *)out->plan + array->pages, WB_PLAN_PATTERN, array->page_bytes);
        if (array->size) {
            memcpy((uint8_t *)out->plan + array->at, buffer->data, array->size);
        }
    }
    return true;
}

void wb_arrays_finish(struct wb_arrays *arrays)
{
    munmap(arrays->plan, arrays->size);
    close(arrays->fd);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void check_guards(struct wb_device_buffer *buffer, const uint8_t *memory,
                         const struct wb_plan_array *array)
{
    const uint8_t *first = memory + array->at, *end = first + array->size;
    const uint64_t before = array->at - array->pages;
    const uint64_t behind = array->page_bytes - before - array->size;
    for (uint64_t i = 0; i < before || i < behind; i++) {
        bool hit_behind = i < behind && end[i] != WB_PLAN_PATTERN;
        bool hit_before = i < before && *(first - 1 - i) != WB_PLAN_PATTERN;
        if (hit_behind || hit_before) {
            buffer->guard_hit = hit_behind ? 1 : -1;
            buffer->guard_offset = i;
            return;
        }
    }
}

void wb_arrays_read(const struct wb_arrays *arrays, const struct wb_host_call *call)
{
    struct wb_plan plan;
    lay_out(&plan, call);
    const uint8_t *memory = (const uint8_t *)arrays->plan;
    for (unsigned i = 0; i < plan.array_count; i++) {
        struct wb_device_buffer *buffer = &call->arguments->buffers[i];
        buffer->guard_hit = 0;
        buffer->guard_offset = 0;
        check_guards(buffer, memory, &plan.arrays[i]);
        if (buffer->size) {
            memcpy(buffer->data, memory + plan.arrays[i].at, buffer->size);
        }
    }
}

bool wb_arrays_near(char *text, size_t size, const struct wb_arrays *arrays,
                    const struct wb_host_call *call, uint64_t offset)
{
    struct wb_plan plan;
    (void)arrays;
    lay_out(&plan, call);
    for (unsigned i = 0; i < plan.array_count; i++) {
        const struct wb_plan_array *array = &plan.arrays[i];
        const uint64_t end = array->at + array->size;
        const char *name = call->arguments->buffers[i].name;
        const unsigned long long before = array->at - offset, behind = offset - end;
        if (offset + WB_PLAN_PAGE >= array->pages && offset < array->at) {
            snprintf(text, size, "%llu bytes before the start of `%s`", before, name);
            return true;
        }
        if (offset >= end && offset < array->pages + array->page_bytes + WB_PLAN_PAGE) {
            if (behind == 0) {
                snprintf(text, size, "just past the end of `%s`", name);
            } else {
                snprintf(text, size, "%llu bytes past the end of `%s`", behind, name);
            }
            return true;
        }
    }
    return false;
}
