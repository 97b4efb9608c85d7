/* SPDX-License-Identifier: MIT
 * The one place that knows nvcc's command line.
 */
#include "compile.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 20, MAX_KIND_OPTIONS = 6, MAX_CUBIN_SIZE = 256 << 20 };

/* Options of each kind, besides those of all. A shared object keeps the places of its calls: debug
 * information, and no call that is turned into a jump. */
static const char *const options_of_kind[][MAX_KIND_OPTIONS] = {
    [WB_BUILD_CUBIN] = {"-cubin"},
    [WB_BUILD_SHARED] = {"-shared", "-cudart", "shared", "-g", "-Xcompiler",
                         "-fPIC,-fno-optimize-sibling-calls"},
};

const char *const *wb_compile_options(struct wb_arena *arena,
                                      const struct wb_build_request *request)
{
    const char *const common[] = {wb_arena_printf(arena, "-arch=%s", request->arch),
                                  "-lineinfo",
                                  "-O3",
                                  "-std=c++17",
                                  "-x",
                                  "cu"};
    const char *const *own = options_of_kind[request->kind];
    const char **options = wb_arena_alloc(arena, MAX_ARGUMENTS * sizeof *options);
    size_t n = 0;
    while (n < MAX_KIND_OPTIONS && own[n]) {
        options[n] = own[n];
        n++;
    }
    memcpy(options + n, common, sizeof common);
    return options;
}

/* Changes to the environment: English messages, and nothing that adds options, headers, programs
 * or outputs from outside, because a grade must not depend on it. */
static const char *const fixed_environment[] = {"LC_ALL=C",
                                                "NVCC_PREPEND_FLAGS",
                                                "NVCC_APPEND_FLAGS",
                                                "CUDAFE_FLAGS",
                                                "INCLUDES",
                                                "LIBRARIES",
                                                "CPATH",
                                                "C_INCLUDE_PATH",
                                                "CPLUS_INCLUDE_PATH",
                                                "OBJC_INCLUDE_PATH",
                                                "GCC_EXEC_PREFIX",
                                                "COMPILER_PATH",
                                                "DEPENDENCIES_OUTPUT",
                                                "SUNPRO_DEPENDENCIES"};

static const char *const *environment(struct wb_arena *arena, const char *temporary)
{
    enum { FIXED = WB_ARRAY_LENGTH(fixed_environment) };
    const char **list = wb_arena_alloc(arena, (FIXED + 3) * sizeof *list);
    memcpy(list, fixed_environment, sizeof fixed_environment);
    list[FIXED] = wb_arena_printf(arena, "TMPDIR=%s", temporary);
    list[FIXED + 1] = getenv("PATH") ? NULL : "PATH=/usr/local/bin:/usr/bin:/bin";
    return list;
}

bool wb_compile_start(struct wb_proc **out, struct wb_arena *arena,
                      const struct wb_toolchain *toolchain, const struct wb_source *source,
                      const char *const *options, const char *object, const char *temporary,
                      const struct wb_limits *limits, struct wb_status *status)
{
    const char *argv[MAX_ARGUMENTS] = {toolchain->nvcc};
    size_t n = 1;
    while (*options && n < MAX_ARGUMENTS - 4) {
        argv[n++] = *options++;
    }
    argv[n++] = "-o";
    argv[n++] = object;
    argv[n++] = source->path;
    struct wb_proc_spec spec = {
        .argv = argv, .env = environment(arena, temporary), .limits = *limits};
    return wb_proc_start(out, arena, &spec, status);
}

/* The table of sections is the last thing in a cubin, so a file that was cut short lacks it. */
static bool is_whole(const struct wb_bytes *cubin)
{
    Elf64_Ehdr head;
    if (cubin->size < sizeof head) {
        return false;
    }
    memcpy(&head, cubin->data, sizeof head);
    uint64_t sections = (uint64_t)head.e_shnum * head.e_shentsize;
    uint64_t segments = (uint64_t)head.e_phnum * head.e_phentsize;
    return memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_shoff <= cubin->size &&
           sections <= cubin->size - head.e_shoff && head.e_phoff <= cubin->size &&
           segments <= cubin->size - head.e_phoff;
}

bool wb_compile_read(struct wb_bytes *out, struct wb_arena *arena, const char *object,
                     const struct wb_toolchain *toolchain, struct wb_status *status)
{
    if (!wb_file_exists(object)) {
        return WB_FAIL(status, TOOL_MISSING,
                       "%s reported success but wrote no file. `sh setup.sh` installs an nvcc "
                       "that works.",
                       toolchain->nvcc);
    }
    if (!wb_file_read(out, arena, object, MAX_CUBIN_SIZE, status)) {
        return false;
    }
    return is_whole(out) || WB_FAIL(status, IO,
                                    "The file that %s wrote is damaged. Is the disk of the "
                                    "temporary folder (TMPDIR or /tmp) full?",
                                    toolchain->nvcc);
}
