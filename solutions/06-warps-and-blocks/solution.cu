// SPDX-License-Identifier: MIT
//
// Lesson 06, solution.
//
//   out[i] = 1 + x + x^2 + ... + x^64   where x = in[i], for all 0 <= i < n
//
// Why this is good: 256 threads are 8 whole warps, so no lane of a block is without a thread; only
// the last block has threads without an element. Eight blocks of 256 fill a multiprocessor with its
// 2048 threads. (n - 1) / threads + 1 rounds up without a sum that could overflow.

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
    const int threads = 256;
    *block = dim3(threads);
    *grid = dim3(n == 0 ? 1 : (n - 1) / threads + 1);
}

// The answers to the chapter's questions.
__constant__ int answer_warps_of_35 = 2;            // 32 + 3
__constant__ int answer_idle_of_40 = 24;            // 64 - 40
__constant__ float answer_idle_percent_of_48 = 25;  // 16 of 64
__constant__ int answer_warps_for_1000 = 42;        // 21 blocks of 2 warps
