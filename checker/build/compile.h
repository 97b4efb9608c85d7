/* SPDX-License-Identifier: MIT
 * One run of nvcc: its command line, its end, what it made.
 */
#ifndef WB_BUILD_COMPILE_H
#define WB_BUILD_COMPILE_H

#include "source.h"

#include <warpbook/build.h>
#include <warpbook/proc.h>

/* The options that decide what is made, NULL-terminated; part of the cache key. */
const char *const *wb_compile_options(struct wb_arena *arena,
                                      const struct wb_build_request *request);

/* Starts nvcc on a source; it will write `object`. Its other files go to `temporary`. */
bool wb_compile_start(struct wb_proc **out, struct wb_arena *arena,
                      const struct wb_toolchain *toolchain, const struct wb_source *source,
                      const char *const *options, const char *object, const char *temporary,
                      const struct wb_limits *limits, struct wb_status *status);

/* Reads what nvcc made and checks that it is a whole ELF file. */
bool wb_compile_read(struct wb_bytes *out, struct wb_arena *arena, const char *object,
                     const struct wb_toolchain *toolchain, struct wb_status *status);

#endif
