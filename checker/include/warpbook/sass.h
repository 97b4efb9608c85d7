/* SPDX-License-Identifier: MIT
 * sass: the embedded sm_90 device. Reads cubins, decodes their machine code and executes it warp
 * by warp, counting per instruction what a Hopper's SASS counters count.
 */
#ifndef WARPBOOK_SASS_H
#define WARPBOOK_SASS_H

#include <warpbook/base.h>
#include <warpbook/metrics.h>

/* ---- cubin: what is in the file ----------------------------------------------------------- */

struct wb_kernel_param {
    unsigned offset, size; /* bytes, from the start of the parameter area */
};

/* Code that was inlined from another file than the kernel's (a CUDA header) is placed at the line
 * of the kernel's file that called it. */
struct wb_line_row {
    uint32_t pc;      /* this row holds from here to the next row's pc */
    unsigned line;    /* 0 (and file NULL): no source known */
    const char *file; /* path as nvcc saw it */
};

struct wb_const_bank {
    const uint8_t *data; /* NULL: the kernel has no such bank */
    size_t size;
};

struct wb_kernel {
    const char *name;
    const uint8_t *code; /* 16 bytes an instruction */
    size_t code_size;
    unsigned registers;
    unsigned static_shared; /* bytes, without the 0x400 reserved ones */
    unsigned local_bytes;   /* bytes of stack frame per thread */
    unsigned param_base;    /* offset of the parameters in bank 0 (0x210) */
    unsigned param_size;
    struct wb_kernel_param *params; /* sorted by offset */
    unsigned param_count;
    unsigned max_threads;         /* from __launch_bounds__, 0 if none */
    unsigned cluster[3];          /* from __cluster_dims__, 0 if none */
    struct wb_const_bank bank[8]; /* images of constant banks 0 to 7, relocated where the value is
                                     known at load time; bank 4 is filled by the loader */
    struct wb_line_row *lines;    /* sorted by pc */
    size_t line_count;
    const struct wb_cubin *cubin;
};

/* A variable of the module in global or constant memory. */
struct wb_variable {
    const char *name;
    int bank;        /* constant bank, or -1 for global memory */
    uint64_t offset; /* in the bank, or in the module's global image */
    uint64_t size;
};

/* An 8-byte slot (in constant bank 4 or in another image) to be filled with an address at load
 * time. Banks: a constant bank, or -1 for the module's global image. */
struct wb_relocation {
    int bank;               /* of the slot */
    uint64_t offset;        /* of the slot in there */
    const char *symbol;     /* name, e.g. a variable or "vprintf" */
    bool defined;           /* false: the module does not define it (a system call) */
    int target_bank;        /* where the symbol lies; -2 if it is not defined */
    uint64_t target_offset; /* symbol value in there, addend included */
};

struct wb_cubin {
    unsigned arch; /* 90 for sm_90 */
    struct wb_kernel *kernels;
    size_t kernel_count;
    const uint8_t *global_init; /* image of the initialised global variables */
    uint64_t global_init_size;
    uint64_t global_size; /* image with the zero-initialised ones behind */
    struct wb_variable *variables;
    size_t variable_count;
    struct wb_relocation *relocations;
    size_t relocation_count;
};

/* Reads any bytes safely: a truncated or damaged file is BAD_INPUT with a sentence, never a crash.
 * The result points into `data`, which must live as long. Non-sm_90 files parse too (the GPU
 * device needs their line tables); wb_sim_load refuses them. */
bool wb_cubin_parse(struct wb_cubin **out, struct wb_arena *arena, const void *data, size_t size,
                    struct wb_status *status);
const struct wb_kernel *wb_cubin_kernel(const struct wb_cubin *cubin, const char *name);
/* Source place of an instruction; false (and NULL, 0) if the file has none. */
bool wb_kernel_line(const char **file, unsigned *line, const struct wb_kernel *kernel, uint32_t pc);

/* ---- the device --------------------------------------------------------------------------- */

struct wb_dim3 {
    unsigned x, y, z;
};

/* What stopped a launch. `kind` NONE: nothing did. */
struct wb_fault {
    enum wb_reason kind;
    uint32_t pc;
    unsigned line;
    const char *file; /* NULL if unknown; points into the cubin's arena */
    struct wb_dim3 block, thread;
    uint64_t address;  /* for memory faults */
    char message[400]; /* a sentence: what, where, which array */
};

struct wb_sim;

/* A device with empty memory. Everything is deterministic: same calls, same addresses, counters. */
bool wb_sim_create(struct wb_sim **out, struct wb_status *status);
void wb_sim_destroy(struct wb_sim *sim);

/* Allocates device memory that is backed by `host` (not copied; it must live as long) and known
 * by `name` in messages. Accesses outside [address, address + size) fault: allocations never
 * touch. */
uint64_t wb_sim_map(struct wb_sim *sim, void *host, size_t size, const char *name);

/* Loads a module: decodes its kernels, places its variables, fills its constant banks. */
bool wb_sim_load(struct wb_sim *sim, const struct wb_cubin *cubin, struct wb_status *status);
/* Bytes of a __device__ or __constant__ variable in our memory, or NULL. */
void *wb_sim_variable(struct wb_sim *sim, const char *name, size_t *size);

struct wb_sim_launch {
    const char *kernel;
    const struct wb_cubin *cubin; /* the module to look it up in; NULL: the last that has it */
    struct wb_dim3 grid, block;
    struct wb_dim3 cluster; /* blocks; 0: as the kernel says, else one */
    bool cooperative;       /* all blocks are resident at once: barriers of the grid work */
    unsigned dynamic_shared; /* bytes */
    const void *params;      /* laid out as in struct wb_kernel_param */
    size_t param_size;
    uint64_t step_limit; /* warp instructions, 0: none; past it the fault is TIMEOUT and names
                            the line of the loop */
    unsigned threads;    /* host threads that may run blocks: 0 as seems best, 1 none besides the
                            caller. Results, counters and faults do not depend on it. */
    void (*print)(void *context, const char *text, size_t size); /* device printf; may be NULL */
    void *print_context;
};

/* Runs a kernel to its end. False only for an operation of ours that failed (no such kernel:
 * NOT_FOUND; no memory); a launch that the hardware would refuse, a fault or the step limit is
 * reported in *fault with true. Counters of a faulted launch are those up to the fault. */
bool wb_sim_launch(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                   struct wb_sim *sim, const struct wb_sim_launch *launch,
                   struct wb_status *status);

#endif
