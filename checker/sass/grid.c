/* SPDX-License-Identifier: MIT
 * The blocks of a launch one after the other, and the decision whether host threads may help. The
 * first cluster always runs alone: it shows how much there is to do.
 */
#include "grid.h"

#include "block.h"
#include "parallel.h"

#include <stdlib.h>
#include <string.h>

bool wb_cluster_create(struct wb_cluster *cluster, struct wb_run *run)
{
    const struct wb_dim3 *block = &run->launch->block;
    unsigned threads = block->x * block->y * block->z;
    *cluster = (struct wb_cluster){.count = run->cluster_size[0] * run->cluster_size[1] *
                                            run->cluster_size[2]};
    wb_arena_init(&cluster->arena);
    cluster->ctas = wb_arena_alloc(&cluster->arena, cluster->count * sizeof *cluster->ctas);
    for (unsigned c = 0; c < cluster->count; c++) {
        struct wb_cta *cta = &cluster->ctas[c];
        cta->run = run;
        cta->cluster = cluster;
        cta->rank = c;
        cta->warp_count = (threads + WB_LANES - 1) / WB_LANES;
        cta->warps = aligned_alloc(64, cta->warp_count * sizeof *cta->warps);
        cta->shared = wb_arena_alloc(&cluster->arena, run->shared_size);
        cta->local = run->local_size
                         ? wb_arena_alloc(&cluster->arena,
                                          (size_t)run->local_size * WB_LANES * cta->warp_count)
                         : NULL;
        if (!cta->warps) {
            return false;
        }
        memset(cta->warps, 0, cta->warp_count * sizeof *cta->warps);
    }
    return true;
}

void wb_cluster_destroy(struct wb_cluster *cluster)
{
    for (unsigned c = 0; c < cluster->count; c++) {
        free(cluster->ctas[c].warps);
    }
    wb_arena_finish(&cluster->arena);
}

/* Fresh blocks of the cluster whose first block is (x, y, z). */
static void start_cluster(struct wb_run *run, struct wb_cluster *cluster, unsigned x, unsigned y,
                          unsigned z)
{
    cluster->phase = cluster->arrived = 0;
    for (unsigned c = 0; c < cluster->count; c++) {
        struct wb_cta *cta = &cluster->ctas[c];
        const unsigned *size = run->cluster_size;
        cta->index = (struct wb_dim3){
            .x = x + c % size[0], .y = y + c / size[0] % size[1], .z = z + c / size[0] / size[1]};
        memset(cta->shared, 0, run->shared_size);
        memset(cta->arrived, 0, sizeof cta->arrived);
        memset(cta->expected, 0, sizeof cta->expected);
        if (cta->local) {
            memset(cta->local, 0, (size_t)run->local_size * WB_LANES * cta->warp_count);
        }
        for (unsigned i = 0; i < cta->warp_count; i++) {
            wb_warp_start(&cta->warps[i], cta, i);
        }
    }
}

void wb_grid_run_cluster(struct wb_run *run, struct wb_cluster *cluster, uint64_t number)
{
    const struct wb_dim3 *grid = &run->launch->grid;
    const unsigned *size = run->cluster_size;
    uint64_t columns = grid->x / size[0], rows = grid->y / size[1];
    start_cluster(run, cluster, (unsigned)(number % columns) * size[0],
                  (unsigned)(number / columns % rows) * size[1],
                  (unsigned)(number / columns / rows) * size[2]);
    wb_cluster_run(run, cluster);
}

static uint64_t cluster_count(const struct wb_run *run)
{
    const struct wb_dim3 *grid = &run->launch->grid;
    const unsigned *size = run->cluster_size;
    return (uint64_t)(grid->x / size[0]) * (grid->y / size[1]) * (grid->z / size[2]);
}

bool wb_grid_run(struct wb_run *run)
{
    struct wb_cluster cluster;
    uint64_t count = cluster_count(run), steps = run->steps_left;
    bool ok = wb_cluster_create(&cluster, run);
    for (uint64_t n = 0; ok && n < count && run->fault->kind == WB_REASON_NONE; n++) {
        if (n == 1 && wb_parallel_run(run, n, count, steps - run->steps_left)) {
            break;
        }
        wb_grid_run_cluster(run, &cluster, n);
    }
    wb_cluster_destroy(&cluster);
    return ok;
}
