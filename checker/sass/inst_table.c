/* SPDX-License-Identifier: MIT
 * inst.def and field.def as tables, and the search in them.
 */
#include "inst_table.h"

const struct wb_inst_row wb_inst_rows[WB_OP_COUNT] = {
#define INST(name, base_, forms_, when_, mnemonic_, handler, operands_, ...)                       \
    [WB_OP_##name] = {base_, forms_, when_, operands_, {__VA_ARGS__}, mnemonic_},
#include "inst.def"
#undef INST
};

const struct wb_inst_field wb_inst_fields[FIELD_COUNT] = {
#define FIELD(name, member, low, width, text)                                                      \
    [name] = {offsetof(struct wb_insn, member), low, width, text},
#include "field.def"
#undef FIELD
};

/* Does a row's condition hold? No condition crosses the middle of the word. */
static bool fits(uint32_t when, struct wb_word word)
{
    unsigned low = when & 0xff, width = when >> 8 & 0xff;
    uint64_t half = low < 64 ? word.low >> low : word.high >> (low - 64);
    return when == ANY || (half & ((1u << width) - 1)) == when >> 16;
}

enum wb_op wb_inst_find(struct wb_word word)
{
    unsigned base = word.low & 0x1ff, form = word.low >> 9 & 7;
    int op = 0;
    while (op < WB_OP_COUNT) {
        const struct wb_inst_row *row = &wb_inst_rows[op];
        if (row->base == base && row->forms >> form & 1 && fits(row->when, word)) {
            break;
        }
        op++;
    }
    return (enum wb_op)op;
}

const char *wb_op_name(enum wb_op op)
{
    return op < WB_OP_COUNT ? wb_inst_rows[op].mnemonic : "?";
}
