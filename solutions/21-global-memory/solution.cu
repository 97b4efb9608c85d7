// SPDX-License-Identifier: MIT
//
// Lesson 21, solution.
//
// Why this is good: in the first kernel a lane takes its 16 bytes at once, so that the 32 lanes of
// an instruction want 512 bytes in a row: 16 sectors, each moved once. In the second, neighbouring
// lanes stand at neighbouring floats in every step, and four sectors serve all of them.

#include <cuda_runtime.h>

// in: x y vx vy, x y vx vy, ...   out: x y, x y, ...
extern "C" __global__ void drift_structures(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float4 body = reinterpret_cast<const float4 *>(in)[i];
    float2 place = {body.x + dt * body.z, body.y + dt * body.w};
    reinterpret_cast<float2 *>(out)[i] = place;
}

// in: all x, all y, all vx, all vy   out: all x, all y   One thread for four particles.
extern "C" __global__ void drift_arrays(const float *in, float *out, float dt, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        out[i] = in[i] + dt * in[2 * n + i];
        out[n + i] = in[n + i] + dt * in[3 * n + i];
    }
}

// The answers to the chapter's questions.
__constant__ int answer_neighbours = 4;    // 128 bytes / 32
__constant__ int answer_stride_of_4 = 16;  // 512 bytes / 32: two floats in each sector
__constant__ int answer_stride_of_64 = 32; // every float in a sector of its own
__constant__ float answer_used = 12.5f;    // 4 of 32 bytes
