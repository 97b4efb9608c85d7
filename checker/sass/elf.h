/* SPDX-License-Identifier: MIT
 * The part of ELF64 that a cubin uses: sections, symbols, relocations. Everything in a struct
 * wb_elf has been checked: names end, contents lie inside the file, indices exist.
 */
#ifndef WB_SASS_ELF_H
#define WB_SASS_ELF_H

#include <warpbook/base.h>

enum wb_elf_section_type {
    WB_ELF_SYMBOLS = 2,
    WB_ELF_RELA = 4,
    WB_ELF_NOBITS = 8,
    WB_ELF_REL = 9,
};

enum wb_elf_symbol_type {
    WB_ELF_OBJECT = 1,
    WB_ELF_FUNCTION = 2,
    WB_ELF_SECTION = 3,
};

struct wb_elf_section {
    const char *name;
    uint32_t type, link, info;
    const uint8_t *data; /* NULL for NOBITS */
    uint64_t size, alignment;
};

struct wb_elf_symbol {
    const char *name;
    unsigned type, other;
    unsigned section; /* its number, 0: undefined or in none */
    uint64_t value;   /* offset in the section */
    uint64_t size;
};

struct wb_elf_rela {
    uint64_t offset; /* of the slot, in the section that is patched */
    uint32_t type;
    const struct wb_elf_symbol *symbol;
    uint64_t addend; /* two's complement */
};

struct wb_elf {
    unsigned type, machine, abi_version;
    uint32_t flags;
    struct wb_elf_section *sections;
    size_t section_count;
    struct wb_elf_symbol *symbols;
    size_t symbol_count;
};

/* BAD_INPUT with a sentence for anything but a sound file. Points into `data`. */
bool wb_elf_read(struct wb_elf *out, struct wb_arena *arena, const void *data, size_t size,
                 struct wb_status *status);

/* The entries of a section of type WB_ELF_RELA or WB_ELF_REL; they patch section->info, which
 * exists. */
bool wb_elf_read_relas(struct wb_elf_rela **out, size_t *count, struct wb_arena *arena,
                       const struct wb_elf *elf, const struct wb_elf_section *section,
                       struct wb_status *status);

#endif
