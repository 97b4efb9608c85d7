/* SPDX-License-Identifier: MIT
 * See place.h. Three steps: line table, call sites of what was inlined there, symbol table. A place
 * in CUDA's own headers is nobody's code; the next one outwards is taken instead.
 */
#include "place.h"

#include "demangle.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <execinfo.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is nobody's code ----------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_cuda_header(const char *file)
{
    static const char *const headers[] = {"cuda_runtime.h", "cuda_runtime_api.h", "host_runtime.h",
                                          "cuda_device_runtime_api.h"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        if (strcmp(base_name(file), headers[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The C++ overloads of CUDA's headers by their mangled names: _Z10cudaMallocIfE..., and what nvcc
 * puts around a launch. */
static bool is_cuda_wrapper(const char *symbol)
{
    if (strncmp(symbol, "_ZL", 3) == 0 || strncmp(symbol, "_Z", 2) == 0) {
        const char *name = symbol + (symbol[2] == 'L' ? 3 : 2);
        size_t digits = strspn(name, "0123456789");
        name += digits;
        return digits > 0 && (strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0 ||
                              strncmp(name, "__device_stub_", 14) == 0);
    }
    return false;
}

/* ---- debug information --------------------------------------------------------------------- */

/* Separate debug files are not looked for: that may ask servers in the network. */
static int no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                         const char *path, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)path, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

static Dwfl *report_modules(Dwfl *dwfl)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = no_debug_file};
    bool fresh = !dwfl;
    if (fresh) {
        dwfl = dwfl_begin(&callbacks);
    } else {
        dwfl_report_begin_add(dwfl);
    }
    if (dwfl &&
        (dwfl_linux_proc_report(dwfl, getpid()) != 0 || dwfl_report_end(dwfl, NULL, NULL) != 0) &&
        fresh) {
        dwfl_end(dwfl);
        dwfl = NULL;
    }
    return dwfl;
}

/* The module of an address; libraries that were opened meanwhile are found the second time. */
static Dwfl_Module *module_of(Dwarf_Addr address)
{
    static Dwfl *dwfl;
    if (!dwfl) {
        dwfl = report_modules(NULL);
    }
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, address) : NULL;
    if (!module && dwfl) {
        dwfl = report_modules(dwfl);
        module = dwfl ? dwfl_addrmodule(dwfl, address) : NULL;
    }
    return module;
}

/* Takes the place unless it lies in CUDA's headers or nowhere. */
static bool take(struct wb_place *place, const char *file, int line)
{
    if (!file || line <= 0) {
        return false;
    }
    place->wrapper = is_cuda_header(file);
    if (!place->wrapper) {
        place->file = strdup(file);
        place->line = (unsigned)line;
    }
    return !place->wrapper;
}

/* Where the function that this scope was inlined from is called. */
static bool take_call_site(struct wb_place *place, Dwarf_Die *scope, Dwarf_Files *files)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_tag(scope) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) != 0) {
        return false;
    }
    return take(place, dwarf_filesrc(files, file, NULL, NULL), (int)line);
}

/* The compilation unit that an address belongs to. Where a compiler (clang) left out the table that
 * tells, all units are asked. */
static Dwarf_Die *unit_of(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit) {
        return unit;
    }
    while ((unit = dwfl_module_nextcu(module, unit, bias)) != NULL &&
           dwarf_haspc(unit, address - *bias) != 1) {
    }
    return unit;
}

static void take_line(struct wb_place *place, Dwfl_Module *module, Dwarf_Addr address)
{
    int line = 0;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = unit_of(module, address, &bias), *scopes = NULL;
    Dwarf_Line *row = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
    const char *file = row && dwarf_lineno(row, &line) == 0 ? dwarf_linesrc(row, NULL, NULL) : NULL;
    Dwarf_Files *files;
    size_t file_count;
    if (take(place, file, line) || !place->wrapper) {
        return;
    }
    int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    if (count > 0 && dwarf_getsrcfiles(unit, &files, &file_count) == 0) {
        for (int i = 0; i < count && !take_call_site(place, &scopes[i], files); i++) {
        }
    }
    free(scopes);
}

static void take_symbol(struct wb_place *place, Dwfl_Module *module, Dwarf_Addr address)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    Dwarf_Addr start = 0;
    const char *path = NULL;
    const char *name = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, &path, NULL);
    place->module = strdup(base_name(path ? path : name ? name : "?"));
    name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (name) {
        place->function = wb_demangle_short(name);
        place->offset = offset;
        place->wrapper = place->wrapper || (!place->file && is_cuda_wrapper(name));
    } else {
        place->offset = address - start;
    }
}

/* ---- the table of answers ------------------------------------------------------------------ */

struct answer {
    uintptr_t address; /* first: the key */
    struct wb_place place;
};

static int by_address(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static struct wb_place *look_up(uintptr_t from)
{
    static void *table;
    static struct wb_place nowhere;
    struct answer key = {.address = from};
    struct answer **found = tfind(&key, &table, by_address);
    if (found) {
        return &(*found)->place;
    }
    struct answer *answer = calloc(1, sizeof *answer);
    if (!answer) {
        return &nowhere;
    }
    answer->address = from;
    Dwarf_Addr address = from - 1; /* in the call instruction, not behind it */
    Dwfl_Module *module = from ? module_of(address) : NULL;
    if (module) {
        take_line(&answer->place, module, address);
        take_symbol(&answer->place, module, address);
    }
    tsearch(answer, &table, by_address);
    return &answer->place;
}

/* The first frame beyond the wrapper that returns to `from`. */
static struct wb_place *beyond_wrappers(uintptr_t from, struct wb_place *wrapper)
{
    enum { FRAMES = 32 };
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES), i = 0;
    while (i < count && (uintptr_t)frames[i] != from) {
        i++;
    }
    for (i++; i < count; i++) {
        struct wb_place *place = look_up((uintptr_t)frames[i]);
        if (!place->wrapper) {
            return place;
        }
    }
    return wrapper;
}

const struct wb_place *wb_place_of(const void *from)
{
    struct wb_place *place = look_up((uintptr_t)from);
    return place->wrapper ? beyond_wrappers((uintptr_t)from, place) : place;
}

const char *wb_place_text(char *text, size_t size, const struct wb_place *place)
{
    if (place->file) {
        snprintf(text, size, "%s:%u", place->file, place->line);
    } else if (place->function) {
        snprintf(text, size, "%s+0x%lx in %s", place->function, place->offset, place->module);
    } else if (place->module) {
        snprintf(text, size, "%s+0x%lx", place->module, place->offset);
    } else {
        snprintf(text, size, "an unknown place");
    }
    return text;
}
