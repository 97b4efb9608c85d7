/* SPDX-License-Identifier: MIT
 * Traffic: what the accesses of one warp instruction cost, as a GPU counts it: 32-byte sectors of
 * global and local memory, wavefronts of shared memory, the fewest that would do ("ideal"), and
 * loads of constants that have to be repeated. The rules are one function each in traffic.c; the
 * usual patterns are told apart here, so that handlers count them inline.
 */
#ifndef WB_SASS_TRAFFIC_H
#define WB_SASS_TRAFFIC_H

#include "insn.h"

/* Counts of one instruction. */
struct wb_traffic {
    uint64_t shared_wavefronts, shared_ideal, global_sectors, global_ideal, local_sectors;
    uint64_t constant_divergent, constant_replays;
};

static inline void wb_traffic_add(struct wb_traffic *sum, const struct wb_traffic *part)
{
    sum->shared_wavefronts += part->shared_wavefronts;
    sum->shared_ideal += part->shared_ideal;
    sum->global_sectors += part->global_sectors;
    sum->global_ideal += part->global_ideal;
    sum->local_sectors += part->local_sectors;
    sum->constant_divergent += part->constant_divergent;
    sum->constant_replays += part->constant_replays;
}

enum { WB_SECTOR = 32, WB_WAVEFRONT = 128 }; /* bytes */

/* How the addresses of a warp lie. */
enum wb_pattern {
    WB_SCATTERED,
    WB_UNIFORM,     /* all 32 lanes name one address */
    WB_CONSECUTIVE, /* lane i follows lane i - 1 without a gap */
};

/* What a shared access does with lanes that name one word. */
enum wb_shared_access {
    WB_SHARED_LOAD,
    WB_SHARED_STORE,
    WB_SHARED_ATOMIC,   /* the lanes of a word take turns */
    WB_SHARED_CAS,      /* so do these, and each turn compares before it writes */
    WB_SHARED_COMBINED, /* ATOMS.POPC.INC: the lanes of a word are one access */
    WB_SHARED_CAS_SPIN, /* one lane of a bank has its turn, the others are told */
};

/* Each adds one instruction. `at` holds the addresses of 32 lanes, of which those of `on` count;
 * `size` is bytes a lane: 1, 2, 4, 8 or 16. Addresses are multiples of it. */
void wb_traffic_global(struct wb_traffic *traffic, const uint64_t *at, uint32_t on, unsigned size);
void wb_traffic_shared(struct wb_traffic *traffic, const uint64_t *at, uint32_t on, unsigned size,
                       enum wb_shared_access access);
void wb_traffic_local(struct wb_traffic *traffic, const uint64_t *at, uint32_t on, unsigned size);
/* A copy from global addresses `from` of the lanes `reads` to shared ones `to` of the lanes `on`,
 * which include them; `bypass`: not through the L1 cache (then the size is 16). */
void wb_traffic_copy(struct wb_traffic *traffic, const uint64_t *to, uint32_t on,
                     const uint64_t *from, uint32_t reads, unsigned size, bool bypass);
/* The lanes of `on` that have their turn at a spinning compare-and-swap: the lowest of each bank,
 * for 64 bits in each half of the warp. */
uint32_t wb_traffic_spin_turn(const uint64_t *at, uint32_t on, unsigned size);
void wb_traffic_constant(struct wb_traffic *traffic, const uint64_t *at, uint32_t on);

static inline enum wb_pattern wb_pattern_of(const uint64_t *at, uint32_t on, unsigned size)
{
    uint64_t moved = 0, apart = 0;
    if (on != WB_ALL_LANES) {
        return WB_SCATTERED;
    }
    for (unsigned i = 0; i < WB_LANES; i++) {
        moved |= at[i] ^ at[0];
        apart |= at[i] ^ (at[0] + (uint64_t)i * size);
    }
    return !apart ? WB_CONSECUTIVE : !moved ? WB_UNIFORM : WB_SCATTERED;
}

#endif
