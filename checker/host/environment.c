/* SPDX-License-Identifier: MIT
 * The environment of a runner: which CUDA runtime it finds, what that logs, and which calls fail.
 * On the GPU it is NVIDIA's, which does neither: libwarpbook-trace.so stands before it.
 */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SETTINGS = 16 };

/* "NAME=first:second:what this process has", without the parts that are NULL or empty. */
static const char *path_setting(struct wb_arena *arena, const char *name, const char *first,
                                const char *second)
{
    const char *parts[] = {first, second, getenv(name)};
    struct wb_str text;
    const char *before = "";
    wb_str_init(&text, arena);
    wb_str_printf(&text, "%s=", name);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(parts); i++) {
        if (parts[i] && *parts[i]) {
            wb_str_printf(&text, "%s%s", before, parts[i]);
            before = ":";
        }
    }
    return text.data;
}

static const char *toolkit_folders(const struct wb_host *host)
{
    const char *root = host->toolkit_root ? host->toolkit_root : "/usr/local/cuda";
    return wb_arena_printf(host->arena, "%s/lib64:%s/lib", root, root);
}

static const char *const *on_gpu(const struct wb_host *host, const struct wb_host_call *call,
                                 const char *log)
{
    struct wb_arena *arena = host->arena;
    const char *inject = call->failing ? wb_arena_printf(arena, "WARPBOOK_INJECT=%s", call->failing)
                                       : "WARPBOOK_INJECT";
    const char *const list[] = {
        path_setting(arena, "LD_LIBRARY_PATH", toolkit_folders(host), NULL),
        path_setting(arena, "LD_PRELOAD", call->drop_launches ? host->drop : NULL, host->trace),
        wb_arena_printf(arena, "WARPBOOK_RUN_LOG=%s", log),
        "WARPBOOK_TRACE=1",
        inject,
        NULL,
    };
    return wb_arena_copy(arena, list, sizeof list);
}

static const char *const *on_sim(const struct wb_host *host, const struct wb_host_call *call,
                                 const char *log)
{
    struct wb_arena *arena = host->arena;
    const struct wb_cudart_setup setup = {
        .library = host->runtime, .log = log, .trace = true, .inject = call->failing};
    const char *const *base = wb_cudart_environment(arena, &setup);
    const char **list = wb_arena_alloc(arena, MAX_SETTINGS * sizeof *list);
    size_t n = 0;
    while (base[n] && n < MAX_SETTINGS - 2) {
        list[n] = base[n];
        n++;
    }
    if (call->drop_launches) {
        list[n++] = path_setting(arena, "LD_PRELOAD", host->drop, NULL);
    }
    return list;
}

const char *const *wb_host_environment(const struct wb_host *host, const struct wb_host_call *call,
                                       const char *log)
{
    return host->kind == WB_DEVICE_GPU ? on_gpu(host, call, log) : on_sim(host, call, log);
}
