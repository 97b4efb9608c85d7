/* SPDX-License-Identifier: MIT
 * Finding nvcc: candidates in order of preference, the first that is new enough. To look in one
 * more place, add it in wb_toolchain_find and to the sentence below.
 */
#include <warpbook/build.h>
#include <warpbook/proc.h>

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OLDEST_MAJOR = 12, OLDEST_MINOR = 8 };

static const char looked_at[] = "WARPBOOK_NVCC, PATH, CUDA_HOME, /usr/local/cuda and .venv";

/* Where Python wheels put nvcc, below the source tree. */
static const char *const wheel_patterns[] = {
    ".venv/lib/python3*/site-packages/nvidia/cu*/bin/nvcc",
    ".venv/lib/python3*/site-packages/nvidia/cuda_nvcc/bin/nvcc",
};

struct search {
    struct wb_toolchain *out;
    struct wb_arena *arena;
    bool found;
    char *rejected; /* why the first candidate that exists was no good; NULL: none exists */
};

/* "Cuda compilation tools, release 13.0, V13.0.88" -> version; false: that is no nvcc. */
static bool parse_version(struct wb_toolchain *out, struct wb_arena *arena, const char *text)
{
    const char *mark = strstr(text, ", V");
    char version[32];
    if (!mark || sscanf(mark, ", V%31[0-9.]", version) != 1 ||
        sscanf(version, "%d.%d", &out->major, &out->minor) != 2) {
        return false;
    }
    out->version = wb_arena_strdup(arena, version);
    return true;
}

static bool ask_version(struct wb_toolchain *out, struct wb_arena *arena, const char *nvcc)
{
    const char *const argv[] = {nvcc, "--version", NULL};
    struct wb_proc_spec spec = {.argv = argv, .limits = {.wall_s = 20, .output = 4096}};
    struct wb_proc_result result;
    return wb_proc_run(&result, arena, &spec, NULL) && result.end == WB_PROC_EXITED &&
           result.exit_code == 0 && parse_version(out, arena, result.out);
}

/* The folder above bin/, links resolved: nvcc in PATH is often a link into the toolkit. */
static char *toolkit_root(struct wb_arena *arena, const char *nvcc)
{
    char *resolved = realpath(nvcc, NULL);
    char *root = wb_path_folder(arena, wb_path_folder(arena, resolved ? resolved : nvcc));
    free(resolved);
    return root;
}

static char *absolute(struct wb_arena *arena, const char *path)
{
    char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0);
    char *result = folder ? wb_path_join(arena, folder, path) : wb_arena_strdup(arena, path);
    free(folder);
    return result;
}

/* Takes `path` if it is an nvcc and new enough; remembers the first reason against one. */
static void consider(struct search *search, const char *path)
{
    char *program = search->found || !path ? NULL : wb_proc_which(search->arena, path);
    if (!program) {
        return;
    }
    struct wb_toolchain candidate = {.nvcc = absolute(search->arena, program)};
    char *reason = NULL;
    if (!ask_version(&candidate, search->arena, candidate.nvcc)) {
        reason = wb_arena_printf(search->arena, "%s does not say its version", candidate.nvcc);
    } else if (candidate.major < OLDEST_MAJOR ||
               (candidate.major == OLDEST_MAJOR && candidate.minor < OLDEST_MINOR)) {
        reason =
            wb_arena_printf(search->arena, "%s is version %s", candidate.nvcc, candidate.version);
    } else {
        candidate.root = toolkit_root(search->arena, candidate.nvcc);
        *search->out = candidate;
        search->found = true;
    }
    if (!search->rejected) {
        search->rejected = reason;
    }
}

static void consider_wheels(struct search *search, const char *tree)
{
    for (size_t i = 0; !search->found && i < WB_ARRAY_LENGTH(wheel_patterns); i++) {
        glob_t matches;
        if (glob(wb_path_join(search->arena, tree, wheel_patterns[i]), 0, NULL, &matches) == 0) {
            for (size_t k = matches.gl_pathc; k > 0; k--) { /* newest last by name */
                consider(search, matches.gl_pathv[k - 1]);
            }
            globfree(&matches);
        }
    }
}

static bool not_found(const struct search *search, struct wb_status *status)
{
    if (search->rejected) {
        return WB_FAIL(status, TOOL_MISSING,
                       "%s, but nvcc %d.%d or newer is needed. `sh setup.sh` installs one.",
                       search->rejected, OLDEST_MAJOR, OLDEST_MINOR);
    }
    return WB_FAIL(status, TOOL_MISSING,
                   "The CUDA compiler nvcc was not found (looked at %s). `sh setup.sh` installs "
                   "it, or set WARPBOOK_NVCC to its path.",
                   looked_at);
}

bool wb_toolchain_find(struct wb_toolchain *out, struct wb_arena *arena, const char *configured,
                       const char *tree, struct wb_status *status)
{
    struct search search = {.out = out, .arena = arena};
    const char *named = getenv("WARPBOOK_NVCC");
    if (named && named[0]) { /* a wish: nothing else will do */
        consider(&search, named);
        if (!search.found && !search.rejected) {
            return WB_FAIL(status, TOOL_MISSING,
                           "WARPBOOK_NVCC names %s, which is not a program. Correct or unset it.",
                           named);
        }
        return search.found || not_found(&search, status);
    }
    consider(&search, configured && configured[0] ? configured : NULL);
    consider(&search, wb_proc_which(arena, "nvcc"));
    const char *home = getenv("CUDA_HOME");
    consider(&search, home && home[0] ? wb_path_join(arena, home, "bin/nvcc") : NULL);
    consider(&search, "/usr/local/cuda/bin/nvcc");
    if (tree) {
        consider_wheels(&search, tree);
    }
    return search.found || not_found(&search, status);
}
