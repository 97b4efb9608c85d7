// SPDX-License-Identifier: MIT
//
// Lesson 24, solution.
//
//   out[i] = median of in[i], in[i + 1], ... in[i + 24]      for 0 <= i < n
//
// Why this is good: which two samples are compared does not depend on the samples. So all loops can
// be unrolled, each index becomes a constant, and each element of the array a register. What does
// depend on the samples is which value ends up in which register: a minimum and a maximum decide
// that, without a branch. Every thread executes the same ones.

#include <cuda_runtime.h>

enum { WINDOW = 25 };

extern "C" __global__ void median(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    float v[WINDOW];
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
        v[k] = in[i + k];
    }

    // Even rounds compare (0, 1), (2, 3), ...; odd ones (1, 2), (3, 4), ... 25 rounds sort 25.
#pragma unroll
    for (int round = 0; round < WINDOW; round++) {
#pragma unroll
        for (int k = round % 2; k + 1 < WINDOW; k += 2) {
            float low = fminf(v[k], v[k + 1]);
            float high = fmaxf(v[k], v[k + 1]);
            v[k] = low;
            v[k + 1] = high;
        }
    }
    out[i] = v[WINDOW / 2];
}

// The answers to the chapter's questions.
__constant__ int answer_full = 32;        // 65,536 / 2048
__constant__ int answer_threads = 512;    // 65,536 / 128
__constant__ int answer_sectors = 32;     // each lane its own
__constant__ int answer_in_registers = 6; // B and C: 2 + 4
