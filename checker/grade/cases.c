/* SPDX-License-Identifier: MIT
 * Builds the arrays and the launch of a task at one size.
 */
#include "cases.h"

#include "values.h"

#include <math.h>
#include <string.h>

const struct wb_size wb_sizes_1d[WB_SIZES_1D_COUNT] = {{0, 1, 1},   {1, 1, 1},    {31, 1, 1},
                                                       {32, 1, 1},  {33, 1, 1},   {97, 1, 1},
                                                       {256, 1, 1}, {1000, 1, 1}, {4099, 1, 1}};
const struct wb_size wb_sizes_2d[WB_SIZES_2D_COUNT] = {{0, 5, 1},   {1, 1, 1},   {32, 32, 1},
                                                       {33, 31, 1}, {1, 97, 1},  {97, 1, 1},
                                                       {64, 64, 1}, {131, 67, 1}};
const struct wb_size wb_sizes_3d[WB_SIZES_3D_COUNT] = {{1, 1, 1},  {32, 4, 2}, {33, 5, 3},
                                                       {5, 33, 3}, {3, 5, 33}, {17, 13, 11}};

bool wb_param_is_array(const struct wb_param *param)
{
    return param->kind == WB_PARAM_IN || param->kind == WB_PARAM_OUT ||
           param->kind == WB_PARAM_INOUT;
}

bool wb_param_is_passed(const struct wb_param *param)
{
    return param->kind != WB_PARAM_SYMBOL && param->kind != WB_PARAM_RETURN &&
           param->kind != WB_PARAM_STATUS;
}

bool wb_param_is_output(const struct wb_param *param)
{
    return param->kind == WB_PARAM_OUT || param->kind == WB_PARAM_INOUT ||
           param->kind == WB_PARAM_RETURN;
}

static bool has_buffer(const struct wb_param *param)
{
    return wb_param_is_array(param) || !wb_param_is_passed(param);
}

/* Of the row's data; one for what is a single number. */
static size_t element_count(const struct wb_param *param, struct wb_size size)
{
    bool array = wb_param_is_array(param) || param->kind == WB_PARAM_SYMBOL;
    return !array ? 1 : param->count ? param->count(size) : wb_size_count(size);
}

size_t wb_count_dim3(struct wb_size size)
{
    (void)size;
    return 3;
}

size_t wb_size_count(struct wb_size size)
{
    return (size_t)size.x * size.y * size.z;
}

struct wb_size *wb_task_sizes(size_t *count, struct wb_arena *arena, const struct wb_task *task)
{
    const struct wb_size measured = task->measured;
    struct wb_size *sizes = wb_arena_alloc(arena, (task->size_count + 1) * sizeof *sizes);
    bool listed = wb_size_count(measured) == 0;
    for (unsigned i = 0; i < task->size_count; i++) {
        sizes[i] = task->sizes[i];
        listed |= sizes[i].x == measured.x && sizes[i].y == measured.y && sizes[i].z == measured.z;
    }
    *count = task->size_count;
    if (!listed) {
        sizes[(*count)++] = measured;
    }
    return sizes;
}

/* ---- arrays ------------------------------------------------------------------------------- */

static void seed_array(void *data, size_t count, const struct wb_param *param, struct wb_size size,
                       struct wb_random *random)
{
    if (param->fill) {
        param->fill(data, count, size, random);
        return;
    }
    bool is_float = wb_type_is_float(param->type);
    double hi = is_float ? param->hi : param->hi + 1; /* an int reaches both ends */
    for (size_t i = 0; i < count; i++) {
        double value = wb_random_uniform(random, param->lo, hi);
        wb_value_set(param->type, data, i, is_float ? value : floor(value));
    }
}

void wb_case_make(struct wb_case *out, struct wb_arena *arena, const struct wb_lesson *lesson,
                  unsigned task, struct wb_size size, uint64_t seed)
{
    *out = (struct wb_case){.size = size};
    for (unsigned p = 0; p < lesson->tasks[task].param_count; p++) {
        const struct wb_param *param = &lesson->tasks[task].params[p];
        if (!has_buffer(param) && param->kind != WB_PARAM_NUMBER) {
            continue;
        }
        size_t count = element_count(param, size);
        size_t bytes = count * wb_type_size(param->type);
        out->count[p] = count;
        out->data[p] = wb_arena_alloc(arena, bytes);
        if (param->kind == WB_PARAM_OUT || param->kind == WB_PARAM_RETURN ||
            param->kind == WB_PARAM_STATUS) {
            wb_unwritten_fill(out->data[p], bytes);
        } else {
            struct wb_random random = wb_random_for(seed, task, size, p);
            seed_array(out->data[p], count, param, size, &random);
        }
    }
}

/* ---- launches ----------------------------------------------------------------------------- */

static struct wb_device_arg scalar_arg(const struct wb_param *param, const struct wb_case *c,
                                       unsigned index)
{
    struct wb_device_arg arg = {.buffer = -1, .size = 4};
    const struct wb_size size = c->size;
    unsigned dimension = param->kind == WB_PARAM_SIZE_X   ? size.x
                         : param->kind == WB_PARAM_SIZE_Y ? size.y
                                                          : size.z;
    if (param->kind == WB_PARAM_VALUE || param->kind == WB_PARAM_NUMBER) {
        arg.size = (unsigned)wb_type_size(param->type);
        arg.is_float = wb_type_is_float(param->type);
        uint64_t value[1] = {0};
        wb_value_set(param->type, value, 0, param->lo);
        memcpy(arg.value, c->data[index] ? c->data[index] : value, arg.size);
    } else {
        memcpy(arg.value, &dimension, sizeof dimension);
    }
    return arg;
}

static unsigned blocks_for(unsigned elements, unsigned block)
{
    unsigned blocks = block ? elements / block + (elements % block != 0) : 1;
    return blocks ? blocks : 1;
}

void wb_case_launch(struct wb_device_case *out, struct wb_arena *arena, const struct wb_task *task,
                    const struct wb_case *c)
{
    struct wb_size size = c->size;
    *out = (struct wb_device_case){
        .grid = {blocks_for(size.x, task->block.x), blocks_for(size.y, task->block.y),
                 blocks_for(size.z, task->block.z)},
        .block = task->block,
        .buffers = wb_arena_alloc(arena, WB_MAX_ARGS * sizeof *out->buffers),
    };
    for (unsigned p = 0; p < task->param_count; p++) {
        const struct wb_param *param = &task->params[p];
        if (!has_buffer(param)) {
            out->args[out->arg_count++] = scalar_arg(param, c, p);
            continue;
        }
        if (wb_param_is_passed(param)) {
            out->args[out->arg_count++] = (struct wb_device_arg){.buffer = (int)out->buffer_count};
        }
        out->buffers[out->buffer_count++] = (struct wb_device_buffer){
            .name = param->name,
            .data = c->data[p],
            .size = c->count[p] * wb_type_size(param->type),
            .no_value = param->kind == WB_PARAM_OUT,
            .read_only = param->kind == WB_PARAM_IN,
            .symbol = param->kind == WB_PARAM_SYMBOL,
        };
    }
    if (task->launch) {
        task->launch(out, size);
    }
}

struct wb_device_buffer *wb_case_buffer(const struct wb_device_case *launch,
                                        const struct wb_task *task, unsigned param)
{
    unsigned buffer = 0;
    for (unsigned p = 0; p < param; p++) {
        buffer += has_buffer(&task->params[p]);
    }
    return &launch->buffers[buffer];
}
