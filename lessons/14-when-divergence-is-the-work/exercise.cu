// SPDX-License-Identifier: MIT
//
// Lesson 14: When divergence is the work
//
// Task: out[i] = number of steps from in[i] to 1, for all 0 <= i < n. A step makes x / 2 of an even
//     x and 3 x + 1 of an odd one. The numbers are 1 to 100,000, and stay below 2^32 on their way.
//     This kernel does that already; its lanes wait for the slowest of 32. Give a lane that has
//     arrived the next element at once, or nearly so.
// Launch: 3 or 4 blocks of 128 threads, whatever n is.
// Target: at least 22 of 32 lanes at work, and at most 880,000 warp instructions for n = 16384.

#include <cuda_runtime.h>

extern "C" __global__ void collatz(const unsigned *in, int *out, int n)
{
    // TODO 1: one loop that makes a few steps and then hands new elements to the idle lanes. Each
    // warp has its own elements, hands each of them out once, and leaves when all lanes are done.
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

// Questions of the chapter. Replace -1 by your answer. For the float, 2 decimals are enough.
// TODO 2
__constant__ float answer_lanes = -1;   // question 1
__constant__ int answer_steps = -1;     // question 2
__constant__ int answer_divergent = -1; // question 3
__constant__ int answer_element = -1;   // question 4
