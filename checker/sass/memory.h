/* SPDX-License-Identifier: MIT
 * Memory spaces as the program sees them. Global memory is a sorted list of regions with wide gaps
 * between them; shared, local and constant memory belong to the block, the thread, the launch.
 * Every access is checked here; a bad one raises the launch's fault and gives NULL.
 */
#ifndef WB_SASS_MEMORY_H
#define WB_SASS_MEMORY_H

#include "insn.h"

/* Addresses. Windows of generic addresses lie above what any host or device pointer can be. */
#define WB_SHARED_WINDOW UINT64_C(0x0001000000000000)
#define WB_LOCAL_WINDOW  UINT64_C(0x0002000000000000)
#define WB_WINDOW_MASK   UINT64_C(0xffffffff00000000)
#define WB_CALL_WINDOW   UINT64_C(0x0003000000000000) /* "code" of system calls: print.c */
#define WB_GLOBAL_FIRST  UINT64_C(0x0000001000000000)
/* Below WB_SHARED_RESERVED lies the system's part of shared memory; from WB_SHARED_GROUPS on the
 * code of cooperative groups may use it, which asks for its place in constant bank 0. */
enum { WB_SHARED_GROUPS = 0x100, WB_SHARED_RESERVED = 0x400 };

struct wb_shadow;

struct wb_region {
    uint64_t address, size;
    uint8_t *host;
    const char *name;
    struct wb_shadow *shadow; /* of the guard, NULL: not used yet */
    uint64_t freed;           /* 0: it is there; else it was the n-th to be taken away */
};

struct wb_memory {
    struct wb_region *regions; /* by address; they do not overlap */
    size_t count, capacity;
    uint64_t next; /* address of the next region of wb_memory_add */
    size_t freed_count;
    uint64_t freed_newest;
};

/* A region that a warp used before. */
struct wb_region_cache {
    uint64_t address, size;
    uint8_t *host;
    struct wb_shadow *shadow; /* if the launch has a guard */
};

struct wb_access {
    struct wb_warp *warp;
    const struct wb_insn *in;
    unsigned size; /* bytes: 1 to 16 */
    bool write;
};

/* Host memory behind `size` bytes for one lane, or NULL after a fault. */
uint8_t *wb_memory_global(const struct wb_access *access, unsigned lane, uint64_t address);
uint8_t *wb_memory_shared(const struct wb_access *access, unsigned lane, uint32_t address);
uint8_t *wb_memory_local(const struct wb_access *access, unsigned lane, uint32_t address);
uint8_t *wb_memory_generic(const struct wb_access *access, unsigned lane, uint64_t address);
const uint8_t *wb_memory_constant(const struct wb_access *access, unsigned lane, unsigned bank,
                                  uint32_t offset);

/* Lanes of `on` by the window that their generic address lies in. */
struct wb_windows {
    uint32_t global, shared, local;
};
struct wb_windows wb_memory_windows(const uint64_t *at, uint32_t on);
/* The lanes of `on` whose (shared) address is in the block's own memory, not in that of another
 * block of the cluster. */
uint32_t wb_memory_own_shared(const struct wb_access *access, const uint64_t *at, uint32_t on);

/* Puts the region of an address, if there is one, into the warp's cache for it. */
void wb_memory_find(struct wb_warp *warp, uint64_t address);

struct wb_memory *wb_sim_memory(struct wb_sim *sim);

/* ---- regions.c ------------------------------------------------------------------------------- */

/* The region's shadow, made when it is not there; NULL: no memory. */
struct wb_shadow *wb_region_shadow(struct wb_region *region);
/* The last region that begins at or below the address, freed ones too, or NULL. */
struct wb_region *wb_memory_region(const struct wb_memory *memory, uint64_t address);
/* Adds a region at an address of ours and returns that. */
uint64_t wb_memory_add(struct wb_memory *memory, struct wb_arena *arena, void *host, uint64_t size,
                       const char *name);
/* Adds a region where it says; false if that would touch another one. */
bool wb_memory_place(struct wb_memory *memory, struct wb_arena *arena,
                     const struct wb_region *region);
void wb_memory_finish(struct wb_memory *memory);
/* Takes away the region that begins at the address; false if none does. */
bool wb_memory_remove(struct wb_memory *memory, uint64_t address);

#endif
