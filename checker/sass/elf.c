/* SPDX-License-Identifier: MIT
 * Reads ELF64 files of any origin. The contents of all sections together may be at most four times
 * as large as the file (from sm_100 on, sections share contents), so whoever walks over every
 * section once does work in proportion to the file's size, however damaged it is.
 */
#include "elf.h"
#include "bytes.h"

enum { HEADER_SIZE = 64, SECTION_SIZE = 64, SYMBOL_SIZE = 24 };
enum { REL_SIZE = 16, RELA_SIZE = 24 };
enum { MAX_SHARING = 4, FIRST_RESERVED_SECTION = 0xff00 };

struct string_table {
    const char *data;
    uint64_t size;
};

/* A name that is not inside the table is NULL. */
static const char *string_at(const struct string_table *table, uint32_t offset)
{
    return offset < table->size ? table->data + offset : NULL;
}

/* The strings of a section; the last of them must end. */
static bool string_table_init(struct string_table *table, const struct wb_elf_section *section,
                              struct wb_status *status)
{
    if (!section->data || section->size == 0 || section->data[section->size - 1] != 0) {
        return WB_FAIL(status, BAD_INPUT, "The file is damaged: a table of names has no end.");
    }
    table->data = (const char *)section->data;
    table->size = section->size;
    return true;
}

struct header {
    uint64_t sections_at;
    unsigned section_size, section_count, names_section;
};

static bool read_header(struct header *header, struct wb_elf *out, const uint8_t *data, size_t size,
                        struct wb_status *status)
{
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2 /* 64 bits */, 1 /* little endian */};
    if (size < HEADER_SIZE || memcmp(data, magic, sizeof magic) != 0) {
        return WB_FAIL(status, BAD_INPUT,
                       "This is not a cubin: it does not begin like a 64-bit ELF file.");
    }
    struct wb_cursor cursor = wb_cursor(data, HEADER_SIZE);
    wb_cursor_take(&cursor, 8);
    out->abi_version = wb_cursor_u8(&cursor);
    wb_cursor_take(&cursor, 7);
    out->type = wb_cursor_u16(&cursor);
    out->machine = wb_cursor_u16(&cursor);
    wb_cursor_take(&cursor, 4 + 8 + 8); /* version, entry point, program headers */
    header->sections_at = wb_cursor_u64(&cursor);
    out->flags = wb_cursor_u32(&cursor);
    wb_cursor_take(&cursor, 2 + 2 + 2); /* sizes and count of other headers */
    header->section_size = wb_cursor_u16(&cursor);
    header->section_count = wb_cursor_u16(&cursor);
    header->names_section = wb_cursor_u16(&cursor);
    if (header->section_size != SECTION_SIZE || header->names_section >= header->section_count ||
        header->sections_at > size ||
        header->section_count > (size - header->sections_at) / SECTION_SIZE) {
        return WB_FAIL(status, BAD_INPUT,
                       "The file is damaged or cut off: its section headers are not in it.");
    }
    return true;
}

static bool read_sections(struct wb_elf *out, struct wb_arena *arena, const struct header *header,
                          const uint8_t *data, size_t size, struct wb_status *status)
{
    struct wb_cursor cursor =
        wb_cursor(data + header->sections_at, (size_t)header->section_count * SECTION_SIZE);
    uint32_t *names = wb_arena_alloc(arena, header->section_count * sizeof *names);
    uint64_t room = (uint64_t)size * MAX_SHARING;
    out->section_count = header->section_count;
    out->sections = wb_arena_alloc(arena, out->section_count * sizeof *out->sections);
    for (size_t i = 0; i < out->section_count; i++) {
        struct wb_elf_section *section = &out->sections[i];
        names[i] = wb_cursor_u32(&cursor);
        section->type = wb_cursor_u32(&cursor);
        wb_cursor_take(&cursor, 8 + 8); /* flags, address */
        uint64_t offset = wb_cursor_u64(&cursor);
        section->size = wb_cursor_u64(&cursor);
        section->link = wb_cursor_u32(&cursor);
        section->info = wb_cursor_u32(&cursor);
        section->alignment = wb_cursor_u64(&cursor);
        wb_cursor_take(&cursor, 8); /* entry size */
        if (section->type == WB_ELF_NOBITS || section->size == 0) {
            continue;
        }
        if (offset > size || section->size > size - offset || section->size > room) {
            return WB_FAIL(status, BAD_INPUT,
                           "The file is damaged or cut off: section %zu is not in it.", i);
        }
        room -= section->size;
        section->data = data + offset;
    }
    struct string_table table = {0};
    if (!string_table_init(&table, &out->sections[header->names_section], status)) {
        return false;
    }
    for (size_t i = 0; i < out->section_count; i++) {
        out->sections[i].name = string_at(&table, names[i]);
        if (!out->sections[i].name) {
            return WB_FAIL(status, BAD_INPUT, "The file is damaged: section %zu has no name.", i);
        }
    }
    return true;
}

static bool read_symbol(struct wb_elf_symbol *symbol, struct wb_cursor *cursor,
                        const struct wb_elf *elf, const struct string_table *names)
{
    uint32_t name = wb_cursor_u32(cursor);
    symbol->type = wb_cursor_u8(cursor) & 0xf;
    symbol->other = wb_cursor_u8(cursor);
    symbol->section = wb_cursor_u16(cursor);
    symbol->value = wb_cursor_u64(cursor);
    symbol->size = wb_cursor_u64(cursor);
    symbol->name = string_at(names, name);
    if (symbol->section >= FIRST_RESERVED_SECTION) {
        symbol->section = 0;
    }
    return symbol->name && symbol->section < elf->section_count;
}

static bool read_symbols(struct wb_elf *out, struct wb_arena *arena, struct wb_status *status)
{
    const struct wb_elf_section *section = NULL;
    for (size_t i = 0; i < out->section_count && !section; i++) {
        if (out->sections[i].type == WB_ELF_SYMBOLS) {
            section = &out->sections[i];
        }
    }
    if (!section) {
        return WB_FAIL(status, BAD_INPUT, "The file is damaged: it has no table of symbols.");
    }
    struct string_table names = {0};
    if (section->size % SYMBOL_SIZE || section->link >= out->section_count) {
        return WB_FAIL(status, BAD_INPUT, "The file is damaged: its table of symbols is cut off.");
    }
    if (!string_table_init(&names, &out->sections[section->link], status)) {
        return false;
    }
    struct wb_cursor cursor = wb_cursor(section->data, section->size);
    out->symbol_count = section->data ? section->size / SYMBOL_SIZE : 0;
    out->symbols = wb_arena_alloc(arena, out->symbol_count * sizeof *out->symbols);
    for (size_t i = 0; i < out->symbol_count; i++) {
        if (!read_symbol(&out->symbols[i], &cursor, out, &names)) {
            return WB_FAIL(status, BAD_INPUT,
                           "The file is damaged: symbol %zu has no name or no section.", i);
        }
    }
    return true;
}

bool wb_elf_read(struct wb_elf *out, struct wb_arena *arena, const void *data, size_t size,
                 struct wb_status *status)
{
    struct header header = {0};
    *out = (struct wb_elf){0};
    return read_header(&header, out, data, size, status) &&
           read_sections(out, arena, &header, data, size, status) &&
           read_symbols(out, arena, status);
}

/* Entries of REL have no addend: it lies in the slot itself. */
static uint64_t read_slot(const struct wb_elf_section *target, uint64_t offset)
{
    struct wb_cursor cursor = wb_cursor(target->data, target->data ? target->size : 0);
    wb_cursor_take(&cursor, offset);
    return wb_cursor_u64(&cursor);
}

bool wb_elf_read_relas(struct wb_elf_rela **out, size_t *count, struct wb_arena *arena,
                       const struct wb_elf *elf, const struct wb_elf_section *section,
                       struct wb_status *status)
{
    bool has_addend = section->type == WB_ELF_RELA;
    size_t entry_size = has_addend ? RELA_SIZE : REL_SIZE;
    if (section->size % entry_size || section->info >= elf->section_count) {
        return WB_FAIL(status, BAD_INPUT, "The file is damaged: %s is cut off.", section->name);
    }
    struct wb_cursor cursor = wb_cursor(section->data, section->size);
    *count = section->data ? section->size / entry_size : 0;
    *out = wb_arena_alloc(arena, *count * sizeof **out);
    for (size_t i = 0; i < *count; i++) {
        struct wb_elf_rela *rela = &(*out)[i];
        rela->offset = wb_cursor_u64(&cursor);
        rela->type = wb_cursor_u32(&cursor);
        uint32_t symbol = wb_cursor_u32(&cursor);
        rela->addend = has_addend ? wb_cursor_u64(&cursor)
                                  : read_slot(&elf->sections[section->info], rela->offset);
        if (symbol >= elf->symbol_count) {
            return WB_FAIL(status, BAD_INPUT,
                           "The file is damaged: relocation %zu of %s has no symbol.", i,
                           section->name);
        }
        rela->symbol = &elf->symbols[symbol];
    }
    return true;
}
