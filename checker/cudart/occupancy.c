/* SPDX-License-Identifier: MIT
 * occupancy: see occupancy.h. To change a rule, change the function that is named after it.
 */
#include "occupancy.h"

enum {
    WARP = 32,
    MAX_BLOCK = 1024,
    QUARTERS = 4, /* of a multiprocessor, each with a quarter of its registers */
    QUARTER_REGISTERS = 16384,
    REGISTER_STEP = 256, /* registers are given to a warp in such pieces */
    SHARED_STEP = 128,
    SHARED_RESERVED = 1024, /* bytes of each block, for the system */
    SHARED_DEFAULT = 48 * 1024,
    SHARED_OPT_IN = 227 * 1024,
    SHARED_ALL = 228 * 1024,
};

/* The sizes in KiB that shared memory can be set to; L1 gets the rest. */
static const unsigned short shared_sizes[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

/* How the 132 multiprocessors lie in GPCs, which a cluster cannot leave: a model of the part, whose
 * layout differs from chip to chip. */
static const unsigned char gpc_sizes[] = {16, 16, 16, 16, 16, 16, 18, 18};

static size_t round_up(size_t value, size_t step)
{
    return (value + step - 1) / step * step;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* The smallest size of shared memory that holds `size` bytes. */
static size_t shared_setting(size_t size)
{
    for (size_t i = 0; i < WB_ARRAY_LENGTH(shared_sizes); i++) {
        if (size <= shared_sizes[i] * (size_t)1024) {
            return shared_sizes[i] * (size_t)1024;
        }
    }
    return 0;
}

static size_t shared_wanted(const struct wb_occupancy *o)
{
    return o->carveout < 0 ? SHARED_ALL : shared_setting((size_t)o->carveout * SHARED_ALL / 100);
}

/* What one block can have, the reserved bytes included: more than usual only if asked for. */
static size_t shared_of_block(const struct wb_occupancy *o)
{
    size_t largest = o->kernel->static_shared + SHARED_RESERVED + o->dynamic_limit;
    return SHARED_RESERVED + (size_t)(largest > SHARED_DEFAULT ? SHARED_OPT_IN : SHARED_DEFAULT);
}

static size_t blocks_by_shared(const struct wb_occupancy *o, size_t dynamic_shared)
{
    size_t used = o->kernel->static_shared + SHARED_RESERVED + dynamic_shared;
    size_t block = round_up(used, SHARED_STEP);
    if (dynamic_shared > o->dynamic_limit || block > shared_of_block(o)) {
        return 0;
    }
    size_t wanted = shared_wanted(o);
    return (wanted >= block ? wanted : shared_setting(block)) / block;
}

/* ---- together -------------------------------------------------------------------------------- */

unsigned wb_occupancy_blocks(const struct wb_occupancy *o, unsigned threads, size_t dynamic_shared)
{
    size_t blocks = blocks_by_shared(o, dynamic_shared);
    if (threads == 0 || threads > MAX_BLOCK || blocks == 0) {
        return 0;
    }
    return (unsigned)least(blocks,
                           wb_sim_blocks_per_sm(o->kernel, threads, (unsigned)dynamic_shared));
}

bool wb_occupancy_available(size_t *dynamic_shared, const struct wb_occupancy *o, unsigned blocks,
                            unsigned threads)
{
    if (blocks == 0 || wb_occupancy_blocks(o, threads, 0) < blocks) {
        return false;
    }
    size_t one = SHARED_RESERVED + (size_t)SHARED_OPT_IN;
    size_t wanted = shared_wanted(o);
    size_t total = blocks == 1 ? one : wanted ? wanted : shared_setting(1);
    size_t each = least(total / blocks / SHARED_STEP * SHARED_STEP, one);
    size_t fixed = o->kernel->static_shared + SHARED_RESERVED;
    *dynamic_shared = least(each > fixed ? each - fixed : 0, o->dynamic_limit);
    return true;
}

unsigned wb_occupancy_max_threads(const struct wb_kernel *kernel)
{
    size_t warp = round_up((size_t)kernel->registers * WARP, REGISTER_STEP);
    size_t threads = warp ? QUARTER_REGISTERS / warp * QUARTERS * WARP : MAX_BLOCK;
    return (unsigned)least(threads, kernel->max_threads ? kernel->max_threads : MAX_BLOCK);
}

unsigned wb_occupancy_clusters(const struct wb_occupancy *o, unsigned threads,
                               size_t dynamic_shared, unsigned cluster_size)
{
    unsigned blocks = wb_occupancy_blocks(o, threads, dynamic_shared), clusters = 0;
    for (size_t i = 0; i < sizeof gpc_sizes && cluster_size > 0; i++) {
        clusters += gpc_sizes[i] * blocks / cluster_size;
    }
    return clusters;
}
