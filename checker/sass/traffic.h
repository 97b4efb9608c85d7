/* SPDX-License-Identifier: MIT
 * Traffic: what the accesses of one warp instruction cost, as the SASS metrics of a GPU count it:
 * 32-byte sectors of global and local memory, wavefronts of shared memory, and the fewest that
 * would do ("ideal"). The rules are one function each in traffic.c; the usual patterns are told
 * apart here, so that handlers count them inline.
 */
#ifndef WB_SASS_TRAFFIC_H
#define WB_SASS_TRAFFIC_H

#include "insn.h"

/* Counts of one instruction. */
struct wb_traffic {
    uint64_t shared_wavefronts, shared_ideal, global_sectors, global_ideal, local_sectors;
};

static inline void wb_traffic_add(struct wb_traffic *sum, const struct wb_traffic *part)
{
    sum->shared_wavefronts += part->shared_wavefronts;
    sum->shared_ideal += part->shared_ideal;
    sum->global_sectors += part->global_sectors;
    sum->global_ideal += part->global_ideal;
    sum->local_sectors += part->local_sectors;
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
    WB_SHARED_CAS_SPIN, /* one lane of a word wins, the others are told */
};

/* Each adds one instruction. `at` holds the addresses of 32 lanes, of which those of `on` count;
 * `size` is bytes a lane: 1, 2, 4, 8 or 16. Addresses are multiples of it. */
void wb_traffic_global(struct wb_traffic *traffic, const uint64_t *at, uint32_t on, unsigned size);
void wb_traffic_shared(struct wb_traffic *traffic, const uint64_t *at, uint32_t on, unsigned size,
                       enum wb_shared_access access);
void wb_traffic_local(struct wb_traffic *traffic, const uint64_t *at, uint32_t on, unsigned size);

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
