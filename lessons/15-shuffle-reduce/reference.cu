// SPDX-License-Identifier: MIT
//
// Lesson 15, reference: the sum of each 32 neighbouring elements, through shared memory.
//
// Every lane puts its element into shared memory. In five rounds the lower half adds what the upper
// half has. A barrier after each round makes sure that everything is written before it is read.

#include <cuda_runtime.h>

extern "C" __global__ void warp_sums(const float *in, float *sums, int n)
{
    __shared__ float values[256];
    int t = threadIdx.x;
    int lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;

    values[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int distance = 16; distance > 0; distance /= 2) {
        if (lane < distance) {
            values[t] += values[t + distance];
        }
        __syncthreads();
    }
    if (lane == 0 && i < n) {
        sums[i / 32] = values[t];
    }
}
