// SPDX-License-Identifier: MIT
//
// Lesson 27, reference: the sum of a whole array, as textbooks have it.
//
// Each thread adds up its elements in a grid-stride loop. Then the block adds up what its threads
// have, pair by pair, in shared memory: a barrier for each round. One thread takes the result to
// global memory. It is right for any n and any grid.

#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    __shared__ float values[1024];
    int t = threadIdx.x;
    int threads = blockDim.x;
    float mine = 0;

    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        mine += in[i];
    }
    values[t] = mine;
    __syncthreads();
    for (int distance = 1; distance < threads; distance *= 2) {
        int left = 2 * distance * t; // the first threads do the work, so that warps stay whole
        if (left + distance < threads) {
            values[left] += values[left + distance];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(sum, values[0]);
    }
}
