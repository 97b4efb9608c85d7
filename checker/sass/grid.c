/* SPDX-License-Identifier: MIT
 * The blocks of a launch one after the other, and the decision whether host threads may help (in
 * the default order only). The first cluster always runs alone: it shows how much there is to do. A
 * cluster that spins stays resident and is looked at again, while the next ones run: as many as an
 * H200 holds at once. All clusters of a cooperative launch are resident from the beginning.
 */
#include "grid.h"

#include "block.h"
#include "guard.h"
#include "occupancy.h"
#include "parallel.h"
#include "schedule.h"
#include "spin.h"
#include "stuck.h"

#include <stdlib.h>
#include <string.h>

/* Zeroes, in memory that is not touched before it is used: a warp uses few of its registers. */
static struct wb_warp *allocate_warps(unsigned count, void **memory)
{
    uintptr_t align = alignof(struct wb_warp);
    *memory = calloc(1, count * sizeof(struct wb_warp) + align);
    uintptr_t address = ((uintptr_t)*memory + align - 1) & ~(align - 1);
    return *memory ? (struct wb_warp *)address : NULL;
}

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
        cta->warps = allocate_warps(cta->warp_count, &cta->warp_memory);
        cta->shared = wb_arena_alloc(&cluster->arena, wb_shared_bytes(run));
        cta->local = run->local_size
                         ? wb_arena_alloc(&cluster->arena,
                                          (size_t)run->local_size * WB_LANES * cta->warp_count)
                         : NULL;
        if (!cta->warps || (run->guard && !wb_guard_create_block(cta))) {
            return false;
        }
    }
    return true;
}

void wb_cluster_destroy(struct wb_cluster *cluster)
{
    wb_spin_forget(cluster);
    for (unsigned c = 0; c < cluster->count; c++) {
        wb_guard_destroy_block(&cluster->ctas[c]);
        free(cluster->ctas[c].warp_memory);
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
        memset(cta->shared, 0, wb_shared_bytes(run));
        memset(cta->arrived, 0, sizeof cta->arrived);
        memset(cta->expected, 0, sizeof cta->expected);
        if (cta->local) {
            memset(cta->local, 0, (size_t)run->local_size * WB_LANES * cta->warp_count);
        }
        for (unsigned i = 0; i < cta->warp_count; i++) {
            wb_warp_start(&cta->warps[i], cta, i);
        }
        if (cta->guard) {
            wb_guard_start_block(cta);
        }
    }
}

/* Starts cluster `number`: they are numbered along x, then y, then z. */
static void start(struct wb_run *run, struct wb_cluster *cluster, uint64_t number)
{
    const struct wb_dim3 *grid = &run->launch->grid;
    const unsigned *size = run->cluster_size;
    uint64_t columns = grid->x / size[0], rows = grid->y / size[1];
    start_cluster(run, cluster, (unsigned)(number % columns) * size[0],
                  (unsigned)(number / columns % rows) * size[1],
                  (unsigned)(number / columns / rows) * size[2]);
}

bool wb_grid_run_cluster(struct wb_run *run, struct wb_cluster *cluster, uint64_t number)
{
    run->residents = cluster;
    start(run, cluster, number);
    return wb_cluster_run(run, cluster) == WB_CLUSTER_ENDED;
}

/* ---- clusters side by side ------------------------------------------------------------------- */

enum { STEADY = 16 }; /* looks at which nothing has changed: nothing ever will */

struct grid {
    struct wb_run *run;
    struct wb_cluster *first, **end; /* residents in the order in which they began */
    struct wb_cluster *spare;        /* memory of one that has ended */
    struct wb_sequence order;        /* in which clusters begin */
    uint64_t next, count;            /* how many have begun, of all */
    uint64_t alive, room;            /* residents that have not ended, and how many there can be */
    bool keeps;                      /* those that have ended stay resident, to be named */
};

static uint64_t cluster_count(const struct wb_run *run)
{
    const struct wb_dim3 *grid = &run->launch->grid;
    const unsigned *size = run->cluster_size;
    return (uint64_t)(grid->x / size[0]) * (grid->y / size[1]) * (grid->z / size[2]);
}

static uint64_t cluster_room(const struct wb_run *run)
{
    const struct wb_dim3 *block = &run->launch->block;
    uint64_t blocks = wb_resident_blocks(run->kernel, block->x * block->y * block->z,
                                         run->launch->dynamic_shared);
    uint64_t size = run->cluster_size[0] * run->cluster_size[1] * run->cluster_size[2];
    return blocks > size ? blocks / size : 1;
}

static void dispose(struct wb_cluster *cluster)
{
    if (cluster) {
        wb_cluster_destroy(cluster);
        free(cluster);
    }
}

static void add_resident(struct grid *g, struct wb_cluster *cluster)
{
    cluster->next = NULL;
    *g->end = cluster;
    g->end = &cluster->next;
    g->run->residents = g->first;
    g->alive++;
}

/* Begins the next cluster behind the others; false if there is no memory for it. */
static bool begin_next(struct grid *g)
{
    struct wb_cluster *cluster = g->spare ? g->spare : malloc(sizeof *cluster);
    bool ready = cluster && (g->spare || wb_cluster_create(cluster, g->run));
    g->spare = NULL;
    if (!ready) {
        dispose(cluster);
        return false;
    }
    start(g->run, cluster, wb_sequence_at(&g->order, g->next++));
    add_resident(g, cluster);
    return true;
}

/* Takes the cluster at *link out of the list. */
static void retire(struct grid *g, struct wb_cluster **link)
{
    struct wb_cluster *cluster = *link;
    *link = cluster->next;
    g->end = cluster->next ? g->end : link;
    g->run->residents = g->first;
    dispose(g->spare);
    g->spare = cluster;
}

/* What came of it when each resident cluster had run until it ended or spun. */
enum round { ONE_ENDED, ALL_SPIN, ALL_FROZEN };

static enum round run_round(struct grid *g)
{
    struct wb_run *run = g->run;
    bool ended = false, frozen = true;
    for (struct wb_cluster **link = &g->first; *link && run->fault->kind == WB_REASON_NONE;) {
        bool alive = wb_cluster_is_alive(*link);
        if (alive && wb_cluster_run(run, *link) == WB_CLUSTER_SPINS) {
            frozen = frozen && wb_cluster_steady(*link) >= STEADY;
            run->watched = true;
        } else {
            ended = ended || alive;
            g->alive -= alive;
            if (!g->keeps) {
                retire(g, link);
                continue;
            }
        }
        link = &(*link)->next;
    }
    return ended ? ONE_ENDED : frozen ? ALL_FROZEN : ALL_SPIN;
}

/* Begins more clusters: all of a cooperative launch, else one, or as many as spin already. */
static bool begin_more(struct grid *g)
{
    uint64_t more = g->keeps ? g->count : g->alive ? g->alive : 1;
    bool ok = true;
    for (; ok && more && g->next < g->count && g->alive < g->room; more--) {
        ok = begin_next(g);
    }
    return ok;
}

/* Lets host threads do it, as far as they can: up to a cluster that spins. */
static bool run_on_threads(enum round *round, struct grid *g, uint64_t steps)
{
    struct wb_run *run = g->run;
    struct wb_cluster *spinning;
    if (!wb_parallel_run(&spinning, &g->next, run, g->count, steps)) {
        return false;
    }
    if (spinning) {
        for (unsigned c = 0; c < spinning->count; c++) {
            struct wb_cta *cta = &spinning->ctas[c];
            cta->run = run;
            for (unsigned i = 0; i < cta->warp_count; i++) {
                cta->warps[i].tally = run->tally;
                cta->warps[i].traffic = run->traffic;
            }
        }
        add_resident(g, spinning);
        run->watched = true;
        *round = ALL_SPIN;
    }
    return true;
}

/* Runs clusters until all have ended; more begin when those that did only spin. */
static bool run_in_order(struct grid *g, uint64_t steps)
{
    struct wb_run *run = g->run;
    enum round round = ONE_ENDED;
    while (run->fault->kind == WB_REASON_NONE && (g->alive || g->next < g->count)) {
        bool alone = g->next <= 1 && g->alive == 0 && !g->keeps && !run->guard &&
                     run->launch->schedule == WB_SCHEDULE_DEFAULT;
        if (alone && run_on_threads(&round, g, steps - run->steps_left)) {
            continue;
        }
        bool wanted = g->alive == 0 || round != ONE_ENDED;
        bool possible = g->next < g->count && g->alive < g->room;
        if (wanted && possible && !begin_more(g)) {
            return false;
        }
        bool stuck = round == ALL_FROZEN && !possible;
        if (stuck && !(run->launch->wait && run->launch->wait(run->launch->host_context))) {
            uint64_t size = run->cluster_size[0] * run->cluster_size[1] * run->cluster_size[2];
            wb_stuck_raise_spin(run, (g->count - g->next) * size);
            run->watched = false; /* if it goes on, then to the step limit */
        }
        round = run_round(g);
    }
    return true;
}

bool wb_grid_run(struct wb_run *run)
{
    struct grid g = {
        .run = run,
        .count = cluster_count(run),
        .room = cluster_room(run),
        .keeps = run->launch->cooperative,
    };
    g.order = wb_schedule_order(run, g.count);
    g.end = &g.first;
    run->watched = g.keeps;
    bool ok = run_in_order(&g, run->steps_left);
    while (g.first) {
        retire(&g, &g.first);
    }
    dispose(g.spare);
    run->residents = NULL;
    return ok;
}
