// SPDX-License-Identifier: MIT
//
// Lesson 27: Block and grid reduction
//
// Task: add all n elements of `in` to *sum, which is 0 before the launch. This kernel handles one
//     element a thread, and takes each to global memory by itself.
// Launch: blocks of 32, 96, 256 or 1024 threads, and 1 to 200 of them, whatever n is. A block is
//     made of whole warps.
// Target: with 32 blocks of 256 threads, n = 102,400: one atomic addition a block, every sector of
//     global memory moved once, no bank conflict, no divergent branch, at least 26 of 32 lanes at
//     work, at most 40,000 warp instructions.

#include <cuda_runtime.h>

extern "C" __global__ void sum_all(const float *in, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO 1: let each thread add up all of its elements, whatever the grid, into a register
    // TODO 2: one sum for each warp, by shuffles
    // TODO 3: one sum for each block, through a small shared array and one barrier
    // TODO 4: one addition to global memory for each block
    if (i < n) {
        atomicAdd(sum, in[i]);
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 5
__constant__ int answer_partials = -1; // question 1
__constant__ int answer_atomics = -1;  // question 2
__constant__ int answer_barriers = -1; // question 3
__constant__ float answer_order = -1;  // question 4
