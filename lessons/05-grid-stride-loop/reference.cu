// SPDX-License-Identifier: MIT
//
// Lesson 05, reference: any n with any grid, in pieces.
//
//   y[i] = a * x[i] + y[i]     for all 0 <= i < n
//
// The array is cut into as many pieces as there are threads, and each thread works through its own.
// That is right for every grid. But neighbouring threads are far apart in the array.

#include <cuda_runtime.h>

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int threads = gridDim.x * blockDim.x;
    int piece = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;

    for (int i = first; i < first + piece && i < n; i++) {
        y[i] = a * x[i] + y[i];
    }
}
