/* SPDX-License-Identifier: MIT
 * See symbol_misuse.h. A new kind of misuse is a row of `texts`.
 */
#include "symbol_misuse.h"

#include "binary.h"
#include "demangle.h"
#include "log.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum misuse { COPY_TO, COPY_FROM, QUOTED, POINTER };

/* What stands around the variable's name. */
static const struct {
    const char *before, *after, *advice_before, *advice_after;
} texts[] = {
    [COPY_TO] = {"`", "` is a variable on the device; its name in host code is no pointer to it",
                 "Copy to the variable with cudaMemcpyToSymbol(", ", ...)."},
    [COPY_FROM] = {"`", "` is a variable on the device; its name in host code is no pointer to it",
                   "Copy from the variable with cudaMemcpyFromSymbol(..., ", ", ...)."},
    [QUOTED] = {"the text \"", "\" is no symbol; the variable itself is meant", "Write ",
                " without the quotes."},
    [POINTER] = {"a pointer to `", "` is no symbol; the variable itself is meant", "Write ",
                 " alone, without & and without a pointer."},
};

static void find(enum misuse misuse, const struct wb_symbol *symbol)
{
    char advice[300];
    char *name = wb_demangle_short(symbol->name);
    if (name) {
        snprintf(advice, sizeof advice, "%s%s%s", texts[misuse].advice_before, name,
                 texts[misuse].advice_after);
        wb_log_finding(WB_REASON_COPY_KIND, NULL, advice, "%s%s%s", texts[misuse].before, name,
                       texts[misuse].after);
    }
    free(name);
}

/* The variable whose stand-in lies at this address of the host. */
static const struct wb_symbol *stand_in(uint64_t address)
{
    const struct wb_symbol *s = wb_symbol_next(NULL);
    while (s && !(s->host && address - (uintptr_t)s->host < s->size)) {
        s = wb_symbol_next(s);
    }
    return s;
}

bool wb_symbol_misuse_copy(const struct wb_op_copy *copy)
{
    const struct wb_symbol *to = stand_in(copy->to.address);
    const struct wb_symbol *from = to ? NULL : stand_in(copy->from.address);
    if (to || from) {
        find(to ? COPY_TO : COPY_FROM, to ? to : from);
    }
    return to || from;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* A symbol may be any address. Those that C++ makes of `"weights"` and `&weights` lie in a loaded
 * file or on the caller's stack; no other is looked at. */
static bool may_be_read(const void *address)
{
    const uintptr_t reach = 64 * 1024, here = (uintptr_t)__builtin_frame_address(0);
    Dl_info file;
    return (uintptr_t)address - here < reach || dladdr(address, &file) != 0;
}

static bool is_named(const struct wb_symbol *symbol, const char *text)
{
    char *name = wb_demangle_short(symbol->name);
    bool same = name && strcmp(name, text) == 0;
    free(name);
    return same;
}

void wb_symbol_misuse_argument(const void *symbol)
{
    uintptr_t pointer;
    if (!may_be_read(symbol)) {
        return;
    }
    for (const struct wb_symbol *s = wb_symbol_next(NULL); s; s = wb_symbol_next(s)) {
        if (is_named(s, symbol)) {
            find(QUOTED, s);
            return;
        }
    }
    memcpy(&pointer, symbol, sizeof pointer);
    const struct wb_symbol *meant = stand_in(pointer);
    if (meant) {
        find(POINTER, meant);
    }
}
