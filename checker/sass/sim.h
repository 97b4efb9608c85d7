/* SPDX-License-Identifier: MIT
 * The device behind warpbook/sass.h: its memory, loaded modules and decoded kernels.
 */
#ifndef WB_SASS_SIM_H
#define WB_SASS_SIM_H

#include "decode.h"
#include "engine.h"
#include "heap.h"
#include "memory.h"
#include "replay.h"
#include "texture.h"

/* A kernel that can be launched. */
struct wb_ptx;

struct wb_sim_kernel {
    const struct wb_kernel *kernel;
    const struct wb_ptx *ptx; /* made when a guard wants it; NULL: nothing is known */
    bool has_ptx;
    struct wb_program program;
    struct wb_module *module;
};

/* A loaded cubin: the device's own copies of what a program can write. */
struct wb_module {
    const struct wb_cubin *cubin;
    uint64_t global; /* address of the global image, 0 if there is none */
    uint8_t *global_host;
    uint64_t constants; /* address of bank 3, 0 if there is none */
    uint8_t *bank3;     /* __constant__ variables */
    size_t bank3_size;
    uint8_t *bank4; /* addresses */
    size_t bank4_size;
    struct wb_module *next;
};

struct wb_sim {
    struct wb_arena arena;
    struct wb_memory memory;
    struct wb_module *modules;
    struct wb_sim_kernel *kernels;
    size_t kernel_count, kernel_capacity;
    const struct wb_engine *engine;
    const char **services; /* names of system functions, by number in the call window */
    size_t service_count, service_capacity;
    struct wb_heap heap;     /* of malloc in kernels */
    uint8_t *grid_workspace; /* of cooperative launches: launch.c; NULL before the first */
    uint64_t grid_address;
    struct wb_replay *replay; /* of wb_sim_relaunch, NULL before the first */
    struct wb_textures textures;
    uint32_t segments; /* of the guard: used so far */
    bool taken_first;  /* for tests: the other order of the sides of a branch */
};

/* A kernel of a module, or (NULL) of the last module that has it; NULL if there is none. */
const struct wb_sim_kernel *wb_sim_find_kernel(const struct wb_sim *sim,
                                               const struct wb_cubin *cubin, const char *name);
/* What PTX says of the kernel; NULL: nothing. */
const struct wb_ptx *wb_sim_ptx(struct wb_sim *sim, const struct wb_kernel *kernel);
/* Name of the system function at an address of the call window, or NULL. */
const char *wb_sim_service(const struct wb_sim *sim, uint64_t address);

#endif
