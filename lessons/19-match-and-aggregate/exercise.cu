// SPDX-License-Identifier: MIT
//
// Lesson 19: Match and aggregate
//
// Task: a histogram. Every element of `in` is a key from 0 to 63; add to bins[k] the number of
//     elements that are k. The bins are 0 before the launch. This kernel adds 1 for each element.
//     Let the lanes of a warp that have the same key find each other, and one of them add for all.
// Launch: blocks of 256 threads; the grid covers n, so some threads of the last block may have no
//     element.
// Target: at most 4000 atomic additions at n = 16384, and at least 16 of 32 lanes at work.

#include <cuda_runtime.h>

extern "C" __global__ void histogram(const int *in, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO 1: the match asks all 32 lanes, so nobody may leave before it. Which key does a lane
    // without an element hold, that no element has?
    if (i >= n) {
        return;
    }
    int key = in[i];

    // TODO 2: which lanes have my key? One of them adds for all, and it adds how many they are.
    atomicAdd(&bins[key], 1);
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 3
__constant__ int answer_mask = -1;    // question 1
__constant__ int answer_leaders = -1; // question 2
__constant__ int answer_worst = -1;   // question 3
__constant__ int answer_blocks = -1;  // question 4
