// SPDX-License-Identifier: MIT
//
// Lesson 15: Reduction by shuffles
//
// Task: sums[w] = in[32 w] + in[32 w + 1] + ... + in[32 w + 31]. The last warp may have fewer
//     elements. This kernel does that through shared memory and with barriers. Do it without both.
// Launch: blocks of 256 threads; the grid covers n.
// Target: no instruction on shared memory, no barrier, at most 22,000 warp instructions at
//     n = 16384.

#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    // TODO 1: keep the sum in a register, and fetch the other lanes' by __shfl_down_sync
    __shared__ float values[256];
    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    values[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance) {
            values[t] += values[t + distance];
        }
        __syncthreads();
    }
    if (lane == 0 && i < n) {
        sums[i / 32] = values[t];
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_steps = -1;       // question 1
__constant__ int answer_lane_3 = -1;      // question 2
__constant__ int answer_sum_lane_0 = -1;  // question 3
__constant__ int answer_sum_lane_31 = -1; // question 4
