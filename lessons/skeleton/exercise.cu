// SPDX-License-Identifier: MIT
//
// Lesson @NUMBER@: @TITLE@
//
// Task: out[i] = in[i] + 1 for all 0 <= i < n. This kernel does that already, with half of its
//     lanes. Let all of them work.
// Launch: blocks of 256 threads; the grid covers n, so some threads of the last block may have no
//     element.
// Target: at least 28 of 32 lanes at work.

#include <cuda_runtime.h>

extern "C" __global__ void add_one(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // TODO 1: let every thread do one element, instead of every second thread two
    if (i >= n || i % 2 != 0) {
        return;
    }
    out[i] = in[i] + 1;
    if (i + 1 < n) {
        out[i + 1] = in[i + 1] + 1;
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 2
__constant__ int answer_lanes = -1; // question 1
