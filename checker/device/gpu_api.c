/* SPDX-License-Identifier: MIT
 * Opens libcuda and libcupti: see gpu_api.h. The symbol lists become tables of (name, place of the
 * pointer, needed), and one loop fills them.
 */
#include "gpu_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum need { OPTIONAL, REQUIRED };

struct symbol {
    const char *name;
    size_t offset; /* of the function pointer in its structure */
    enum need need;
};

static const struct symbol cuda_symbols[] = {
#define X(need, member, symbol, parameters) {#symbol, offsetof(struct wb_cuda, member), need},
    WB_CUDA_SYMBOLS(X)
#undef X
};

static const struct symbol cupti_symbols[] = {
#define X(need, member, symbol, parameters) {#symbol, offsetof(struct wb_cupti, member), need},
    WB_CUPTI_SYMBOLS(X)
#undef X
};

/* Fills the pointers. False if a required one is missing: then *missing names it. *optional counts
 * the optional ones that are missing. */
static bool resolve(void *functions, void *library, const struct symbol *symbols, size_t count,
                    const char **missing, size_t *optional)
{
    *missing = NULL;
    *optional = 0;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, symbols[i].name);
        if (!function && symbols[i].need == REQUIRED) {
            *missing = symbols[i].name;
            return false;
        }
        *optional += !function;
        memcpy((char *)functions + symbols[i].offset, &function, sizeof function);
    }
    return true;
}

bool wb_cuda_open(struct wb_cuda *cuda, struct wb_status *status)
{
    const char *missing;
    size_t optional;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return WB_FAIL(status, NO_DEVICE,
                       "There is no NVIDIA driver here (libcuda.so.1 cannot be opened). Install "
                       "the driver, start a container with --gpus all, or use --device sim.");
    }
    if (!resolve(cuda, library, cuda_symbols, WB_ARRAY_LENGTH(cuda_symbols), &missing, &optional)) {
        return WB_FAIL(status, NO_DEVICE,
                       "The NVIDIA driver is too old (it has no %s). Install a newer driver, or "
                       "use --device sim.",
                       missing);
    }
    return true;
}

/* ---- CUPTI -------------------------------------------------------------------------------- */

static const unsigned cupti_versions[] = {13, 12}; /* of the library, newest first */

/* Where it lies in a toolkit, or in NVIDIA's Python wheels (lib). */
static const char *const cupti_folders[] = {"lib64", "extras/CUPTI/lib64", "lib"};

static void *open_version(struct wb_cupti *cupti, const char *root, unsigned version)
{
    void *library = NULL;
    if (!root) {
        snprintf(cupti->path, sizeof cupti->path, "libcupti.so.%u", version);
        return dlopen(cupti->path, RTLD_NOW | RTLD_LOCAL);
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(cupti_folders) && !library; i++) {
        snprintf(cupti->path, sizeof cupti->path, "%s/%s/libcupti.so.%u", root, cupti_folders[i],
                 version);
        library = dlopen(cupti->path, RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

/* The newest version up to `newest` in any of the places, or NULL. */
static void *search(struct wb_cupti *cupti, const char *toolkit_root, unsigned newest)
{
    const char *const roots[] = {toolkit_root, getenv("CUDA_HOME"), "/usr/local/cuda", NULL};
    for (size_t v = 0; v < WB_ARRAY_LENGTH(cupti_versions); v++) {
        cupti->major = cupti_versions[v];
        for (size_t r = 0; cupti->major <= newest && r < WB_ARRAY_LENGTH(roots); r++) {
            bool loader = r == WB_ARRAY_LENGTH(roots) - 1;
            void *library = loader || roots[r] ? open_version(cupti, roots[r], cupti->major) : NULL;
            if (library) {
                return library;
            }
        }
    }
    return NULL;
}

static void *open_named(struct wb_cupti *cupti, const char *path)
{
    const char *version = strstr(wb_path_base(path), ".so.");
    snprintf(cupti->path, sizeof cupti->path, "%s", path);
    cupti->major = version ? (unsigned)strtoul(version + 4, NULL, 10) : 0;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool wb_cupti_open(struct wb_cupti *cupti, const char *toolkit_root, unsigned driver_major,
                   struct wb_status *status)
{
    const char *missing;
    size_t optional;
    const char *named = getenv("WARPBOOK_CUPTI");
    memset(cupti, 0, sizeof *cupti);
    void *library =
        named && *named ? open_named(cupti, named) : search(cupti, toolkit_root, driver_major);
    if (!library && named && *named) {
        return WB_FAIL(status, TOOL_MISSING,
                       "WARPBOOK_CUPTI names `%s`, which cannot be opened: %s.", named, dlerror());
    }
    if (!library && search(cupti, toolkit_root, UINT32_MAX)) {
        return WB_FAIL(status, TOOL_MISSING,
                       "The driver is too old for this CUPTI: %s needs a driver for CUDA %u, this "
                       "one is for CUDA %u. Install a newer driver, or the CUPTI of CUDA %u.",
                       cupti->path, cupti->major, driver_major, driver_major);
    }
    if (!library) {
        return WB_FAIL(status, TOOL_MISSING,
                       "CUPTI, which reads the counters, was not found: install it (cuda-cupti of "
                       "the CUDA toolkit) or set WARPBOOK_CUPTI to the path of libcupti.so.%u.",
                       cupti_versions[0]);
    }
    if (!resolve(cupti, library, cupti_symbols, WB_ARRAY_LENGTH(cupti_symbols), &missing,
                 &optional)) {
        return WB_FAIL(status, TOOL_MISSING,
                       "%s is too old: it has no %s. Install the CUPTI of CUDA 13.0.", cupti->path,
                       missing);
    }
    cupti->has_ranges = optional == 0;
    return true;
}
