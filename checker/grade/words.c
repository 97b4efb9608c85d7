/* SPDX-License-Identifier: MIT
 * Sizes, kernels, elements and threads in words, always under the names that the kernel's own
 * parameters have.
 */
#include "cases.h"

#include "values.h"

#include <stdio.h>

char *wb_count_text(struct wb_arena *arena, uint64_t count)
{
    char digits[24];
    struct wb_str out;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    wb_str_init(&out, arena);
    for (int i = 0; i < length; i++) {
        wb_str_printf(&out, i && (length - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
    }
    return out.data;
}

static bool is_dimension(const struct wb_param *param)
{
    return param->kind == WB_PARAM_SIZE_X || param->kind == WB_PARAM_SIZE_Y ||
           param->kind == WB_PARAM_SIZE_Z;
}

const char *wb_task_name(const struct wb_task *task)
{
    return task->function ? task->function : task->kernel;
}

char *wb_size_text(struct wb_arena *arena, const struct wb_task *task, struct wb_size size)
{
    const unsigned dimensions[] = {
        [WB_PARAM_SIZE_X] = size.x, [WB_PARAM_SIZE_Y] = size.y, [WB_PARAM_SIZE_Z] = size.z};
    struct wb_str text;
    wb_str_init(&text, arena);
    for (unsigned p = 0; p < task->param_count; p++) {
        const struct wb_param *param = &task->params[p];
        if (is_dimension(param)) {
            wb_str_printf(&text, "%s%s = %u", text.length ? ", " : "", param->name,
                          dimensions[param->kind]);
        }
    }
    if (text.length == 0) {
        wb_str_printf(&text, "%zu elements", wb_size_count(size));
    }
    return wb_arena_strdup(arena, wb_str_get(&text));
}

char *wb_launch_text(struct wb_arena *arena, const struct wb_task *task, struct wb_size size,
                     const struct wb_device_case *launch)
{
    char *text = wb_size_text(arena, task, size);
    if (!task->launch) {
        return text;
    }
    const uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    return wb_arena_printf(arena, "%s with %s block%s", text, wb_count_text(arena, blocks),
                           blocks == 1 ? "" : "s");
}

static const char *returned_type(const struct wb_task *task)
{
    for (unsigned p = 0; p < task->param_count; p++) {
        if (task->params[p].kind == WB_PARAM_RETURN || task->params[p].kind == WB_PARAM_STATUS) {
            return wb_type_c_name(task->params[p].type);
        }
    }
    return "void";
}

char *wb_task_declaration(struct wb_arena *arena, const struct wb_task *task)
{
    struct wb_str text;
    const char *comma = "";
    wb_str_init(&text, arena);
    wb_str_printf(&text, "extern \"C\" %s%s %s(", task->function ? "" : "__global__ ",
                  returned_type(task), wb_task_name(task));
    for (unsigned p = 0; p < task->param_count; p++) {
        const struct wb_param *param = &task->params[p];
        if (wb_param_is_passed(param)) {
            wb_str_printf(&text, "%s%s%s %s%s", comma, param->kind == WB_PARAM_IN ? "const " : "",
                          param->count == wb_count_dim3 ? "dim3"
                          : is_dimension(param)         ? "int"
                                                        : wb_type_c_name(param->type),
                          wb_param_is_array(param) ? "*" : "", param->name);
            comma = ", ";
        }
    }
    wb_str_add(&text, ")");
    return text.data;
}

/* What stopped a host function; the texts of wb_reason_text speak of a kernel. */
static const char *function_text(enum wb_reason reason)
{
    switch (reason) {
    case WB_REASON_TIMEOUT:
        return "it did not return in time";
    case WB_REASON_CRASH:
        return "it crashed or ended the program";
    case WB_REASON_OUT_OF_BOUNDS:
        return "it, or a kernel of it, touched memory outside of an array";
    case WB_REASON_INPUT_MODIFIED:
        return "the function changed its input";
    default:
        return NULL;
    }
}

const char *wb_task_reason(const struct wb_task *task, enum wb_reason reason)
{
    const char *text = task->function ? function_text(reason) : NULL;
    return text ? text : wb_reason_text[reason];
}

/* A host function launches, allocates and copies by itself: more can be the cause. */
static const char *function_advice(enum wb_reason reason)
{
    switch (reason) {
    case WB_REASON_LAUNCH_FAILED:
        return "A grid has at least 1 block and a block at most 1024 threads: if there is nothing "
               "to do, launch nothing. After a launch, ask cudaGetLastError.";
    case WB_REASON_CRASH:
        return "Return to the caller on every path, without exit or abort; check pointers and "
               "array sizes.";
    case WB_REASON_OUT_OF_BOUNDS:
        return "Either no guard covers this access, or the array was allocated too small: "
               "cudaMalloc counts bytes.";
    case WB_REASON_NOT_WRITTEN:
        return "Find the line or the copy that should write it, and check that it is reached.";
    case WB_REASON_WRONG_ANSWER:
        return "Work out by hand what the function should do at this size, and go through its "
               "lines.";
    default:
        return NULL;
    }
}

const char *wb_task_advice(const struct wb_task *task, enum wb_reason reason)
{
    if (task->function) {
        return function_advice(reason);
    }
    if (reason != WB_REASON_OUT_OF_BOUNDS) {
        return NULL;
    }
    return wb_task_dimensions(task) > 1 && !wb_task_is_list(task)
               ? "No guard covers this access: compare each coordinate with its own length, and "
                 "check the length of a row in the index."
               : "No guard covers this access: compare the very index that the access uses with "
                 "the array's length.";
}

char *wb_place_element(struct wb_arena *arena, const char *array, const struct wb_place *place,
                       size_t index)
{
    const struct wb_dim3 at = place->at;
    switch (place->dimensions) {
    case 1:
        return wb_arena_printf(arena, "%s[%zu]", array, index);
    case 2:
        return wb_arena_printf(arena, "%s[%zu] (row %u, column %u)", array, index, at.y, at.x);
    default:
        return wb_arena_printf(arena, "%s[%zu] (x %u, y %u, z %u)", array, index, at.x, at.y, at.z);
    }
}

char *wb_place_thread(struct wb_arena *arena, const struct wb_place *place)
{
    const struct wb_dim3 b = place->block, t = place->thread;
    switch (place->launch_dimensions) {
    case 0:
        return wb_arena_strdup(arena, "");
    case 1:
        return wb_arena_printf(arena, "block %u, thread %u", b.x, t.x);
    case 2:
        return wb_arena_printf(arena, "block (x %u, y %u), thread (x %u, y %u)", b.x, b.y, t.x,
                               t.y);
    default:
        return wb_arena_printf(arena, "block (x %u, y %u, z %u), thread (x %u, y %u, z %u)", b.x,
                               b.y, b.z, t.x, t.y, t.z);
    }
}
