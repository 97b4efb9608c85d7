/* SPDX-License-Identifier: MIT
 * What a compilation depends on, as one hash.
 */
#ifndef WB_BUILD_KEY_H
#define WB_BUILD_KEY_H

#include "includes.h"

#include <warpbook/build.h>

struct wb_key {
    bool usable;  /* false: files may be read that are not in it; do not cache */
    char hex[33]; /* names the cache entry */
};

/* Covers paths and bytes of the source and of what it includes, the options (NULL-terminated),
 * nvcc's version and the environment that nvcc reads. */
void wb_key_make(struct wb_key *out, struct wb_arena *arena, const struct wb_includes *sources,
                 const char *const *options, const struct wb_toolchain *toolchain);

#endif
