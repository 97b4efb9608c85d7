/* SPDX-License-Identifier: MIT
 * The decoder: machine code of a kernel to struct wb_insn, once, when a module is loaded.
 */
#ifndef WB_SASS_DECODE_H
#define WB_SASS_DECODE_H

#include "insn.h"

/* A value of the pool that is known only at launch: 4 bytes of a constant bank. */
struct wb_pool_const {
    uint32_t row;
    uint8_t bank;
    uint16_t offset;
};

/* A kernel's code, ready to run. `code` has one more instruction behind the last, WB_OP_END. */
struct wb_program {
    struct wb_insn *code;
    uint32_t count;
    uint32_t (*pool)[WB_LANES]; /* immediates, each 32 times */
    size_t pool_count;
    struct wb_pool_const *consts;
    size_t const_count;
    bool uses_local;  /* reads or writes local memory */
    bool uses_groups; /* asks where the shared memory of cooperative groups is */
    bool needs_order; /* blocks have to run one after the other */
};

/* One 128-bit word as its two little-endian halves. */
struct wb_word {
    uint64_t low, high;
};

struct wb_word wb_load_word(const uint8_t bytes[16]);

/* Decodes `size` bytes (a multiple of 16) with the handlers of `table`. Cannot fail: a word that
 * no row of inst.def fits becomes WB_OP_UNKNOWN and is a fault when it is executed. */
void wb_decode(struct wb_program *program, struct wb_arena *arena, const uint8_t *code, size_t size,
               wb_exec_fn *const table[WB_OP_ALL]);

/* Bits of the word that its row does not explain; all ones if there is no row. */
struct wb_word wb_decode_unexplained(struct wb_word word);

/* The row's text in inst.def: name and operands; "?" for an unknown word. */
const char *wb_op_name(enum wb_op op);

#endif
