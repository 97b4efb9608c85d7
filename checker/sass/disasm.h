/* SPDX-License-Identifier: MIT
 * The disassembler: one instruction as NVIDIA's disassembler prints it, for messages and for the
 * decoder's tests.
 */
#ifndef WB_SASS_DISASM_H
#define WB_SASS_DISASM_H

#include "decode.h"

/* Appends the text of the word at byte address `pc` of its kernel, without the final semicolon:
 * "@!P0 BRA 0x180". A word that no row of inst.def has becomes "?". */
void wb_disassemble(struct wb_str *out, const uint8_t word[16], uint32_t pc);

/* The name of special register `number`: "SR_TID.X". */
void wb_disassemble_special(struct wb_str *out, unsigned number);

#endif
