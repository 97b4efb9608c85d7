/* SPDX-License-Identifier: MIT
 * The words that inst.def is written in, and its rows as the decoder sees them. Short names: only
 * decode.c and inst_table.c include this.
 */
#ifndef WB_SASS_INST_TABLE_H
#define WB_SASS_INST_TABLE_H

#include "decode.h"

/* Forms: where the sources B and C come from (section "operand forms" of docs). */
enum {
    F1 = 1 << 1, /* B register, C register */
    F2 = 1 << 2, /* B register, C immediate */
    F3 = 1 << 3, /* B register, C constant */
    F4 = 1 << 4, /* B immediate, C register */
    F5 = 1 << 5, /* B constant, C register */
    F6 = 1 << 6, /* B uniform register, C register */
    F7 = 1 << 7, /* B register, C uniform register */
    FB = F1 | F4 | F5 | F6,
    FBC = F1 | F2 | F3 | F7,
    FALL = FB | FBC,
    FU = F1 | F2 | F4,
};

/* Operands. Places that depend on the form: B and C; BC is a second source that is B in form 1
 * and C in the others. */
enum {
    D = 1 << 0,  /* result [23:16] */
    UD = 1 << 1, /* uniform result */
    A = 1 << 2,  /* source [31:24] */
    UA = 1 << 3, /* uniform source */
    B = 1 << 4,
    C = 1 << 5,
    BC = 1 << 6,
    DB = 1 << 7,   /* operand b in [39:32], whatever the form */
    DC = 1 << 8,   /* operand b in [71:64] */
    DC2 = 1 << 9,  /* operand c in [71:64] */
    URB = 1 << 10, /* uniform part of an address in [37:32] */
    URC = 1 << 11, /* ... in [69:64] */
    PD = 1 << 12,  /* predicate results [83:81], [86:84] */
    PE = 1 << 13,
    UPD = 1 << 14,
    PS = 1 << 15, /* predicate sources [90:87], [80:77], [71:68] */
    PT = 1 << 16,
    PU = 1 << 17,
    U = 1 << 18,           /* uniform datapath: registers, predicates and guard */
    LUTP = 1 << 19,        /* truth table of PLOP3 */
    IMM32 = 1 << 20,       /* [63:32] */
    OFF24 = 1 << 21,       /* signed address offset [63:40] */
    OFF_PC = 1 << 22,      /* bytes from the next instruction [63:24] */
    CONST = 1 << 23,       /* bank [58:54] and offset [53:38] */
    SHFL_BC = 1 << 24,     /* lane and clamp of SHFL */
    BRANCH = 1 << 25,      /* target [81:34], [23:16] */
    BREG16 = 1 << 26,      /* convergence barrier [19:16] */
    BREG24 = 1 << 27,      /* [27:24] */
    BAR_IMM = 1 << 28,     /* block barrier: id [57:54], count [53:42] */
    BAR_COUNT = 1 << 29,   /* count alone */
    LDGSTS_ADDR = 1 << 30, /* both addresses of LDGSTS */
};
/* Operands b and c are uniform: [37:32], [69:64]. */
#define UDBC (UINT32_C(1) << 31)

/* Modifiers: the fields of field.def, and those whose bits depend on the operand's slot. */
enum {
    NO_FIELD,
#define FIELD(name, member, low, width, text) name,
#include "field.def"
#undef FIELD
    FIELD_COUNT,
    NA, /* negate and absolute value of a, b, c */
    NB,
    NC,
    AA,
    AB,
    AC,
    HALF,   /* the same and the swizzle, as half-precision opcodes have them */
    F64,    /* sources are register pairs, an immediate is a high word */
    FLOAT,  /* how an immediate and signs are printed: a float32, */
    SIMM,   /* a signed number, */
    INVERT, /* ~ in place of - */
    SIGN,   /* register sources are printed .SIGN */
    UP24,   /* Ps is a uniform predicate in [27:24] */
    HANDLE, /* operand c is the handle of a texture or surface, uniform register [45:40] */
    D2,     /* a second result, [71:64]: its row is `imm2` */
    OPAQUE, /* the word's fields are not read at all */
};

enum { ANY = 0, MAX_MODIFIERS = 12 };
#define IF(low, width, value) ((low) | (width) << 8 | (value) << 16)

/* A row of inst.def. */
struct wb_inst_row {
    uint16_t base;
    uint8_t forms;
    uint32_t when;
    uint32_t operands;
    uint8_t modifiers[MAX_MODIFIERS];
    const char *mnemonic; /* and operands, if they are not the usual ones: disasm.c */
};

extern const struct wb_inst_row wb_inst_rows[WB_OP_COUNT];

/* A modifier of field.def. */
struct wb_inst_field {
    uint16_t offset; /* of the member in struct wb_insn */
    uint8_t low, width;
    const char *text; /* of each value: "first|second", "" if it is not printed */
};

extern const struct wb_inst_field wb_inst_fields[FIELD_COUNT];

/* May predicate Pu be a uniform one? */
static inline bool wb_may_be_uniform(const struct wb_inst_row *row)
{
    return row->operands & LUTP;
}

/* The row of a word, WB_OP_UNKNOWN if there is none. */
enum wb_op wb_inst_find(struct wb_word word);

#endif
