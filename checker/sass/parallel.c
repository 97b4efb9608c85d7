/* SPDX-License-Identifier: MIT
 * Blocks on several host threads, with the results and counters of one thread, for every kernel.
 *
 * Blocks of a correct kernel seldom share memory that one of them writes, and then their order does
 * not matter. So the threads take the next cluster each and claim the memory that it uses
 * (claims.h). Counters are sums, one list a thread. If two clusters want the same memory, or
 * anything goes wrong (a fault, the step limit), the threads stop, everything that was written is
 * undone, and the clusters run again in order: so a race between blocks, which is a bug of the
 * kernel, has the same outcome every time, and a fault is the first one in the order of blocks.
 * Kernels that are bound to end so, or that print or read a clock, are never tried.
 *
 * It costs, while it runs, 1/4 of the mapped memory and 2 bytes for each byte written, and blocks
 * of its own for each thread.
 */
#include "parallel.h"

#include "claims.h"
#include "grid.h"
#include "sim.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 8,         /* if the caller leaves the number to us */
    WORTH_IT = 1 << 17,      /* warp instructions, about 2 ms */
    MAX_LOCAL = 4 * 1 << 20, /* bytes of local memory a thread */
};

/* What the threads share. */
struct team {
    uint64_t count;             /* of clusters */
    atomic_uint_least64_t next; /* cluster to be taken */
    atomic_bool stop;
};

struct worker {
    pthread_t thread;
    struct team *team;
    struct wb_run run; /* the launch with counters, fault and steps of its own */
    struct wb_fault fault;
    struct wb_undo undo;
    struct wb_cluster cluster;
    bool started;
};

/* ---- the decision ---------------------------------------------------------------------------- */

static unsigned processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < MAX_THREADS ? (unsigned)count : MAX_THREADS;
}

static unsigned thread_count(const struct wb_run *run, uint64_t clusters, uint64_t steps)
{
    const struct wb_dim3 *block = &run->launch->block;
    uint64_t threads = run->launch->threads, local = run->local_size;
    local *= (uint64_t)block->x * block->y * block->z * run->cluster_size[0] *
             run->cluster_size[1] * run->cluster_size[2];
    if (run->program->needs_order || local > MAX_LOCAL || clusters > UINT32_MAX / 4) {
        return 1;
    }
    if (threads == 0) {
        bool worth_it = steps > 0 && clusters >= WORTH_IT / steps;
        threads = worth_it ? processors() : 1;
    }
    return (unsigned)(threads < clusters ? threads : clusters);
}

/* ---- claims of all regions ------------------------------------------------------------------- */

static void forget_claims(struct wb_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++) {
        free(memory->regions[i].claims);
        memory->regions[i].claims = NULL;
    }
}

static bool make_claims(struct wb_memory *memory)
{
    bool ok = true;
    for (size_t i = 0; ok && i < memory->count; i++) {
        memory->regions[i].claims = wb_claims_create(memory->regions[i].size);
        ok = memory->regions[i].claims != NULL;
    }
    return ok;
}

/* ---- workers --------------------------------------------------------------------------------- */

static void *work(void *context)
{
    struct worker *worker = context;
    struct team *team = worker->team;
    while (!atomic_load(&team->stop)) {
        uint64_t n = atomic_fetch_add(&team->next, 1);
        if (n >= team->count) {
            break;
        }
        worker->run.claimant = (uint32_t)n + 1;
        wb_grid_run_cluster(&worker->run, &worker->cluster, n);
        if (worker->fault.kind != WB_REASON_NONE) {
            atomic_store(&team->stop, true);
        }
    }
    return NULL;
}

static bool worker_init(struct worker *worker, struct team *team, const struct wb_run *run)
{
    size_t tallies = run->tally_count;
    *worker = (struct worker){.team = team, .run = *run};
    worker->run.fault = &worker->fault;
    worker->run.undo = &worker->undo;
    worker->run.stop = &team->stop;
    bool ok = wb_cluster_create(&worker->cluster, &worker->run);
    struct wb_arena *arena = &worker->cluster.arena;
    worker->run.tally = wb_arena_alloc(arena, tallies * sizeof *run->tally);
    worker->run.tally_before = wb_arena_alloc(arena, tallies * sizeof *run->tally);
    worker->run.traffic = wb_arena_alloc(arena, tallies * sizeof *run->traffic);
    return ok;
}

static void worker_finish(struct worker *worker)
{
    wb_undo_finish(&worker->undo);
    wb_cluster_destroy(&worker->cluster);
}

/* Runs the workers to their end; true if all clusters are done. */
static bool run_team(struct worker *workers, unsigned count)
{
    struct team *team = workers[0].team;
    for (unsigned i = 1; i < count; i++) {
        struct worker *w = &workers[i];
        w->started = pthread_create(&w->thread, NULL, work, w) == 0;
    }
    work(&workers[0]); /* goes on alone if no thread could be started */
    for (unsigned i = 1; i < count; i++) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        }
    }
    return !atomic_load(&team->stop);
}

/* ---- results --------------------------------------------------------------------------------- */

static uint64_t steps_of(const struct worker *workers, unsigned count, uint64_t before)
{
    uint64_t steps = 0;
    for (unsigned i = 0; i < count; i++) {
        steps += before - workers[i].run.steps_left;
    }
    return steps;
}

static void add_counters(struct wb_run *run, const struct wb_run *part)
{
    for (size_t i = 0; i < run->tally_count; i++) {
        wb_tally_add(&run->tally[i], &part->tally[i]);
    }
    for (uint32_t i = 0; i < run->program->count; i++) {
        wb_traffic_add(&run->traffic[i], &part->traffic[i]);
    }
}

/* The run takes over what the workers did; false, and all undone, if it has to be done again. */
static bool conclude(struct wb_run *run, struct worker *workers, unsigned count, bool done)
{
    uint64_t steps = steps_of(workers, count, run->steps_left);
    done = done && steps < run->steps_left;
    for (unsigned i = 0; i < count; i++) {
        if (done) {
            add_counters(run, &workers[i].run);
        } else {
            wb_undo_apply(&workers[i].undo);
        }
    }
    run->steps_left -= done ? steps : 0;
    return done;
}

bool wb_parallel_run(struct wb_run *run, uint64_t first, uint64_t count, uint64_t steps)
{
    unsigned wanted = thread_count(run, count - first, steps), ready = 0;
    struct wb_memory *memory = wb_sim_memory(run->sim);
    struct team team = {.count = count, .next = first};
    if (wanted < 2) {
        return false;
    }
    struct worker *workers = calloc(wanted, sizeof *workers);
    bool ok = workers && make_claims(memory);
    while (ok && ready < wanted) {
        ok = worker_init(&workers[ready++], &team, run);
    }
    bool done = ok && run_team(workers, wanted);
    done = ok && conclude(run, workers, wanted, done);
    for (unsigned i = 0; i < ready; i++) {
        worker_finish(&workers[i]);
    }
    free(workers);
    forget_claims(memory);
    return done;
}
