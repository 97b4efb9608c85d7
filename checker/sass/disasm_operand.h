/* SPDX-License-Identifier: MIT
 * Operands as text: the words that the texts of inst.def are made of.
 */
#ifndef WB_SASS_DISASM_OPERAND_H
#define WB_SASS_DISASM_OPERAND_H

#include "inst_table.h"

/* An instruction on its way to text. */
struct wb_text {
    struct wb_str *out;
    struct wb_word word;
    uint32_t pc;
    const struct wb_inst_row *row;
    unsigned form;
    bool is_signed; /* the sign modifier that was read last */
};

/* Each is a function that prints the operand and returns true; an optional operand that has its
 * default is not printed. */
/* clang-format off */
#define WB_TEXT_ITEMS(X) \
    X(d) X(pd) X(pe) X(a) X(b) X(c) X(ps) X(pt) X(pu) X(carry) X(high) \
    X(packa) X(packc) X(byte) X(mask) X(up) X(sparse) X(ua) X(ub) X(uc) X(udata) X(remote) X(syncs) \
    X(scoreboards) X(data) X(datac) X(addr) X(desc) X(const) X(shared) X(global) X(cctl) \
    X(sreg) X(ur) X(lut) X(lut2) X(lutp) X(shift) X(imm) X(code) X(time) X(lane) X(clamp) \
    X(target) X(distance) X(collective) X(reconverge) X(address) \
    X(barrier) X(barid) X(barcount) X(vote) X(scoreboard) X(pending) \
    X(handle) X(dim) X(wanted) X(query) X(coords)
/* clang-format on */

#define X(name) bool wb_text_##name(struct wb_text *t, bool optional);
WB_TEXT_ITEMS(X)
#undef X

/* The field of `width` (at most 32) bits at `low`. */
unsigned wb_text_bits(const struct wb_text *t, unsigned low, unsigned width);

/* "!P0"; UP0 in an instruction of the uniform datapath. */
void wb_text_predicate(struct wb_text *t, unsigned low, unsigned negate_bit);

/* IMAD has names for the moves, additions and shifts it is used for. True if it printed one of
 * them, in place of the modifiers. */
bool wb_text_alias(struct wb_text *t);

#endif
