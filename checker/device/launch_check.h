/* SPDX-License-Identifier: MIT
 * launch_check: what can be said about a launch before it happens, in the same words on every
 * device. Each function is true if there is nothing to say; else *fault is LAUNCH_FAILED with a
 * sentence.
 */
#ifndef WARPBOOK_DEVICE_LAUNCH_CHECK_H
#define WARPBOOK_DEVICE_LAUNCH_CHECK_H

#include <warpbook/device.h>

/* What one block may take of a device. */
struct wb_launch_limits {
    unsigned threads;   /* per block */
    unsigned shared;    /* bytes of static plus dynamic shared memory per block */
    unsigned registers; /* 32-bit registers per block */
};

extern const struct wb_launch_limits wb_launch_limits_sm_90;

/* Finds the kernel; the sentence lists what the file has, and spots a missing extern "C". */
bool wb_launch_find(const struct wb_kernel **out, struct wb_fault *fault,
                    const struct wb_cubin *cubin, const char *name);

/* Compares the arguments of a case with the kernel's parameters, in number and size. */
bool wb_launch_check_params(struct wb_fault *fault, const struct wb_kernel *kernel,
                            const struct wb_device_case *c);

/* A variable of the module that the case fills: whether it is there, and how large it is. */
bool wb_launch_check_symbol(struct wb_fault *fault, const struct wb_device_buffer *symbol,
                            bool found, size_t size);

/* Grid, block, clusters, shared memory and registers. */
bool wb_launch_check_shape(struct wb_fault *fault, const struct wb_kernel *kernel,
                           const struct wb_device_case *c, const struct wb_launch_limits *limits);

#endif
