// SPDX-License-Identifier: MIT
//
// Lesson 16, solution.
//
//   running_sum  out[i] = in[first of group] + ... + in[i]                 groups of 32 elements
//   others       out[i] = sum of all elements of the group except in[i]    groups of 32 elements
//   relative     out[i] = in[i] - in[first of row]                         rows of 8 elements
//
// Why this is good: every element is loaded once, by its own lane, and travels from register to
// register. Five shuffles replace up to 32 loads, because the distance doubles with each. A lane
// without an element puts in 0 and stays until the last shuffle, so the mask is full and true. The
// lowest lanes of the scan have nobody to take from: they do not add what they get.

#include <cuda_runtime.h>

static const unsigned everybody = 0xffffffffu;

extern "C" __global__ void running_sum(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float sum = i < n ? in[i] : 0.0f;
    for (int distance = 1; distance < 32; distance *= 2) {
        float below = __shfl_up_sync(everybody, sum, distance);
        if (lane >= distance) {
            sum += below;
        }
    }
    if (i < n) {
        out[i] = sum;
    }
}

extern "C" __global__ void others(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0.0f;
    float sum = mine;
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(everybody, sum, distance);
    }
    if (i < n) {
        out[i] = sum - mine;
    }
}

extern "C" __global__ void relative(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? in[i] : 0.0f;
    float first = __shfl_sync(everybody, mine, 0, 8);
    if (i < n) {
        out[i] = mine - first;
    }
}

// The answers to the chapter's questions.
__constant__ int answer_up = 2;    // there is no lane -1: lane 2 keeps its own
__constant__ int answer_xor = 12;  // 01001 and 00101 differ in 01100
__constant__ int answer_row = 19;  // lane 3 of the row that begins at 16
__constant__ int answer_steps = 3; // distances 1, 2 and 4
