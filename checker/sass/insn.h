/* SPDX-License-Identifier: MIT
 * The decoded form of one instruction, made once per kernel by decode.c from the rows of inst.def
 * and the fields of field.def, and read by the handlers in exec_*.c.
 */
#ifndef WB_SASS_INSN_H
#define WB_SASS_INSN_H

#include <warpbook/sass.h>

struct wb_warp;
struct wb_insn;

enum wb_op {
#define INST(name, ...) WB_OP_##name,
#include "inst.def"
#undef INST
    WB_OP_COUNT,
    WB_OP_UNKNOWN = WB_OP_COUNT, /* no row has this encoding */
    WB_OP_END,                   /* stands behind the last instruction of a kernel */
    WB_OP_ALL
};

/* A handler does the work of one instruction for the lanes of `on`: those of the running group
 * whose guard predicate holds. */
typedef void wb_exec_fn(struct wb_warp *warp, const struct wb_insn *in, uint32_t on);

/* A row is 32 lanes of 32 bits. Every operand is a row: of the warp (registers, uniform registers,
 * RZ), or of the kernel's pool (immediates and constants, the same value in each lane). 64-bit
 * operands are two neighbouring rows, 128-bit ones four. */
enum { WB_LANES = 32 };
#define WB_ALL_LANES UINT32_C(0xffffffff)

enum wb_row_layout {
    WB_ROW_TRASH = 255, /* writes to RZ go here, and what a damaged pair at R254 touches */
    WB_ROW_ZERO = 260,  /* RZ, URZ */
    WB_ROW_UNIFORM = 264,
    WB_ROW_COUNT = WB_ROW_UNIFORM + 68,
};

enum wb_space { WB_SPACE_WARP, WB_SPACE_POOL, WB_SPACE_COUNT };

struct wb_operand {
    uint32_t row;
    uint32_t space; /* enum wb_space */
};

/* Predicates are masks of 32 lanes: P0..P6, PT, a place for unwanted results, UP0..UP6, UPT. */
enum wb_pred_layout {
    WB_PRED_TRUE = 7,
    WB_PRED_TRASH = 8,
    WB_PRED_UNIFORM = 16,
    WB_PRED_COUNT = 24,
};

struct wb_pred {
    uint8_t index;
    bool negate;
};

enum wb_swizzle { WB_H1_H0 = 0, WB_H0_H0 = 2, WB_H1_H1 = 3 };

enum { WB_A = 1, WB_B = 2, WB_C = 4 }; /* bits of neg and abs */

struct wb_insn {
    wb_exec_fn *exec;
    uint32_t guard_flip; /* all ones for a negated guard */
    uint32_t all_if_any; /* all ones on the uniform datapath, which has no lanes: its guards are all
                            or none */
    struct wb_operand a, b, c;
    uint16_t d;            /* row of the result */
    uint16_t op;           /* enum wb_op */
    uint8_t guard, pd, pe; /* places of predicates */
    struct wb_pred ps, pt, pu;
    uint8_t neg, abs; /* bits WB_A, WB_B, WB_C */
    bool has_uniform; /* an address has a uniform register, operand c */
    bool narrow_a;    /* ... which is a pair, while operand a is one word */
    int32_t imm;      /* offset, mask or constant, as the row says */
    int32_t imm2;     /* LDGSTS has two offsets */
    uint32_t target;  /* of a branch: number of the instruction */

    /* modifiers: the members that field.def names */
    uint8_t sub;        /* operation of an opcode that has several: MUFU, ATOM, VOTE, SHFL ... */
    uint8_t cmp, bop;   /* comparison, and how its result is joined with Ps */
    uint8_t rnd;        /* rounding: enum wb_round */
    uint8_t type;       /* of an atomic, of a shift */
    uint8_t size;       /* of a memory access, of a conversion's result */
    uint8_t from_size;  /* of a conversion's source */
    uint8_t lut, lut2;  /* truth tables; also the special register's number */
    uint8_t amount;     /* shift of LEA */
    uint8_t half;       /* which 16 bits of a conversion's source */
    uint8_t swizzle[3]; /* of half-precision sources a, b, c: enum wb_swizzle */
    uint8_t barrier;    /* number of a convergence or block barrier */
    bool is_signed, is_signed_b, ftz, sat, x, wide, high, right, wrap, relu, bf16, f32, nan;
    bool xorsign, ntz, flag;
    uint8_t order; /* of an access to global memory: weak, strong ... */
    uint8_t none;  /* fields without effect */
};

#endif
