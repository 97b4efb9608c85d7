/* SPDX-License-Identifier: MIT
 * Source lines of machine code: the DWARF line table (section .debug_line) of a cubin.
 */
#ifndef WB_SASS_LINES_H
#define WB_SASS_LINES_H

#include <warpbook/sass.h>

#include "elf.h"

/* Fills lines and line_count of the kernels. `relas` (sorted here) are those of the section: they
 * say which function a sequence of rows belongs to. kernel_of_section[i] is the kernel whose code
 * is section i, or NULL. `ptx`: the section is .nv_debug_line_sass, which has lines of the PTX
 * text.
 */
bool wb_lines_read(struct wb_kernel *const *kernel_of_section, bool ptx, struct wb_arena *arena,
                   const struct wb_elf_section *section, struct wb_elf_rela *relas,
                   size_t rela_count, struct wb_status *status);

/* Line of the PTX text that an instruction was made from, from 1; 0: unknown. */
unsigned wb_kernel_ptx_line(const struct wb_kernel *kernel, uint32_t pc);

#endif
