/* SPDX-License-Identifier: MIT
 * State of a launch while it runs, from the outside in: struct wb_run (the launch), struct
 * wb_cluster (blocks that can see each other's shared memory; nearly always one), struct wb_cta (a
 * block), struct wb_warp. Everything of a block is apart from the launch, so that blocks could run
 * on several host threads.
 */
#ifndef WB_SASS_WARP_H
#define WB_SASS_WARP_H

#include "decode.h"
#include "engine.h"
#include "memory.h"
#include "traffic.h"

#include <stdalign.h>
#include <stdatomic.h>

/* What the counters of one instruction are made of. A group that goes straight through the
 * instructions p to q - 1 is counted once: it is added to `inst` and `thread` of p and taken off
 * those of q, so that the sums over all instructions up to i are the counters of i. */
struct wb_tally {
    uint64_t inst, thread;
    uint64_t off; /* lanes whose guard predicate was false */
    uint64_t uniform, divergent;
};

static inline void wb_tally_add(struct wb_tally *sum, const struct wb_tally *part)
{
    sum->inst += part->inst;
    sum->thread += part->thread;
    sum->off += part->off;
    sum->uniform += part->uniform;
    sum->divergent += part->divergent;
}

/* ---- warp ----------------------------------------------------------------------------------- */

/* Why a group of lanes waits. */
enum wb_wait {
    WB_READY,
    WB_WAIT_BSYNC,    /* for the other lanes of a convergence barrier */
    WB_WAIT_WARPSYNC, /* for the lanes of a mask */
    WB_WAIT_BAR,      /* for the block */
    WB_WAIT_CLUSTER,  /* for the cluster */
    WB_WAIT_MBARRIER, /* for a phase of an mbarrier */
};

/* Lanes of a warp that are at one place. `pc` counts instructions; for a waiting group it is the
 * barrier's. */
struct wb_group {
    uint32_t pc, mask;
    enum wb_wait wait;
    uint8_t barrier; /* convergence or block barrier */
    uint32_t want;   /* mask of a WARPSYNC, phase of a cluster barrier */
    bool reduces;    /* BAR.RED: `want` holds the lanes' predicate */
    bool collective; /* WARPSYNC.COLLECTIVE: the others may stand elsewhere */
};

/* Why a warp stopped running a group. */
enum wb_event {
    WB_EVENT_NONE,
    WB_EVENT_MOVED,  /* none: it goes on elsewhere, or with fewer lanes */
    WB_EVENT_SWITCH, /* another group goes on */
    WB_EVENT_STOP,   /* a fault */
};

/* At the clock: where from, the clock behind it, and when a row of looks from there began. */
struct wb_look {
    uint32_t pc;
    uint64_t at, since;
};

enum { WB_BARRIERS = 16, WB_CACHED_REGIONS = 4 };

struct wb_guard;
struct wb_guard_block;
struct wb_guard_warp;
struct wb_undefined;

/* The registers and predicates of the uniform datapath. */
enum {
    WB_UNIFORM_ROWS = WB_ROW_COUNT - WB_ROW_UNIFORM,
    WB_UNIFORM_PREDS = WB_PRED_COUNT - WB_PRED_UNIFORM,
};

struct wb_uniform {
    uint32_t row[WB_UNIFORM_ROWS], pred[WB_UNIFORM_PREDS];
};

struct wb_warp {
    alignas(64) uint32_t reg[WB_ROW_COUNT][WB_LANES];
    alignas(64) uint32_t scratch[4][WB_LANES]; /* results on their way into some lanes only */
    uint32_t pred[WB_PRED_COUNT];
    const uint32_t (*rows[WB_SPACE_COUNT])[WB_LANES]; /* reg, the program's pool */

    /* the running group */
    uint32_t pc; /* of the next instruction */
    uint32_t active;
    enum wb_event event;
    struct wb_tally *tally; /* of instruction 0 */
    struct wb_traffic *traffic;

    /* the others: the last ready one runs next */
    struct wb_group groups[WB_LANES];
    unsigned group_count;
    uint32_t live, yielded;
    uint64_t clock;                              /* virtual time: special.c */
    struct wb_look look;                         /* the last one at the clock */
    uint32_t convergence[WB_BARRIERS][WB_LANES]; /* each lane's copy of B0..B15 */

    struct wb_cta *cta;
    struct wb_guard_warp *guard; /* NULL: the launch has none */
    unsigned index;              /* in the block */
    unsigned bar_count;          /* results of the last BAR.RED */
    bool bar_all, bar_any;
    uint8_t bar_operation;
    uint32_t cluster_phase; /* that the last arrival belonged to */
    struct wb_region_cache cache[WB_CACHED_REGIONS];
    uint32_t ended_at[WB_LANES]; /* the EXIT of each lane that has ended */
    bool spins;                  /* spin.c: it only repeats itself, */
    unsigned steady;             /* in exactly the same way at so many looks in a row */
    uint64_t signature;
    unsigned period;                /* instructions of a turn, 0 if it did not spin */
    struct wb_undefined *undefined; /* NULL: the launch has no guard */

    uint32_t kept_lanes;              /* apart.c: the lowest lanes of ready groups that have */
    struct wb_uniform kept[WB_LANES]; /* uniform registers of their own; by that lane */
};

/* ---- block, cluster, launch ----------------------------------------------------------------- */

struct wb_cta {
    struct wb_run *run;
    struct wb_cluster *cluster;
    struct wb_guard_block *guard; /* NULL: the launch has none */
    struct wb_dim3 index;
    unsigned rank; /* in the cluster */
    struct wb_warp *warps;
    void *warp_memory; /* that they lie in */
    unsigned warp_count;
    uint8_t *shared;                /* wb_shared_bytes(run), the first 0x400 are reserved */
    uint8_t *local;                 /* local_size bytes a thread, NULL if the kernel uses none */
    unsigned arrived[WB_BARRIERS];  /* threads that arrived without waiting */
    unsigned expected[WB_BARRIERS]; /* threads that complete it, 0: all of the block */
};

struct wb_cluster {
    struct wb_cta *ctas;
    unsigned count;
    uint32_t phase;   /* of the cluster barrier */
    unsigned arrived; /* threads in this phase */
    struct wb_arena arena;
    struct wb_spin_state *spin_state; /* room for spin.c */
    struct wb_cluster *next;          /* in wb_run.residents */
};

struct wb_run {
    struct wb_sim *sim;
    const struct wb_kernel *kernel;
    const struct wb_program *program;
    const struct wb_sim_launch *launch;
    struct wb_const_bank bank[8];
    unsigned cluster_size[3];
    uint32_t shared_size, local_size;
    const struct wb_engine *engine;
    struct wb_tally *tally, *tally_before; /* tally_count; room for a copy */
    size_t tally_count;                    /* one an instruction, one for the end, one behind it */
    struct wb_traffic *traffic;            /* one an instruction */
    uint64_t steps_left;                   /* warp instructions until the fault is TIMEOUT */
    struct wb_fault *fault;
    struct wb_guard *guard; /* NULL: it has none */
    struct wb_arena *arena; /* of the results: counters, findings */
    struct wb_cluster
        *residents;        /* that have begun, those of a cooperative launch also at the end */
    bool watched;          /* blocks are looked at often, whether they spin */
    uint64_t grid_barrier; /* address of the grid barrier, 0 if there is none */
    bool taken_first;      /* the taken side of a divergent branch runs first */
    uint64_t draws;        /* random numbers drawn so far: schedule.c */
    uint16_t *stretch;     /* apart.c: instructions from each on in which lanes are on their own;
                              NULL: the lanes of a group stay together */
    /* on one of several host threads (parallel.c): */
    struct wb_claimant *claimant; /* claims what it uses of memory; NULL on one thread */
    const atomic_bool *stop;      /* another thread wants all to end */
};

/* What a block's shared memory takes: whole 16 bytes, so that a wide access of a short array fits.
 */
static inline uint32_t wb_shared_bytes(const struct wb_run *run)
{
    return (run->shared_size + 15) & ~UINT32_C(15);
}

/* Where the warp remembers the region of an address. */
static inline struct wb_region_cache *wb_warp_cache(struct wb_warp *warp, uint64_t address)
{
    return &warp->cache[(address >> 30 ^ address >> 21) % WB_CACHED_REGIONS];
}

/* Sets up lanes, registers and the group of all lanes at instruction 0. */
void wb_warp_start(struct wb_warp *warp, struct wb_cta *cta, unsigned index);
/* Runs up to `budget` instructions, until every group waits or ended; returns how many. */
uint64_t wb_warp_run(struct wb_warp *warp, uint64_t budget);
/* Makes a ready group the running one unless there is one; false if none is ready. */
bool wb_warp_resume(struct wb_warp *warp);
/* Issues up to `budget` instructions of the running group, until an event; returns what is left. */
static inline uint64_t wb_warp_issue(struct wb_warp *warp, uint64_t budget)
{
    return warp->cta->run->engine->run[warp->undefined != NULL](warp, budget);
}
/* Runs one instruction of the running group; the clock is the caller's business. */
void wb_warp_step(struct wb_warp *warp);
/* Is a group left that can run? */
bool wb_warp_ready(const struct wb_warp *warp);

/* Threads that a group stands for at a barrier with a count: a whole warp counts 32, even if it
 * has fewer threads. */
unsigned wb_cta_arrival(const struct wb_warp *warp, uint32_t mask);

/* When nothing else can run: lanes that wait at a WARPSYNC.COLLECTIVE count as yielded, so that
 * convergence barriers stop waiting for them (an H200 does so). True if a group can run now. */
bool wb_warp_let_pass(struct wb_warp *warp);

/* ---- for handlers: what control flow does to groups ------------------------------------------ */

/* The lanes of `mask` leave the running group for instruction `pc`. */
void wb_warp_fork(struct wb_warp *warp, uint32_t pc, uint32_t mask);
/* The lanes of `mask` leave it and wait at the current instruction. */
struct wb_group *wb_warp_park(struct wb_warp *warp, uint32_t mask, enum wb_wait wait);
/* Lets groups go on whose barrier is complete. */
void wb_warp_settle(struct wb_warp *warp);
/* Group number g goes on behind its barrier; the caller has decided so. */
void wb_warp_release(struct wb_warp *warp, unsigned g);
void wb_warp_exit(struct wb_warp *warp, uint32_t mask);
/* The running group goes on at instruction `pc`. */
static inline void wb_warp_jump(struct wb_warp *warp, uint32_t pc)
{
    warp->pc = pc;
    warp->event = WB_EVENT_MOVED;
}
void wb_warp_yield(struct wb_warp *warp);

static inline unsigned wb_lowest_lane(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

#endif
