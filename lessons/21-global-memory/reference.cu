// SPDX-License-Identifier: MIT
//
// Lesson 21, reference: particles in two layouts.
//
// Each particle has a place (x, y) and a velocity (vx, vy). A step of time dt moves it:
//   x + dt * vx, y + dt * vy.
//
// Both kernels are right, and both move sectors several times: the first takes each float of a
// structure by itself, in the second each thread works through four neighbours.

#include <cuda_runtime.h>

// in: x y vx vy, x y vx vy, ...   out: x y, x y, ...
extern "C" __global__ void drift_structures(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    out[2 * i] = in[4 * i] + dt * in[4 * i + 2];
    out[2 * i + 1] = in[4 * i + 1] + dt * in[4 * i + 3];
}

// in: all x, all y, all vx, all vy   out: all x, all y   One thread for four particles.
extern "C" __global__ void drift_arrays(const float *in, float *out, float dt, int n)
{
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 4 && i < n; i++) {
        out[i] = in[i] + dt * in[2 * n + i];
        out[n + i] = in[n + i] + dt * in[3 * n + i];
    }
}
