/* SPDX-License-Identifier: MIT
 * handle: see handle.h. Objects lie in slabs; a pointer is a handle if it falls on an object of a
 * slab and that object is marked live.
 */
#include "handle.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SLAB_OBJECTS = 256 };

struct wb_handle_slab {
    struct wb_handle_slab *older, *newer;
    size_t used;
    bool live[SLAB_OBJECTS];
    _Alignas(16) unsigned char objects[];
};

static size_t stride(const struct wb_handle_pool *pool)
{
    return (pool->object_size + 15) / 16 * 16;
}

static struct wb_handle_slab *slab_create(struct wb_handle_pool *pool)
{
    struct wb_handle_slab *slab = calloc(1, sizeof *slab + SLAB_OBJECTS * stride(pool));
    if (slab) {
        slab->older = pool->slabs;
        if (pool->slabs) {
            pool->slabs->newer = slab;
        }
        pool->slabs = slab;
    }
    return slab;
}

void *wb_handle_create(struct wb_handle_pool *pool)
{
    struct wb_handle_slab *slab = pool->slabs;
    if (!slab || slab->used == SLAB_OBJECTS) {
        slab = slab_create(pool);
    }
    if (!slab) {
        return NULL;
    }
    size_t index = slab->used++;
    slab->live[index] = true;
    pool->live++;
    return slab->objects + index * stride(pool);
}

/* The slab that `handle` lies in and its number there; NULL if it is no object of the pool. */
static struct wb_handle_slab *locate(size_t *index, const struct wb_handle_pool *pool,
                                     const void *handle)
{
    for (struct wb_handle_slab *slab = pool->slabs; slab; slab = slab->older) {
        uintptr_t offset = (uintptr_t)handle - (uintptr_t)slab->objects;
        if (offset < slab->used * stride(pool) && offset % stride(pool) == 0) {
            *index = offset / stride(pool);
            return slab;
        }
    }
    return NULL;
}

void *wb_handle_get(const struct wb_handle_pool *pool, const void *handle)
{
    size_t index = 0;
    struct wb_handle_slab *slab = locate(&index, pool, handle);
    return slab && slab->live[index] ? slab->objects + index * stride(pool) : NULL;
}

void wb_handle_destroy(struct wb_handle_pool *pool, void *object)
{
    size_t index = 0;
    struct wb_handle_slab *slab = locate(&index, pool, object);
    if (slab && slab->live[index]) {
        slab->live[index] = false;
        pool->live--;
    }
}

void *wb_handle_next(const struct wb_handle_pool *pool, const void *object)
{
    size_t index = 0;
    struct wb_handle_slab *slab = pool->slabs;
    if (object) {
        slab = locate(&index, pool, object);
        index++;
    } else {
        while (slab && slab->older) {
            slab = slab->older;
        }
    }
    for (; slab; slab = slab->newer, index = 0) {
        for (; index < slab->used; index++) {
            if (slab->live[index]) {
                return slab->objects + index * stride(pool);
            }
        }
    }
    return NULL;
}

void wb_handle_pool_finish(struct wb_handle_pool *pool)
{
    while (pool->slabs) {
        struct wb_handle_slab *older = pool->slabs->older;
        free(pool->slabs);
        pool->slabs = older;
    }
    pool->live = 0;
}
