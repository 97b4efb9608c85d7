/* SPDX-License-Identifier: MIT
 * link: code that nvcc -rdc=true made. Device functions lie in sections of their own, and code
 * holds addresses of variables, of functions and of the place that a call returns to.
 */
#ifndef WB_SASS_LINK_H
#define WB_SASS_LINK_H

#include "elf.h"

#include <warpbook/sass.h>

enum wb_link_type {
    WB_LINK_LOW = 56, /* types of relocations: the low half of an address, in bits 32 to 63 of an */
    WB_LINK_HIGH = 57, /* instruction; the high half; */
    WB_LINK_CALL = 75, /* the target of a CALL.ABS */
};

/* A relocation of an instruction. */
struct wb_link_rela {
    const struct wb_elf_section *section; /* of the instruction */
    uint64_t offset;                      /* of the instruction in there */
    enum wb_link_type type;
    const struct wb_elf_section *code; /* the target is in this section of code; NULL: it is not */
    struct wb_relocation target;       /* the offset is one in `code` if that is not NULL */
};

bool wb_link_knows(uint32_t type);

/* Gives each kernel its own copy of all code that it could call. `kernel_of_section` has an entry
 * for each section of the file. BAD_INPUT or UNSUPPORTED with a sentence. */
bool wb_link_kernels(struct wb_cubin *cubin, struct wb_arena *arena, const struct wb_elf *elf,
                     struct wb_kernel *const *kernel_of_section, const struct wb_link_rela *relas,
                     size_t count, struct wb_status *status);

#endif
