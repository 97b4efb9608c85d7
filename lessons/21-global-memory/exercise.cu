// SPDX-License-Identifier: MIT
//
// Lesson 21: Global memory
//
// Each particle has a place (x, y) and a velocity (vx, vy). A step of time dt moves it:
//   x + dt * vx, y + dt * vy.
//
// Task: both kernels compute that already. Let each of them move every sector only once.
// Launch: blocks of 256 threads. drift_structures gets a thread for each particle, drift_arrays one
//     for four particles.
// Target: at most 1.05 times the sectors of global memory that are possible, in both.

#include <cuda_runtime.h>

// in: x y vx vy, x y vx vy, ...   out: x y, x y, ...
extern "C" __global__ void drift_structures(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    // TODO 1: fetch the four floats by one access, and store the two by one
    out[2 * i] = in[4 * i] + dt * in[4 * i + 2];
    out[2 * i + 1] = in[4 * i + 1] + dt * in[4 * i + 3];
}

// in: all x, all y, all vx, all vy   out: all x, all y   One thread for four particles.
extern "C" __global__ void drift_arrays(const float *in, float *out, float dt, int n)
{
    // TODO 2: which four particles should a thread take?
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 4 && i < n; i++) {
        out[i] = in[i] + dt * in[2 * n + i];
        out[n + i] = in[n + i] + dt * in[3 * n + i];
    }
}

// Questions of the chapter. Replace -1 by your answer.
// TODO 3
__constant__ int answer_neighbours = -1;   // question 1
__constant__ int answer_stride_of_4 = -1;  // question 2
__constant__ int answer_stride_of_64 = -1; // question 3
__constant__ float answer_used = -1;       // question 4
