/* SPDX-License-Identifier: MIT
 * Which registers and predicates of a warp hold a value that comes from nowhere: from memory that
 * nobody wrote, or from a lane that was away from a shuffle. Such a value is no error while nobody
 * depends on it. It spreads through arithmetic in silence and is reported when it decides
 * something: an address, a branch, what global memory or an atomic gets, a vote.
 *
 * undefined.c keeps the state and walks through the instructions, undefined_spread.c says what the
 * results of an instruction are, undefined_report.c what a use is told as. What an instruction
 * reads, writes and uses is in undefined.def.
 */
#ifndef WB_SASS_UNDEFINED_H
#define WB_SASS_UNDEFINED_H

#include "warp.h"

/* Where undefined values came from: the lanes of one warp at one instruction. */
struct wb_undefined_origin {
    enum wb_reason reason; /* UNINITIALISED_READ or INACTIVE_LANE_READ */
    uint32_t pc;           /* in bytes */
    uint32_t lanes;        /* that got such a value there */
    /* of a read: the address of the lowest such lane, and what lies there, as part of a sentence
     * ("element 5 of `a`"); empty: the address is told */
    uint64_t address;
    char what[80];
    uint32_t holes; /* lanes in which other words of the same load have values */
    /* of a shuffle, of each of the lanes: which lane it took the value from, and the instruction
     * at which that one was */
    uint8_t from[WB_LANES];
    uint32_t place[WB_LANES];
    uint32_t ended;   /* lanes whose source had ended there, */
    uint32_t missing; /* or is no thread of the block; the rest was elsewhere */
    uint32_t used_at; /* pc of the first use that was reported; UINT32_MAX: none was */
};

enum { WB_UNDEFINED_ORIGINS = 32 };

struct wb_undefined {
    unsigned live;                   /* rows and predicates with undefined lanes */
    uint32_t row[WB_ROW_COUNT];      /* masks of undefined lanes, */
    uint32_t computed[WB_ROW_COUNT]; /* and of those that are the result of more than moves */
    uint32_t pred[WB_PRED_COUNT];
    uint8_t row_origin[WB_ROW_COUNT], pred_origin[WB_PRED_COUNT]; /* of those with such lanes */
    struct wb_undefined_origin origins[WB_UNDEFINED_ORIGINS];
    unsigned origin_count;
};

/* Everything is defined when a warp starts. */
void wb_undefined_start(struct wb_undefined *undefined);

/* Before the handler of an instruction runs for the lanes `on`: reports uses, and says which of its
 * results are undefined. Only needed while some row or predicate is. */
void wb_undefined_step(struct wb_warp *warp, const struct wb_insn *in, uint32_t on);

/* For handlers of loads, after the step above made their results defined: the `undefined_lanes`
 * among the lanes `on` of the rows get a value from nowhere. Of `origin` the reason, the pc, the
 * address and `what` are read. */
void wb_undefined_mark(struct wb_warp *warp, unsigned row, unsigned rows, uint32_t on,
                       uint32_t undefined_lanes, const struct wb_undefined_origin *origin);

/* For the handler of a shuffle, before it writes: lane i of `on` takes the value of lane from[i].
 */
void wb_undefined_shuffle(struct wb_warp *warp, const struct wb_insn *in, uint32_t on,
                          const uint8_t from[WB_LANES]);

/* The lanes in which one of the rows of a source is undefined; 0 in a launch that is not guarded.
 */
uint32_t wb_undefined_lanes(const struct wb_warp *warp, struct wb_operand operand, unsigned rows);

#endif
