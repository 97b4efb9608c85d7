/* SPDX-License-Identifier: MIT
 * The cache key: everything that decides what nvcc makes, hashed.
 */
#include "key.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_FORMAT = 2 };

/* Variables of the environment that change what nvcc makes and that it is left with. */
static const char *const variables[] = {"NVCC_CCBIN"};

/* Length first, so that no two different lists of parts give the same text. */
static void add_part(struct wb_str *text, const void *data, size_t size)
{
    wb_str_printf(text, "%zu:", size);
    wb_str_add_bytes(text, data, size);
}

static void add_string(struct wb_str *text, const char *string)
{
    add_part(text, string, strlen(string));
}

void wb_key_make(struct wb_key *out, struct wb_arena *arena, const struct wb_includes *sources,
                 const char *const *options, const struct wb_toolchain *toolchain)
{
    struct wb_str text;
    wb_str_init(&text, arena);
    wb_str_printf(&text, "warpbook-cubin %d ", KEY_FORMAT);
    add_string(&text, toolchain->version);
    for (; *options; options++) {
        add_string(&text, *options);
    }
    for (size_t i = 0; i < WB_ARRAY_LENGTH(variables); i++) {
        const char *value = getenv(variables[i]);
        add_string(&text, value ? value : "");
    }
    for (size_t i = 0; i < sources->count; i++) {
        add_string(&text, sources->files[i].path);
        add_part(&text, sources->files[i].text.data, sources->files[i].text.size);
    }
    out->usable = sources->complete;
    wb_hash_hex(out->hex, text.data, text.length);
}
