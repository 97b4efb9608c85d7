/* SPDX-License-Identifier: MIT
 * From the index of an element to its row and column, and to the block and thread that the plain
 * mapping gives it to.
 */
#include "cases.h"

unsigned wb_task_dimensions(const struct wb_task *task)
{
    unsigned dimensions = 1;
    for (unsigned i = 0; i < task->size_count; i++) {
        unsigned here = task->sizes[i].z > 1 ? 3 : task->sizes[i].y > 1 ? 2 : 1;
        dimensions = here > dimensions ? here : dimensions;
    }
    return dimensions;
}

bool wb_task_is_list(const struct wb_task *task)
{
    bool list = wb_task_dimensions(task) == 2;
    for (unsigned p = 0; p < task->param_count; p++) {
        const struct wb_param *param = &task->params[p];
        bool output = param->kind == WB_PARAM_OUT || param->kind == WB_PARAM_INOUT;
        list &= !output || param->count;
    }
    return list;
}

static void map(unsigned *block, unsigned *thread, size_t position, unsigned block_size,
                unsigned grid_size)
{
    position %= (size_t)block_size * grid_size;
    *block = (unsigned)(position / block_size);
    *thread = (unsigned)(position % block_size);
}

/* `at`: the element of the problem that the thread works on. */
static void map_thread(struct wb_place *place, struct wb_size size,
                       const struct wb_device_case *launch, struct wb_dim3 at)
{
    const struct wb_dim3 grid = launch->grid, block = launch->block;
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z) {
        return;
    }
    if (grid.y * block.y == 1 && grid.z * block.z == 1) {
        size_t index = ((size_t)at.z * size.y + at.y) * size.x + at.x;
        place->launch_dimensions = 1;
        map(&place->block.x, &place->thread.x, index, block.x, grid.x);
        return;
    }
    place->launch_dimensions = place->dimensions;
    map(&place->block.x, &place->thread.x, at.x, block.x, grid.x);
    map(&place->block.y, &place->thread.y, at.y, block.y, grid.y);
    map(&place->block.z, &place->thread.z, at.z, block.z, grid.z);
}

struct wb_place wb_place_of(const struct wb_task *task, unsigned param, struct wb_size size,
                            const struct wb_device_case *launch, size_t count, size_t index)
{
    struct wb_place place = {.dimensions = wb_task_dimensions(task)};
    size_t layer = (size_t)size.x * size.y;
    bool whole = count == wb_size_count(size) && !wb_task_is_list(task);
    if (!whole && place.dimensions == 3 && count == layer) {
        place.dimensions = 2;
        whole = true;
    }
    if (!whole) { /* an array of another length than the problem (one sum per block, say) */
        place.dimensions = 1;
        place.shape = (struct wb_dim3){(unsigned)count, 1, 1};
        place.at.x = (unsigned)index;
        return place;
    }
    bool transposed = task->params[param].transposed;
    place.shape = transposed ? (struct wb_dim3){size.y, size.x, size.z}
                             : (struct wb_dim3){size.x, size.y, size.z};
    place.at.x = (unsigned)(index % layer % place.shape.x);
    place.at.y = (unsigned)(index % layer / place.shape.x);
    place.at.z = (unsigned)(index / layer);
    struct wb_dim3 source = place.at; /* whoever reads element (row, column) writes (column, row) */
    if (transposed) {
        source.x = place.at.y;
        source.y = place.at.x;
    }
    map_thread(&place, size, launch, source);
    return place;
}
