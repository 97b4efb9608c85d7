// SPDX-License-Identifier: MIT
//
// Lesson 07: Warp-aligned branches
//
// Task: out[i] = expf(in[i]) for even i and logf(in[i]) for odd i, for all 0 <= i < n. This kernel
//     does that already, and every warp runs both functions. Make each warp run only one, whatever
//     n is, with the same result for every element.
// Launch: blocks of 256 threads; the grid covers n, so some threads of the last block may have no
//     element.
// Target: no divergent branch, at least 28 of 32 lanes at work, and expf computed for the even
//     elements only.

#include <cuda_runtime.h>

extern "C" __global__ void explog(const float *in, float *out, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO 1: which element does this thread handle? Choose it so that the 32 threads of a warp
    // get only even elements or only odd ones. Every element needs exactly one thread.
    int i = thread;

    if (i >= n) {
        return;
    }

    float y;
    if (i % 2 == 0) {
        y = expf(in[i]);
    } else {
        y = logf(in[i]);
    }
    out[i] = y;
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_idle_lanes = -1;   // question 1
__constant__ int answer_runs_of_16 = -1;   // question 2
__constant__ int answer_runs_of_64 = -1;   // question 3
__constant__ float answer_efficiency = -1; // question 4
