// SPDX-License-Identifier: MIT
//
// Lesson 16, reference: three small kernels whose threads need what their neighbours have.
//
//   running_sum  out[i] = in[first of group] + ... + in[i]                 groups of 32 elements
//   others       out[i] = sum of all elements of the group except in[i]    groups of 32 elements
//   relative     out[i] = in[i] - in[first of row]                         rows of 8 elements
//
// The last group or row may be shorter. Each thread fetches from memory whatever it needs, although
// the other lanes of its warp have just fetched the same.

#include <cuda_runtime.h>

extern "C" __global__ void running_sum(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
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
    if (i >= n) {
        return;
    }
    out[i] = in[i] - in[i / 8 * 8];
}
