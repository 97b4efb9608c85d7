// SPDX-License-Identifier: MIT
//
// Lesson 16: The shuffle family
//
// Task: three kernels, for all 0 <= i < n.
//       running_sum  out[i] = in[first of group] + ... + in[i]                 groups of 32
//       others       out[i] = sum of all elements of the group except in[i]    groups of 32
//       relative     out[i] = in[i] - in[first of row]                         rows of 8
//     The last group or row may be shorter. These kernels do that already, with many loads. Let
//     each lane load its own element only, and take the others from the other lanes by shuffles.
// Launch: blocks of 256 threads; the grid covers n, so some threads of the last block may have no
//     element. Warp g of the grid belongs to group g.
// Target: one load a warp in each kernel, at most six shuffles a warp in the first two.

#include <cuda_runtime.h>

extern "C" __global__ void running_sum(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO 1: five shuffles from below (__shfl_up_sync) instead of the loop
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
    for (int j = i / 32 * 32; j <= i; j++) {
        sum += in[j];
    }
    out[i] = sum;
}

extern "C" __global__ void others(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO 2: five exchanges (__shfl_xor_sync) instead of the loop
    if (i >= n) {
        return;
    }
    int first = i / 32 * 32;
    float sum = 0.0f;
    for (int j = first; j < first + 32 && j < n; j++) {
        sum += in[j];
    }
    out[i] = sum - in[i];
}

extern "C" __global__ void relative(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO 3: one shuffle with rows of 8 (__shfl_sync with a width) instead of the second load
    if (i >= n) {
        return;
    }
    out[i] = in[i] - in[i / 8 * 8];
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 4
__constant__ int answer_up = -1;    // question 1
__constant__ int answer_xor = -1;   // question 2
__constant__ int answer_row = -1;   // question 3
__constant__ int answer_steps = -1; // question 4
