/* SPDX-License-Identifier: MIT
 * User objects: something of the program's, with a function that destroys it when the last
 * reference is gone. Graphs hold references; a clone holds as many as the graph it came from.
 */
#include "api.h"
#include "graph.h"
#include "handle.h"

struct wb_user_object {
    void *data;
    cudaHostFn_t destroy;
    unsigned references;
};

/* A graph's references to an object. */
struct wb_graph_object {
    struct wb_user_object *object;
    unsigned references;
    struct wb_graph_object *next;
};

static struct wb_handle_pool objects = {.object_size = sizeof(struct wb_user_object)};

void wb_user_objects_reset(void)
{
    wb_handle_pool_finish(&objects);
}

static void release(struct wb_user_object *object, unsigned count)
{
    object->references -= count;
    if (object->references == 0) {
        object->destroy(object->data);
        wb_handle_destroy(&objects, object);
    }
}

enum cudaError rt_cudaUserObjectCreate(cudaUserObject_t *out, void *data, cudaHostFn_t destroy,
                                       unsigned references, unsigned flags)
{
    if (!out || !destroy || references == 0 || references > INT32_MAX ||
        flags != cudaUserObjectNoDestructorSync) {
        return cudaErrorInvalidValue;
    }
    struct wb_user_object *object = wb_handle_create(&objects);
    if (!object) {
        return cudaErrorMemoryAllocation;
    }
    *object = (struct wb_user_object){data, destroy, references};
    *out = (cudaUserObject_t)object;
    return cudaSuccess;
}

enum cudaError rt_cudaUserObjectRetain(cudaUserObject_t handle, unsigned count)
{
    struct wb_user_object *object = wb_handle_get(&objects, handle);
    if (!object || count == 0 || count > INT32_MAX - object->references) {
        return cudaErrorInvalidValue;
    }
    object->references += count;
    return cudaSuccess;
}

enum cudaError rt_cudaUserObjectRelease(cudaUserObject_t handle, unsigned count)
{
    struct wb_user_object *object = wb_handle_get(&objects, handle);
    if (!object || count == 0 || count > object->references) {
        return cudaErrorInvalidValue;
    }
    release(object, count);
    return cudaSuccess;
}

/* ---- references of graphs -------------------------------------------------------------------- */

static struct wb_graph_object *find(struct wb_graph *graph, const struct wb_user_object *object)
{
    struct wb_graph_object *held = graph->objects;
    while (held && held->object != object) {
        held = held->next;
    }
    return held;
}

static void hold(struct wb_graph *graph, struct wb_user_object *object, unsigned count)
{
    struct wb_graph_object *held = find(graph, object);
    if (!held) {
        held = wb_arena_alloc(&graph->arena, sizeof *held);
        *held = (struct wb_graph_object){.object = object, .next = graph->objects};
        graph->objects = held;
    }
    held->references += count;
}

enum cudaError rt_cudaGraphRetainUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                            unsigned count, unsigned flags)
{
    struct wb_graph *graph = wb_graph_find(graph_handle);
    struct wb_user_object *object = wb_handle_get(&objects, handle);
    if (!graph || !object || count == 0 || flags & ~(unsigned)cudaGraphUserObjectMove) {
        return cudaErrorInvalidValue;
    }
    bool moved = flags & cudaGraphUserObjectMove;
    if (count > (moved ? object->references : INT32_MAX - object->references)) {
        return cudaErrorInvalidValue;
    }
    object->references += moved ? 0 : count;
    hold(graph, object, count);
    return cudaSuccess;
}

enum cudaError rt_cudaGraphReleaseUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                             unsigned count)
{
    struct wb_graph *graph = wb_graph_find(graph_handle);
    struct wb_user_object *object = wb_handle_get(&objects, handle);
    struct wb_graph_object *held = graph && object ? find(graph, object) : NULL;
    if (!held || count == 0 || count > held->references) {
        return cudaErrorInvalidValue;
    }
    held->references -= count;
    release(object, count);
    return cudaSuccess;
}

void wb_graph_drop_objects(struct wb_graph *graph)
{
    for (struct wb_graph_object *held = graph->objects; held; held = held->next) {
        if (held->references) {
            release(held->object, held->references);
        }
    }
    graph->objects = NULL;
}

void wb_graph_copy_objects(struct wb_graph *to, const struct wb_graph *from)
{
    for (const struct wb_graph_object *held = from->objects; held; held = held->next) {
        if (held->references) {
            held->object->references += held->references;
            hold(to, held->object, held->references);
        }
    }
}
