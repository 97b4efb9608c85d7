/* SPDX-License-Identifier: MIT
 * Programs that measure themselves launch the same kernel a hundred times. The device is
 * deterministic: a launch with the same kernel, shape and parameters on the same memory does what
 * it did before. So from the second launch of a kind on, memory is hashed before it; what the
 * launch changed and its counters are kept, and put in place when that hash comes back.
 *
 * A launch with a guard is one of another kind. If nothing was found in it, it is kept too, with
 * the marks of what has a value and what it touched.
 *
 * Not kept: launches that faulted, printed or took more than MAX_EFFECT bytes; and none at all once
 * a kernel called malloc, as the heap's lists are not in the device's memory. Whatever else a
 * launch may come to depend on must go into `hash_launch` or `hash_memory`.
 */
#include "replay.h"

#include "shadow.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

enum {
    HASH = 33,
    MAX_KINDS = 256,         /* of launches that are known; more are not looked at */
    MAX_RECORDS = 128,       /* then the oldest one goes */
    MAX_EFFECT = 64 << 20,   /* bytes that a launch may change */
    MAX_EFFECTS = 256 << 20, /* bytes that all of them may */
    BYTES_PER_STEP = 128,    /* hashing so much costs a fraction of a warp instruction */
    PATIENCE = 4,            /* misses in a row, then ever longer pauses, up to 2^MAX_PAUSE */
    MAX_PAUSE = 10,
};

/* Launches that are the same but for the memory that they find. */
struct kind {
    char hash[HASH];
    uint64_t steps;         /* warp instructions of the last one */
    unsigned misses, pause; /* in a row; launches for which it is not worth looking */
};

/* A part of memory that a launch left different, or the marks of a region. */
struct effect {
    uint64_t address, size;
    uint8_t *bytes;
    bool marks;
};

struct record {
    struct kind *kind;
    char memory[HASH]; /* before the launch */
    struct wb_arena arena;
    struct wb_counters counters;
    struct wb_sim_touches touches; /* of a launch with a guard */
    struct effect *effects;
    size_t effect_count;
    uint64_t bytes;
};

struct wb_replay {
    struct kind kinds[MAX_KINDS];
    size_t kind_count;
    struct record records[MAX_RECORDS]; /* a ring: number n is at n % MAX_RECORDS */
    size_t first, end;
    uint64_t bytes; /* of all effects */
    uint64_t count; /* of launches that were put back */
};

/* ---- records --------------------------------------------------------------------------------- */

static struct record *record_at(struct wb_replay *replay, size_t n)
{
    return &replay->records[n % MAX_RECORDS];
}

static void drop_effects(struct record *record)
{
    for (size_t i = 0; i < record->effect_count; i++) {
        free(record->effects[i].bytes);
    }
    wb_arena_finish(&record->arena);
}

static void drop_oldest(struct wb_replay *replay)
{
    struct record *record = record_at(replay, replay->first++);
    replay->bytes -= record->bytes;
    drop_effects(record);
}

void wb_replay_destroy(struct wb_replay *replay)
{
    while (replay && replay->first < replay->end) {
        drop_oldest(replay);
    }
    free(replay);
}

static const struct record *find_record(struct wb_replay *replay, const struct kind *kind,
                                        const char *memory)
{
    for (size_t n = replay->first; n < replay->end; n++) {
        const struct record *record = record_at(replay, n);
        if (record->kind == kind && strcmp(record->memory, memory) == 0) {
            return record;
        }
    }
    return NULL;
}

uint64_t wb_replay_count(const struct wb_replay *replay)
{
    return replay ? replay->count : 0;
}

/* NULL if there are too many. */
static struct kind *find_kind(struct wb_replay *replay, const char *hash)
{
    for (size_t i = 0; i < replay->kind_count; i++) {
        if (strcmp(replay->kinds[i].hash, hash) == 0) {
            return &replay->kinds[i];
        }
    }
    if (replay->kind_count == MAX_KINDS) {
        return NULL;
    }
    struct kind *kind = &replay->kinds[replay->kind_count++];
    memcpy(kind->hash, hash, HASH);
    return kind;
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static void hash_launch(char out[HASH], const struct wb_sim *sim,
                        const struct wb_sim_kernel *kernel, const struct wb_sim_launch *launch)
{
    struct {
        const struct wb_sim_kernel *kernel;
        struct wb_dim3 grid, block, cluster;
        unsigned dynamic_shared, cooperative, guarded;
        enum wb_schedule schedule;
        uint64_t schedule_seed;
        uint64_t textures_removed; /* what a handle stands for never changes, but it may be gone */
        char params[HASH];
    } all;
    memset(&all, 0, sizeof all); /* also what lies between its members */
    all.kernel = kernel;
    all.grid = launch->grid;
    all.block = launch->block;
    all.cluster = launch->cluster;
    all.dynamic_shared = launch->dynamic_shared;
    all.cooperative = launch->cooperative;
    all.schedule = launch->schedule;
    all.schedule_seed = launch->schedule_seed;
    all.guarded = launch->findings != NULL;
    all.textures_removed = sim->textures.removed;
    wb_hash_hex(all.params, launch->params, launch->param_size);
    wb_hash_hex(out, &all, sizeof all);
}

struct part {
    uint64_t address, size;
    char hash[HASH], marks[HASH];
};

static uint8_t *marks_of(const struct wb_region *region)
{
    return region->shadow ? region->shadow->defined : NULL;
}

static uint64_t live_bytes(const struct wb_memory *memory)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < memory->count; i++) {
        bytes += memory->regions[i].freed ? 0 : memory->regions[i].size;
    }
    return bytes;
}

/* The hash of all memory, and (in the arena) that of each region that is there. */
static struct part *hash_memory(char out[HASH], size_t *count, struct wb_arena *arena,
                                const struct wb_memory *memory)
{
    struct part *parts = wb_arena_alloc(arena, (memory->count + 1) * sizeof *parts);
    *count = 0;
    memset(parts, 0, (memory->count + 1) * sizeof *parts);
    for (size_t i = 0; i < memory->count; i++) {
        const struct wb_region *region = &memory->regions[i];
        if (!region->freed) {
            struct part *part = &parts[(*count)++];
            part->address = region->address;
            part->size = region->size;
            wb_hash_hex(part->hash, region->host, region->size);
            if (marks_of(region)) {
                wb_hash_hex(part->marks, marks_of(region), wb_shadow_mark_bytes(region->shadow));
            }
        }
    }
    wb_hash_hex(out, parts, *count * sizeof *parts);
    return parts;
}

/* ---- keeping and putting back ---------------------------------------------------------------- */

static void copy_counters(struct wb_counters *to, struct wb_arena *arena,
                          const struct wb_counters *from)
{
    *to = *from;
    to->pcs = wb_arena_copy(arena, from->pcs, from->pc_count * sizeof *from->pcs);
}

static void copy_touches(struct wb_sim_touches *to, struct wb_arena *arena,
                         const struct wb_sim_touches *from)
{
    *to = *from;
    if (from->count) {
        to->items = wb_arena_copy(arena, from->items, from->count * sizeof *from->items);
    }
}

static void put_back(const struct record *record, const struct wb_memory *memory)
{
    for (size_t i = 0; i < record->effect_count; i++) {
        const struct effect *effect = &record->effects[i];
        const struct wb_region *region = wb_memory_region(memory, effect->address);
        memcpy(effect->marks ? marks_of(region) : region->host, effect->bytes, effect->size);
    }
}

static bool add_effect(struct record *record, size_t *capacity, const struct wb_region *region,
                       bool marks)
{
    uint64_t size = marks ? wb_shadow_mark_bytes(region->shadow) : region->size;
    uint8_t *bytes = record->bytes + size <= MAX_EFFECT ? malloc(size) : NULL;
    if (bytes) {
        memcpy(bytes, marks ? marks_of(region) : region->host, size);
        record->effects = wb_arena_grow(&record->arena, record->effects, capacity,
                                        record->effect_count, sizeof *record->effects);
        record->effects[record->effect_count++] =
            (struct effect){region->address, size, bytes, marks};
        record->bytes += size;
    }
    return bytes != NULL;
}

/* What changed since `before`; false if it cannot be kept. */
static bool find_effects(struct record *record, const struct part *before, size_t count,
                         const struct wb_memory *memory)
{
    char hash[HASH];
    size_t count_after, capacity = 0;
    struct wb_arena arena;
    wb_arena_init(&arena);
    const struct part *after = hash_memory(hash, &count_after, &arena, memory);
    bool ok = count == count_after; /* it is not while a launch maps something for itself */
    for (size_t i = 0; i < count && ok; i++) {
        const struct wb_region *region = wb_memory_region(memory, after[i].address);
        ok = strcmp(before[i].hash, after[i].hash) == 0 ||
             add_effect(record, &capacity, region, false);
        if (ok && strcmp(before[i].marks, after[i].marks) != 0) {
            ok = marks_of(region) && add_effect(record, &capacity, region, true);
        }
    }
    wb_arena_finish(&arena);
    return ok;
}

/* Keeps a launch that found memory as in `before`, of that hash, and ended just now. */
static void keep(struct wb_replay *replay, struct kind *kind, const char *hash,
                 const struct part *before, size_t count, const struct wb_memory *memory,
                 const struct wb_counters *counters, const struct wb_sim_touches *touches)
{
    struct record record = {.kind = kind};
    memcpy(record.memory, hash, HASH);
    wb_arena_init(&record.arena);
    if (!find_effects(&record, before, count, memory)) {
        drop_effects(&record);
        return;
    }
    copy_counters(&record.counters, &record.arena, counters);
    copy_touches(&record.touches, &record.arena, touches);
    while (replay->end - replay->first == MAX_RECORDS ||
           (replay->first < replay->end && replay->bytes + record.bytes > MAX_EFFECTS)) {
        drop_oldest(replay);
    }
    replay->bytes += record.bytes;
    *record_at(replay, replay->end++) = record;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Prints through, and notes that something was printed. */
struct watch {
    const struct wb_sim_launch *launch;
    bool printed;
};

static void print(void *context, const char *text, size_t size)
{
    struct watch *watch = context;
    watch->printed = true;
    if (watch->launch->print) {
        watch->launch->print(watch->launch->print_context, text, size);
    }
}

static void print_assertion(void *context, const char *text, size_t size)
{
    struct watch *watch = context;
    watch->printed = true;
    if (watch->launch->print_assertion) {
        watch->launch->print_assertion(watch->launch->print_context, text, size);
    }
}

/* Executes the launch and keeps what it did. */
static bool execute(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                    struct wb_sim *sim, const struct wb_sim_launch *launch,
                    struct wb_status *status, struct kind *kind, const char *hash,
                    const struct part *before, size_t count)
{
    struct watch watch = {.launch = launch};
    struct wb_sim_touches touches = {0};
    struct wb_sim_launch watched = *launch;
    watched.print = print;
    watched.print_assertion = print_assertion;
    watched.print_context = &watch;
    watched.touches = launch->findings ? &touches : NULL;
    bool ok = wb_sim_launch(counters, fault, arena, sim, &watched, status);
    bool clean = !launch->findings || (!launch->findings->count && !launch->findings->left_out);
    if (ok && clean && fault->kind == WB_REASON_NONE && !watch.printed && !sim->heap.host) {
        keep(sim->replay, kind, hash, before, count, &sim->memory, counters, &touches);
    }
    if (launch->touches) {
        *launch->touches = touches;
    }
    return ok;
}

/* Is it worth to hash memory for this launch? */
static bool worth_it(struct kind *kind, const struct wb_sim *sim)
{
    if (kind->pause) {
        kind->pause--;
        return false;
    }
    return !sim->heap.host && live_bytes(&sim->memory) / BYTES_PER_STEP <= kind->steps;
}

static struct kind *kind_of(struct wb_sim *sim, const struct wb_sim_launch *launch)
{
    const struct wb_sim_kernel *kernel = wb_sim_find_kernel(sim, launch->cubin, launch->kernel);
    char hash[HASH];
    if (!sim->replay) {
        sim->replay = calloc(1, sizeof *sim->replay);
    }
    if (!kernel || !sim->replay || launch->step_limit) {
        return NULL;
    }
    hash_launch(hash, sim, kernel, launch);
    return find_kind(sim->replay, hash);
}

bool wb_sim_relaunch(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                     struct wb_sim *sim, const struct wb_sim_launch *launch,
                     struct wb_status *status)
{
    struct kind *kind = kind_of(sim, launch);
    if (!kind || !worth_it(kind, sim)) {
        bool ok = wb_sim_launch(counters, fault, arena, sim, launch, status);
        if (ok && kind) {
            kind->steps = counters->total.v[WB_METRIC_INST];
        }
        return ok;
    }
    char hash[HASH];
    size_t count;
    const struct part *before = hash_memory(hash, &count, arena, &sim->memory);
    const struct record *record = find_record(sim->replay, kind, hash);
    if (!record) {
        kind->misses += kind->misses < MAX_PAUSE;
        kind->pause = kind->misses > PATIENCE ? 1u << kind->misses : 0;
        return execute(counters, fault, arena, sim, launch, status, kind, hash, before, count);
    }
    kind->misses = 0;
    sim->replay->count++;
    put_back(record, &sim->memory);
    copy_counters(counters, arena, &record->counters);
    if (launch->findings) {
        *launch->findings = (struct wb_guard_findings){0};
    }
    if (launch->touches) {
        copy_touches(launch->touches, arena, &record->touches);
    }
    *fault = (struct wb_fault){.kind = WB_REASON_NONE};
    return true;
}
