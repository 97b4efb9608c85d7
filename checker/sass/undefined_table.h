/* SPDX-License-Identifier: MIT
 * The words that undefined.def is written in, its rows by instruction, and what the parts of
 * undefined.h share. Short names: only undefined*.c and their test include this.
 */
#ifndef WB_SASS_UNDEFINED_TABLE_H
#define WB_SASS_UNDEFINED_TABLE_H

#include "undefined.h"

/* How undefined lanes of the sources spread into the results. */
enum spread {
    DEFINES,    /* not at all: the results come from elsewhere (or there are none) */
    MOVES,      /* the value stays what it was */
    COMPUTES,   /* any undefined source makes the results undefined */
    SELECTS,    /* as the chosen side */
    PERMUTES,   /* as the sources that the chosen bytes come from */
    MULTIPLIES, /* a product with a zero does not depend on the other factor */
    LOGIC,      /* a bitwise function, where its result depends on that source */
    COMPARES,   /* where the predicate that is joined leaves it open */
    TRUTH,      /* a function of three predicates, where it depends on them */
    LOWEST,     /* to a uniform register, from the lowest lane */
    PACKS,      /* predicates into a register, */
    UNPACKS,    /* and back */
    CALLS,      /* a service of the system returns in R4 and R5 */
    SHUFFLES,   /* wb_undefined_shuffle does it */
    SPREADS
};

/* Numbers of rows that depend on the instruction; below that the number itself. */
enum rows {
    BY_WIDE = 8, /* 2 if it is .64 */
    MEMORY,      /* the size of an access */
    ATOMIC,      /* the type of an atomic */
    ATOMIC_F,
    TO_SIZE, /* of a conversion */
    FROM_SIZE,
    MATRICES,
    TEXELS,  /* two, and two at the second result */
    UNIFORM, /* the uniform part of an address, if there is one */
};

/* Operands that decide something. The order is that of `uses` in undefined_report.c. */
enum uses {
    BRANCH_GUARD = 1 << 0,
    GUARD_STORE = 1 << 1,
    BRANCH_PS = 1 << 2,
    VOTED_PS = 1 << 3,
    ADDRESS_A = 1 << 4,
    ADDRESS_C = 1 << 5,
    ADDRESS_D = 1 << 6,
    STORED_B = 1 << 7,
    ATOMIC_B = 1 << 8,
    ATOMIC_C = 1 << 9,
    VOTED_A = 1 << 10,
    BRANCH_A = 1 << 11,
    BRANCH_B = 1 << 12,
};

struct wb_undefined_row {
    uint8_t spread, d, a, b, c; /* enum spread, enum rows */
    uint16_t uses;              /* enum uses */
};

/* The row of an instruction's handler. */
const struct wb_undefined_row *wb_undefined_row(unsigned op);

unsigned wb_undefined_width(const struct wb_insn *in, unsigned rows);

/* What an instruction makes: lanes of the register rows (all of them alike) and of its predicates
 * that are undefined, and where they are from. */
struct wb_undefined_result {
    uint32_t d, computed, pd, pe;
    uint8_t origin;
};

/* Of the lanes `on`; the guard is defined there. */
struct wb_undefined_result wb_undefined_spread(struct wb_warp *warp, const struct wb_insn *in,
                                               uint32_t on);

/* Reports the uses of an instruction; what was reported counts as defined from here on. */
void wb_undefined_report(struct wb_warp *warp, const struct wb_insn *in, uint32_t on);

/* The origin of an operand that is undefined in one of the lanes `on`. */
uint8_t wb_undefined_origin_of(const struct wb_warp *warp, struct wb_operand operand, unsigned rows,
                               uint32_t on);

/* Sets the undefined lanes of one row or predicate. */
void wb_undefined_set_row(struct wb_undefined *u, unsigned row, uint32_t lanes, uint32_t computed,
                          unsigned origin);
void wb_undefined_set_pred(struct wb_undefined *u, unsigned pred, uint32_t lanes, unsigned origin);

#endif
