/* SPDX-License-Identifier: MIT
 * Which accesses of a launch come before which, whatever the order in which warps run. What a warp
 * does between two meetings with others is a segment. Segments have numbers in the order in which
 * they begin; a segment begins with the first access to memory in it.
 *
 *   Lanes of a warp meet at __syncwarp, at shuffles, votes and the like: order_join.
 *   A block meets at __syncthreads: everything of it so far comes before everything that follows.
 *   Some warps meet at a named barrier or an mbarrier: `between` says what each knows of each.
 *   A cluster meets at its barrier.
 *   Blocks (and warps) tell each other by a fence and a flag: who reads a flag, or does an atomic
 *   on it, knows what those who wrote it had done before their fence.
 */
#ifndef WB_SASS_ORDER_H
#define WB_SASS_ORDER_H

#include "warp.h"

struct wb_flag;

/* What a warp learned from a flag: the first `upto` releases there. */
struct wb_acquired {
    const struct wb_flag *flag;
    uint32_t upto;
};

struct wb_acquired_list {
    struct wb_acquired *items;
    size_t count, capacity;
};

/* A warp's place in the order. */
struct wb_order_warp {
    uint32_t segment, last;          /* the present one (0: none yet), the last one */
    uint32_t joined;                 /* up to here every lane knows what all lanes did */
    uint32_t fenced, fenced_barrier; /* `last` of the warp, `barrier` of the block at the fence */
    bool fence_is_fresh;             /* since the last fence nothing but shared memory was read */
    struct wb_acquired_list acquired;
    bool partly;                        /* parts of the warp have met: `known` holds something */
    uint32_t known[WB_LANES][WB_LANES]; /* segment up to which a lane knows what another one did */
};

struct wb_order_block {
    uint32_t serial;  /* of all blocks of the launch, from 0, in the order in which they begin */
    uint32_t first;   /* segments from here on are of this launch's time since the block began */
    uint32_t barrier; /* segments of the block up to here are before everything */
    uint32_t cluster; /* the same for all blocks of the cluster */
    uint32_t cluster_first, cluster_count; /* serials of the cluster's blocks */
    uint32_t fenced;                       /* `barrier` when a fence was before it */
    bool fences;                           /* some warp has executed a fence since the barrier */
    uint32_t (*between)[WB_LANES]; /* [warp][other warp]: segment known, NULL: nothing so far */
    struct wb_acquired_list acquired;
};

struct wb_segment {
    uint32_t block, warp;
};

struct wb_order {
    uint32_t first, next; /* segments of the launch: first to next - 1 */
    struct wb_segment *segments;
    size_t capacity;
    uint32_t blocks; /* serials given */
    struct wb_arena arena;
    void *flags; /* of tsearch, by address */
    size_t flag_count;
    bool told; /* some flag was written behind a fence */
    bool full; /* no memory for more segments: nothing is compared any more */
};

void wb_order_init(struct wb_order *order, uint32_t first);
void wb_order_finish(struct wb_order *order);
void wb_order_start_block(struct wb_cta *cta);

uint32_t wb_order_new_segment(struct wb_warp *warp);
/* The segment that the warp is in. */
uint32_t wb_order_segment(struct wb_warp *warp);

/* Does what `lane` of the warp does now come after what lane `other` did in segment `q`? */
bool wb_order_after(const struct wb_warp *warp, unsigned lane, uint32_t q, unsigned other);
/* The same for all lanes of the warp. */
bool wb_order_all_after(const struct wb_warp *warp, uint32_t q);
/* The same for one lane, of all lanes of that segment. */
bool wb_order_after_all(const struct wb_warp *warp, unsigned lane, uint32_t q);
/* Is the segment one of the warp, of its block? */
bool wb_order_is_own_warp(const struct wb_warp *warp, uint32_t q);
bool wb_order_is_own_block(const struct wb_warp *warp, uint32_t q);

/* The warp of its own block that a segment is of; NULL: it is of another block. */
struct wb_warp *wb_order_warp(const struct wb_warp *warp, uint32_t q);

/* The lanes of the mask have met. */
void wb_order_join(struct wb_warp *warp, uint32_t mask);
/* All of the block, all of the cluster has met. */
void wb_order_block_met(struct wb_cta *cta);
void wb_order_cluster_met(struct wb_cluster *cluster);
/* `warp` now knows what `other` did up to the segment. */
void wb_order_warp_knows(struct wb_warp *warp, const struct wb_warp *other, uint32_t upto);
void wb_order_part(struct wb_warp *warp); /* what it does from now on is another segment */

void wb_order_fence(struct wb_warp *warp);
/* The warp writes a flag, or reads one. */
void wb_order_release(struct wb_warp *warp, uint64_t address);
void wb_order_acquire(struct wb_warp *warp, uint64_t address);

#endif
