/* SPDX-License-Identifier: MIT
 * What a compilation depends on, as one hash.
 */
#ifndef WB_BUILD_KEY_H
#define WB_BUILD_KEY_H

#include <warpbook/build.h>

struct wb_key {
    bool usable;  /* false: the source does something that a key cannot follow; do not cache */
    char hex[33]; /* names the cache entry */
};

/* Covers the source's path and bytes, every file that it includes by "name" (and those in turn),
 * the options, nvcc's version and the environment that nvcc reads. `options`: NULL-terminated. */
void wb_key_make(struct wb_key *out, struct wb_arena *arena, const char *path,
                 const struct wb_bytes *source, const char *const *options,
                 const struct wb_toolchain *toolchain);

#endif
