// SPDX-License-Identifier: MIT
//
// Lesson 14, reference: how long does a number take to come down to 1?
//
//   out[i] = steps from in[i] to 1, by: x even: x / 2, x odd: 3 x + 1    for all 0 <= i < n
//
// The numbers are 1 to 100,000; the grid may be smaller than n. Each lane takes one element, and
// the warp takes the next 32 when the slowest of them has arrived.

#include <cuda_runtime.h>

extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        unsigned x = in[i];
        int steps = 0;
        while (x != 1) {
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
            steps++;
        }
        out[i] = steps;
    }
}
