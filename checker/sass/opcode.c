/* SPDX-License-Identifier: MIT
 * The name of one instruction of a kernel, for counting instructions by what they do.
 */
#include "disasm.h"

#include <string.h>

const char *wb_kernel_opcode(struct wb_arena *arena, const struct wb_kernel *kernel, uint32_t pc)
{
    struct wb_str text;
    if (pc % 16 != 0 || kernel->code_size < 16 || pc > kernel->code_size - 16) {
        return "?";
    }
    wb_str_init(&text, arena);
    wb_disassemble(&text, kernel->code + pc, pc);
    char *name = text.data;
    if (*name == '@') { /* a guard stands before it */
        name += strcspn(name, " ");
        name += strspn(name, " ");
    }
    name[strcspn(name, ". ")] = '\0';
    return name;
}
