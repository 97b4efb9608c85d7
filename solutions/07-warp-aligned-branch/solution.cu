// SPDX-License-Identifier: MIT
//
// Lesson 07, solution.
//
//   out[i] = expf(in[i])  for even i
//   out[i] = logf(in[i])  for odd i        for all 0 <= i < n
//
// Why this is good: two warps share 64 neighbouring elements, the first takes the 32 even ones, the
// second the 32 odd ones. No branch splits a warp, no work is done twice, and every element has
// exactly one thread. The guard asks for the element i, not for the thread: in the last, ragged
// group of 64 those are different questions.

#include <cuda_runtime.h>

extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = thread % 32;
    int warp = thread / 32;
    int odd = warp % 2;        // 0: this warp takes even elements, 1: odd ones
    int first = warp / 2 * 64; // first of the 64 elements that two warps share
    int i = first + 2 * lane + odd;
    if (i >= n) {
        return;
    }

    float y;
    if (odd == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}

// The answers to the chapter's questions.
__constant__ int answer_idle_lanes = 16;      // half of a warp's elements are odd
__constant__ int answer_runs_of_16 = 512;     // every warp holds a run of each kind
__constant__ int answer_runs_of_64 = 0;       // a run is two whole warps
__constant__ float answer_efficiency = 87.5f; // 100 * 700 / (700 + 100)
