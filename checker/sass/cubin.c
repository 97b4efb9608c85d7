/* SPDX-License-Identifier: MIT
 * Reads a cubin: finds its kernels, then walks once over the sections and hands each to the
 * function that section_rules names for it. To read another kind of section, add a row there.
 */
#include <warpbook/sass.h>

#include "bytes.h"
#include "elf.h"
#include "lines.h"
#include "link.h"
#include "nvinfo.h"

#include <inttypes.h>

enum {
    MACHINE_CUDA = 190,
    TYPE_LINKED = 2, /* ET_EXEC */
    INSTRUCTION_SIZE = 16,
    BANK_COUNT = 8,
    CONSTANT_BANK = 3, /* of __constant__ variables */
    MAX_BANK_SIZE = 64 * 1024,
    RESERVED_SHARED = 0x400, /* at the start of shared memory, from sm_90 on */
    MAX_SHARED = 1024 * 1024,
    ADDRESS_64 = 2,         /* types of relocations: the address of a symbol */
    GENERIC_ADDRESS_64 = 4, /* the same, in the generic window */
    SLOT_SIZE = 8,
    GLOBAL = -1, /* for the bank number: global memory */
    NO_BANK = -2,
};
#define MAX_GLOBAL_SIZE (UINT64_C(1) << 40)

struct reader {
    struct wb_elf elf;
    struct wb_cubin *cubin;
    struct wb_arena *arena;
    struct wb_status *status;
    struct wb_kernel **kernel_of_section; /* NULL: the section is no code of a kernel */
    struct wb_const_bank module_bank[BANK_COUNT];
    const struct wb_elf_section *global_init, *global_zero; /* NULL: none */
    uint64_t global_zero_at; /* where global_zero begins in the global image */
    size_t relocation_capacity;
    struct wb_link_rela *link_relas; /* of instructions */
    size_t link_count, link_capacity;
    bool has_lines[2]; /* of the source, of PTX */
};

static bool fail_section(const struct reader *reader, const struct wb_elf_section *section)
{
    return WB_FAIL(reader->status, BAD_INPUT, "The file is damaged: section %s makes no sense.",
                   section->name);
}

/* ---- what kind of file --------------------------------------------------------------------- */

static bool check_kind(struct reader *reader)
{
    const struct wb_elf *elf = &reader->elf;
    if (elf->machine != MACHINE_CUDA) {
        return WB_FAIL(reader->status, BAD_INPUT,
                       "This ELF file is not a cubin: its machine is %u, not %d (CUDA).",
                       elf->machine, MACHINE_CUDA);
    }
    if (elf->type != TYPE_LINKED) {
        return WB_FAIL(reader->status, BAD_INPUT,
                       "This cubin is not linked yet. Compile it without -dc and -rdc=true.");
    }
    enum { FIRST_ABI_WITH_WIDE_ARCH = 8 };
    reader->cubin->arch =
        elf->abi_version >= FIRST_ABI_WITH_WIDE_ARCH ? elf->flags >> 8 & 0xff : elf->flags & 0xff;
    return true;
}

/* The embedded device would run a file wrongly if it left something out; others only read it. */
static bool must_understand(const struct reader *reader)
{
    return reader->cubin->arch == 90;
}

/* ---- kernels ------------------------------------------------------------------------------- */

static bool add_kernel(struct reader *reader, const struct wb_elf_symbol *symbol)
{
    const struct wb_elf_section *section = &reader->elf.sections[symbol->section];
    if (reader->kernel_of_section[symbol->section] || symbol->value != 0 || !section->data ||
        section->size % INSTRUCTION_SIZE || section->size > UINT32_MAX) {
        return fail_section(reader, section);
    }
    struct wb_kernel *kernel = &reader->cubin->kernels[reader->cubin->kernel_count++];
    kernel->name = symbol->name;
    kernel->code = section->data;
    kernel->code_size = section->size;
    kernel->cubin = reader->cubin;
    reader->kernel_of_section[symbol->section] = kernel;
    return true;
}

static bool find_kernels(struct reader *reader)
{
    const struct wb_elf *elf = &reader->elf;
    size_t count = 0;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        count += wb_nvinfo_is_entry(&elf->symbols[i]);
    }
    reader->cubin->kernels = wb_arena_alloc(reader->arena, count * sizeof(struct wb_kernel));
    reader->kernel_of_section =
        wb_arena_alloc(reader->arena, elf->section_count * sizeof *reader->kernel_of_section);
    for (size_t i = 0; i < elf->symbol_count; i++) {
        if (wb_nvinfo_is_entry(&elf->symbols[i]) && !add_kernel(reader, &elf->symbols[i])) {
            return false;
        }
    }
    return true;
}

/* ---- sections ------------------------------------------------------------------------------ */

/* The kernel that a section .SOMETHING.NAME belongs to, or NULL. */
static struct wb_kernel *owner(const struct reader *reader, const struct wb_elf_section *section)
{
    return section->info < reader->elf.section_count ? reader->kernel_of_section[section->info]
                                                     : NULL;
}

static bool take_module_info(struct reader *reader, const struct wb_elf_section *section)
{
    return wb_nvinfo_read_module(reader->kernel_of_section, &reader->elf, section, reader->status);
}

static bool take_kernel_info(struct reader *reader, const struct wb_elf_section *section)
{
    struct wb_kernel *kernel = owner(reader, section);
    return !kernel || wb_nvinfo_read_kernel(kernel, reader->arena, section, reader->status);
}

/* The bank of a section .nv.constantN, or NO_BANK. */
static int bank_of(const struct wb_elf_section *section)
{
    static const char prefix[] = ".nv.constant";
    if (!wb_starts_with(section->name, prefix)) {
        return NO_BANK;
    }
    char digit = section->name[sizeof prefix - 1];
    return digit >= '0' && digit < '0' + BANK_COUNT ? digit - '0' : NO_BANK;
}

static bool is_module_bank(const struct wb_elf_section *section)
{
    return bank_of(section) != NO_BANK && strlen(section->name) == sizeof ".nv.constantN" - 1;
}

static bool take_constants(struct reader *reader, const struct wb_elf_section *section)
{
    int bank = bank_of(section);
    if (bank == NO_BANK || section->size > MAX_BANK_SIZE || (section->size && !section->data)) {
        return fail_section(reader, section);
    }
    struct wb_kernel *kernel = owner(reader, section);
    struct wb_const_bank *image = is_module_bank(section) ? &reader->module_bank[bank]
                                  : kernel                ? &kernel->bank[bank]
                                                          : NULL;
    if (image && image->data) { /* there can be only one: variables lie in it */
        return fail_section(reader, section);
    }
    if (image) {
        *image = (struct wb_const_bank){.data = section->data, .size = section->size};
    }
    return true;
}

static bool take_shared(struct reader *reader, const struct wb_elf_section *section)
{
    struct wb_kernel *kernel = owner(reader, section);
    uint64_t reserved = reader->cubin->arch >= 90 ? RESERVED_SHARED : 0;
    if (section->size > MAX_SHARED) {
        return fail_section(reader, section);
    }
    if (kernel && section->size > reserved) {
        kernel->static_shared = (unsigned)(section->size - reserved);
    }
    return true;
}

/* The text may lack its last NUL: then its last line is not used. */
static bool take_ptx(struct reader *reader, const struct wb_elf_section *section)
{
    reader->cubin->ptx = (const char *)section->data;
    reader->cubin->ptx_size = section->data ? section->size : 0;
    return true;
}

static bool take_global_init(struct reader *reader, const struct wb_elf_section *section)
{
    reader->global_init = section;
    return section->size == 0 || section->data ? true : fail_section(reader, section);
}

static bool take_global_zero(struct reader *reader, const struct wb_elf_section *section)
{
    bool sound = section->size <= MAX_GLOBAL_SIZE && section->alignment <= MAX_BANK_SIZE &&
                 (section->alignment & (section->alignment - 1)) == 0;
    reader->global_zero = section;
    return sound ? true : fail_section(reader, section);
}

static const struct section_rule {
    const char *name;
    bool is_prefix;
    bool (*take)(struct reader *reader, const struct wb_elf_section *section);
} section_rules[] = {
    {".nv.info", false, take_module_info},   {".nv.info.", true, take_kernel_info},
    {".nv.constant", true, take_constants},  {".nv.shared.reserved.", true, NULL},
    {".nv.shared.", true, take_shared},      {".nv.global.init", false, take_global_init},
    {".nv.global", false, take_global_zero}, {".nv_debug_ptx_txt", false, take_ptx},
};

static const struct section_rule *find_rule(const char *name)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(section_rules); i++) {
        const struct section_rule *rule = &section_rules[i];
        if (rule->is_prefix ? wb_starts_with(name, rule->name) : strcmp(name, rule->name) == 0) {
            return rule;
        }
    }
    return NULL;
}

/* Kernels share the banks of the module; no bank is a kernel's and the module's. */
static bool share_banks(struct reader *reader)
{
    for (size_t i = 0; i < reader->cubin->kernel_count; i++) {
        struct wb_kernel *kernel = &reader->cubin->kernels[i];
        for (int bank = 0; bank < BANK_COUNT; bank++) {
            if (!reader->module_bank[bank].data) {
                continue;
            }
            if (kernel->bank[bank].data) {
                return WB_FAIL(reader->status, BAD_INPUT,
                               "The file is damaged: kernel %s has constant bank %d twice.",
                               kernel->name, bank);
            }
            kernel->bank[bank] = reader->module_bank[bank];
        }
    }
    reader->cubin->constants = reader->module_bank[CONSTANT_BANK];
    return true;
}

static bool take_sections(struct reader *reader)
{
    for (size_t i = 0; i < reader->elf.section_count; i++) {
        const struct wb_elf_section *section = &reader->elf.sections[i];
        const struct section_rule *rule = find_rule(section->name);
        if (rule && rule->take && !rule->take(reader, section)) {
            return false;
        }
    }
    return share_banks(reader);
}

/* ---- variables ----------------------------------------------------------------------------- */

/* The module's global image: the initialised variables, then, aligned, the others. */
static void lay_out_globals(struct reader *reader)
{
    struct wb_cubin *cubin = reader->cubin;
    const struct wb_elf_section *init = reader->global_init, *zero = reader->global_zero;
    if (init && init->data) {
        cubin->global_init = init->data;
        cubin->global_init_size = init->size;
    }
    cubin->global_size = cubin->global_init_size;
    if (zero) {
        uint64_t mask = zero->alignment ? zero->alignment - 1 : 0;
        reader->global_zero_at = (cubin->global_init_size + mask) & ~mask;
        cubin->global_size = reader->global_zero_at + zero->size;
    }
}

/* Where a section's contents end up: the bank (or GLOBAL, NO_BANK) and the offset of its start. */
static int place_section(uint64_t *start, const struct reader *reader,
                         const struct wb_elf_section *section)
{
    *start = section == reader->global_zero ? reader->global_zero_at : 0;
    if (section == reader->global_zero || section == reader->global_init) {
        return GLOBAL;
    }
    return is_module_bank(section) ? bank_of(section) : NO_BANK;
}

static bool find_variables(struct reader *reader)
{
    const struct wb_elf *elf = &reader->elf;
    struct wb_cubin *cubin = reader->cubin;
    size_t capacity = 0;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct wb_elf_symbol *symbol = &elf->symbols[i];
        const struct wb_elf_section *section = &elf->sections[symbol->section];
        uint64_t start;
        int bank = place_section(&start, reader, section);
        if (symbol->type != WB_ELF_OBJECT || bank == NO_BANK) {
            continue;
        }
        if (symbol->size >> 32) { /* the size of its section, in ptxas' file, is modulo 2^32 */
            return WB_FAIL(reader->status, BAD_INPUT,
                           "The array %s of the program has %" PRIu64
                           " bytes, which no CUDA program can have: a __device__ array must be "
                           "smaller than 4 GiB. Take a larger one from cudaMalloc.",
                           symbol->name, symbol->size);
        }
        if (symbol->value > section->size || symbol->size > section->size - symbol->value) {
            return WB_FAIL(reader->status, BAD_INPUT,
                           "The file is damaged: variable %s is not in its section.", symbol->name);
        }
        cubin->variables = wb_arena_grow(reader->arena, cubin->variables, &capacity,
                                         cubin->variable_count, sizeof *cubin->variables);
        cubin->variables[cubin->variable_count++] =
            (struct wb_variable){.name = symbol->name,
                                 .bank = bank,
                                 .offset = start + symbol->value,
                                 .size = symbol->size};
    }
    return true;
}

/* ---- relocations --------------------------------------------------------------------------- */

/* Does it contain the part of the CUDA runtime that runs on the device? */
static bool launches_kernels(const struct wb_elf *elf)
{
    static const char version[] = "__CNPRT_VERSION_NUMBER__";
    size_t i = 0;
    while (i < elf->symbol_count && strcmp(elf->symbols[i].name, version) != 0) {
        i++;
    }
    return i < elf->symbol_count;
}

static bool fail_relocation(const struct reader *reader, const struct wb_elf_section *section,
                            const struct wb_elf_rela *rela)
{
    if (launches_kernels(&reader->elf)) {
        return WB_FAIL(reader->status, UNSUPPORTED,
                       "The program launches kernels from a kernel (dynamic parallelism), which "
                       "the embedded device does not do. Launch them from the host.");
    }
    return WB_FAIL(reader->status, UNSUPPORTED,
                   "Section %s needs the address of \"%s\" in a way (relocation type %u) that the "
                   "embedded device does not know. Compile the program as one file, without -dc "
                   "and -rdc=true.",
                   section->name, rela->symbol->name, rela->type);
}

/* One slot of module data: `section` is patched at rela->offset. */
static bool add_relocation(struct reader *reader, const struct wb_elf_section *section,
                           const struct wb_elf_rela *rela)
{
    struct wb_cubin *cubin = reader->cubin;
    const struct wb_elf_symbol *symbol = rela->symbol;
    const struct wb_elf_section *target = &reader->elf.sections[symbol->section];
    uint64_t slot_start, target_start;
    struct wb_relocation relocation = {.symbol = symbol->name, .defined = symbol->section != 0};
    if (!section->data || section->size < SLOT_SIZE || rela->offset > section->size - SLOT_SIZE) {
        return fail_section(reader, section);
    }
    relocation.bank = place_section(&slot_start, reader, section);
    relocation.offset = slot_start + rela->offset;
    relocation.target_bank = place_section(&target_start, reader, target);
    relocation.target_offset = target_start + symbol->value + rela->addend;
    if ((rela->type != ADDRESS_64 && rela->type != GENERIC_ADDRESS_64) ||
        (relocation.defined && relocation.target_bank == NO_BANK)) {
        return must_understand(reader) ? fail_relocation(reader, section, rela) : true;
    }
    cubin->relocations =
        wb_arena_grow(reader->arena, cubin->relocations, &reader->relocation_capacity,
                      cubin->relocation_count, sizeof *cubin->relocations);
    cubin->relocations[cubin->relocation_count++] = relocation;
    return true;
}

/* An address in an instruction. */
static bool add_link_rela(struct reader *reader, const struct wb_elf_section *section,
                          const struct wb_elf_rela *rela)
{
    const struct wb_elf_symbol *symbol = rela->symbol;
    const struct wb_elf_section *target = &reader->elf.sections[symbol->section];
    uint64_t start;
    int bank = place_section(&start, reader, target);
    bool code = symbol->section != 0 && wb_starts_with(target->name, ".text.");
    if (!wb_link_knows(rela->type) || (bank == NO_BANK && !code && symbol->section != 0)) {
        return fail_relocation(reader, section, rela);
    }
    reader->link_relas = wb_arena_grow(reader->arena, reader->link_relas, &reader->link_capacity,
                                       reader->link_count, sizeof *reader->link_relas);
    reader->link_relas[reader->link_count++] = (struct wb_link_rela){
        .section = section,
        .offset = rela->offset,
        .type = (enum wb_link_type)rela->type,
        .code = code ? target : NULL,
        .target = {.symbol = symbol->name,
                   .defined = symbol->section != 0,
                   .target_bank = bank,
                   .target_offset = (code ? 0 : start) + symbol->value + rela->addend},
    };
    return true;
}

/* The relocations of a section of module data, of code or of source lines. */
static bool take_relas(struct reader *reader, const struct wb_elf_section *section,
                       struct wb_elf_rela *relas, size_t count)
{
    uint64_t start;
    bool is_data = place_section(&start, reader, section) != NO_BANK;
    bool is_code = wb_starts_with(section->name, ".text.") || bank_of(section) != NO_BANK;
    for (size_t i = 0; i < count; i++) {
        if (is_data && !add_relocation(reader, section, &relas[i])) {
            return false;
        }
        if (!is_data && is_code && must_understand(reader) &&
            !add_link_rela(reader, section, &relas[i])) {
            return false;
        }
    }
    bool ptx = strcmp(section->name, ".nv_debug_line_sass") == 0;
    if (strcmp(section->name, ".debug_line") != 0 && !ptx) {
        return true;
    }
    if (reader->has_lines[ptx]) {
        return fail_section(reader, section);
    }
    reader->has_lines[ptx] = true;
    struct wb_status ignored = {0}; /* lines of PTX are not needed */
    return wb_lines_read(reader->kernel_of_section, ptx, reader->arena, section, relas, count,
                         ptx ? &ignored : reader->status) ||
           ptx;
}

static bool read_relocations(struct reader *reader)
{
    const struct wb_elf *elf = &reader->elf;
    for (size_t i = 0; i < elf->section_count; i++) {
        const struct wb_elf_section *section = &elf->sections[i];
        struct wb_elf_rela *relas;
        size_t count;
        if (section->type != WB_ELF_RELA && section->type != WB_ELF_REL) {
            continue;
        }
        if (!wb_elf_read_relas(&relas, &count, reader->arena, elf, section, reader->status) ||
            !take_relas(reader, &elf->sections[section->info], relas, count)) {
            return false;
        }
    }
    return true;
}

static bool link_kernels(struct reader *reader)
{
    return reader->link_count == 0 ||
           wb_link_kernels(reader->cubin, reader->arena, &reader->elf, reader->kernel_of_section,
                           reader->link_relas, reader->link_count, reader->status);
}

/* ---- the whole file ------------------------------------------------------------------------ */

bool wb_cubin_parse(struct wb_cubin **out, struct wb_arena *arena, const void *data, size_t size,
                    struct wb_status *status)
{
    struct reader reader = {.arena = arena, .status = status};
    *out = NULL;
    reader.cubin = wb_arena_alloc(arena, sizeof *reader.cubin);
    if (!wb_elf_read(&reader.elf, arena, data, size, status) || !check_kind(&reader) ||
        !find_kernels(&reader) || !take_sections(&reader)) {
        return false;
    }
    lay_out_globals(&reader);
    if (!find_variables(&reader) || !read_relocations(&reader) || !link_kernels(&reader)) {
        return false;
    }
    *out = reader.cubin;
    return true;
}

const struct wb_kernel *wb_cubin_kernel(const struct wb_cubin *cubin, const char *name)
{
    for (size_t i = 0; i < cubin->kernel_count; i++) {
        if (strcmp(cubin->kernels[i].name, name) == 0) {
            return &cubin->kernels[i];
        }
    }
    return NULL;
}
