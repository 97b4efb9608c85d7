// SPDX-License-Identifier: MIT
//
// Lesson 06: Warps and blocks
//
// The kernel adds up a series for every element: out[i] = 1 + x + x^2 + ... + x^64, x = in[i]. It is
// right, and you need not change it. How it is launched is decided by `plan_launch`, on the host.
//
// Task: plan blocks that leave no lane without a thread. Every n from 0 to 2147483647 must have a
//     plan: at least one block, a thread for every element, at most one block too many.
// Target: at least 31 of 32 lanes at work, in the launch that you plan.

#include <cuda_runtime.h>

#define TERMS 64

extern "C" __global__ void series(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float x = in[i], sum = 1;
    for (int k = 0; k < TERMS; k++) {
        sum = sum * x + 1;
    }
    out[i] = sum;
}

// How to launch `series` for n elements.
extern "C" void plan_launch(int n, dim3 *grid, dim3 *block)
{
    // TODO 1: choose another number of threads for a block
    const int threads = 48;

    *block = dim3(threads);
    *grid = dim3(n == 0 ? 1 : (n - 1) / threads + 1);
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_warps_of_35 = -1;          // question 1
__constant__ int answer_idle_of_40 = -1;           // question 2
__constant__ float answer_idle_percent_of_48 = -1; // question 3
__constant__ int answer_warps_for_1000 = -1;       // question 4
