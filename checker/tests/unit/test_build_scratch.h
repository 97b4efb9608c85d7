/* SPDX-License-Identifier: MIT
 * For the build layer's tests: an arena and a folder of their own for each test, and a compiler
 * made of a few shell lines. TMPDIR lies in that folder, and nothing may be left in it.
 */
#ifndef WB_TEST_BUILD_SCRATCH_H
#define WB_TEST_BUILD_SCRATCH_H

#include <warpbook/build.h>

#include "job.h"

extern struct wb_arena arena;
extern char *scratch; /* full path of the folder; also the working folder */

int scratch_set_up(void **state);
int scratch_tear_down(void **state);

/* Full path of a file in the folder, after writing `text` to it. */
char *scratch_write(const char *name, const char *text);
char *scratch_path(const char *name);
char *scratch_read(const char *path);
size_t scratch_count(const char *folder); /* files in a folder; 0 if there is none */

/* Writes the program "nvcc": a head that sets $out, $source and counts the calls, then `script`. */
struct wb_toolchain fake_nvcc(const char *script);
unsigned fake_calls(void);
/* A line for `script` that writes what passes for a cubin. */
#define FAKE_CUBIN "cp good.cubin \"$out\"\n"

/* Builds one source; fails the test if wb_build does. */
struct wb_build_result build_one(const struct wb_toolchain *toolchain, const char *source,
                                 const char *cache);
/* Expects wb_build to fail; the status is returned. */
struct wb_status build_fails(const struct wb_toolchain *toolchain, const char *source);
struct wb_limits short_limits(void); /* one second, one MiB, 64 KiB of output */

#endif
