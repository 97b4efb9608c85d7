/* SPDX-License-Identifier: MIT
 * The environment of a program that is to find our libcudart.so.13: see wb_cudart_environment.
 */
#include <warpbook/cudart.h>

#include <stdlib.h>

/* "NAME=first:what the environment has". */
static const char *in_front(struct wb_arena *arena, const char *name, const char *first)
{
    const char *rest = getenv(name);
    bool more = rest && *rest;
    return wb_arena_printf(arena, "%s=%s%s%s", name, first, more ? ":" : "", more ? rest : "");
}

const char *const *wb_cudart_environment(struct wb_arena *arena,
                                         const struct wb_cudart_setup *setup)
{
    enum { MOST = 8 };
    const char **list = wb_arena_alloc(arena, MOST * sizeof *list);
    size_t n = 0;
    list[n++] = in_front(arena, "LD_LIBRARY_PATH", wb_path_folder(arena, setup->library));
    if (setup->preload) {
        list[n++] = in_front(arena, "LD_PRELOAD", setup->library);
    }
    list[n++] = wb_arena_printf(arena, "WARPBOOK_RUN_LOG=%s", setup->log);
    list[n++] = setup->trace ? "WARPBOOK_TRACE=1" : "WARPBOOK_TRACE";
    list[n++] = setup->guard ? "WARPBOOK_GUARD=1" : "WARPBOOK_GUARD";
    list[n++] =
        setup->watch ? wb_arena_printf(arena, "WARPBOOK_WATCH=%s", setup->watch) : "WARPBOOK_WATCH";
    if (setup->inject) {
        list[n++] = wb_arena_printf(arena, "WARPBOOK_INJECT=%s", setup->inject);
    }
    return list;
}
