/* SPDX-License-Identifier: MIT
 * The tasks of a launch that runs on several host threads. A task is some clusters, one after the
 * other; tasks are numbered, and they end ("commit") in that order. The oldest task is certain: it
 * sees exactly what it would see if everything ran in order. Younger ones are tried meanwhile:
 *
 *   - who wants a word that an older task uses waits until that one has ended;
 *   - who wants a word that a younger task uses breaks that one: its writes are undone, and it runs
 *     again when it is the oldest.
 *
 * So memory, counters and faults are those of clusters in order, whatever they do to each other.
 * A fault counts only in the oldest task; what younger ones wrote is undone. So it is with a task
 * that comes near the step limit, which needs to know the exact rest, and with a cluster that
 * spins: the oldest one is handed back to grid.c as it is, and no more tasks are run.
 */
#ifndef WB_SASS_TEAM_H
#define WB_SASS_TEAM_H

#include "claims.h"
#include "warp.h"

#include <pthread.h>

enum wb_task_state {
    WB_TASK_FREE,
    WB_TASK_RUNS,
    WB_TASK_DONE,   /* waits until all older ones have committed */
    WB_TASK_BROKEN, /* undone, has to run again */
};

struct wb_task {
    struct wb_claimant claimant;
    struct wb_team *team;
    enum wb_task_state state;
    uint64_t number, first, end; /* clusters */
    uint64_t reached;            /* the first of them that has not begun */
    bool certain;                /* it is the oldest, and its rest of steps is exact */
    atomic_bool stop;            /* it was broken, or the launch has failed */
    struct wb_run *run;          /* of the thread that runs it */
    struct wb_fault fault;
    struct wb_cluster *spinning; /* its last cluster, which has not ended, or NULL */
    struct wb_tally *tally;
    struct wb_traffic *traffic;
    uint64_t steps, steps_used; /* at its start; until its end */
};

struct wb_team {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t change;
    struct wb_run *run; /* the launch: what has committed */
    struct wb_task *tasks;
    unsigned task_count, threads;
    uint64_t next, count;        /* cluster that no task has yet; their number */
    uint64_t made, committed;    /* tasks */
    uint64_t cluster_steps;      /* warp instructions of a cluster, about; 0: not known yet */
    uint64_t broken;             /* tasks that had to run again */
    bool exclusive;              /* the oldest task runs alone */
    struct wb_cluster *spinning; /* what the last task hands back, or NULL */
    struct wb_claims *claims;
};

bool wb_team_init(struct wb_team *team, struct wb_arena *arena, struct wb_run *run,
                  unsigned threads);
void wb_team_finish(struct wb_team *team);

/* What a thread does: takes task after task until no more are left. `run` and `cluster` are its
 * own, but in the end team->spinning is the caller's. */
void wb_team_work(struct wb_team *team, struct wb_run *run, struct wb_cluster *cluster);

#endif
