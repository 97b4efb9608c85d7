/* SPDX-License-Identifier: MIT
 * The guard: what a launch does wrong although its result may be right. Handlers tell it of every
 * access to memory and of every meeting of threads; it keeps shadow memory (shadow.h), the order of
 * what happened (order.h), and findings (finding.h). A launch without it has NULL in the `guard` of
 * its run, blocks and warps, which costs a test per access.
 */
#ifndef WB_SASS_GUARD_H
#define WB_SASS_GUARD_H

#include "async.h"
#include "finding.h"
#include "memory.h"
#include "order.h"
#include "ptx.h"
#include "shadow.h"
#include "undefined.h"

struct wb_guard_warp {
    struct wb_async async;
    struct wb_order_warp order;
    struct wb_undefined undefined;
};

/* An access to another block's shared memory: the last one by each block of the cluster. */
struct wb_guard_visit {
    uint32_t segment; /* 0: none */
    uint32_t pc;
    struct wb_dim3 block, thread;
    bool write;
};

enum { WB_MAX_CLUSTER = 16, WB_MAX_CAUTIONS = 64 };

struct wb_guard_block {
    struct wb_order_block order;
    struct wb_shadow shared;
    struct wb_shadow local; /* only `defined`; of all threads, one behind the other */
    struct wb_guard_warp *warps;
    struct wb_guard_visit visits[WB_MAX_CLUSTER];
    bool ended;                              /* all of its threads */
    uint64_t changes_before, state_before;   /* at the last barrier */
    unsigned quiet;                          /* barriers in a row without a change between them */
    uint32_t arrived[WB_BARRIERS][WB_LANES]; /* by barrier and warp: segment at a BAR.ARV */
};

/* A plain read that met an atomic: no race if that instruction is the first look of a loop that
 * then does its own atomic on what it read. */
struct wb_caution {
    struct wb_guard_finding finding;
    uint32_t read_pc;
};

struct wb_guard {
    struct wb_fault fault; /* the first one: the launch goes on all the same */
    uint64_t changes;      /* stores, atomics and looks at what others may change */
    struct wb_order order;
    struct wb_guard_finding findings[WB_MAX_FINDINGS];
    size_t finding_count;
    uint64_t left_out;
    struct wb_caution cautions[WB_MAX_CAUTIONS];
    size_t caution_count;
    const struct wb_ptx *ptx; /* NULL: nothing is known */
    uint8_t *looks; /* by instruction: a read that an atomic of the same thread followed */
};

/* True if such a caution is known already: it is counted. */
bool wb_guard_is_cautioned(struct wb_warp *warp, const struct wb_finding_note *note);
/* Notes a race that is none if the instruction at `read_pc` turns out to be such a look. */
void wb_guard_caution(struct wb_warp *warp, const struct wb_finding_note *note, uint32_t read_pc);

/* For the run's launch; false if there is no memory. */
bool wb_guard_begin(struct wb_run *run);
/* Collects the findings into what the launch gave for them. */
void wb_guard_end(struct wb_run *run, struct wb_arena *arena);

/* touches.c: what the launch did to global memory. */
void wb_touches_collect(struct wb_sim_touches *out, struct wb_arena *arena,
                        const struct wb_run *run);

bool wb_guard_create_block(struct wb_cta *cta);
void wb_guard_destroy_block(struct wb_cta *cta);
void wb_guard_start_block(struct wb_cta *cta);

/* ---- accesses (race.c) ------------------------------------------------------------------------
 */

enum wb_guard_space { WB_GUARD_GLOBAL, WB_GUARD_SHARED, WB_GUARD_LOCAL, WB_GUARD_GENERIC };

/* Lanes of `on` read. `undefined` gets, for each of the (at most four) words, the lanes that read
 * what nobody has written; true if there are any. */
bool wb_guard_load(uint32_t undefined[4], const struct wb_access *access, const uint64_t *at,
                   uint32_t on, enum wb_guard_space space);
/* The rows that the load wrote hold what nobody has written, in those lanes. */
void wb_guard_mark(const struct wb_access *access, const uint64_t *at, uint32_t on,
                   const uint32_t undefined[4], enum wb_guard_space space);
/* They write the words in the rows `data` (NULL: not known); of each word those of `undefined` have
 * no value. */
void wb_guard_store(const struct wb_access *access, const uint64_t *at, uint32_t on,
                    enum wb_guard_space space, const uint32_t (*data)[WB_LANES],
                    const uint32_t undefined[4]);
/* An atomic changes memory, or (`replaces`) does not care what was there. Returns the lanes whose
 * old value is undefined. */
uint32_t wb_guard_atomic(const struct wb_access *access, const uint64_t *at, uint32_t on,
                         enum wb_guard_space space, bool replaces);

/* An atomic without a result has changed memory that nobody has written. */
void wb_guard_changed_nothing(const struct wb_access *access, const uint64_t *at, uint32_t none,
                              enum wb_guard_space space);

/* The array of shared memory that the instruction is about; NULL: not known. */
static inline const struct wb_ptx_array *wb_guard_array(const struct wb_warp *warp,
                                                        const struct wb_insn *in)
{
    const struct wb_run *run = warp->cta->run;
    const struct wb_ptx *ptx = run->guard->ptx;
    uint16_t number = ptx ? ptx->array_of[in - run->program->code] : 0;
    return number ? &ptx->arrays[number - 1] : NULL;
}

/* ---- meetings (meet.c) ------------------------------------------------------------------------
 */

/* The lanes do something of the whole warp together. */
void wb_guard_meet(struct wb_warp *warp, uint32_t lanes);
/* They are about to wait for the lanes of a mask. */
void wb_guard_mask(struct wb_warp *warp, const struct wb_insn *in, const uint32_t *masks,
                   uint32_t on);
/* Lanes execute a shuffle, vote or the like: is the mask that was written there right? */
void wb_guard_collective(struct wb_warp *warp, const struct wb_insn *in, uint32_t on);
/* They are past a __syncwarp(). */
void wb_guard_syncwarp(struct wb_warp *warp, const struct wb_insn *in, uint32_t on);
/* A barrier of the block opens; `whole`: it is one of all threads. */
void wb_guard_barrier(struct wb_cta *cta, unsigned id, bool whole);
/* A warp comes to a barrier whose guard is false in some of its lanes. */
void wb_guard_skip(struct wb_warp *warp, const struct wb_insn *in, uint32_t skipping);
void wb_guard_arrive(struct wb_warp *warp, unsigned id);
void wb_guard_cluster_barrier(struct wb_cluster *cluster);
void wb_guard_mbarrier(struct wb_warp *warp, uint64_t address, bool waits);
void wb_guard_fence(struct wb_warp *warp);
/* A lane uses shared memory of another block of the cluster. */
void wb_guard_visit(struct wb_warp *warp, unsigned lane, struct wb_cta *owner,
                    const struct wb_guard_visit *visit);
/* Lanes end. */
void wb_guard_exit(struct wb_warp *warp, uint32_t lanes);

#endif
