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

struct wb_patch;

struct wb_kernel {
    const char *name;
    const uint8_t *code; /* 16 bytes an instruction */
    size_t code_size;
    size_t linked_size; /* of `code` with the functions that follow the kernel's own; 0: none do */
    struct wb_patch *patches; /* addresses in the code that are only known at load time */
    size_t patch_count;
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
    struct wb_line_row *ptx_lines; /* the same for lines of the PTX text, without a file */
    size_t ptx_line_count;
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

/* Half of an address, in bits 32 to 63 of the instruction at `pc`. */
struct wb_patch {
    uint32_t pc;
    bool high;
    struct wb_relocation target; /* `bank` and `offset` mean nothing here */
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
    struct wb_const_bank constants; /* image of the __constant__ variables, bank 3 */
    struct wb_relocation *relocations;
    size_t relocation_count;
    const char *ptx; /* text that the code was made from, lines end in NUL; NULL: not there */
    size_t ptx_size;
};

/* Reads any bytes safely: a truncated or damaged file is BAD_INPUT with a sentence, never a crash.
 * The result points into `data`, which must live as long. Non-sm_90 files parse too (the GPU
 * device needs their line tables); wb_sim_load refuses them. */
bool wb_cubin_parse(struct wb_cubin **out, struct wb_arena *arena, const void *data, size_t size,
                    struct wb_status *status);
const struct wb_kernel *wb_cubin_kernel(const struct wb_cubin *cubin, const char *name);
/* Source place of an instruction; false (and NULL, 0) if the file has none. */
bool wb_kernel_line(const char **file, unsigned *line, const struct wb_kernel *kernel, uint32_t pc);
/* Name of the instruction at byte address `pc` without its modifiers, "LDS"; "?" if there is none
 * or it is not known. */
const char *wb_kernel_opcode(struct wb_arena *arena, const struct wb_kernel *kernel, uint32_t pc);

/* ---- the device --------------------------------------------------------------------------- */

struct wb_dim3 {
    unsigned x, y, z;
};

/* What threads were doing when their launch was stopped because it did not go on. */
enum wb_waiting_for {
    WB_WAITING_BLOCK,       /* for a barrier of their block: `detail` is its number */
    WB_WAITING_WARP,        /* for lanes of their warp: `detail` is the mask */
    WB_WAITING_CONVERGENCE, /* for the lanes that took the other side of a branch */
    WB_WAITING_MBARRIER,    /* for a phase of an mbarrier */
    WB_WAITING_CLUSTER,     /* for a barrier of their cluster */
    WB_WAITING_GRID,        /* for a barrier of the grid */
    WB_WAITING_LOOP,        /* they ran, in the loop of lines `line` to `last_line` */
    WB_WAITING_ENDED,       /* they had ended */
    WB_WAITING_COUNT
};

/* Threads that did the same at one place. */
struct wb_waiting {
    enum wb_waiting_for what;
    uint32_t pc;
    unsigned line, last_line; /* 0: unknown */
    const char *file;         /* as in struct wb_fault */
    uint32_t detail;
    unsigned threads, warps, blocks; /* how many in all */
    struct wb_dim3 block;            /* the first block of them, */
    unsigned warp;                   /* the first warp in there, */
    uint32_t lanes;                  /* and its lanes */
};

enum { WB_MAX_WAITING = 8 };

/* Why a launch was refused (kind LAUNCH_FAILED). */
enum wb_refusal {
    WB_REFUSAL_NONE,
    WB_REFUSAL_SHAPE,     /* a size of the grid or of a block */
    WB_REFUSAL_RESOURCES, /* threads, registers, shared memory or stack of a block */
    WB_REFUSAL_PARAMS,    /* the parameters do not fit the kernel */
    WB_REFUSAL_CLUSTER,   /* the size of a cluster */
    WB_REFUSAL_TOO_LARGE, /* cooperative, but the device cannot hold all blocks at once */
    WB_REFUSAL_COUNT
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
    enum wb_refusal refusal;
    struct wb_waiting waiting[WB_MAX_WAITING]; /* of a launch that did not go on: who is where */
    unsigned waiting_count;
    unsigned waiting_more; /* threads at places that did not fit into the list */
};

/* Adds a line ("\n- 32 threads wait at ...") for each place of fault->waiting; nothing if there is
 * none. */
void wb_fault_places(struct wb_str *out, const struct wb_fault *fault);

struct wb_sim;

/* A device with empty memory. Everything is deterministic: same calls, same addresses, counters. */
bool wb_sim_create(struct wb_sim **out, struct wb_status *status);
void wb_sim_destroy(struct wb_sim *sim);

/* Allocates device memory that is backed by `host` (not copied; it must live as long) and known
 * by `name` in messages. Accesses outside [address, address + size) fault: allocations never
 * touch. */
uint64_t wb_sim_map(struct wb_sim *sim, void *host, size_t size, const char *name);
/* The same at an address of the caller's choice, which must be below 2^48; `name` is not copied and
 * must live as long as the device. False if it would overlap a region that is there. */
bool wb_sim_map_at(struct wb_sim *sim, uint64_t address, void *host, size_t size, const char *name);
/* Takes away the region that begins at the address: kernels that still use it fault, and are told
 * that it was freed. False if no region begins there. */
bool wb_sim_unmap(struct wb_sim *sim, uint64_t address);

/* Loads a module: decodes its kernels, places its variables, fills its constant banks. */
bool wb_sim_load(struct wb_sim *sim, const struct wb_cubin *cubin, struct wb_status *status);
/* The same, for a module with __managed__ variables: those in global memory have the same address
 * on the device as in our memory. */
bool wb_sim_load_managed(struct wb_sim *sim, const struct wb_cubin *cubin,
                         struct wb_status *status);
/* Bytes of a __device__ or __constant__ variable in our memory, or NULL. */
void *wb_sim_variable(struct wb_sim *sim, const char *name, size_t *size);

struct wb_sim_variable {
    uint64_t address; /* on the device */
    void *host;       /* in our memory */
    size_t size;      /* bytes */
};
/* A variable of a module, or (cubin NULL) of the last module that has it. */
bool wb_sim_variable_at(struct wb_sim_variable *out, const struct wb_sim *sim,
                        const struct wb_cubin *cubin, const char *name);

/* Bytes of the heap that malloc in kernels takes its memory from (8 MiB unless said); false once a
 * kernel has called malloc. */
bool wb_sim_set_heap_size(struct wb_sim *sim, uint64_t size);

/* Blocks of `threads` threads that an SM of an H200 holds at once, of 132 SMs; 0: a block is too
 * large for it. */
unsigned wb_sim_blocks_per_sm(const struct wb_kernel *kernel, unsigned threads,
                              unsigned dynamic_shared);

/* Something that is wrong although the launch went on: a race, an undefined value, a barrier that
 * not all reach. The same at the same places is one finding. */
struct wb_guard_finding {
    enum wb_reason kind;
    uint32_t pc, other_pc; /* of the other access, UINT32_MAX if there is none */
    unsigned line, other_line;
    const char *file, *other_file; /* NULL if unknown; they point into the cubin's arena */
    struct wb_dim3 block, thread;  /* the first one */
    uint64_t count;                /* how many threads' accesses */
    uint64_t address;              /* of the first, 0 if it is not about memory */
    char message[400];             /* a sentence */
};

struct wb_guard_findings {
    struct wb_guard_finding *items; /* sorted by pc */
    size_t count;
    uint64_t left_out; /* that did not fit */
};

/* Says whether bytes of device memory have a value, for launches with a guard: memory has, unless
 * it is said that it has not. Kernels give values to what they write. False if there is no such
 * memory, or no memory for the marks. */
bool wb_sim_define(struct wb_sim *sim, uint64_t address, uint64_t size, bool defined);
/* The bytes at `to` get values where those at `from` have some; all do outside of device memory. */
bool wb_sim_define_as(struct wb_sim *sim, uint64_t to, uint64_t from, uint64_t size);

enum {
    WB_TOUCH_WRITE = 1,
    WB_TOUCH_DEVICE = 2, /* atomic or volatile: other kernels may do the same meanwhile, */
    WB_TOUCH_SYSTEM = 4, /* and the host, too */
};

/* Bytes in a row that a launch used in the same way. What it wrote it may have read as well. */
struct wb_sim_touch {
    uint64_t address, size;
    unsigned how; /* WB_TOUCH_... */
    uint32_t pc;  /* of the last access of that kind to the first of them */
};

struct wb_sim_touches {
    struct wb_sim_touch *items; /* by address */
    size_t count;
    bool incomplete; /* there were too many */
};

/* Orders in which warps, blocks and lanes may run. CUDA allows all of them, so that a kernel whose
 * results differ between two has a race: name, in plain words. schedule.c has the order of warps
 * and blocks, apart.c runs lanes apart. */
#define WB_SCHEDULE_LIST(X)                                                                        \
    X(DEFAULT, "default", "one after the other, the lanes of a warp in step")                      \
    X(REVERSE, "reverse", "the last block and the last warp first")                                \
    X(LANES, "lanes", "the lanes of a warp one after the other, the last lane first")              \
    X(SPLIT, "split", "each warp in two halves behind a branch, one after the other")              \
    X(RANDOM, "random", "blocks, warps and lanes in a random order")

enum wb_schedule {
#define X(name, code, words) WB_SCHEDULE_##name,
    WB_SCHEDULE_LIST(X)
#undef X
        WB_SCHEDULE_COUNT
};

extern const char *const wb_schedule_name[WB_SCHEDULE_COUNT];
extern const char *const wb_schedule_words[WB_SCHEDULE_COUNT];

/* From now on kernels that write there are reported by the guard (INPUT_MODIFIED); the store is
 * done all the same. */
bool wb_sim_protect(struct wb_sim *sim, uint64_t address);

struct wb_sim_launch {
    const char *kernel;
    const struct wb_cubin *cubin; /* the module to look it up in; NULL: the last that has it */
    struct wb_dim3 grid, block;
    struct wb_dim3 cluster;  /* blocks; 0: as the kernel says, else one */
    bool cooperative;        /* all blocks are resident at once: barriers of the grid work */
    unsigned dynamic_shared; /* bytes */
    const void *params;      /* laid out as in struct wb_kernel_param */
    size_t param_size;
    uint64_t step_limit; /* warp instructions, 0: none; past it the fault is TIMEOUT and names
                            the line of the loop */
    unsigned threads;    /* host threads that may run blocks: 0 as seems best, 1 none besides the
                            caller. Results, counters and faults do not depend on it. */
    struct wb_guard_findings *findings; /* the guard looks on and puts what it finds here, made in
                                     the launch's arena. NULL: there is no guard */
    /* With a guard: what the launch did to global memory, made in its arena. May be NULL. */
    struct wb_sim_touches *touches;
    enum wb_schedule schedule; /* others than the default run on one host thread; their counters
                                  count the parts of a warp that run apart one by one */
    uint64_t schedule_seed;    /* of WB_SCHEDULE_RANDOM */
    void (*print)(void *context, const char *text, size_t size); /* device printf; may be NULL */
    /* What CUDA's runtime says of a failed assertion, a line for each thread; may be NULL. */
    void (*print_assertion)(void *context, const char *text, size_t size);
    void *print_context;
    /* Asked often while the kernel runs, by any thread that runs it, with the warp instructions
     * since this thread asked last: false ends the launch as its step limit would. May be NULL. */
    bool (*go_on)(void *context, uint64_t steps);
    /* Asked when all resident warps only poll memory, and will for ever unless somebody outside
     * changes it: true when that may have happened, false to end the launch as a deadlock. NULL:
     * nobody can. */
    bool (*wait)(void *context);
    void *host_context; /* of these two */
};

/* Runs a kernel to its end. False only for an operation of ours that failed (no such kernel:
 * NOT_FOUND; no memory); a launch that the hardware would refuse, a fault or the step limit is
 * reported in *fault with true. Counters of a faulted launch are those up to the fault. */
bool wb_sim_launch(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                   struct wb_sim *sim, const struct wb_sim_launch *launch,
                   struct wb_status *status);

/* The same; a launch that found the same memory before is not executed again: what it did then and
 * its counters are put in place (replay.c). */
bool wb_sim_relaunch(struct wb_counters *counters, struct wb_fault *fault, struct wb_arena *arena,
                     struct wb_sim *sim, const struct wb_sim_launch *launch,
                     struct wb_status *status);

#endif
