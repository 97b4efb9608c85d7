/* SPDX-License-Identifier: MIT
 * A launch: the checks that the hardware makes, constant bank 0, and the counters at the end.
 * grid.c runs the blocks.
 */
#include "apart.h"
#include "fault.h"
#include "grid.h"
#include "guard.h"
#include "occupancy.h"
#include "schedule.h"
#include "sim.h"

#include <string.h>

enum {
    MAX_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    MAX_CLUSTER = 8,
    MAX_SHARED = 227 * 1024, /* bytes a block, static and dynamic */
    REGISTERS = 65536,       /* of an SM */
    MIN_STACK = 4096,        /* bytes a thread, if it uses any */
    MAX_STACK = 512 * 1024,
    MAX_BANK = 64 * 1024, /* bytes of a constant bank */
};

/* ---- checks ---------------------------------------------------------------------------------- */

static bool dims_are_ok(struct wb_fault *fault, const struct wb_sim_launch *l)
{
    const struct wb_dim3 *g = &l->grid, *b = &l->block;
    uint64_t threads = (uint64_t)b->x * b->y * b->z;
    if (!g->x || !g->y || !g->z) {
        wb_fault_refuse(fault, WB_REFUSAL_SHAPE,
                        "the grid has %u x %u x %u blocks; each dimension must be at least 1", g->x,
                        g->y, g->z);
    } else if (!b->x || !b->y || !b->z) {
        wb_fault_refuse(fault, WB_REFUSAL_SHAPE,
                        "a block has %u x %u x %u threads; each dimension must be at least 1", b->x,
                        b->y, b->z);
    } else if (b->x > MAX_THREADS || b->y > MAX_THREADS || b->z > MAX_BLOCK_Z) {
        wb_fault_refuse(fault, WB_REFUSAL_SHAPE,
                        "a block of %u x %u x %u threads; at most %d x %d x %d are possible, and "
                        "%d in all",
                        b->x, b->y, b->z, MAX_THREADS, MAX_THREADS, MAX_BLOCK_Z, MAX_THREADS);
    } else if (threads > MAX_THREADS) {
        wb_fault_refuse(fault, WB_REFUSAL_SHAPE, "%llu threads per block; at most %d are possible",
                        (unsigned long long)threads, MAX_THREADS);
    } else if (g->x > INT32_MAX || g->y > MAX_GRID_YZ || g->z > MAX_GRID_YZ) {
        wb_fault_refuse(fault, WB_REFUSAL_SHAPE,
                        "a grid of %u x %u x %u blocks; at most %d x %d x %d are possible", g->x,
                        g->y, g->z, INT32_MAX, MAX_GRID_YZ, MAX_GRID_YZ);
    } else {
        return true;
    }
    return false;
}

static bool resources_are_ok(struct wb_fault *fault, const struct wb_sim_launch *l,
                             const struct wb_kernel *k)
{
    unsigned threads = l->block.x * l->block.y * l->block.z;
    unsigned warps = (threads + WB_LANES - 1) / WB_LANES;
    uint64_t shared = (uint64_t)k->static_shared + l->dynamic_shared;
    uint64_t registers = (uint64_t)warps * WB_LANES * ((k->registers + 7) / 8 * 8);
    if (k->max_threads && threads > k->max_threads) {
        wb_fault_refuse(fault, WB_REFUSAL_RESOURCES,
                        "%u threads per block, but kernel `%s` was compiled for at most %u "
                        "(__launch_bounds__)",
                        threads, k->name, k->max_threads);
    } else if (shared > MAX_SHARED) {
        wb_fault_refuse(fault, WB_REFUSAL_RESOURCES,
                        "a block of kernel `%s` wants %llu bytes of shared memory (%u static, %u "
                        "dynamic); at most %d are possible",
                        k->name, (unsigned long long)shared, k->static_shared, l->dynamic_shared,
                        MAX_SHARED);
    } else if (registers > REGISTERS) {
        wb_fault_refuse(fault, WB_REFUSAL_RESOURCES,
                        "%u threads per block with %u registers each; there are only %d registers",
                        threads, k->registers, REGISTERS);
    } else if (k->local_bytes > MAX_STACK) {
        wb_fault_refuse(fault, WB_REFUSAL_RESOURCES,
                        "kernel `%s` wants %u bytes of stack a thread; at most %d are possible",
                        k->name, k->local_bytes, MAX_STACK);
    } else if (k->param_base > MAX_BANK || k->param_size > MAX_BANK - k->param_base) {
        wb_fault_refuse(fault, WB_REFUSAL_PARAMS,
                        "the parameters of kernel `%s` do not fit into a constant bank", k->name);
    } else if (l->param_size != k->param_size) {
        wb_fault_refuse(fault, WB_REFUSAL_PARAMS,
                        "kernel `%s` takes %u bytes of parameters, but was given %zu", k->name,
                        k->param_size, l->param_size);
    } else {
        return true;
    }
    return false;
}

/* The size that the launch asks for, the one that the kernel was compiled with, or 1. */
static bool choose_cluster(struct wb_fault *fault, unsigned cluster[3],
                           const struct wb_sim_launch *l, const struct wb_kernel *k)
{
    const unsigned asked[3] = {l->cluster.x, l->cluster.y, l->cluster.z};
    const unsigned grid[3] = {l->grid.x, l->grid.y, l->grid.z};
    bool agree = true, whole = true;
    uint64_t blocks = 1;
    for (unsigned i = 0; i < 3; i++) {
        bool free_choice = k->cluster[0] == 0 || asked[0] == 0;
        unsigned own = k->cluster[i] ? k->cluster[i] : 1, wanted = asked[i] ? asked[i] : 1;
        cluster[i] = asked[0] ? wanted : own;
        agree = agree && (free_choice || wanted == own);
        whole = whole && grid[i] % cluster[i] == 0;
        blocks = blocks <= MAX_CLUSTER ? blocks * cluster[i] : blocks;
    }
    if (!agree) {
        wb_fault_refuse(fault, WB_REFUSAL_CLUSTER,
                        "the launch asks for clusters of %u x %u x %u blocks, but kernel `%s` was "
                        "compiled for %u x %u x %u (__cluster_dims__)",
                        cluster[0], cluster[1], cluster[2], k->name, k->cluster[0], k->cluster[1],
                        k->cluster[2]);
    } else if (blocks > MAX_CLUSTER) {
        wb_fault_refuse(fault, WB_REFUSAL_CLUSTER,
                        "clusters of %u x %u x %u blocks; at most %d in all are possible",
                        cluster[0], cluster[1], cluster[2], MAX_CLUSTER);
    } else if (!whole) {
        wb_fault_refuse(fault, WB_REFUSAL_CLUSTER,
                        "a grid of %u x %u x %u blocks is not whole clusters of %u x %u x %u",
                        grid[0], grid[1], grid[2], cluster[0], cluster[1], cluster[2]);
    } else {
        return true;
    }
    return false;
}

/* All blocks of a cooperative launch must be resident at once. */
static bool all_fit(struct wb_fault *fault, const struct wb_sim_launch *l,
                    const struct wb_kernel *k)
{
    unsigned threads = l->block.x * l->block.y * l->block.z;
    unsigned per_sm = wb_sim_blocks_per_sm(k, threads, l->dynamic_shared);
    uint64_t yz = (uint64_t)l->grid.y * l->grid.z, room = (uint64_t)per_sm * WB_SM_COUNT;
    if (!l->cooperative || yz <= room / l->grid.x) {
        return true;
    }
    wb_fault_refuse(fault, WB_REFUSAL_TOO_LARGE,
                    "a cooperative launch of %u x %u x %u blocks of kernel `%s`, but only %llu are "
                    "resident at once: %u on each of %d SMs. Launch fewer blocks and let each do "
                    "more in a loop",
                    l->grid.x, l->grid.y, l->grid.z, k->name, (unsigned long long)room, per_sm,
                    WB_SM_COUNT);
    return false;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* Offsets in constant bank 0. */
enum {
    C0_BLOCK = 0x00,
    C0_GRID = 0x0c,
    C0_LOCAL_WINDOW = 0x20,
    C0_STACK = 0x28,
    C0_DYNAMIC_SHARED = 0x2c,
    C0_GRID_BARRIER_HIGH = 0x44, /* environment registers 1 and 2: what grid.sync() works with */
    C0_GRID_BARRIER_LOW = 0x48,
    C0_GROUPS_SHARED = 0x6c, /* where cooperative groups keep the state of large tiles */
    C0_CONSTANTS = 0xd0,     /* address of bank 3, 64 bits */
    C0_SM_COUNT = 0x10c,
    C0_RESERVED_SHARED = 0x114,
    C0_HAS_CLUSTER = 0x140,
    C0_CLUSTER = 0x144,
    C0_CLUSTER_INVERSE = 0x150,
    C0_CLUSTERS = 0x15c,
    C0_CLUSTER_SIZE = 0x188,
};

enum { GRID_WORKSPACE = 8, GRID_BARRIER = 4 }; /* bytes: size, offset of the barrier */

static void put_word(uint8_t *bank, unsigned offset, uint32_t value)
{
    memcpy(bank + offset, &value, sizeof value);
}

static void fill_bank0(uint8_t *bank, const struct wb_run *run)
{
    const struct wb_sim_launch *l = run->launch;
    const unsigned block[3] = {l->block.x, l->block.y, l->block.z};
    const unsigned grid[3] = {l->grid.x, l->grid.y, l->grid.z};
    const unsigned *cluster = run->cluster_size;
    for (unsigned i = 0; i < 3; i++) {
        float inverse = 1.0f / (float)cluster[i];
        put_word(bank, C0_BLOCK + 4 * i, block[i]);
        put_word(bank, C0_GRID + 4 * i, grid[i]);
        put_word(bank, C0_CLUSTER + 4 * i, cluster[i]);
        memcpy(bank + C0_CLUSTER_INVERSE + 4 * i, &inverse, sizeof inverse);
        put_word(bank, C0_CLUSTERS + 4 * i, grid[i] / cluster[i]);
    }
    put_word(bank, C0_LOCAL_WINDOW + 4, (uint32_t)(WB_LOCAL_WINDOW >> 32));
    put_word(bank, C0_STACK, run->local_size);
    put_word(bank, C0_DYNAMIC_SHARED, l->dynamic_shared);
    put_word(bank, C0_GROUPS_SHARED, WB_SHARED_GROUPS);
    if (run->grid_barrier) {
        uint64_t workspace = run->grid_barrier - GRID_BARRIER;
        put_word(bank, C0_GRID_BARRIER_HIGH, (uint32_t)(workspace >> 32));
        put_word(bank, C0_GRID_BARRIER_LOW, (uint32_t)workspace);
    }
    put_word(bank, C0_SM_COUNT, WB_SM_COUNT);
    put_word(bank, C0_RESERVED_SHARED, WB_SHARED_RESERVED);
    put_word(bank, C0_HAS_CLUSTER, run->kernel->cluster[0] != 0 || l->cluster.x != 0);
    put_word(bank, C0_CLUSTER_SIZE, cluster[0] * cluster[1] * cluster[2]);
    if (l->param_size) {
        memcpy(bank + run->kernel->param_base, l->params, l->param_size);
    }
}

/* Constants that instructions name directly get their value, in every lane of a pool row. */
static void fill_pool(const struct wb_run *run)
{
    const struct wb_program *p = run->program;
    for (size_t i = 0; i < p->const_count; i++) {
        const struct wb_pool_const *c = &p->consts[i];
        const struct wb_const_bank *b = c->bank < 8 ? &run->bank[c->bank] : NULL;
        uint32_t value = 0;
        if (b && b->data && c->offset + sizeof value <= b->size) {
            memcpy(&value, b->data + c->offset, sizeof value);
        }
        for (int lane = 0; lane < WB_LANES; lane++) {
            p->pool[c->row][lane] = value;
        }
    }
}

static void fill_banks(struct wb_run *run, struct wb_arena *arena, const struct wb_module *module)
{
    memcpy(run->bank, run->kernel->bank, sizeof run->bank);
    size_t size = run->kernel->param_base + run->kernel->param_size;
    size = size < run->bank[0].size ? run->bank[0].size : size;
    size = size < C0_CLUSTER_SIZE + 4 ? C0_CLUSTER_SIZE + 4 : size;
    uint8_t *bank0 = wb_arena_alloc(arena, size);
    fill_bank0(bank0, run);
    memcpy(bank0 + C0_CONSTANTS, &module->constants, sizeof module->constants);
    run->bank[0] = (struct wb_const_bank){.data = bank0, .size = size};
    run->bank[3] = (struct wb_const_bank){.data = module->bank3, .size = module->bank3_size};
    run->bank[4] = (struct wb_const_bank){.data = module->bank4, .size = module->bank4_size};
    fill_pool(run);
}

/* ---- the grid barrier ------------------------------------------------------------------------ */

/* What cooperative groups find at the address in the environment registers: the size of the
 * workspace and the word that blocks arrive at. A launch before may have left it half full. */
static uint64_t place_grid_barrier(struct wb_sim *sim)
{
    uint32_t size = GRID_WORKSPACE;
    if (!sim->grid_workspace) {
        sim->grid_workspace = wb_arena_alloc(&sim->arena, size);
        sim->grid_address =
            wb_sim_map(sim, sim->grid_workspace, size, "the grid barrier's workspace");
    }
    memset(sim->grid_workspace, 0, size);
    memcpy(sim->grid_workspace, &size, sizeof size);
    return sim->grid_address + GRID_BARRIER;
}

/* ---- counters -------------------------------------------------------------------------------- */

static void collect(struct wb_counters *counters, struct wb_arena *arena, const struct wb_run *run)
{
    uint32_t count = run->program->count;
    *counters = (struct wb_counters){
        .present = (1u << WB_METRIC_COUNT) - 1,
        .pcs = wb_arena_alloc(arena, count * sizeof *counters->pcs),
    };
    uint64_t inst = 0, thread = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct wb_tally *t = &run->tally[i];
        inst += t->inst;
        thread += t->thread;
        if (inst == 0) {
            continue;
        }
        struct wb_pc_counts *pc = &counters->pcs[counters->pc_count++];
        pc->pc = i * 16;
        wb_kernel_line(&pc->file, &pc->line, run->kernel, pc->pc);
        pc->counts.v[WB_METRIC_BRANCH_UNIFORM] = t->uniform;
        pc->counts.v[WB_METRIC_BRANCH_DIVERGENT] = t->divergent;
        pc->counts.v[WB_METRIC_INST] = inst;
        pc->counts.v[WB_METRIC_THREAD_INST] = thread;
        pc->counts.v[WB_METRIC_THREAD_INST_PRED_ON] = thread - t->off;
        pc->counts.v[WB_METRIC_SHARED_WAVEFRONTS] = run->traffic[i].shared_wavefronts;
        pc->counts.v[WB_METRIC_SHARED_WAVEFRONTS_IDEAL] = run->traffic[i].shared_ideal;
        pc->counts.v[WB_METRIC_GLOBAL_SECTORS] = run->traffic[i].global_sectors;
        pc->counts.v[WB_METRIC_GLOBAL_SECTORS_IDEAL] = run->traffic[i].global_ideal;
        pc->counts.v[WB_METRIC_LOCAL_SECTORS] = run->traffic[i].local_sectors;
        pc->counts.v[WB_METRIC_IDC_DIVERGENT] = run->traffic[i].constant_divergent;
        pc->counts.v[WB_METRIC_IDC_REPLAYS] = run->traffic[i].constant_replays;
        wb_counts_add(&counters->total, &pc->counts);
    }
}

bool wb_sim_launch(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                   struct wb_sim *sim, const struct wb_sim_launch *launch, struct wb_status *status)
{
    const struct wb_sim_kernel *loaded = wb_sim_find_kernel(sim, launch->cubin, launch->kernel);
    *counters = (struct wb_counters){0};
    *fault = (struct wb_fault){0};
    if (launch->findings) {
        *launch->findings = (struct wb_guard_findings){0};
    }
    if (launch->touches) {
        *launch->touches = (struct wb_sim_touches){0};
    }
    if (!loaded) {
        return WB_FAIL(status, NOT_FOUND, "There is no kernel `%s` in the loaded modules.",
                       launch->kernel);
    }
    const struct wb_kernel *kernel = loaded->kernel;
    struct wb_run run = {
        .sim = sim,
        .kernel = kernel,
        .program = &loaded->program,
        .launch = launch,
        .engine = sim->engine,
        .steps_left = launch->step_limit ? launch->step_limit : UINT64_MAX,
        .fault = fault,
        .arena = arena,
        .taken_first = sim->taken_first || launch->schedule == WB_SCHEDULE_REVERSE,
    };
    if (!dims_are_ok(fault, launch) || !resources_are_ok(fault, launch, kernel) ||
        !choose_cluster(fault, run.cluster_size, launch, kernel) ||
        !all_fit(fault, launch, kernel)) {
        return true;
    }
    if (launch->cooperative) {
        run.grid_barrier = place_grid_barrier(sim);
    }
    run.shared_size = WB_SHARED_RESERVED + kernel->static_shared + launch->dynamic_shared;
    if (run.program->uses_local) {
        unsigned stack = kernel->local_bytes + MIN_STACK;
        run.local_size = (stack + 15) / 16 * 16;
    }
    struct wb_arena scratch;
    wb_arena_init(&scratch);
    fill_banks(&run, &scratch, loaded->module);
    run.tally_count = run.program->count + 2;
    size_t tally_size = run.tally_count * sizeof *run.tally;
    run.tally = wb_arena_alloc(&scratch, tally_size);
    run.tally_before = wb_arena_alloc(&scratch, tally_size);
    run.traffic = wb_arena_alloc(&scratch, (run.program->count + 1) * sizeof *run.traffic);
    if (wb_schedule_parts_lanes(launch->schedule)) {
        run.stretch = wb_apart_stretches(&scratch, run.program);
    }
    bool guarded = launch->findings && wb_guard_begin(&run);
    bool ok = (guarded || !launch->findings) && wb_grid_run(&run);
    if (guarded) {
        wb_guard_end(&run, arena);
    }
    if (ok) {
        collect(counters, arena, &run);
    } else {
        WB_FAIL(status, NO_MEMORY, "There is not enough memory for a block of the kernel.");
    }
    wb_arena_finish(&scratch);
    return ok;
}
