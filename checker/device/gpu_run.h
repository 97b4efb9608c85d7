/* SPDX-License-Identifier: MIT
 * gpu_run: runs the cases of a job on the GPU, in the job's child. A meter may watch the launch.
 */
#ifndef WARPBOOK_DEVICE_GPU_RUN_H
#define WARPBOOK_DEVICE_GPU_RUN_H

#include "gpu_api.h"
#include "gpu_error.h"
#include "job.h"
#include "launch_check.h"

/* Device 0, and what a job runs on it. Filled step by step, in this order: */
struct wb_gpu {
    struct wb_cuda cuda;     /* wb_gpu_load */
    unsigned driver_version; /* CUDA version that the driver speaks: 13000 is 13.0 */
    struct wb_cupti cupti;   /* if something is measured: wb_cupti_open */
    int device;              /* wb_gpu_init */
    void *context;           /* wb_gpu_use */
    struct wb_launch_limits limits;
    const struct wb_kernel *kernel;
};

/* Something that counts during one launch. `start` runs right before it, `stop` after the kernel
 * has ended well, and puts what it found into child->result->counters. When either is false, it
 * has put the reason into child->result->not_measured, and the job ends without counters. */
struct wb_gpu_meter {
    void *(*start)(struct wb_job_child *child, const struct wb_gpu *gpu); /* its state, or NULL */
    bool (*stop)(struct wb_job_child *child, const struct wb_gpu *gpu, void *state);
};

extern const struct wb_gpu_meter wb_gpu_sass_meter;  /* per instruction */
extern const struct wb_gpu_meter wb_gpu_range_meter; /* totals, as a cross-check */

/* Opens the driver's library, without starting it; NO_DEVICE says what is wrong. */
bool wb_gpu_load(struct wb_gpu *gpu, struct wb_status *status);
/* Starts the driver and finds device 0. */
bool wb_gpu_init(struct wb_gpu *gpu, struct wb_status *status);
/* Makes its context current and asks for its limits. */
bool wb_gpu_use(struct wb_gpu *gpu, struct wb_status *status);

/* How jobs run on the GPU (see job.h), watched by a meter or by none (NULL). */
struct wb_job_kind wb_gpu_job_kind(const struct wb_gpu_meter *meter);

/* For meters: starts CUPTI and asks for the chip's name ("GH100"), NULL if that fails. */
const char *wb_gpu_start_cupti(struct wb_job_child *child, const struct wb_gpu *gpu);
/* For meters: true if a CUPTI call succeeded; else not_measured says what that means. */
bool wb_gpu_cupti_ok(struct wb_job_child *child, int result, const char *what);

#endif
