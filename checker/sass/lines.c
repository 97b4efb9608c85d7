/* SPDX-License-Identifier: MIT
 * Runs the line programs of DWARF 2 to 4 (nvcc writes version 2; units of others are skipped, so
 * that their code has no lines). One sequence of rows describes one function; its address is
 * found through the relocation of the operand that sets it.
 *
 * NVIDIA's extended opcode 0x90 marks the rows that follow as inlined: it names the row of the
 * call (counted from 1 in the sequence; 0: not inlined). Code that comes from a CUDA header is
 * shown at the learner's line that called it: of the frames of a row we keep the innermost one
 * that lies in the same file as the outermost, which is the file of the kernel itself.
 */
#include "lines.h"
#include "bytes.h"

#include <stdlib.h>

enum { MAX_FILES = 4096, MAX_PATH = 4096 };

enum standard_opcode {
    COPY = 1,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC,
};

enum extended_opcode {
    END_SEQUENCE = 1,
    SET_ADDRESS = 2,
    INLINED_CALL = 0x90,
};

/* One row as the program emits it, with the place that we show for it. */
struct row {
    uint64_t pc;
    unsigned file, line;             /* where the code was written */
    unsigned shown_file, shown_line; /* where we say it is */
    unsigned outer_file;             /* of the outermost frame */
};

/* A row that we keep. */
struct kept {
    struct wb_kernel *kernel;
    size_t order; /* in which they came */
    struct wb_line_row row;
};

struct reader {
    struct wb_arena *arena;
    struct wb_status *status;
    struct wb_kernel *const *kernel_of_section;
    bool ptx;               /* rows of PTX lines: there are no files */
    const uint8_t *section; /* its first byte */
    const struct wb_elf_rela *relas;
    size_t rela_count;
    struct kept *kept; /* of all sequences */
    size_t kept_count, kept_capacity;

    /* the unit */
    unsigned version, min_length, line_range, opcode_base;
    int line_base;
    const uint8_t *opcode_lengths; /* of opcode 1 and up */
    const char **files;            /* number 1 is files[0] */
    size_t file_count;

    /* the sequence */
    struct wb_kernel *kernel; /* NULL: not one of ours */
    struct row *rows;
    size_t row_count, row_capacity;
    uint64_t pc;
    uint64_t file;
    uint32_t line; /* wraps */
    uint64_t call; /* number of the row of the call, 0: not inlined */
};

static bool fail_damaged(const struct reader *reader)
{
    return WB_FAIL(reader->status, BAD_INPUT,
                   "The file is damaged: its table of source lines makes no sense.");
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void keep_row(struct reader *reader, const struct row *row)
{
    reader->kept = wb_arena_grow(reader->arena, reader->kept, &reader->kept_capacity,
                                 reader->kept_count, sizeof *reader->kept);
    struct kept *kept = &reader->kept[reader->kept_count];
    kept->kernel = reader->kernel;
    kept->order = reader->kept_count++;
    kept->row.pc = (uint32_t)row->pc;
    kept->row.line = row->shown_line;
    kept->row.file = row->shown_line && !reader->ptx ? reader->files[row->shown_file - 1] : NULL;
}

/* A row for the state of the machine. Line 0 says that no source is known from here on. */
static bool emit_row(struct reader *reader)
{
    if (!reader->kernel) {
        return true;
    }
    if (reader->pc > reader->kernel->code_size || reader->call > reader->row_count ||
        (!reader->ptx && (reader->file < 1 || reader->file > reader->file_count))) {
        return fail_damaged(reader);
    }
    reader->rows = wb_arena_grow(reader->arena, reader->rows, &reader->row_capacity,
                                 reader->row_count, sizeof *reader->rows);
    const struct row *call = reader->call ? &reader->rows[reader->call - 1] : NULL;
    struct row *row = &reader->rows[reader->row_count++];
    row->pc = reader->pc;
    row->file = (unsigned)reader->file;
    row->line = reader->line;
    row->outer_file = call ? call->outer_file : row->file;
    bool own = !call || row->file == row->outer_file;
    row->shown_file = own ? row->file : call->shown_file;
    row->shown_line = own ? row->line : call->shown_line;
    keep_row(reader, row);
    return true;
}

/* By kernel and pc; of the same pc, ends of sequences first, then as they came. */
static int compare_kept(const void *left, const void *right)
{
    const struct kept *a = left, *b = right;
    if (a->kernel != b->kernel) {
        return a->kernel < b->kernel ? -1 : 1;
    }
    if (a->row.pc != b->row.pc) {
        return a->row.pc < b->row.pc ? -1 : 1;
    }
    if (!a->row.line != !b->row.line) {
        return a->row.line ? 1 : -1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

/* Gives the rows to their kernels: of those with the same pc the last one. */
static void share_rows(struct reader *reader)
{
    struct wb_line_row *rows = wb_arena_alloc(reader->arena, reader->kept_count * sizeof *rows);
    if (reader->kept_count) {
        qsort(reader->kept, reader->kept_count, sizeof *reader->kept, compare_kept);
    }
    for (size_t i = 0; i < reader->kept_count; i++) {
        struct wb_kernel *kernel = reader->kept[i].kernel;
        const struct wb_line_row *row = &reader->kept[i].row;
        if (row->pc >= kernel->code_size) {
            continue; /* the end */
        }
        struct wb_line_row **lines = reader->ptx ? &kernel->ptx_lines : &kernel->lines;
        size_t *count = reader->ptx ? &kernel->ptx_line_count : &kernel->line_count;
        if (!*lines) {
            *lines = rows;
        }
        if (*count && (*lines)[*count - 1].pc == row->pc) {
            --*count;
            rows--;
        }
        (*lines)[(*count)++] = *row;
        rows++;
    }
}

/* ---- the line program ---------------------------------------------------------------------- */

static int compare_relas(const void *left, const void *right)
{
    const struct wb_elf_rela *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static void start_sequence(struct reader *reader)
{
    reader->kernel = NULL;
    reader->row_count = 0;
    reader->pc = 0;
    reader->file = 1;
    reader->line = 1;
    reader->call = 0;
}

/* The operand at `slot` is the address of a function: its relocation tells which. */
static void set_address(struct reader *reader, const uint8_t *slot)
{
    struct wb_elf_rela key = {.offset = (uint64_t)(slot - reader->section)};
    const struct wb_elf_rela *rela =
        reader->rela_count
            ? bsearch(&key, reader->relas, reader->rela_count, sizeof key, compare_relas)
            : NULL;
    reader->kernel = NULL;
    reader->pc = 0;
    if (rela) {
        reader->kernel = reader->kernel_of_section[rela->symbol->section];
        reader->pc = rela->symbol->value + rela->addend;
    }
}

static bool run_extended(struct reader *reader, struct wb_cursor *program)
{
    uint64_t length = wb_cursor_leb(program, false);
    const uint8_t *start = wb_cursor_take(program, length);
    struct wb_cursor operand = wb_cursor(start, start ? length : 0);
    bool done = true;
    switch (wb_cursor_u8(&operand)) {
    case END_SEQUENCE:
        reader->call = 0;
        reader->line = 0;
        done = emit_row(reader);
        start_sequence(reader);
        break;
    case SET_ADDRESS:
        set_address(reader, operand.at);
        break;
    case INLINED_CALL:
        reader->call = wb_cursor_leb(&operand, false);
        break;
    default:
        break; /* skipped */
    }
    return done && operand.bad ? fail_damaged(reader) : done;
}

static void advance(struct reader *reader, uint64_t operations)
{
    reader->pc += operations * reader->min_length;
}

static bool run_special(struct reader *reader, unsigned opcode)
{
    unsigned step = opcode - reader->opcode_base;
    advance(reader, step / reader->line_range);
    reader->line += (uint32_t)(reader->line_base + (int)(step % reader->line_range));
    return emit_row(reader);
}

static bool run_standard(struct reader *reader, unsigned opcode, struct wb_cursor *program)
{
    switch (opcode) {
    case COPY:
        return emit_row(reader);
    case ADVANCE_PC:
        advance(reader, wb_cursor_leb(program, false));
        return true;
    case ADVANCE_LINE:
        reader->line += (uint32_t)wb_cursor_leb(program, true);
        return true;
    case SET_FILE:
        reader->file = wb_cursor_leb(program, false);
        return true;
    case CONST_ADD_PC:
        advance(reader, (255 - reader->opcode_base) / reader->line_range);
        return true;
    case FIXED_ADVANCE_PC:
        reader->pc += wb_cursor_u16(program);
        return true;
    default:
        for (unsigned i = reader->opcode_lengths[opcode - 1]; i > 0; i--) {
            wb_cursor_leb(program, false);
        }
        return true;
    }
}

static bool run_program(struct reader *reader, struct wb_cursor program)
{
    start_sequence(reader);
    while (wb_cursor_left(&program)) {
        unsigned opcode = wb_cursor_u8(&program);
        bool done = opcode == 0                     ? run_extended(reader, &program)
                    : opcode >= reader->opcode_base ? run_special(reader, opcode)
                                                    : run_standard(reader, opcode, &program);
        if (!done || program.bad) {
            return done ? fail_damaged(reader) : false;
        }
    }
    return true;
}

/* ---- the unit's header --------------------------------------------------------------------- */

/* A list of strings that ends with an empty one. */
static const char **read_strings(struct reader *reader, size_t *count, struct wb_cursor *header)
{
    const char **strings = NULL;
    size_t capacity = 0;
    const char *string;
    *count = 0;
    while ((string = wb_cursor_string(header)) && *string) {
        strings = wb_arena_grow(reader->arena, strings, &capacity, *count, sizeof *strings);
        strings[(*count)++] = string;
    }
    return strings;
}

static const char *join(struct reader *reader, const char *folder, const char *name)
{
    bool whole = !folder || name[0] == '/';
    if (strnlen(name, MAX_PATH) == MAX_PATH || (!whole && strnlen(folder, MAX_PATH) == MAX_PATH)) {
        return NULL;
    }
    return whole ? name : wb_path_join(reader->arena, folder, name);
}

static bool read_files(struct reader *reader, struct wb_cursor *header)
{
    size_t folder_count, capacity = 0;
    const char **folders = read_strings(reader, &folder_count, header);
    const char *name;
    reader->files = NULL;
    reader->file_count = 0;
    while ((name = wb_cursor_string(header)) && *name) {
        uint64_t folder = wb_cursor_leb(header, false);
        wb_cursor_leb(header, false); /* time */
        wb_cursor_leb(header, false); /* size */
        if (folder > folder_count || reader->file_count == MAX_FILES) {
            return fail_damaged(reader);
        }
        const char *path = join(reader, folder ? folders[folder - 1] : NULL, name);
        if (!path) {
            return fail_damaged(reader);
        }
        reader->files = wb_arena_grow(reader->arena, reader->files, &capacity, reader->file_count,
                                      sizeof *reader->files);
        reader->files[reader->file_count++] = path;
    }
    return true;
}

/* Reads a unit behind its length. */
static bool read_unit(struct reader *reader, struct wb_cursor unit)
{
    reader->version = wb_cursor_u16(&unit);
    if (!unit.bad && (reader->version < 2 || reader->version > 4)) {
        return true;
    }
    uint32_t header_size = wb_cursor_u32(&unit);
    const uint8_t *start = wb_cursor_take(&unit, header_size);
    struct wb_cursor header = wb_cursor(start, start ? header_size : 0);
    reader->min_length = wb_cursor_u8(&header);
    if (reader->version >= 4) {
        wb_cursor_u8(&header); /* operations in an instruction */
    }
    wb_cursor_u8(&header); /* whether rows begin statements */
    reader->line_base = (int8_t)wb_cursor_u8(&header);
    reader->line_range = wb_cursor_u8(&header);
    reader->opcode_base = wb_cursor_u8(&header);
    if (header.bad || reader->line_range == 0 || reader->opcode_base == 0) {
        return fail_damaged(reader);
    }
    reader->opcode_lengths = wb_cursor_take(&header, reader->opcode_base - 1);
    if (!read_files(reader, &header)) {
        return false;
    }
    return header.bad ? fail_damaged(reader) : run_program(reader, unit);
}

bool wb_lines_read(struct wb_kernel *const *kernel_of_section, bool ptx, struct wb_arena *arena,
                   const struct wb_elf_section *section, struct wb_elf_rela *relas,
                   size_t rela_count, struct wb_status *status)
{
    struct reader reader = {.arena = arena,
                            .status = status,
                            .kernel_of_section = kernel_of_section,
                            .ptx = ptx,
                            .section = section->data,
                            .relas = relas,
                            .rela_count = rela_count};
    struct wb_cursor cursor = wb_cursor(section->data, section->data ? section->size : 0);
    if (rela_count) {
        qsort(relas, rela_count, sizeof *relas, compare_relas);
    }
    while (wb_cursor_left(&cursor)) {
        uint32_t size = wb_cursor_u32(&cursor);
        const uint8_t *unit = wb_cursor_take(&cursor, size);
        if (!unit) {
            return fail_damaged(&reader);
        }
        if (!read_unit(&reader, wb_cursor(unit, size))) {
            return false;
        }
    }
    share_rows(&reader);
    return true;
}

/* The row that holds for `pc`, or NULL. */
static const struct wb_line_row *find_row(const struct wb_line_row *rows, size_t count,
                                          const struct wb_kernel *kernel, uint32_t pc)
{
    size_t low = 0, high = count; /* rows before low begin at or before pc */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].pc <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low && pc < kernel->code_size ? &rows[low - 1] : NULL;
}

bool wb_kernel_line(const char **file, unsigned *line, const struct wb_kernel *kernel, uint32_t pc)
{
    const struct wb_line_row *row = find_row(kernel->lines, kernel->line_count, kernel, pc);
    bool known = row && row->file;
    *file = known ? row->file : NULL;
    *line = known ? row->line : 0;
    return known;
}

unsigned wb_kernel_ptx_line(const struct wb_kernel *kernel, uint32_t pc)
{
    const struct wb_line_row *row = find_row(kernel->ptx_lines, kernel->ptx_line_count, kernel, pc);
    return row ? row->line : 0;
}
