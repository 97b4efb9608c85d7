// SPDX-License-Identifier: MIT
//
// Lesson 19, reference: every element adds 1 to its bin by itself.
//
//   bins[k] += number of elements of in that are k      for 0 <= k < 64, all 0 <= i < n
//
// The keys are skewed: half of them are one and the same. The lanes of a warp that have the same
// key add to the same place, one after the other.

#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    int key = in[i];
    atomicAdd(&bins[key], 1);
}
