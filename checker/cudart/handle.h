/* SPDX-License-Identifier: MIT
 * handle: pools of objects that a program holds by opaque pointer (streams, events, graphs ...).
 * A pointer that a program hands in may be anything: wb_handle_get tells a live object of the pool
 * from a destroyed one and from nonsense, without touching what it points to. Places are never
 * used twice, so a handle that was destroyed stays known as destroyed.
 */
#ifndef WB_CUDART_HANDLE_H
#define WB_CUDART_HANDLE_H

#include <stddef.h>

struct wb_handle_slab;

/* Initialise with the size of one object: {.object_size = sizeof(struct wb_stream)}. */
struct wb_handle_pool {
    size_t object_size;
    struct wb_handle_slab *slabs; /* the newest first */
    size_t live;                  /* objects that were created and not destroyed */
};

/* A new object, all zero; NULL when the machine has no memory left. */
void *wb_handle_create(struct wb_handle_pool *pool);
/* `handle` itself if it is a live object of the pool, else NULL. */
void *wb_handle_get(const struct wb_handle_pool *pool, const void *handle);
void wb_handle_destroy(struct wb_handle_pool *pool, void *object);
/* The live objects in the order of creation: pass NULL for the first; NULL after the last. */
void *wb_handle_next(const struct wb_handle_pool *pool, const void *object);
/* Frees the memory; every handle ever given out is nonsense from now on. */
void wb_handle_pool_finish(struct wb_handle_pool *pool);

#endif
