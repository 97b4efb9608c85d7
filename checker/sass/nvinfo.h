/* SPDX-License-Identifier: MIT
 * The attributes that ptxas writes into the sections .nv.info (of the module) and .nv.info.NAME
 * (of a kernel): registers, stack, parameters, launch bounds, clusters. Unknown ones are skipped.
 */
#ifndef WB_SASS_NVINFO_H
#define WB_SASS_NVINFO_H

#include <warpbook/sass.h>

#include "elf.h"

/* Is this symbol the entry of a kernel? */
bool wb_nvinfo_is_entry(const struct wb_elf_symbol *symbol);

/* Fills registers and local_bytes. kernel_of_section[i] is the kernel whose code is section i. */
bool wb_nvinfo_read_module(struct wb_kernel *const *kernel_of_section, const struct wb_elf *elf,
                           const struct wb_elf_section *section, struct wb_status *status);

/* Fills param_base, param_size, params, param_count, max_threads and cluster. */
bool wb_nvinfo_read_kernel(struct wb_kernel *kernel, struct wb_arena *arena,
                           const struct wb_elf_section *section, struct wb_status *status);

#endif
