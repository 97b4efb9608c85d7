/* SPDX-License-Identifier: MIT
 * device: one interface, several devices. A job runs one kernel of one cubin on a list of cases,
 * in a child process of its own: a crash, a hang or a poisoned context ends that child only.
 */
#ifndef WARPBOOK_DEVICE_H
#define WARPBOOK_DEVICE_H

#include <warpbook/base.h>
#include <warpbook/metrics.h>
#include <warpbook/sass.h>

enum wb_device_kind { WB_DEVICE_NONE, WB_DEVICE_SIM, WB_DEVICE_GPU };

struct wb_device_info {
    enum wb_device_kind kind;
    char name[96];         /* "NVIDIA H200", "embedded sm_90 device" */
    char arch[16];         /* for nvcc: "sm_90" */
    unsigned major, minor; /* compute capability */
    const char *counters;  /* "cupti-sass", "sim", "none": what the next measurement will use */
    char why_not[400];     /* if it cannot be used, or cannot measure: one sentence, else "" */
    char driver[32];       /* driver and CUPTI versions, "" if not applicable */
};

/* A buffer in device memory for one case. Its bytes are copied in before and out after the
 * launch. The device puts guard zones around it by itself. */
struct wb_device_buffer {
    const char *name;
    void *data;
    size_t size;    /* bytes; 0 is allowed: the kernel gets a valid pointer to nothing */
    bool no_value;  /* nobody gave it values: the guard reports who reads before it was written */
    bool read_only; /* the guard reports who writes it */
    bool symbol;    /* instead: what the module's variable of this name holds before the launch */
    /* out: bytes changed in the zone before or behind (GPU), -1 / +1, 0 if none; and where */
    int guard_hit;
    size_t guard_offset; /* bytes from the buffer's edge: 0 is the byte next to it */
};

enum { WB_MAX_ARGS = 16 };

struct wb_device_arg {
    int buffer;       /* index of a buffer, or -1: a scalar */
    unsigned size;    /* scalar: 1, 2, 4 or 8 bytes */
    bool is_float;    /* scalar: float or double */
    uint8_t value[8]; /* little endian */
};

struct wb_device_case {
    struct wb_dim3 grid, block;
    unsigned dynamic_shared;
    struct wb_device_buffer *buffers;
    unsigned buffer_count;
    struct wb_device_arg args[WB_MAX_ARGS]; /* in the order of the kernel's parameters */
    unsigned arg_count;
    bool done; /* out: ran to its end; the buffers hold the results */
};

struct wb_device_job {
    const void *cubin;
    size_t cubin_size;
    const char *kernel;
    struct wb_device_case *cases;
    size_t case_count;
    bool measure;           /* collect counters: exactly one case then */
    bool measure_constants; /* with `measure`: the IDC metrics too; a GPU runs the kernel once more
                               for them and has them for the whole launch only */
    double time_limit;      /* seconds for the whole job once the device is ready, 0: 10. Wall
                               clock; on the embedded device CPU time */
    uint64_t step_limit;    /* warp instructions per launch (sim); 0: the device's own */
    enum wb_schedule schedule; /* order of warps, lanes and blocks; a GPU has its own */
    uint64_t schedule_seed;
    bool guard; /* look for races, undefined values and the like (sim; a GPU cannot) */
    const char *toolkit_root; /* where CUPTI may lie; NULL if unknown */
};

/* What happened. The first case that is not `done` is the one `fault` speaks of. */
struct wb_device_result {
    struct wb_fault fault;       /* kind NONE: all cases ran */
    struct wb_counters counters; /* if measured: present != 0 */
    /* Of a job with a guard: what it found, only of the first case in which it found something. */
    struct wb_guard_findings findings;
    size_t found_in;        /* that case */
    char not_measured[400]; /* why there are no counters, one sentence; "" if there are */
    unsigned registers, static_shared, local_bytes; /* of the kernel */
    char *output;                                   /* what the kernel printed, capped */
    bool output_cut;
};

struct wb_device {
    const char *name; /* "gpu", "sim", "none": as in --device */
    bool (*probe)(struct wb_device_info *out, const char *toolkit_root, struct wb_status *status);
    bool (*run)(struct wb_device_result *out, struct wb_arena *arena, struct wb_device_job *job,
                struct wb_status *status);
};

extern const struct wb_device wb_device_gpu, wb_device_sim, wb_device_none;
extern const struct wb_device *const wb_devices[]; /* NULL-terminated, in order of preference */

/* "auto", "gpu", "sim" or "none"; NULL: WARPBOOK_DEVICE, else auto (a GPU that works, else sim).
 * NO_DEVICE with a sentence when the named one cannot be used; BAD_INPUT for another name. */
bool wb_device_open(const struct wb_device **out, struct wb_device_info *info, const char *choice,
                    const char *toolkit_root, struct wb_status *status);

#endif
