// SPDX-License-Identifier: MIT
//
// Lesson 09: The branch that was not
//
// Task: four steps for each element, of one kind for even i and of another for odd i, for all
//     0 <= i < n. This kernel does that already, without a branch, and half of the lanes idle in
//     both sides all the same. Compute the same with all lanes at work, and with fewer
//     instructions.
// Launch: blocks of 256 threads; the grid covers n, so there is a thread for each element. You need
//     not use them all.
// Target: at least 29 of 32 lanes at work, and at most 12,500 warp instructions at n = 16384.

#include <cuda_runtime.h>

extern "C" __global__ void orbit(const float *in, float *out, int n)
{
    // TODO 1: which elements should this thread handle, so that both sides are for all lanes?
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float x = in[i];
    float y = x;
    if (i % 2 == 0) {
        y = y * y - 0.75f;
        y = y * y - 0.75f;
        y = y * y - 0.75f;
        y = y * y - 0.75f;
    } else {
        y = y * x + 0.5f;
        y = y * x + 0.25f;
        y = y * x + 0.125f;
        y = y * x + 0.0625f;
    }
    out[i] = y;
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_a = -1;       // question 1, kernel A: 1 if it has a branch, else 0
__constant__ int answer_b = -1;       // kernel B
__constant__ int answer_c = -1;       // kernel C
__constant__ int answer_d = -1;       // kernel D
__constant__ float answer_lanes = -1; // question 2
__constant__ int answer_off = -1;     // question 3
