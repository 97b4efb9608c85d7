/* SPDX-License-Identifier: MIT
 * gpu_error: what the results of the CUDA driver and of CUPTI mean to a learner.
 */
#ifndef WARPBOOK_DEVICE_GPU_ERROR_H
#define WARPBOOK_DEVICE_GPU_ERROR_H

#include "gpu_api.h"

#include <warpbook/device.h>

/* An operation of ours failed: fills the status (NO_DEVICE, or NO_MEMORY) and is false. `what` is
 * the call, e.g. "cuInit". */
bool wb_cuda_fail(struct wb_status *status, const struct wb_cuda *cuda, int result,
                  const char *what);

/* A kernel did something that the GPU refuses: fills the fault and is true. False if the result is
 * not of that kind. */
bool wb_cuda_fault(struct wb_fault *fault, int result, const char *kernel);

/* Why there are no counters: one sentence for the result of a CUPTI call. */
void wb_cupti_explain(char *out, size_t size, int result, const char *what);

#endif
