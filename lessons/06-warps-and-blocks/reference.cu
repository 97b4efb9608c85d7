// SPDX-License-Identifier: MIT
//
// Lesson 06, reference: blocks of 48 threads. Each is one whole warp and half of another.
//
//   out[i] = 1 + x + x^2 + ... + x^64   where x = in[i], for all 0 <= i < n

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
    const int threads = 48;
    *block = dim3(threads);
    *grid = dim3(n == 0 ? 1 : (n - 1) / threads + 1);
}
