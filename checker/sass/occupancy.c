/* SPDX-License-Identifier: MIT
 * How many blocks fit on an SM of an H200: the smallest of what threads, blocks, shared memory and
 * registers allow. The rules are those of the CUDA occupancy calculator for compute capability 9.0.
 */
#include "occupancy.h"

#include "insn.h"
#include "memory.h"

enum {
    SM_BLOCKS = 32,
    SM_WARPS = 64,
    SM_SHARED = 228 * 1024, /* bytes */
    SHARED_UNIT = 128,      /* a block gets a multiple of it */
    PARTITIONS = 4,         /* of an SM: each has its own registers */
    PARTITION_REGISTERS = 16384,
    WARP_REGISTERS_UNIT = 256, /* a warp gets a multiple of it */
};

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

unsigned wb_sim_blocks_per_sm(const struct wb_kernel *kernel, unsigned threads,
                              unsigned dynamic_shared)
{
    uint64_t warps = threads ? round_up(threads, WB_LANES) / WB_LANES : 1;
    uint64_t wanted = (uint64_t)kernel->static_shared + dynamic_shared;
    uint64_t shared = round_up(WB_SHARED_RESERVED + wanted, SHARED_UNIT);
    uint64_t registers = round_up((uint64_t)kernel->registers * WB_LANES, WARP_REGISTERS_UNIT);
    uint64_t blocks = least(SM_BLOCKS, SM_WARPS / warps);
    blocks = least(blocks, SM_SHARED / shared);
    if (registers) {
        uint64_t at_once = registers * round_up(warps, PARTITIONS);
        bool fits = at_once <= PARTITIONS * PARTITION_REGISTERS;
        uint64_t sm_warps = PARTITION_REGISTERS / registers * PARTITIONS;
        blocks = fits ? least(blocks, sm_warps / warps) : 0;
    }
    return (unsigned)blocks;
}

uint64_t wb_resident_blocks(const struct wb_kernel *kernel, unsigned threads,
                            unsigned dynamic_shared)
{
    return (uint64_t)WB_SM_COUNT * wb_sim_blocks_per_sm(kernel, threads, dynamic_shared);
}
