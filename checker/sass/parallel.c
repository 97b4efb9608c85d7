/* SPDX-License-Identifier: MIT
 * Clusters on several host threads, with the results and counters of one thread, for every kernel:
 * team.h says how. Here are the decision and the threads. Kernels that print or allocate, and
 * launches that are soon done, keep to one thread.
 *
 * It costs, while it runs, a few MiB a thread: blocks of its own, and what team.c and claims.c
 * bound.
 */
#include "parallel.h"

#include "grid.h"
#include "sim.h"
#include "team.h"

#include <sched.h>
#include <stdlib.h>

enum {
    MAX_THREADS = 8,         /* if the caller leaves the number to us */
    MOST_THREADS = 16,       /* if not */
    WORTH_IT = 1 << 17,      /* warp instructions, about 2 ms */
    MAX_LOCAL = 4 * 1 << 20, /* bytes of local memory a thread */
};

struct worker {
    pthread_t thread;
    struct wb_team *team;
    struct wb_run run; /* the launch, with counters of a task */
    struct wb_cluster *cluster;
    bool started;
};

/* ---- the decision ---------------------------------------------------------------------------- */

static unsigned processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < MAX_THREADS ? (unsigned)count : MAX_THREADS;
}

/* Claims are for whole words of the host, so regions must not share one. */
static bool regions_share_no_word(const struct wb_memory *memory)
{
    bool apart = true;
    for (size_t i = 0; i < memory->count; i++) {
        apart = apart && (uintptr_t)memory->regions[i].host % WB_CLAIM_WORD == 0;
    }
    return apart;
}

static unsigned thread_count(const struct wb_run *run, uint64_t clusters, uint64_t steps)
{
    const struct wb_dim3 *block = &run->launch->block;
    uint64_t threads = run->launch->threads, local = run->local_size;
    local *= (uint64_t)block->x * block->y * block->z * run->cluster_size[0] *
             run->cluster_size[1] * run->cluster_size[2];
    if (run->program->needs_order || run->launch->findings || local > MAX_LOCAL ||
        !regions_share_no_word(wb_sim_memory(run->sim))) {
        return 1;
    }
    if (threads == 0) {
        bool worth_it = steps > 0 && clusters >= WORTH_IT / steps;
        threads = worth_it ? processors() : 1;
    }
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    return (unsigned)(threads < clusters ? threads : clusters);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *work(void *context)
{
    struct worker *worker = context;
    wb_team_work(worker->team, &worker->run, worker->cluster);
    return NULL;
}

static bool worker_init(struct worker *worker, struct wb_team *team, struct wb_arena *arena)
{
    *worker = (struct worker){.team = team, .run = *team->run};
    worker->run.tally_before =
        wb_arena_alloc(arena, worker->run.tally_count * sizeof *worker->run.tally_before);
    worker->cluster = calloc(1, sizeof *worker->cluster);
    return worker->cluster && wb_cluster_create(worker->cluster, &worker->run);
}

static void worker_finish(struct worker *worker)
{
    if (worker->cluster && worker->cluster != worker->team->spinning) {
        wb_cluster_destroy(worker->cluster);
        free(worker->cluster);
    }
}

/* The calling thread is one of them; it goes on alone if no other could be started. */
static void run_workers(struct worker *workers, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        struct worker *w = &workers[i];
        w->started = pthread_create(&w->thread, NULL, work, w) == 0;
    }
    work(&workers[0]);
    for (unsigned i = 1; i < count; i++) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        }
    }
}

bool wb_parallel_run(struct wb_cluster **spinning, uint64_t *next, struct wb_run *run,
                     uint64_t count, uint64_t steps)
{
    unsigned wanted = thread_count(run, count - *next, steps), ready = 0;
    *spinning = NULL;
    if (wanted < 2) {
        return false;
    }
    struct wb_arena arena;
    struct wb_team team;
    wb_arena_init(&arena);
    struct worker *workers = wb_arena_alloc(&arena, wanted * sizeof *workers);
    bool ok = wb_team_init(&team, &arena, run, wanted);
    team.next = *next;
    team.count = count;
    team.cluster_steps = steps;
    while (ok && ready < wanted) {
        ok = worker_init(&workers[ready++], &team, &arena);
    }
    if (ok) {
        run_workers(workers, wanted);
        *next = team.next;
        *spinning = team.spinning;
    }
    for (unsigned i = 0; i < ready; i++) {
        worker_finish(&workers[i]);
    }
    wb_team_finish(&team);
    wb_arena_finish(&arena);
    return ok;
}
