// SPDX-License-Identifier: MIT
//
// Lesson 11, solution.
//
// Why this is good: what differs between the kinds is data now, and no longer code. Every lane
// looks up its own five coefficients, and all run the same four multiply-adds: no branch is left.
// The table has 160 bytes and stays in the cache. A ninth kind would be one more row.

#include <cuda_runtime.h>

// Coefficients of each kind, the constant term first.
static __device__ const float table[8][5] = {
    {0, 1, 0, 0, 0},     // x
    {32, 1.8f, 0, 0, 0}, // 1.8 x + 32
    {2, -3, 1, 0, 0},    // x^2 - 3 x + 2
    {-1, 3, -3, 1, 0},   // (x - 1)^3
    {1, 0, -2, 0, 1},    // (x^2 - 1)^2
    {1, 1, 0.5f, 0.125f, 0.03125f},
    {0, -3, 0, 4, 0}, // 4 x^3 - 3 x
    {1, 0, -8, 0, 8}, // 8 x^4 - 8 x^2 + 1
};

extern "C" __global__ void convert(const int *kind, const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }

    const float *c = table[kind[i]];
    float x = in[i];
    float y = c[4];
    y = y * x + c[3];
    y = y * x + c[2];
    y = y * x + c[1];
    y = y * x + c[0];
    out[i] = y;
}

// The answers to the chapter's questions.
__constant__ int answer_ways = 8;
__constant__ int answer_issues = 48; // 8 * 6: one case after the other
__constant__ float answer_lanes = 4; // 32 / 8
__constant__ int answer_bytes = 160; // 8 * 5 * 4
