// SPDX-License-Identifier: MIT
//
// Lesson 15, solution.
//
// Why this is good: the values never leave the registers. Five shuffles and five sums serve a warp,
// no memory lies between them, and no other warp is waited for. Lanes behind the end take part with
// the value 0, so the mask may name all 32, and the guard stands only before the store.

#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0;

    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (threadIdx.x % 32 == 0 && i < n) {
        sums[i / 32] = sum;
    }
}

// The answers to the chapter's questions.
__constant__ int answer_steps = 5;         // 16, 8, 4, 2, 1
__constant__ int answer_lane_3 = 3;        // 3 + 19 and 11 + 27: three more than its own
__constant__ int answer_sum_lane_0 = 496;  // 0 + 1 + ... + 31
__constant__ int answer_sum_lane_31 = 992; // 31, doubled five times: 31 * 32
