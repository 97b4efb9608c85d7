/* SPDX-License-Identifier: MIT
 * From a return address to a line of the learner's file, by the object's debug information (libdw).
 */
#include "host.h"

#include <elfutils/libdw.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The compilation unit of an address. Where a compiler (clang) left out the table that tells, all
 * units are asked. */
static bool find_unit(Dwarf_Die *unit, Dwarf *debug, uint64_t address)
{
    Dwarf_CU *last = NULL;
    if (dwarf_addrdie(debug, address, unit)) {
        return true;
    }
    while (dwarf_get_units(debug, last, &last, NULL, NULL, unit, NULL) == 0) {
        if (dwarf_haspc(unit, address) == 1) {
            return true;
        }
    }
    return false;
}

/* The line of one address in the object if it belongs to the source, else 0. */
static unsigned line_of(Dwarf *debug, const char *source, uint64_t address)
{
    Dwarf_Die unit;
    int line = 0;
    if (!find_unit(&unit, debug, address)) {
        return 0;
    }
    Dwarf_Line *row = dwarf_getsrc_die(&unit, address);
    const char *file = row ? dwarf_linesrc(row, NULL, NULL) : NULL;
    if (!file || strcmp(wb_path_base(file), wb_path_base(source)) != 0 ||
        dwarf_lineno(row, &line) != 0) {
        return 0;
    }
    return line > 0 ? (unsigned)line : 0;
}

unsigned wb_host_line(const struct wb_host *host, const uint64_t *frames, size_t count,
                      uint64_t base, uint64_t end)
{
    int fd = open(host->object, O_RDONLY | O_CLOEXEC);
    Dwarf *debug = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    unsigned line = 0;
    for (size_t i = 0; debug && i < count && !line; i++) {
        if (frames[i] > base && frames[i] < end) {
            line = line_of(debug, host->source, frames[i] - base - 1);
        }
    }
    if (debug) {
        dwarf_end(debug);
    }
    if (fd >= 0) {
        close(fd);
    }
    return line;
}
