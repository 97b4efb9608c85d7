// SPDX-License-Identifier: MIT
//
// Lesson 24: Registers
//
// Task: a running median of 25 samples: out[i] = median of in[i] ... in[i + 24], for all i < n.
//     `in` has n + 24 elements. This kernel is right, but its array lies in local memory. Sort such
//     that every index is a constant, and the array becomes 25 registers.
// Launch: blocks of 256 threads; the grid covers n.
// Target: no access to local memory, at most 64 registers a thread, and at most 1,200,000 warp
//     instructions at n = 16384.

#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    // TODO 1: take the samples in, without sorting them yet.
    float v[WINDOW]; // the samples so far, the smallest first
    for (int k = 0; k < WINDOW; k++) {
        float sample = in[i + k];
        int place = k;
        while (place > 0 && v[place - 1] > sample) {
            v[place] = v[place - 1];
            place--;
        }
        v[place] = sample;
    }

    // TODO 2: then sort in rounds, comparing neighbours: which ones must not depend on the samples.

    out[i] = v[WINDOW / 2];
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 3
__constant__ int answer_full = -1;         // question 1
__constant__ int answer_threads = -1;      // question 2
__constant__ int answer_sectors = -1;      // question 3
__constant__ int answer_in_registers = -1; // question 4
