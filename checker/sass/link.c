/* SPDX-License-Identifier: MIT
 * A linked kernel's code is its own, then that of all device functions, then a stub for each system
 * function. Addresses of code are offsets in there, so that absolute calls and returns become
 * relative ones. Addresses of variables are only known on the device: they become patches.
 */
#include "link.h"

#include "bytes.h"

enum {
    SIZE = 16,            /* bytes of an instruction */
    ALIGNMENT = 128,      /* of a function */
    STUB_SIZE = 4 * SIZE, /* MOV, MOV, CALL, RET */
    OPCODE = 0xfff,       /* the bits of it */
    OP_CALL_REL = 0x944,
    OP_RET = 0x950,
};
#define MAX_LINKED (UINT64_C(1) << 28)        /* bytes of code of all kernels */
#define RET_ABS    (UINT64_C(1) << (85 - 64)) /* bit of the high half of RET */

struct linker {
    struct wb_arena *arena;
    const struct wb_elf *elf;
    struct wb_kernel *const *kernel_of_section;
    const struct wb_link_rela *relas;
    size_t rela_count;
    uint64_t *start;       /* of each section's code in the linked code; kernels begin at 0 */
    const char **services; /* system functions, in the order of their stubs */
    size_t service_count, service_capacity;
    uint64_t stubs, total; /* where the stubs begin and end */
    struct wb_status *status;
};

bool wb_link_knows(uint32_t type)
{
    return type == WB_LINK_LOW || type == WB_LINK_HIGH || type == WB_LINK_CALL;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t low, uint64_t high)
{
    memcpy(at, &low, sizeof low);
    memcpy(at + 8, &high, sizeof high);
}

/* Makes the instruction at `pc` a relative jump with the opcode: a signed distance in units of 4
 * bytes, its bits 0 to 7 in bits 16 to 23, 8 to 37 in 34 to 63, 38 to 55 in 64 to 81. */
static void make_relative(uint8_t *code, uint64_t pc, unsigned opcode, uint64_t target)
{
    uint64_t low, high, distance = (uint64_t)((int64_t)(target - pc - SIZE) / 4);
    memcpy(&low, code + pc, sizeof low);
    memcpy(&high, code + pc + 8, sizeof high);
    low = (low & UINT64_C(0x3ff00f000)) | opcode | (distance & 0xff) << 16 |
          (distance >> 8 & 0x3fffffff) << 34;
    high = (high & ~UINT64_C(0x3ffff) & ~RET_ABS) | (distance >> 38 & 0x3ffff);
    put(code + pc, low, high);
}

static unsigned opcode_at(const uint8_t *code)
{
    return (code[0] | code[1] << 8) & OPCODE;
}

/* RET.ABS of a function: back to an offset in the linked code. */
static void fix_returns(uint8_t *code, uint64_t start, uint64_t size)
{
    for (uint64_t pc = start; pc < start + size; pc += SIZE) {
        uint64_t high;
        memcpy(&high, code + pc + 8, sizeof high);
        if (opcode_at(code + pc) == OP_RET && (high & RET_ABS)) {
            make_relative(code, pc, OP_RET, 0);
        }
    }
}

/* A system function is called through R14, which no caller keeps anything in; R20 has the place to
 * return to. The MOVs are patched with the function's address. */
static void put_stub(uint8_t *code, uint64_t at)
{
    put(code + at, UINT64_C(0x000e7802), UINT64_C(0x000fe40000000f00));
    put(code + at + SIZE, UINT64_C(0x000f7802), UINT64_C(0x000fe40000000f00));
    put(code + at + 2 * SIZE, UINT64_C(0x0e007343), UINT64_C(0x000fea0003c00000));
    put(code + at + 3 * SIZE, UINT64_C(0x14007950), UINT64_C(0x000fea0003c00000));
    make_relative(code, at + 3 * SIZE, OP_RET, 0);
}

/* ---- layout ---------------------------------------------------------------------------------- */

static uint64_t align(uint64_t n)
{
    return (n + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
}

static bool is_function(const struct linker *linker, size_t section)
{
    const struct wb_elf_section *s = &linker->elf->sections[section];
    return wb_starts_with(s->name, ".text.") && s->data && s->size % SIZE == 0 &&
           !linker->kernel_of_section[section];
}

static size_t service_number(struct linker *linker, const char *name)
{
    size_t n = 0;
    while (n < linker->service_count && strcmp(linker->services[n], name) != 0) {
        n++;
    }
    if (n == linker->service_count) {
        linker->services = wb_arena_grow(linker->arena, linker->services, &linker->service_capacity,
                                         n, sizeof *linker->services);
        linker->services[linker->service_count++] = name;
    }
    return n;
}

static bool lay_out(struct linker *linker, const struct wb_cubin *cubin)
{
    uint64_t end = 0;
    for (size_t k = 0; k < cubin->kernel_count; k++) {
        uint64_t size = cubin->kernels[k].code_size;
        end = size > end ? size : end;
    }
    linker->start =
        wb_arena_alloc(linker->arena, linker->elf->section_count * sizeof *linker->start);
    for (size_t i = 0; i < linker->elf->section_count && end < MAX_LINKED; i++) {
        if (is_function(linker, i)) {
            linker->start[i] = align(end);
            end = linker->start[i] + linker->elf->sections[i].size;
        }
    }
    for (size_t i = 0; i < linker->rela_count; i++) {
        const struct wb_link_rela *r = &linker->relas[i];
        if (r->type == WB_LINK_CALL && !r->code && !r->target.defined) {
            service_number(linker, r->target.symbol);
        }
    }
    linker->stubs = align(end);
    linker->total = linker->stubs + linker->service_count * STUB_SIZE;
    return linker->total <= MAX_LINKED / (cubin->kernel_count + 1) ||
           WB_FAIL(linker->status, LIMIT,
                   "The module has too much code: %zu kernels with %llu bytes each.",
                   cubin->kernel_count, (unsigned long long)linker->total);
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static void add_patch(const struct linker *linker, struct wb_kernel *kernel, size_t *capacity,
                      uint64_t pc, bool high, const struct wb_relocation *target)
{
    kernel->patches = wb_arena_grow(linker->arena, kernel->patches, capacity, kernel->patch_count,
                                    sizeof *kernel->patches);
    kernel->patches[kernel->patch_count++] =
        (struct wb_patch){.pc = (uint32_t)pc, .high = high, .target = *target};
}

static void put_word(uint8_t *code, uint64_t pc, uint64_t value)
{
    uint32_t word = (uint32_t)value;
    memcpy(code + pc + 4, &word, sizeof word);
}

static bool apply(struct linker *linker, struct wb_kernel *kernel, size_t *capacity, uint8_t *code,
                  const struct wb_link_rela *r)
{
    const struct wb_elf_section *sections = linker->elf->sections;
    uint64_t pc = linker->start[r->section - sections] + r->offset;
    uint64_t target = r->target.target_offset;
    if (r->code) {
        const struct wb_kernel *other = linker->kernel_of_section[r->code - sections];
        if (other && other != kernel) {
            return WB_FAIL(linker->status, UNSUPPORTED,
                           "Kernel `%s` uses the address of kernel `%s`, which the embedded device "
                           "does not support.",
                           kernel->name, other->name);
        }
        target += linker->start[r->code - sections];
    } else if (r->type == WB_LINK_CALL) {
        target = linker->stubs + service_number(linker, r->target.symbol) * STUB_SIZE;
    } else {
        add_patch(linker, kernel, capacity, pc, r->type == WB_LINK_HIGH, &r->target);
        return true;
    }
    if (r->type == WB_LINK_CALL) {
        make_relative(code, pc, OP_CALL_REL, target);
    } else {
        put_word(code, pc, r->type == WB_LINK_LOW ? target : 0);
    }
    return true;
}

static bool link_kernel(struct linker *linker, struct wb_kernel *kernel)
{
    uint8_t *code = wb_arena_alloc(linker->arena, linker->total);
    size_t capacity = 0;
    memcpy(code, kernel->code, kernel->code_size);
    for (size_t i = 0; i < linker->elf->section_count; i++) {
        const struct wb_elf_section *s = &linker->elf->sections[i];
        if (is_function(linker, i)) {
            memcpy(code + linker->start[i], s->data, s->size);
            fix_returns(code, linker->start[i], s->size);
        }
    }
    for (size_t n = 0; n < linker->service_count; n++) {
        const struct wb_relocation service = {.symbol = linker->services[n], .target_bank = -2};
        uint64_t at = linker->stubs + n * STUB_SIZE;
        put_stub(code, at);
        add_patch(linker, kernel, &capacity, at, false, &service);
        add_patch(linker, kernel, &capacity, at + SIZE, true, &service);
    }
    for (size_t i = 0; i < linker->rela_count; i++) {
        const struct wb_link_rela *r = &linker->relas[i];
        const struct wb_kernel *owner =
            linker->kernel_of_section[r->section - linker->elf->sections];
        if ((!owner || owner == kernel) && !apply(linker, kernel, &capacity, code, r)) {
            return false;
        }
    }
    kernel->code = code;
    kernel->linked_size = linker->total;
    return true;
}

/* An instruction that is patched lies in code, and so does the code that it refers to. */
static bool check(const struct linker *linker, const struct wb_link_rela *r)
{
    const struct wb_elf_section *sections = linker->elf->sections;
    bool from = linker->kernel_of_section[r->section - sections] ||
                is_function(linker, (size_t)(r->section - sections));
    bool to = !r->code || linker->kernel_of_section[r->code - sections] ||
              is_function(linker, (size_t)(r->code - sections));
    bool inside = r->section->size >= SIZE && r->offset <= r->section->size - SIZE &&
                  r->offset % SIZE == 0 && (!r->code || r->target.target_offset <= r->code->size);
    bool call = r->type != WB_LINK_CALL || r->code || !r->target.defined;
    return (from && to && inside && call) ||
           WB_FAIL(linker->status, BAD_INPUT,
                   "The file is damaged: an address in section %s makes no sense.",
                   r->section->name);
}

bool wb_link_kernels(struct wb_cubin *cubin, struct wb_arena *arena, const struct wb_elf *elf,
                     struct wb_kernel *const *kernel_of_section, const struct wb_link_rela *relas,
                     size_t count, struct wb_status *status)
{
    struct linker linker = {.arena = arena,
                            .elf = elf,
                            .kernel_of_section = kernel_of_section,
                            .relas = relas,
                            .rela_count = count,
                            .status = status};
    for (size_t i = 0; i < count; i++) {
        if (!check(&linker, &relas[i])) {
            return false;
        }
    }
    if (!lay_out(&linker, cubin)) {
        return false;
    }
    for (size_t k = 0; k < cubin->kernel_count; k++) {
        if (!link_kernel(&linker, &cubin->kernels[k])) {
            return false;
        }
    }
    return true;
}
