/* SPDX-License-Identifier: MIT
 * gpu_range: the totals of a launch through CUPTI's Range Profiler, another route to the same
 * counters. Slower and without instructions: it is there to check the first route, and for the
 * counters that have no SASS metric.
 */
#ifndef WARPBOOK_DEVICE_GPU_RANGE_H
#define WARPBOOK_DEVICE_GPU_RANGE_H

#include <warpbook/device.h>

/* Runs a job of one case on the GPU and takes the totals of BRANCH_UNIFORM, BRANCH_DIVERGENT,
 * INST, THREAD_INST, THREAD_INST_PRED_ON, IDC_DIVERGENT and IDC_REPLAYS; *present has their bits.
 * The buffers get their results as in a normal run. False with a sentence if it could not be
 * measured. */
bool wb_gpu_range_totals(struct wb_counts *out, uint32_t *present, struct wb_device_job *job,
                         struct wb_status *status);

/* The totals of those of them that have no SASS metric, for a job that is still to be run: its
 * buffers stay as they are. *present is 0 if they could not be measured. */
void wb_gpu_range_rest(struct wb_counts *out, uint32_t *present, struct wb_device_job *job);

#endif
