/* SPDX-License-Identifier: MIT
 * gpu_range: the totals of a launch through CUPTI's Range Profiler, another route to the same
 * counters. Slower and without instructions: it is there to check the first route.
 */
#ifndef WARPBOOK_DEVICE_GPU_RANGE_H
#define WARPBOOK_DEVICE_GPU_RANGE_H

#include <warpbook/device.h>

/* Runs a job of one case on the GPU and takes the totals of BRANCH_UNIFORM, BRANCH_DIVERGENT,
 * INST, THREAD_INST and THREAD_INST_PRED_ON; *present has their bits. The buffers get their
 * results as in a normal run. False with a sentence if it could not be measured. */
bool wb_gpu_range_totals(struct wb_counts *out, uint32_t *present, struct wb_device_job *job,
                         struct wb_status *status);

#endif
